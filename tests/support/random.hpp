// SPDX-License-Identifier: BSD-3-Clause
// Random numbers that are equal with every standard library, so that a printed seed reproduces a failure.
#pragma once

#include <cmath>
#include <cstdint>

namespace support {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed) {}

  std::uint64_t bits() {  // splitmix64
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  double real() { return static_cast<double>(bits() >> 11) * 0x1p-53; }  // [0, 1)
  double real(double lo, double hi) { return lo + (hi - lo) * real(); }
  double log_real(double lo, double hi) { return lo * std::exp(real() * std::log(hi / lo)); }
  int integer(int first, int last) {
    const std::uint64_t numbers = static_cast<std::uint64_t>(std::int64_t{last} - first + 1);
    return static_cast<int>(first + static_cast<std::int64_t>(bits() % numbers));
  }
  bool chance(double p) { return real() < p; }
  double sign() { return chance(0.5) ? -1 : 1; }

 private:
  std::uint64_t state_;
};

/// x moved by `steps` representable numbers of Real.
template <class Real>
Real ulps_away(Real x, int steps) {
  for (; steps > 0; --steps) x = std::nextafter(x, static_cast<Real>(HUGE_VAL));
  for (; steps < 0; ++steps) x = std::nextafter(x, static_cast<Real>(-HUGE_VAL));
  return x;
}

}  // namespace support
