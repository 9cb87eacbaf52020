// SPDX-License-Identifier: BSD-3-Clause
// Boxes, spheres and points asked of random systems, against a loop over all particles and images.
#pragma once

#include "hgrid/hgrid.hpp"
#include "support/run_case.hpp"

namespace support {

template <int D>
std::vector<hgrid::Region<D>> draw_regions(const oracle::System& s, Random& random) {
  std::vector<hgrid::Region<D>> regions;
  double largest = 0;
  for (const oracle::Particle& p : s.particles) {
    if (oracle::takes_part(s, p)) largest = std::fmax(largest, s.radius_scale * p.radius + p.extra);
  }
  for (int q = 0; q < 12; ++q) {
    const oracle::Particle& p = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)];
    const oracle::Particle& other = s.particles[random.integer(0, static_cast<int>(s.particles.size()) - 1)];
    const double size = s.radius_scale * p.radius + p.extra;
    hgrid::Region<D> r{};
    bool usable = std::isfinite(size);
    for (int k = 0; k < D; ++k) {
      usable = usable && std::isfinite(p.x[k]);
      r.lo[k] = r.hi[k] = p.x[k] + (random.chance(0.5) ? 0 : random.real(-2, 2) * size);
      if (s.periodic[k] && random.chance(0.2)) r.lo[k] = r.hi[k] = r.lo[k] + random.integer(-3, 3) * (s.hi[k] - s.lo[k]);
    }
    if (!usable) continue;
    const int kind = random.integer(0, 3);
    if (kind == 0) r.radius = random.chance(0.5) ? size : random.real(0, 3) * size;
    for (int k = 0; k < D && kind == 1; ++k) r.hi[k] += random.real(0, 4) * size;
    for (int k = 0; k < D && kind == 2; ++k) {  // a box that a sphere may just touch, or that ends at a centre
      const double to = other.x[k] - (random.chance(0.5) ? other.radius * s.radius_scale : 0);
      if (std::isfinite(to) && to >= r.lo[k] && (!s.periodic[k] || to - r.lo[k] < 2 * (s.hi[k] - s.lo[k]))) r.hi[k] = to;
    }
    for (int k = 0; k < D; ++k) {  // the limit on images
      usable = usable && (!s.periodic[k] || r.hi[k] - r.lo[k] + 2 * (r.radius + largest) < 6.9 * (s.hi[k] - s.lo[k]));
    }
    if (usable) regions.push_back(r);
  }
  return regions;
}

/// The contacts of region q with particles as (q, id, image), sorted.
template <int D>
Contacts in_regions(const oracle::System& s, const std::vector<hgrid::Region<D>>& regions, hgrid::Take take) {
  Contacts found;
  for (std::size_t q = 0; q < regions.size(); ++q) {
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      const oracle::Particle& p = s.particles[i];
      if (!oracle::takes_part(s, p)) continue;
      double lo[3] = {}, hi[3] = {}, x[3] = {}, length[3] = {};
      std::int64_t base[3] = {0, 0, 0};
      int most[3] = {0, 0, 0};
      const double a = take == hgrid::Take::touching ? s.radius_scale * p.radius + p.extra : 0;
      const double limit = regions[q].radius + a;
      for (int k = 0; k < D; ++k) {
        lo[k] = regions[q].lo[k], hi[k] = regions[q].hi[k], x[k] = p.x[k];
        if (!s.periodic[k]) continue;
        length[k] = s.hi[k] - s.lo[k];
        const oracle::Wrapped corner = oracle::wrap(lo[k], s.lo[k], s.hi[k]), centre = oracle::wrap(x[k], s.lo[k], s.hi[k]);
        const double end = corner.count == 0 ? hi[k] : std::fma(-corner.count, length[k], hi[k]);
        hi[k] = hi[k] == lo[k] ? corner.inside : std::fmax(end, corner.inside);
        lo[k] = corner.inside, x[k] = centre.inside;
        base[k] = static_cast<std::int64_t>(corner.count - centre.count);
        most[k] = static_cast<int>((limit + (hi[k] - lo[k])) / length[k]) + 2;
      }
      const auto square = [&](int k, int m) {
        const double by = m * length[k], d = std::fmax(0, std::fmax(lo[k] - x[k] - by, x[k] - hi[k] + by));
        return d * d;
      };
      for (int mx = -most[0]; mx <= most[0]; ++mx) {
        for (int my = -most[1]; my <= most[1]; ++my) {
          for (int mz = -most[2]; mz <= most[2]; ++mz) {
            const double squared = D == 3 ? (square(0, mx) + square(1, my)) + square(2, mz) : square(0, mx) + square(1, my);
            if (squared > limit * limit) continue;
            found.push_back(
                {static_cast<std::int64_t>(q), static_cast<std::int64_t>(i), {mx + base[0], my + base[1], mz + base[2]}});
          }
        }
      }
    }
  }
  return sorted(found);
}

template <class Real, int D, class Exec>
std::string check_regions(const Exec& exec, const Case& c) {
  Random random(c.seed + 31);
  const auto regions = draw_regions<D>(c.system, random);
  hgrid::Grid<Exec, D> grid(exec, box_of<D>(c.system), options_of(c));
  const UserArrays<Real, D> arrays(c.system, c.choice[layout]);
  grid.build(arrays.view(), {.skin = c.system.skin});
  hgrid::Queries queries(grid);
  std::string text;
  for (const hgrid::Take take : {hgrid::Take::touching, hgrid::Take::centres}) {
    const auto n = static_cast<hgrid::offset_t>(regions.size());
    const Contacts expected = in_regions<D>(c.system, regions, take);
    text += difference("regions listed", as_listed(queries.find(regions.data(), n, take)), expected);
    Contacts visited;
    std::mutex mutex;
    queries.for_each(regions.data(), n, Collect{&visited, &mutex}, take);
    text += difference("regions visited", sorted(visited), expected);
  }
  return text;
}

}  // namespace support
