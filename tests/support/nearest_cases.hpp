// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points and of the particles themselves in random systems, against a loop over all particles and
// images.
#pragma once

#include "hgrid/queries.hpp"
#include "support/nearest_oracle.hpp"

namespace support {

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

/// Checks the nearest particles of another grid's particles: the system is cut in two.
template <class Real, int D, class Exec>
std::string check_nearest_of_grid(const Exec& exec, const Case& c) {
  Random random(c.seed + 54);
  oracle::System asking = c.system, asked = c.system;
  for (oracle::System* set : {&asking, &asked}) set->particles.clear(), set->excluded.clear(), set->owned = -1;
  const double share = random.chance(0.1) ? random.integer(0, 1) : random.real();
  for (const oracle::Particle& p : c.system.particles) (random.chance(share) ? asking : asked).particles.push_back(p);
  auto of_asking = grid_in<hgrid::Grid<Exec, D>>(exec, asking, options_of(c));
  auto of_asked = grid_in<hgrid::Grid<Exec, D>>(exec, asked, options_of(c));
  const UserArrays<Real, D> first(asking, c.choice[layout], c.choice[exclusions]),
      second(asked, c.choice[layout], c.choice[exclusions]);
  const auto first_there = placed(exec, first.view()), second_there = placed(exec, second.view());
  of_asking.build(first_there.view(), {.skin = asking.skin}), of_asked.build(second_there.view(), {.skin = asked.skin});
  hgrid::Nearest nearest(of_asked);
  const oracle::detail::Lattices lattices(asked);
  const std::vector<oracle::detail::Stored> stored = lattices.store_all();
  std::string text;
  for (const bool surfaces : {false, true}) {
    hgrid::NearestOptions options{
        .k = random.integer(1, 8), .by = surfaces ? hgrid::NearestBy::surfaces : hgrid::NearestBy::centres, .images = true};
    const FoundNearest found(exec, nearest.of_grid(of_asking, options));
    if (found.ids.size() != asking.particles.size() * static_cast<std::size_t>(options.k)) return "of a grid: other rows\n";
    const std::size_t step = std::max<std::size_t>(asking.particles.size() / 40, 1);
    for (std::size_t i = 0; i < asking.particles.size(); i += step) {
      const oracle::Particle& p = asking.particles[i];
      std::vector<Near> expected;
      if (oracle::takes_part(asking, p))
        expected = nearest_of<D>(asked, lattices, stored, {p}, static_cast<std::size_t>(options.k), surfaces, options.within);
      text += difference_in_row<D>(asked, found, i, expected, surfaces, HUGE_VAL);
    }
    if (!text.empty()) return "of a grid, k " + std::to_string(options.k) + ": " + text;
  }
  return text;
}

template <class Exec>
std::string check_nearest(const Exec& exec, const Case& c) {
  const auto of_type = [&]<class Real, int D>() {
    const std::string text = check_nearest<Real, D>(exec, c);
    return text.empty() && !is_refused(c.system) ? check_nearest_of_grid<Real, D>(exec, c) : text;
  };
  const bool is_double = c.choice[real] == 0;
  for (int k = 0; k < c.system.dimension; ++k) {  // one in 10^5 that floats cannot hold
    if (c.system.periodic[k] && c.system.lo[k] == c.system.hi[k]) return "";
  }
  const auto in = [&]<int D>() {
    return is_double ? of_type.template operator()<double, D>() : of_type.template operator()<float, D>();
  };
  return c.choice[dimension] == 0 ? in.template operator()<2>() : in.template operator()<3>();
}

}  // namespace support
