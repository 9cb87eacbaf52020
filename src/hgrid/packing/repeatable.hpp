// SPDX-License-Identifier: BSD-3-Clause
// Random numbers and powers with equal bits on every platform. They use whole numbers of std::mt19937_64, and only sums,
// products and square roots, which IEEE 754 defines to the last bit. The distributions of <random> and std::pow differ between
// platforms.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <random>

namespace hgrid::inline v0_2 {

class RepeatableRandom {
 public:
  explicit RepeatableRandom(std::uint64_t seed) : generator_(seed) {}
  double below_one() { return static_cast<double>(generator_() >> 11) * 0x1p-53; }
  double between(double lo, double hi) { return lo + (hi - lo) * below_one(); }
  bool chance(double p) { return below_one() < p; }
  std::size_t below(std::size_t k) { return static_cast<std::size_t>(static_cast<unsigned __int128>(generator_()) * k >> 64); }

 private:
  std::mt19937_64 generator_;
};

/// Returns 2^x with a relative error of some 1e-13, for |x| < 1000: a product of repeated square roots of 2, one for each set
/// bit of x.
inline double two_to(double x) {
  static const auto root = [] {
    std::array<double, 40> table;
    double value = 2;
    for (double& entry : table) entry = value = std::sqrt(value);
    return table;
  }();
  const double whole = std::floor(x);
  double rest = x - whole, result = 1;
  for (const double factor : root) {
    rest *= 2;
    if (rest >= 1) rest -= 1, result *= factor;
  }
  return std::ldexp(result, static_cast<int>(whole));
}

/// Returns the logarithm of x > 0 to base 2 to within 1e-12, one bit for each squaring.
inline double log_two(double x) {
  int exponent;
  double mantissa = 2 * std::frexp(x, &exponent), result = 0;  // in [1, 2)
  for (double bit = 0.5; bit > 0x1p-41; bit /= 2) {
    mantissa *= mantissa;
    if (mantissa >= 2) mantissa /= 2, result += bit;
  }
  return exponent - 1 + result;
}

/// Returns x^(1/degree) for x > 0.
inline double root_of(double x, int degree) { return two_to(log_two(x) / degree); }

}  // namespace hgrid::inline v0_2
