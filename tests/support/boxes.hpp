// SPDX-License-Identifier: BSD-3-Clause
// Boxes for tests of particles with extents, and their contacts by all pairs.
#pragma once

#include <cmath>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/options.hpp"
#include "support/run_case.hpp"

namespace support {

/// Plans for them have many levels and cells.
inline constexpr hgrid::SearchCosts dear_candidates{1, 0.5, 60, 0.5, 0.5, 1};

struct Boxes {
  std::vector<double> x, h;

  std::int64_t count() const { return static_cast<std::int64_t>(x.size() / 3); }
  hgrid::Particles<double, 3> view() const {
    hgrid::Particles<double, 3> p{};
    for (int k = 0; k < 3; ++k) p.position[k] = x.data() + k, p.extent[k] = h.data() + k;
    p.count = count();
    return p;
  }
};

/// All pairs; each axis has this period, or is open if it is 0.
inline Contacts all_pairs(const Boxes& b, int period, double skin) {
  Contacts found;
  for (std::int64_t i = 0; i < b.count(); ++i) {
    for (std::int64_t j = i; j < b.count(); ++j) {
      std::int64_t first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
      for (int k = 0; k < 3; ++k) {
        const auto at = [&](std::int64_t p) { return static_cast<std::size_t>(3 * p + k); };
        const double d = b.x[at(i)] - b.x[at(j)], reach = b.h[at(i)] + b.h[at(j)] + skin;
        if (period > 0) {  // |d - m L| <= reach
          first[k] = static_cast<std::int64_t>(std::ceil((d - reach) / period));
          last[k] = static_cast<std::int64_t>(std::floor((d + reach) / period));
        } else if (std::fabs(d) > reach) {
          last[k] = -1;
        }
      }
      for (auto mx = first[0]; mx <= last[0]; ++mx) {
        for (auto my = first[1]; my <= last[1]; ++my) {
          for (auto mz = first[2]; mz <= last[2]; ++mz) {
            const oracle::Contact c{i, j, {mx, my, mz}};
            if (i < j || c.m > std::array<std::int64_t, 3>{}) found.push_back(c);
          }
        }
      }
    }
  }
  return found;
}

}  // namespace support
