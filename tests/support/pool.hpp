// SPDX-License-Identifier: BSD-3-Clause
// The pool of threads in situations that do not depend on the clock.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "host/thread_pool.hpp"

namespace support {

inline hgrid::detail::ThreadPool& pool_of_process() { return hgrid::detail::ThreadPool::of_process(); }

inline void wait_for(const std::atomic<bool>& flag) {
  while (!flag) std::this_thread::yield();
}

inline bool can_have_helpers() { return sysconf(_SC_NPROCESSORS_ONLN) > 1; }

/// Holds all helpers of the pool, and a thread besides, until it is destroyed.
class HeldHelpers {
 public:
  HeldHelpers() {
    const auto parts = static_cast<int>(std::min(sysconf(_SC_NPROCESSORS_ONLN), 256l));
    caller_ = std::thread([this, parts] {
      pool_of_process().run(parts, [this](hgrid::offset_t) {
        ++begun_;
        while (!let_go_) {
        }
      });
    });
    while (begun_ < parts) std::this_thread::yield();
  }
  ~HeldHelpers() {
    let_go_ = true;
    caller_.join();
  }

 private:
  std::atomic<int> begun_{0};
  std::atomic<bool> let_go_{false};
  std::thread caller_;
};

/// Runs a part on a helper, if there can be one, and returns whether all parts have run when the call returns.
inline bool is_helped() {
  const auto caller = std::this_thread::get_id();
  std::atomic<bool> has_helper{!can_have_helpers()}, caller_is_done{false};
  std::atomic<int> ran{0};
  const bool helped = pool_of_process().run(2, [&](hgrid::offset_t) {
    if (std::this_thread::get_id() == caller) {
      wait_for(has_helper);
      caller_is_done = true;
    } else {
      has_helper = true;
      wait_for(caller_is_done);
      for (int k = 0; k < 100; ++k) std::this_thread::yield();  // longer than the caller would spin
    }
    ++ran;
  });
  return helped == can_have_helpers() && ran == 2;
}

/// Returns the exit status of a child that calls f and then _exit(0); -1 if a signal ended it.
template <class F>
int status_of_child(const F& f) {
  const pid_t child = fork();
  if (child == 0) {
    f();
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace support
