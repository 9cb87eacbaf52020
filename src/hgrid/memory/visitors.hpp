// SPDX-License-Identifier: BSD-3-Clause
// Keeps a grid from being built again by a functor that it is calling.
#pragma once

#include <atomic>

#include "hgrid/core/error.hpp"

namespace hgrid::inline v0_1::detail {

/// How many functors of a grid are running; it is not copied when a grid moves.
class Visitors {
 public:
  Visitors() = default;
  Visitors(Visitors&&) noexcept {}
  Visitors& operator=(Visitors&&) noexcept { return *this; }

  /// Throws `reentrancy`.
  void require_none() const {
    if (count_ > 0) throw Error(ErrorCode::reentrancy, "build was called from a functor of the same grid");
  }

  struct Running {  ///< counts one functor for its lifetime
    Visitors& visitors;
    explicit Running(Visitors& v) : visitors(v) { ++visitors.count_; }
    Running(const Running&) = delete;
    ~Running() { --visitors.count_; }
  };

 private:
  std::atomic<int> count_{0};
};

}  // namespace hgrid::inline v0_1::detail
