// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/planning/occupied_fraction.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "hgrid/core/cell_key.hpp"

namespace hgrid {

template <int D>
double occupied_fraction(std::span<const double> rows, const Vec<double, D>& lo, const Vec<double, D>& hi) {
  constexpr int bits = 20;
  constexpr double points_per_box = 4;
  int axes = 0;
  for (int k = 0; k < D; ++k) axes += hi[k] > lo[k];
  std::vector<cell_key_t> code;
  for (std::size_t i = 0; i + D < rows.size(); i += D + 1) {
    if (rows[i + D] < 0) continue;
    cell_key_t c = 0;
    for (int k = 0; k < D; ++k) {
      if (!(hi[k] > lo[k])) continue;
      const double t = std::ldexp((rows[i + static_cast<std::size_t>(k)] - lo[k]) / (hi[k] - lo[k]), bits);
      c |= spread_bits<D>(static_cast<cell_key_t>(std::clamp(t, 0.0, std::ldexp(1.0, bits) - 1))) << k;
    }
    code.push_back(c);
  }
  if (code.empty() || axes == 0) return 1;
  std::sort(code.begin(), code.end());  // at every resolution the points of a box are now consecutive
  for (int b = bits; b > 0; --b) {
    const int shift = D * (bits - b);
    double boxes = 1;
    for (std::size_t i = 1; i < code.size(); ++i) boxes += (code[i] >> shift) != (code[i - 1] >> shift);
    if (points_per_box * boxes <= static_cast<double>(code.size())) return std::ldexp(boxes, -b * axes);
  }
  return 1;
}

template double occupied_fraction(std::span<const double>, const Vec<double, 2>&, const Vec<double, 2>&);
template double occupied_fraction(std::span<const double>, const Vec<double, 3>&, const Vec<double, 3>&);

}  // namespace hgrid
