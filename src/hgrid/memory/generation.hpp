// SPDX-License-Identifier: BSD-3-Clause
// What tells one state of a grid from all others, and what a move leaves behind.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>

namespace hgrid::inline v0_2::detail {

/// A number that nothing else in the process has been given; 0 is none.
inline std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

/// A number that describes memory, such as how much of it is in use. A move leaves 0 behind, because the memory has gone.
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
