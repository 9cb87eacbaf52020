// SPDX-License-Identifier: BSD-3-Clause
// The threads of a grid of the Python door, and whose turn it is to use it.
#pragma once

#include <chrono>
#include <mutex>

#include "hgrid/host/openmp_exec.hpp"

namespace hgrid::python {

/// How often this process is the child of a fork, counted from the import of the module.
int forks();

/// OpenMP's threads, or the calling one: one type, so that a grid is compiled once for both. OpenMP's runtime hangs in the
/// child of a process that has used it, so there all work is done by the calling thread; results do not depend on it.
class Threads final : public HostExec {
 public:
  /// threads: 0 as many as OpenMP gives, negative for the calling one alone.
  explicit Threads(int threads) : openmp_(threads < 0 ? 1 : threads) {}

  const char* name() const override { return "python"; }
  int concurrency() const override;
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override;

 private:
  OpenMPExec openmp_;
};

/// Lets one thread at a time use a grid, and the others wait for it.
class Turn {
 public:
  /// Waits for the turn and asks `wait_on` each time that a tenth of a second was in vain; it may throw. Throws `reentrancy` in
  /// a child of a process that forked while another of its threads had the turn, because nobody will ever give it back.
  template <class F>
  std::unique_lock<std::timed_mutex> take(const F& wait_on) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    while (!lock.owns_lock()) {
      if (made_after_ != forks()) {
        throw Error(ErrorCode::reentrancy,
                    "this process was forked while a thread of its parent used this grid; make another one");
      }
      if (!lock.try_lock_for(std::chrono::milliseconds(100))) wait_on();
    }
    return lock;
  }

 private:
  std::timed_mutex mutex_;
  int made_after_ = forks();
};

}  // namespace hgrid::python
