// SPDX-License-Identifier: BSD-3-Clause
// A fuzzer's bytes as decisions: each takes what it needs from the front, and zeros once they are used up.
#pragma once

#include <cstring>

#include "target.hpp"

namespace fuzz {

class Bytes {
 public:
  explicit Bytes(Input input) : input_(input) {}

  bool empty() const { return input_.empty(); }

  template <class T>
  T take() {
    T value{};
    const std::size_t n = std::min(sizeof(T), input_.size());
    std::memcpy(&value, input_.data(), n);
    input_ = input_.subspan(n);
    return value;
  }
  int below(int n) { return take<std::uint8_t>() % n; }
  bool flag() { return below(2) == 1; }

 private:
  Input input_;
};

}  // namespace fuzz
