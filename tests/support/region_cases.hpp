// SPDX-License-Identifier: BSD-3-Clause
// Queries for boxes, spheres and points in random systems, against a loop over all particles and images.
#pragma once

#include "hgrid/hgrid.hpp"
#include "support/answers.hpp"

namespace support {

/// Draws regions; with `spheres` many, all of them spheres and points.
template <int D>
std::vector<hgrid::Region<D>> draw_regions(const oracle::System& s, Random& random, bool spheres = false) {
  std::vector<hgrid::Region<D>> regions;
  double largest = 0;
  for (const oracle::Particle& p : s.particles) {
    if (oracle::takes_part(s, p)) largest = std::fmax(largest, s.radius_scale * p.radius + p.extra);
  }
  for (int q = 0; q < (spheres ? 100 : 12); ++q) {
    const oracle::Particle& p = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)];
    const oracle::Particle& other = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)];
    const double size = s.radius_scale * p.radius + p.extra;
    const oracle::Domain& box = oracle::domain_of(s, p);
    hgrid::Region<D> r{};
    r.world = s.worlds > 0 ? p.world : 0;
    bool usable = std::isfinite(size);
    for (int k = 0; k < D; ++k) {
      usable = usable && std::isfinite(p.x[k]);
      r.lo[k] = r.hi[k] = p.x[k] + (random.chance(0.5) ? 0 : random.real(-2, 2) * size);
    }
    for (int k = 0; k < D; ++k) {
      if (box.periodic[k] && random.chance(0.2)) move_along(box, k, random.integer(-3, 3) * (box.hi[k] - box.lo[k]), r.lo.v);
    }
    r.hi = r.lo;
    if (!usable) continue;
    const int kind = box.turned || spheres ? 3 * random.integer(0, 1) : random.integer(0, 3);  // no extent in a turned box
    if (kind == 0) r.radius = random.chance(0.5) ? size : random.real(0, 3) * size;
    for (int k = 0; k < D && kind == 1; ++k) r.hi[k] += random.real(0, 4) * size;
    for (int k = 0; k < D && kind == 2; ++k) {  // a box that a sphere may just touch, or that ends at a centre
      const double to = other.x[k] - (random.chance(0.5) ? other.radius * s.radius_scale : 0);
      if (std::isfinite(to) && to >= r.lo[k] && (!box.periodic[k] || to - r.lo[k] < 2 * (box.hi[k] - box.lo[k]))) r.hi[k] = to;
    }
    const double images = std::any_of(box.tilt, box.tilt + 3, [](double tilt) { return tilt != 0; }) ? 4.9 : 6.9;
    for (int k = 0; k < D; ++k) {  // the limit on images
      usable =
          usable && (!box.periodic[k] || r.hi[k] - r.lo[k] + 2 * (r.radius + 2 * largest) < images * (box.hi[k] - box.lo[k]));
    }
    if (usable) regions.push_back(r);
  }
  return regions;
}

/// The contacts of region q with particles as (q, id, image), sorted.
template <int D>
Contacts in_regions(const oracle::System& s, const std::vector<hgrid::Region<D>>& regions, hgrid::Take take,
                    double radius_scale = 1) {
  using Numbers = std::array<std::int64_t, 3>;
  const oracle::detail::Lattices lattices(s);
  Contacts found;
  for (std::size_t q = 0; q < regions.size(); ++q) {
    oracle::Particle begin{.world = regions[q].world};
    const oracle::detail::Lattice& l = lattices.of(begin);
    double hi[3] = {};
    for (int k = 0; k < D; ++k) begin.x[k] = regions[q].lo[k], hi[k] = regions[q].hi[k];
    const oracle::detail::Stored lo = oracle::detail::store(s, l, begin);
    for (int j = D - 1; j >= 0; --j) {
      const auto count = static_cast<double>(lo.wraps[j]);
      for (int k = 0; k <= j && count != 0; ++k) hi[k] = std::fma(-count, l.at[j][k], hi[k]);
    }
    for (int k = 0; k < D; ++k) {
      hi[k] = regions[q].hi[k] == regions[q].lo[k] || hi[k] < lo.x[k] ? lo.x[k] : hi[k];
    }
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      const oracle::detail::Stored p = oracle::detail::store(s, l, s.particles[i]);
      if (!p.in || (s.worlds > 0 && s.particles[i].world != regions[q].world)) continue;
      const double limit = regions[q].radius + (take == hgrid::Take::touching ? radius_scale * p.a : 0);
      const auto moved = [&](int k, const Numbers& m) {
        double by = m[k] * l.at[k][k];
        for (int j = k + 1; j < D; ++j) by += m[j] * l.at[j][k];
        return by;
      };
      const auto square = [&](int k, const Numbers& m) {
        const double by = moved(k, m), d = std::fmax(0, std::fmax(lo.x[k] - p.x[k] - by, p.x[k] - hi[k] + by));
        return d * d;
      };
      std::vector<Numbers> images = {{}};  // more than the images in reach, the last axis first
      for (int k = D - 1; k >= 0; --k) {
        if (!l.domain->periodic[k]) continue;
        std::vector<Numbers> more;
        for (Numbers m : images) {
          const double from = lo.x[k] - limit - p.x[k] - moved(k, m), to = hi[k] + limit - p.x[k] - moved(k, m);
          const auto last = static_cast<std::int64_t>(std::ceil(to / l.at[k][k])) + 1;
          for (m[k] = static_cast<std::int64_t>(std::floor(from / l.at[k][k])) - 1; m[k] <= last; ++m[k]) more.push_back(m);
        }
        images = more;
      }
      for (const Numbers& m : images) {
        const double flat = square(0, m) + square(1, m);
        if ((D == 3 ? flat + square(2, m) : flat) > limit * limit) continue;
        Numbers image = m;
        for (int k = 0; k < D; ++k) image[k] += lo.wraps[k] - p.wraps[k];
        found.push_back({static_cast<std::int64_t>(q), static_cast<std::int64_t>(i), oracle::detail::as_given(l, image)});
      }
    }
  }
  return sorted(found);
}

template <class Real, int D, class Exec>
std::string check_regions(const Exec& exec, const Case& c, bool spheres = false) {
  Random random(c.seed + 31);
  const auto regions = draw_regions<D>(c.system, random, spheres);
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  const UserArrays<Real, D> arrays(c.system, c.choice[layout]);
  grid.build(arrays.view(), {.skin = c.system.skin});
  std::string text;
  const double scale = random.chance(0.5) ? random.real(0, 2) : 1;
  for (const hgrid::Take take : {hgrid::Take::touching, hgrid::Take::centres}) {
    const auto n = static_cast<hgrid::offset_t>(regions.size());
    const Contacts expected = in_regions<D>(c.system, regions, take, scale);
    text += check_answers(grid, hgrid::Regions{regions.data(), n, take, scale}, n, expected, c.seed);
  }
  return text;
}

}  // namespace support
