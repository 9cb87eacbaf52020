// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points and of the particles themselves in random systems, against a loop over all particles and
// images.
#pragma once

#include "hgrid/queries.hpp"
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

/// Points at particles, near them, elsewhere in the box and far outside.
template <int D>
std::vector<AskedPoint> draw_points(const oracle::System& s, Random& random, int count) {
  std::vector<AskedPoint> points;
  const auto some = [&]() -> const oracle::Particle& {
    return s.particles[static_cast<std::size_t>(random.integer(0, static_cast<int>(s.particles.size()) - 1))];
  };
  for (int q = 0; q < count; ++q) {
    AskedPoint asked{.at = some()};
    const oracle::Particle& other = some();
    const oracle::Domain& box = oracle::domain_of(s, asked.at);
    const double how = random.real(), far = random.log_real(1, 1e6);
    bool usable = true;
    for (int k = 0; k < D; ++k) {
      double& x = asked.at.x[k];
      if (how < 0.3) x += random.real(-3, 3) * (s.radius_scale * asked.at.radius + asked.at.extra);
      if (how >= 0.3 && how < 0.6) x = x + random.real() * (other.x[k] - x);
      if (how > 0.9 && !box.periodic[k] && !box.turned)
        x += random.real(-1, 1) * far * (std::fabs(other.x[k] - x) + asked.at.radius);
      usable = usable && std::fabs(x) <= 1e15;
    }
    for (int k = 0; k < D; ++k) {
      if (box.periodic[k] && random.chance(0.2))
        move_along(box, k, random.integer(-3, 3) * (box.hi[k] - box.lo[k]), asked.at.x);
    }
    asked.at.active = true;
    if (!usable || !oracle::takes_part(s, asked.at) || !std::isfinite(asked.at.radius)) continue;
    const oracle::detail::Stored stored = oracle::detail::store(s, oracle::detail::lattice(box), asked.at);
    for (int k = 0; k < D; ++k) usable = usable && std::abs(stored.wraps[k]) < (1 << 28) && std::fabs(stored.x[k]) <= 1e15;
    if (!usable) continue;
    asked.at.world = s.worlds > 0 ? asked.at.world : 0;
    points.push_back(asked);
  }
  return points;
}

/// Returns whether nearest images are unsupported: where they are tilted along an axis that is open, or in too long a box.
inline bool is_refused(const oracle::System& s) {
  const auto of = [](const oracle::Domain& box) {
    const oracle::detail::Lattice l = oracle::detail::lattice(box);
    double shortest = HUGE_VAL, longest = 0;
    bool is_tilted = false, is_open = false;
    for (int j = 0; j < box.dimension; ++j) {
      if (!box.periodic[j]) continue;
      shortest = std::fmin(shortest, l.at[j][j]), longest = std::fmax(longest, l.at[j][j]);
      const int place[3][3] = {{}, {0}, {1, 2}};
      for (int k = 0; k < j; ++k) {
        is_tilted = is_tilted || box.tilt[place[j][k]] != 0;
        is_open = is_open || (!box.periodic[k] && l.at[j][k] != 0);
      }
    }
    return is_open || (is_tilted && longest > 8 * shortest);
  };
  return s.boxes.empty() ? of(s) : std::ranges::any_of(s.boxes, of);
}

template <class Real, int D, class Exec>
std::string check_nearest(const Exec& exec, const Case& c, int points_each = 12) {
  const oracle::System& s = c.system;
  Random random(c.seed + 53);
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, s, options_of(c));
  const UserArrays<Real, D> arrays(s, c.choice[layout], c.choice[exclusions]);
  hgrid::Nearest nearest(grid);
  const auto particles = placed(exec, arrays.view());
  grid.build(particles.view(), {.skin = s.skin});
  const oracle::detail::Lattices lattices(s);
  const std::vector<oracle::detail::Stored> stored = lattices.store_all();
  double scale = 0;
  for (const auto& p : stored) {
    if (p.in) scale = std::max({scale, std::fabs(p.x[0]), std::fabs(p.x[1]), std::fabs(p.x[2]), p.a});
  }
  for (const auto& vector : lattices.of(s.particles[0]).at)
    scale = std::max({scale, std::fabs(vector[0]), std::fabs(vector[1]), vector[2]});
  for (const oracle::Domain& box : s.boxes) {
    for (int k = 0; k < D; ++k) scale = std::max(scale, box.hi[k] - box.lo[k]);
  }
  if (is_refused(s)) {
    try {
      nearest.of_particles();
      return "nearest images in such a box\n";
    } catch (const hgrid::Error& e) {
      return e.code() == hgrid::ErrorCode::unsupported ? "" : e.what();
    }
  }
  const auto points = draw_points<D>(s, random, points_each);
  std::vector<hgrid::Vec<double, D>> x;
  std::vector<hgrid::index_t> worlds;
  for (const AskedPoint& asked : points) {
    hgrid::Vec<double, D> at;
    for (int k = 0; k < D; ++k) at[k] = asked.at.x[k], scale = std::fmax(scale, std::fabs(at[k]));
    x.push_back(at), worlds.push_back(asked.at.world);
  }
  const auto x_there = there(exec, x);
  const auto worlds_there = there(exec, s.worlds > 0 ? worlds : std::vector<hgrid::index_t>{});
  std::string text;
  const auto n = static_cast<int>(s.particles.size());
  for (const bool surfaces : {false, true}) {
    const double kind = random.real();
    const int k = kind < 0.6   ? random.integer(1, 8)
                  : kind < 0.9 ? random.integer(1, std::min(n, 100))
                               : std::min(n, 200) + random.integer(0, 2);
    hgrid::NearestOptions options{
        .k = k, .by = surfaces ? hgrid::NearestBy::surfaces : hgrid::NearestBy::centres, .images = true};
    if (random.chance(0.3)) {  // the exact distance of a particle, a bit less, or any
      const AskedPoint& asked = points.empty() ? AskedPoint{s.particles[0]} : points[0];
      const auto all = nearest_of<D>(s, lattices, stored, asked, static_cast<std::size_t>(k), surfaces, HUGE_VAL);
      if (!all.empty()) options.within = surfaces ? all.back().key : std::sqrt(all.back().key);
      const double how = random.real();
      if (how < 0.5) options.within *= random.real(0, 1.5);
      if (how >= 0.75) options.within = std::nextafter(options.within, -HUGE_VAL);
    }
    const FoundNearest of_points(exec, nearest.of_points(span_of(x_there), options, span_of(worlds_there)));
    for (std::size_t q = 0; q < points.size(); ++q) {
      const auto expected =
          nearest_of<D>(s, lattices, stored, points[q], static_cast<std::size_t>(k), surfaces, options.within);
      text += difference_in_row<D>(s, of_points, q, expected, surfaces, scale);
    }
    const FoundNearest of_particles(exec, nearest.of_particles(options));
    for (int q = 0; q < points_each; ++q) {
      const int i = random.integer(0, n - 1);
      std::vector<Near> expected;
      const oracle::Particle& p = s.particles[static_cast<std::size_t>(i)];
      if (oracle::takes_part(s, p)) {
        expected = nearest_of<D>(s, lattices, stored, {p, i}, static_cast<std::size_t>(k), surfaces, options.within);
      }
      text += difference_in_row<D>(s, of_particles, static_cast<std::size_t>(i), expected, surfaces, scale);
    }
    if (!text.empty()) return (surfaces ? "by surfaces, k " : "by centres, k ") + std::to_string(k) + ": " + text;
  }
  return text;
}

template <class Exec>
std::string check_nearest(const Exec& exec, const Case& c) {
  const bool is_double = c.choice[real] == 0;
  for (int k = 0; k < c.system.dimension; ++k) {  // one in 10^5 that floats cannot hold
    if (c.system.periodic[k] && c.system.lo[k] == c.system.hi[k]) return "";
  }
  if (c.choice[dimension] == 0) return is_double ? check_nearest<double, 2>(exec, c) : check_nearest<float, 2>(exec, c);
  return is_double ? check_nearest<double, 3>(exec, c) : check_nearest<float, 3>(exec, c);
}

}  // namespace support
