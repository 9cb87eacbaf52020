// SPDX-License-Identifier: BSD-3-Clause
// The parts of the particles that planning reads: an even sample, and the number of particles of each size.
#pragma once

#include "hgrid/inputs/inspect.hpp"

namespace hgrid::inline v0_2::detail {

/// When levels are planned: takes an even sample of the particles, wrapped. The radius of particles that are left out is -1.
/// `world` receives the world of each, if there are worlds.
template <class Real, int D, class Boxes>
struct SampleParticle {
  Particles<Real, D> particles;
  Boxes boxes;
  offset_t samples;
  double* out;  // [samples][D + 1]
  index_t* world;
  double* extent;  // [samples][D], or null

  HGRID_HD void operator()(offset_t s) const {
    constexpr offset_t ahead = 16;
    if (takes_items_in_turn() && s + ahead < samples) particles.fetch(sampled(s + ahead));
    const offset_t i = sampled(s);
    double* row = out + s * (D + 1);
    const bool present = takes_part(particles, i);
    const index_t its_world = present ? world_in(boxes, particles, i) : 0;
    const Vec<double, D> x =
        boxes.with_box(its_world, [&](const Box<D>& box) { return into_box(box, particles.position_of(i)).inside; });
    for (int k = 0; k < D; ++k) row[k] = x[k];
    row[D] = !present ? -1 : particles.has_extents() ? 0 : particles.scaled_radius(i) + particles.extra_distance(i);
    for (int k = 0; k < D && extent != nullptr; ++k) extent[s * D + k] = stored_extent(particles, i, k);
    if (Boxes::has_worlds && particles.worlds.count > 0) world[s] = its_world;
  }

 private:
  // Returns one particle from each of `samples` equal parts, at a scattered place, because species often alternate. The last
  // sample is the last particle: files often keep unusual particles there, such as an intruder.
  HGRID_HD offset_t sampled(offset_t s) const {
    if (s == samples - 1) return particles.count - 1;
    const offset_t begin = s * particles.count / samples, end = (s + 1) * particles.count / samples;
    return begin + static_cast<offset_t>(static_cast<std::uint32_t>(s) * 2654435761u) % (end - begin);
  }
};

/// When levels are planned: counts particle i in the class of its radius. A sample has too few of the largest particles, which
/// search the most.
template <class Exec, class Real, int D>
struct CountRadius {
  Particles<Real, D> particles;
  offset_t* counts;  // [radius_classes]

  HGRID_HD void operator()(offset_t i) const {
    if (takes_part(particles, i)) Exec::atomic_add(&counts[radius_class_of(particles, i)], offset_t{1});
  }
};

}  // namespace hgrid::inline v0_2::detail
