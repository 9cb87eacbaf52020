// SPDX-License-Identifier: BSD-3-Clause
// The input of the planner: a sample of the particles, their sizes, and the costs of the machine's search.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/inputs/sample.hpp"
#include "hgrid/plan/planning.hpp"

namespace hgrid::inline v0_2::detail {

/// The space of a world that gets cells: its box, and along open axes the extent of its particles.
template <int D>
struct WorldBounds {
  Vec<double, D> lo, hi;
  offset_t particles;
};

/// Returns the bounds of all worlds. Waits.
template <class Exec, class Real, int D>
std::vector<WorldBounds<D>> bounds_of_worlds(const Exec& exec, const Particles<Real, D>& p, const GridState<Exec, D>& grid,
                                             const InputSummary<D>& input) {
  const auto worlds = static_cast<std::size_t>(p.worlds.count);
  typename Exec::template Buffer<WorldExtent<D>> out(exec, p.worlds.count);
  exec.for_each("hgrid::clear_worlds", p.worlds.count, Fill<WorldExtent<D>>{out.data(), {}});
  exec.for_each("hgrid::measure_worlds", p.count,
                MeasureWorlds<Exec, Real, D>{p, grid.boxes.data(), input.lo, input.hi, out.data()});
  std::vector<WorldExtent<D>> extent(worlds);
  exec.copy_out(extent.data(), out.data(), p.worlds.count);
  std::vector<WorldBounds<D>> bounds(worlds);
  for (std::size_t w = 0; w < worlds; ++w) {
    const Box<D> box = grid.box_of(static_cast<index_t>(w));
    bounds[w].particles = extent[w].particles;
    for (int k = 0; k < D; ++k) {
      const double lo = input.hi[k] - extent[w].below_hi[k], hi = input.lo[k] + extent[w].above_lo[k];
      const bool inhabited = input.used > 0 && lo <= hi;
      bounds[w].lo[k] = box.wraps[k] ? box.lo[k] : inhabited ? lo : 0;
      bounds[w].hi[k] = box.wraps[k] ? box.hi[k] : inhabited ? hi : 0;
    }
  }
  return bounds;
}

/// Makes the sample and the bounds relative to the worlds' origins.
template <int D>
void move_to_origins(const std::vector<WorldBounds<D>>& bounds, PlanInput<D>& facts) {
  facts.lo = facts.hi = {};
  double squares = 0;
  for (const WorldBounds<D>& b : bounds) {
    facts.origins.push_back(b.lo);
    squares += static_cast<double>(b.particles) * static_cast<double>(b.particles);
    for (int k = 0; k < D; ++k) facts.hi[k] = std::max(facts.hi[k], b.hi[k] - b.lo[k]);
  }
  const auto n = static_cast<double>(facts.particles);
  facts.share_of_world = n > 0 ? squares / (n * n) : 1;
  for (std::size_t s = 0; s < facts.sample_world.size(); ++s) {
    const Vec<double, D>& origin = facts.origins[static_cast<std::size_t>(facts.sample_world[s])];
    for (int k = 0; k < D; ++k) facts.sample[s * (D + 1) + static_cast<std::size_t>(k)] -= origin[k];
  }
}

/// Returns classes of extents, from the largest of all extents and a sample in any order.
inline ExtentClasses extent_classes(double largest, std::vector<double> sample) {
  std::erase_if(sample, [](double h) { return !(h > 0); });
  std::ranges::sort(sample);
  const std::size_t few = sample.size() / 200;
  const double most = sample.empty() ? largest : sample[sample.size() - 1 - few], least = sample.empty() ? most : sample[few];
  ExtentClasses classes;
  const double wide = std::max(2.0, std::pow(largest / most, 1.0 / ExtentClasses::of_large));
  const double step = std::max(2.0, std::pow(most / least, 1.0 / (ExtentClasses::per_axis - 2 - ExtentClasses::of_large)));
  classes.bound[0] = largest;
  for (int c = 1; c < ExtentClasses::per_axis; ++c) {
    const double before = classes.bound[c - 1], next = before > most ? before / wide : before / step;
    classes.bound[c] = before > most && next < most ? most : next;
  }
  return classes;
}

/// Counts the extents of all particles by class. Waits.
template <class Exec, class Real, int D>
void count_extents(const Exec& exec, const Particles<Real, D>& p, PlanInput<D>& facts) {
  const ExtentClasses of_all = extent_classes(facts.radius_max, facts.extents);
  facts.extent_bounds.assign(of_all.bound, of_all.bound + ExtentClasses::per_axis);
  constexpr offset_t classes = ExtentClasses::count<D>();
  typename Exec::template Buffer<offset_t> counts(exec, classes);
  exec.for_each("hgrid::clear_counts", classes, Fill<offset_t>{counts.data(), 0});
  exec.for_each("hgrid::count_extents", p.count, CountExtents<Exec, Real, D>{p, of_all, counts.data()});
  facts.extent_counts.resize(static_cast<std::size_t>(classes));
  exec.copy_out(facts.extent_counts.data(), counts.data(), classes);
}

/// Returns all facts except the counts of the radii. These are not needed if the sample has all particles, or if particles have
/// extents. `input` is the inspection's summary of the particles. `shipped` holds the default costs of the executor's search,
/// used unless there is a calibration. Waits; throws `out_of_memory`.
template <class Exec, class Real, int D>
PlanInput<D> facts_of(const Exec& exec, const Particles<Real, D>& p, const GridState<Exec, D>& grid,
                      const InputSummary<D>& input, double skin, const SearchCosts& shipped, offset_t most_samples) {
  const offset_t samples = p.count < most_samples ? p.count : most_samples;
  PlanInput<D> facts;
  facts.particles = input.used;
  facts.lo = input.lo, facts.hi = input.hi;
  facts.radius_max = input.used > 0 ? input.radius_max : 0;
  facts.skin = skin;
  facts.costs = search_costs(exec.name(), shipped);
  typename Exec::template Buffer<double> out(exec, samples * (D + 1));
  const offset_t with_worlds = p.worlds.count > 0 ? samples : 0, with_extents = p.has_extents() ? D * samples : 0;
  typename Exec::template Buffer<double> extents(exec, with_extents);
  typename Exec::template Buffer<index_t> world(exec, with_worlds);
  grid.with_boxes(p.worlds, [&](const auto& boxes) {
    using Sample = SampleParticle<Real, D, std::decay_t<decltype(boxes)>>;
    exec.for_each("hgrid::sample", samples,
                  Sample{p, boxes, samples, out.data(), world.data(), p.has_extents() ? extents.data() : nullptr});
  });
  exec.copy_out(facts.sample_of(samples), out.data(), samples * (D + 1));
  if (p.has_extents()) {
    facts.extents.resize(static_cast<std::size_t>(with_extents));
    exec.copy_out(facts.extents.data(), extents.data(), with_extents);
    count_extents(exec, p, facts);
  }
  if (p.worlds.count == 0) return facts;
  facts.sample_world.resize(static_cast<std::size_t>(samples));
  exec.copy_out(facts.sample_world.data(), world.data(), samples);
  move_to_origins(bounds_of_worlds(exec, p, grid, input), facts);
  return facts;
}

}  // namespace hgrid::inline v0_2::detail
