// SPDX-License-Identifier: BSD-3-Clause
// Prevents a functor from building or inserting into the grid that is calling it.
#pragma once

#include <atomic>
#include <string>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {

/// Counts the running functors of a grid. The count is not copied when a grid moves.
class Visitors {
 public:
  Visitors() = default;
  Visitors(Visitors&&) noexcept {}
  Visitors& operator=(Visitors&&) noexcept { return *this; }

  /// Throws `reentrancy`, naming the function that was called.
  void require_none(const char* called = "build") const {
    if (count_ > 0) throw Error(ErrorCode::reentrancy, std::string(called) + " was called from a functor of the same grid");
  }

  struct Running {  ///< counts one functor for its lifetime
    Visitors& visitors;
    /// Throws `reentrancy` if another functor is running, unless `called` is null.
    explicit Running(Visitors& v, const char* called = nullptr) : visitors(v) {
      if (called != nullptr) v.require_none(called);
      ++v.count_;
    }
    Running(const Running&) = delete;
    ~Running() { --visitors.count_; }
  };

 private:
  std::atomic<int> count_{0};
};

}  // namespace hgrid::inline v0_2::detail
