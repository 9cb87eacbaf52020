// SPDX-License-Identifier: BSD-3-Clause
// Functions of the caller's that a grid is calling. From there it may be looked at, and nothing else.
#pragma once

#include <atomic>

#include "hgrid/core/error.hpp"

namespace hgrid::c {

class Callbacks {
 public:
  /// Counts one for its lifetime.
  class Running {
   public:
    explicit Running(Callbacks& all) : all_(all) { ++all_.running_; }
    Running(const Running&) = delete;
    ~Running() { --all_.running_; }

   private:
    Callbacks& all_;
  };

  /// Before a call that may change the grid. Throws `reentrancy`.
  void require_none() {
    if (running_ > 0) refused_ = true, refuse();
    refused_ = false;
  }
  /// After one of them. Throws `reentrancy` if it has made such a call, whatever it made of the error.
  void require_not_refused() const {
    if (refused_) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::reentrancy,
                "a function that this grid called has called it; ask another grid there, or this one afterwards");
  }

  std::atomic<int> running_{0};
  std::atomic<bool> refused_{false};
};

}  // namespace hgrid::c
