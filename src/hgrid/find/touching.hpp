// SPDX-License-Identifier: BSD-3-Clause
// What a single particle from outside a built grid touches in it, on hosts: the search and the predicate of pairs.
#pragma once

#include <utility>

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/region.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the distance at which two particles touch, by the rule of the grid. The build's skin counts only for lists.
template <int D>
inline double touching_distance(const GridView<D>& g, double a, double b) {
  return g.adds_radii() ? listing_distance<true>(a, b, 0.0) : listing_distance<false>(a, b, 0.0);
}

/// Returns the image of the pair of particles i and j for positions as given, from the image between wrapped positions.
template <int D>
inline Image unwrapped_image(const Box<D>& box, const Shift<D>& shift, const Image& wraps_i, const Image& wraps_j) {
  Image image = image_of(box, shift);
  for (int k = 0; k < D; ++k) image[k] += wraps_i[k] - wraps_j[k];
  return image;
}

/// The runs of slots in which partners of one particle are searched. All runs are prefetched before the first is searched:
/// single particles lie anywhere, so nearly every read would wait for memory.
template <int D>
class FetchedRuns {
 public:
  explicit FetchedRuns(const GridView<D>& g) : g_(g) {}

  bool is_full() const { return count_ == most; }
  void add(SlotRun run) {
    if (run.begin >= run.end) return;
    for (int k = 0; k < D; ++k) fetch(g_.x[k], run);
    fetch(g_.radius, run);
    runs_[count_++] = run;
  }

  /// Removes all runs. Calls f(slot) for their slots, until f returns false. Returns false then, else true.
  template <class F>
  bool empty(const F& f) {
    const int count = std::exchange(count_, 0);
    for (int i = 0; i < count; ++i) {
      for (index_t q = runs_[i].begin; q < runs_[i].end; ++q) {
        if (!f(q)) return false;
      }
    }
    return true;
  }

 private:
  static constexpr int most = 32;

  static void fetch(const double* column, const SlotRun& run) {
    __builtin_prefetch(column + run.begin);
    __builtin_prefetch(column + run.end - 1);
  }

  const GridView<D>& g_;
  SlotRun runs_[most];
  int count_ = 0;
};

/// Calls f(id, image) for the particles of the build that touch a particle, until f returns false. Returns false then, else
/// true.
template <int D, class F>
bool for_each_touching_built(const GridView<D>& g, const Box<D>& box, const Stored<D>& s, const F& f) {
  Region<D> region = Region<D>::sphere(s.x, s.radius);
  region.world = s.world;
  const Taken taken{Take::touching, 1};  // within the sum of both radii, which is never less than the larger one
  FetchedRuns<D> runs(g);
  bool goes_on = true;
  for (int h = 0; h < g.level_count && goes_on; ++h) {
    const Vec<double, D> reach = region_reach(g, box, region, taken, h);
    for_each_image(box, s.x, s.x, reach, [&](const Shift<D>& shift) {
      const auto look_at = [&](index_t q) {
        double d[D];
        for (int k = 0; k < D; ++k) d[k] = separated(s.x[k], g.x[k][q], shift.by[k]);
        if (!is_within<D>(d, touching_distance(g, s.radius, g.radius[q]))) return true;
        Image wraps{};
        for (int k = 0; k < D; ++k) wraps[k] = g.periods(q, k);
        return f(g.id[q], unwrapped_image(box, shift, s.wraps, wraps));
      };
      for_each_run_near(g, region, taken, h, reach, shift, [&](index_t begin, index_t end) {
        if (runs.is_full() && goes_on) goes_on = runs.empty(look_at);
        if (goes_on) runs.add({begin, end});
      });
      if (goes_on) goes_on = runs.empty(look_at);
    });
  }
  return goes_on;
}

/// Calls f(id, image) for the images of the particle that touch it, until f returns false. `id` is its id.
template <int D, class F>
bool for_each_touching_image(const GridView<D>& g, const Box<D>& box, const Stored<D>& s, index_t id, const F& f) {
  const double distance = touching_distance(g, s.radius, s.radius);
  double shortest = HUGE_VAL;  // the shortest period; no lattice vector is shorter
  for (int k = 0; k < D; ++k) shortest = box.wraps[k] ? std::fmin(shortest, box.length(k)) : shortest;
  if (distance < 0.5 * shortest) return true;
  Vec<double, D> reach;
  for (int k = 0; k < D; ++k) reach[k] = search_reach(distance, s.x[k], shift_scale(box, k));
  bool goes_on = true;
  for_each_image(box, s.x, s.x, reach, [&](const Shift<D>& shift) {
    double d[D];
    for (int k = 0; k < D; ++k) d[k] = separated(s.x[k], s.x[k], shift.by[k]);
    if (goes_on && lexicographic_sign(shift.m) != 0 && is_within<D>(d, distance)) goes_on = f(id, image_of(box, shift));
  });
  return goes_on;
}

}  // namespace hgrid::inline v0_2::detail
