// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of a point by a loop over all particles and images.
#pragma once

#include "support/found_nearest.hpp"
#include "support/region_cases.hpp"

namespace support {

struct Near {
  double key = HUGE_VAL;
  std::int64_t id = 0;
  std::array<std::int64_t, 3> image = {0, 0, 0};
  long double distance = 0;  // without rounding
};

/// Returns the nearest image of a particle, seen from a point. In an upright box the number on each axis decides, otherwise the
/// first image with the smallest key.
template <int D>
Near nearest_image(const oracle::detail::Lattice& l, const oracle::detail::Stored& at, const oracle::detail::Stored& p,
                   bool surfaces) {
  using Numbers = std::array<std::int64_t, 3>;
  const auto gap = [&](int k, const Numbers& m) {
    double by = static_cast<double>(m[k]) * l.at[k][k];
    for (int j = k + 1; j < D; ++j) by += static_cast<double>(m[j]) * l.at[j][k];
    return (at.x[k] - p.x[k]) - by;
  };
  const auto seen = [&](const Numbers& m) {
    Near near{0, 0, m, 0};
    for (int k = 0; k < D; ++k) {
      const double d = gap(k, m);
      near.key = k == 0 ? d * d : near.key + d * d;
      long double exact = static_cast<long double>(at.x[k]) - p.x[k];
      for (int j = k; j < D; ++j) exact -= static_cast<long double>(m[j]) * l.at[j][k];
      near.distance += exact * exact;
    }
    near.distance = std::sqrt(near.distance) - (surfaces ? static_cast<long double>(p.a) : 0);
    if (surfaces) near.key = std::sqrt(near.key) - p.a;
    return near;
  };
  Numbers around = {0, 0, 0};
  bool is_tilted = false;
  for (int k = D - 1; k >= 0; --k) {
    if (!l.domain->periodic[k]) continue;
    const auto middle = static_cast<std::int64_t>(std::nearbyint(gap(k, around) / l.at[k][k]));
    Numbers m = around;
    double least = HUGE_VAL;
    for (m[k] = middle - 2; m[k] <= middle + 2; ++m[k]) {
      if (std::fabs(gap(k, m)) < least) least = std::fabs(gap(k, m)), around[k] = m[k];
    }
    for (int j = 0; j < k; ++j) is_tilted = is_tilted || l.at[k][j] != 0;
  }
  if (!is_tilted) return seen(around);
  const auto away = [&](const Numbers& m) {  // by the periodic axes
    double squared = 0;
    for (int k = 0; k < D; ++k) squared += l.domain->periodic[k] ? gap(k, m) * gap(k, m) : 0;
    return squared;
  };
  const double limit = std::sqrt(away(around)) * (1 + 1e-9);
  double least = HUGE_VAL;
  const auto visit = [&](const auto& self, int k, Numbers m) -> void {
    if (k < 0) {
      const double here = away(m);
      if (here < least || (here == least && m < around)) least = here, around = m;
      return;
    }
    if (!l.domain->periodic[k]) return self(self, k - 1, m);
    const double apart = gap(k, m), period = l.at[k][k];
    const auto last = static_cast<std::int64_t>(std::ceil((apart + limit) / period)) + 1;
    for (m[k] = static_cast<std::int64_t>(std::floor((apart - limit) / period)) - 1; m[k] <= last; ++m[k]) self(self, k - 1, m);
  };
  visit(visit, D - 1, {0, 0, 0});
  return seen(around);
}

struct AskedPoint {
  oracle::Particle at;
  std::int64_t itself = -1;
};

/// The nearest of a point, in order.
template <int D>
std::vector<Near> nearest_of(const oracle::System& s, const oracle::detail::Lattices& lattices,
                             const std::vector<oracle::detail::Stored>& stored, const AskedPoint& asked, std::size_t k,
                             bool surfaces, double within) {
  const oracle::detail::Lattice& l = lattices.of(asked.at);
  const oracle::detail::Stored at = oracle::detail::store(s, l, asked.at);
  std::vector<Near> all;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    if (!stored[i].in || static_cast<std::int64_t>(i) == asked.itself) continue;
    if (s.worlds > 0 && s.particles[i].world != asked.at.world) continue;
    Near near = nearest_image<D>(l, at, stored[i], surfaces);
    near.id = static_cast<std::int64_t>(i);
    for (int a = 0; a < D; ++a) near.image[a] += at.wraps[a] - stored[i].wraps[a];
    near.image = oracle::detail::as_given(l, near.image);
    all.push_back(near);
  }
  std::ranges::sort(all, [](const Near& a, const Near& b) { return std::pair(a.key, a.id) < std::pair(b.key, b.id); });
  if (all.size() > k) all.resize(k);
  std::erase_if(all, [&](const Near& near) { return (surfaces ? near.key : std::sqrt(near.key)) > within; });
  return all;
}

/// Returns the difference in the row of a point.
template <int D>
std::string difference_in_row(const oracle::System& s, const FoundNearest& got, std::size_t row,
                              const std::vector<Near>& expected, bool surfaces, double scale) {
  const auto k = static_cast<std::size_t>(got.k);
  for (std::size_t e = 0; e < k; ++e) {
    const std::size_t at = row * k + e;
    const bool is_there = e < expected.size();
    const double distance = !is_there ? HUGE_VAL : surfaces ? expected[e].key : std::sqrt(expected[e].key);
    const auto id = static_cast<std::int64_t>(is_there ? expected[e].id : static_cast<std::int64_t>(s.particles.size()));
    bool is_same = got.ids[at] == id && got.distances[at] == distance;
    for (int a = 0; a < 3; ++a) is_same = is_same && got.images[at][a] == (is_there ? expected[e].image[a] : 0);
    if (!is_same) {
      return "row " + std::to_string(row) + ", entry " + std::to_string(e) + ": particle " + std::to_string(got.ids[at]) +
             " at " + std::to_string(got.distances[at]) + ", not " + std::to_string(id) + " at " + std::to_string(distance) +
             " image " + std::to_string(got.images[at][0]) + " " + std::to_string(got.images[at][1]) + " " +
             std::to_string(got.images[at][2]) + "\n";
    }
    if (is_there && !(std::fabs(expected[e].distance - static_cast<long double>(distance)) <= 0x1p-45L * scale))
      return "row " + std::to_string(row) + ": distance " + std::to_string(distance) + " is not exact\n";
  }
  return "";
}

}  // namespace support
