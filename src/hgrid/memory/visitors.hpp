// SPDX-License-Identifier: BSD-3-Clause
// Keeps a grid from being built again, or inserted into, by a functor that it is calling.
#pragma once

#include <atomic>
#include <string>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_2::detail {

/// How many functors of a grid are running; it is not copied when a grid moves.
class Visitors {
 public:
  Visitors() = default;
  Visitors(Visitors&&) noexcept {}
  Visitors& operator=(Visitors&&) noexcept { return *this; }

  /// Throws `reentrancy`, naming what was called.
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

/// Those of a grid, for classes that call functors for particles that they find there.
struct VisitorsOf {
  template <class Grid>
  explicit VisitorsOf(const Grid& grid) : visitors(grid.visitors_) {}
  Visitors& visitors;
};

}  // namespace hgrid::inline v0_2::detail
