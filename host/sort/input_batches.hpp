// SPDX-License-Identifier: BSD-3-Clause
// The stages of a build that read the input in order, for hosts: batches of plain particles in vectors, other particles one by
// one.
#pragma once

#include <algorithm>
#include <mutex>

#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/options.hpp"
#include "hgrid/threads/host_exec.hpp"
#include "host/sort/sort_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Calls f(first, count) for the batches of particles [begin, end).
template <class Real, int D, class F>
void for_each_input_batch(const Particles<Real, D>& p, offset_t begin, offset_t end, const F& f) {
  for (offset_t first = begin, next; first < end; first = next) {
    next = ParticleBatch<D>::end_of(p, first, end);
    f(first, static_cast<index_t>(next - first));
  }
}

/// Returns whether a batch gains from vectors: particles are plain, and enough of them are consecutive.
template <class Real, int D>
bool suits_vectors(const Particles<Real, D>& p, offset_t first, index_t count) {
  constexpr index_t few = 3;  // fewer are cheaper one by one than in a vector with empty lanes
  return ParticleBatch<D>::suits(p) && (p.worlds.count == 0 || (count >= few && p.is_world(p.worlds.of[first])));
}

template <class Real, int D>
using InspectOnHost = InspectParticle<Real, D, BoxesOfWorlds<D>>;

/// Runs InspectParticle for particles [begin, end), and counts the ones that take part by classes of radii, for planning:
/// [radius_classes], or null. Throws `stopped` if the watch says so.
template <class Real, int D>
void inspect_range(const InspectOnHost<Real, D>& inspect, const Watch& watch, offset_t begin, offset_t end,
                   InputSummary<D>& found, offset_t* radii) {
  ParticleBatch<D> batch;
  for_each_input_batch(inspect.particles, begin, end, [&](offset_t first, index_t count) {
    const bool plain = suits_vectors(inspect.particles, first, count);
    watch.ask();
    if (begin == 0) watch.tell(static_cast<double>(first + count) / static_cast<double>(end));
    if (plain) batch.load(inspect.particles, first, count);
    if (plain && inspect_anywhere(batch, inspect.boxes[batch.world], inspect.skin, found, nullptr)) {
      for (index_t j = 0; j < count && radii != nullptr; ++j) ++radii[radius_class(batch.radius[j])];
      return;
    }
    for (offset_t i = first; i < first + count; ++i) {
      const std::int64_t used = found.used;
      inspect(i, found);
      if (radii != nullptr && found.used > used) ++radii[radius_class_of(inspect.particles, i)];
    }
  });
}

/// Inspects all particles, by threads.
template <class Real, int D>
InputSummary<D> inspect_all(const HostExec& exec, const InspectOnHost<Real, D>& inspect, const Watch& watch, offset_t* radii) {
  const offset_t n = inspect.particles.count, parts = exec.parts_of(n);
  InputSummary<D> summary = InputSummary<D>::identity();
  if (radii != nullptr) std::fill_n(radii, radius_classes, 0);
  if (parts == 1) {
    inspect_range(inspect, watch, 0, n, summary, radii);
    return summary;
  }
  std::mutex joining;
  exec.for_each_worker("hgrid::inspect", parts, [&](offset_t part) {
    InputSummary<D> found = InputSummary<D>::identity();
    offset_t counts[radius_classes], *const own = radii == nullptr ? nullptr : counts;
    if (own != nullptr) std::fill_n(own, radius_classes, 0);
    inspect_range(inspect, watch, n * part / parts, n * (part + 1) / parts, found, own);
    const std::lock_guard lock(joining);
    summary.join(found);
    for (int c = 0; c < radius_classes && own != nullptr; ++c) radii[c] += own[c];
  });
  return summary;
}

/// Adds the faults of cut-offs and exclusions to the faults of the particles.
template <class Real, int D>
void inspect_others(const HostExec& exec, const Particles<Real, D>& p, InputSummary<D>& input) {
  const auto inspect = [&](const char* name, offset_t n, const auto& each) {
    InputSummary<D> found;
    exec.reduce(name, n, each, InputSummary<D>::identity(), &found);
    input.blame_others(found);
  };
  if (p.cutoffs.types > 0) inspect("hgrid::inspect_cutoffs", p.count, InspectCutoffs<Real, D>{p});
  const InspectExclusions<D> exclusions{p.exclusions, p.count, p.count};
  if (p.exclusions.size > 0) inspect("hgrid::inspect_exclusions", exclusions.items(), exclusions);
}

/// Runs MakeKey for particles [begin, end).
template <class Real, int D, class Key>
void make_keys_of_range(const MakeKey<HostExec, Real, D, Key>& make, offset_t begin, offset_t end) {
  const InputSummary<D>& input = *make.input;
  if (input.used < make.particles.count || !ParticleBatch<D>::suits(make.particles) || make.grid.keys != KeyOrder::row_major) {
    for (offset_t i = begin; i < end; ++i) make(i);
    return;
  }
  ParticleBatch<D> batch;
  Key key[particles_per_batch];
  double radius_max[max_levels] = {};
  for_each_input_batch(make.particles, begin, end, [&](offset_t first, index_t count) {
    if (!suits_vectors(make.particles, first, count)) {
      for (offset_t i = first; i < first + count; ++i) make(i);
      return;
    }
    batch.load(make.particles, first, count);
    const Box<D>& box = make.grid.box_of(batch.world);
    if (input.outside > 0 || box.turned) wrap_batch(batch, box, nullptr), batch.fill_lanes();
    make_batch_keys(make.grid, batch, key, radius_max);
    for (index_t j = 0; j < count; ++j) make.key[first + j] = key[j], make.id[first + j] = static_cast<index_t>(first + j);
  });
  for (int h = 0; h < make.grid.level_count; ++h) HostExec::atomic_max(&make.radius_max[h], radius_max[h]);
}

/// Runs a stage of RadixCells: keys by batches, the rest one by one.
struct StageByBatches {
  template <class Real, int D, class Key>
  void operator()(const HostExec& exec, const char* name, offset_t n, const MakeKey<HostExec, Real, D, Key>& make) const {
    exec.for_each_part(name, n, [&](offset_t begin, offset_t end) { make_keys_of_range(make, begin, end); });
  }
  template <class Stage>
  void operator()(const HostExec& exec, const char* name, offset_t n, const Stage& stage) const {
    exec.for_each(name, n, stage);
  }
};

}  // namespace hgrid::inline v0_2::detail
