// SPDX-License-Identifier: BSD-3-Clause
// Sums that are the same in any order and on any number of ranks.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <span>

namespace hgrid::tool {

/// A sum of terms from 0 on, exact until it is read: a number of 2,240 bits in digits of 32, of which the last one counts
/// 2^-1126 (Kulisch, Computer Arithmetic and Validity, 2013, ch. 8). A term below 0, or none, counts as 0, one that is infinite
/// as the largest number.
class ExactSum {
 public:
  void add(double term) {
    if (!(term > 0)) return;
    int exponent = 0;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::min(term, DBL_MAX), &exponent), DBL_MANT_DIG));
    const int place = exponent - DBL_MANT_DIG - last_place, shift = place % bits;
    const std::uint64_t low = (mantissa & most) << shift, high = (mantissa >> bits) << shift;
    std::uint64_t* const digit = &digit_[static_cast<std::size_t>(place / bits)];
    digit[0] += low & most, digit[1] += (low >> bits) + (high & most), digit[2] += high >> bits;
    if (++uncarried_ == carry_after) carry();
  }

  /// Those of one sum on several ranks may be added up, digit by digit.
  std::span<std::uint64_t> digits() {
    carry();
    return digit_;
  }

  double value() {
    carry();
    double sum = 0;
    for (int k = digits_; k-- > 0;)
      sum += std::ldexp(static_cast<double>(digit_[static_cast<std::size_t>(k)]), k * bits + last_place);
    return sum;
  }

 private:
  static constexpr int bits = 32, last_place = -1126, digits_ = 70;
  static constexpr std::uint64_t most = 0xffffffff;
  static constexpr std::uint32_t carry_after = 1u << 29;  // a term adds less than 2^33 to a digit

  void carry() {
    std::uint64_t carried = 0;
    for (std::uint64_t& digit : digit_) carried += digit, digit = carried & most, carried >>= bits;
    uncarried_ = 0;
  }

  std::array<std::uint64_t, digits_> digit_{};
  std::uint32_t uncarried_ = 0;
};

}  // namespace hgrid::tool
