// SPDX-License-Identifier: BSD-3-Clause
// Numbers that identify one state of a grid, and values that a move clears.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace hgrid::inline v0_2::detail {

/// Returns a number that nothing else in the process has; it is never 0.
inline std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// A number that describes memory, such as how much of it is in use. A move sets the source to 0, because its memory is gone.
template <class T>
class ClearedByMove {
 public:
  ClearedByMove(T value = 0) : value_(value) {}
  ClearedByMove(ClearedByMove&& o) noexcept : value_(std::exchange(o.value_, T{0})) {}
  ClearedByMove& operator=(ClearedByMove&& o) noexcept {
    value_ = std::exchange(o.value_, T{0});
    return *this;
  }
  operator T() const { return value_; }

 private:
  T value_;
};

}  // namespace hgrid::inline v0_2::detail
