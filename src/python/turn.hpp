// SPDX-License-Identifier: BSD-3-Clause
// Which thread may use a grid.
#pragma once

#include <chrono>
#include <mutex>

#include "python/door.hpp"

namespace hgrid::python {

/// Returns how many forks led to this process, counted from the import of the module.
int forks();

/// Lets one thread at a time use a grid; the others wait.
class Turn {
 public:
  /// Lends the turn while a callback of the grid runs in this thread. The holder of the turn waits for the callback, so the
  /// callback must not wait for the turn.
  class Lent {
   public:
    explicit Lent(const Turn& turn) : turn_(turn), outer_(innermost) { innermost = this; }
    Lent(const Lent&) = delete;
    ~Lent() { innermost = outer_; }
    static bool has(const Turn& turn) {
      const Lent* lent = innermost;
      while (lent != nullptr && &lent->turn_ != &turn) lent = lent->outer_;
      return lent != nullptr;
    }

   private:
    static inline thread_local const Lent* innermost = nullptr;
    const Turn& turn_;
    const Lent* const outer_;
  };

  /// Waits for the turn, and calls `wait_on`, which may throw, after each tenth of a second. Throws `reentrancy` in a child of
  /// a process that forked while another of its threads had the turn, because that turn never ends.
  template <class F>
  std::unique_lock<std::timed_mutex> take(const F& wait_on) {
    std::unique_lock lock(mutex_, std::try_to_lock);
    while (!lock.owns_lock()) {
      if (made_after_ != forks()) {
        throw DoorError{.code = "reentrancy",
                        .message = "this process was forked while a thread of its parent used this grid; make another one"};
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
