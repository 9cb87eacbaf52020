// SPDX-License-Identifier: BSD-3-Clause
// What ranks with a device run on it: the particles that a host must look at, entries that go to other ranks and come from
// them, the contacts that a rank reports, and what particles cost.
#pragma once

#include <cstdint>

#include "hgrid/lists/neighbours.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_1::detail {

/// A particle on its way between device and host, with the coordinates as they were passed.
template <int D>
struct StagedParticle {
  Vec<double, D> x;
  double radius;
  std::int64_t id;
  std::int64_t number;  ///< of an owned particle its place among these; of a ghost its owner
};

/// Marks with 1 those of which the host must know: whatever is not surely fine and in the rank's box.
template <class Real, int D>
struct MarkBorder {
  Particles<Real, D> particles;
  const std::int64_t* id;
  Interior<D> interior;
  offset_t* marks;

  HGRID_HD void operator()(offset_t i) const {
    marks[i] = id[i] < 0 || !interior.holds(particles.position_of(i), particles.scaled_radius(i)) ? 1 : 0;
  }
};

/// Collects the marked ones; `place` is the sum of the marks before each.
template <class Real, int D>
struct TakeBorder {
  Particles<Real, D> particles;
  const std::int64_t* id;
  const offset_t* place;
  StagedParticle<D>* out;

  HGRID_HD void operator()(offset_t i) const {
    if (place[i] == place[i + 1]) return;
    out[place[i]] = {particles.position_of(i), particles.scaled_radius(i), id[i], i};
  }
};

/// The particles that a rank holds, as a grid takes them.
template <int D>
struct HeldArrays {
  double *x, *radius;
  std::int64_t* id;

  HGRID_HD void set(offset_t k, const Vec<double, D>& at, double r, std::int64_t number) const {
    for (int a = 0; a < D; ++a) x[D * k + a] = at[a];
    radius[k] = r, id[k] = number;
  }
};

template <class Real, int D>
struct TakeOwned {
  Particles<Real, D> particles;
  const std::int64_t* id;
  HeldArrays<D> out;

  HGRID_HD void operator()(offset_t i) const { out.set(i, particles.position_of(i), particles.scaled_radius(i), id[i]); }
};

template <int D>
struct TakeGhost {
  const StagedParticle<D>* ghosts;
  offset_t owned;
  HeldArrays<D> out;
  int* owner;

  HGRID_HD void operator()(offset_t k) const {
    const StagedParticle<D>& ghost = ghosts[k];
    out.set(owned + k, ghost.x, ghost.radius, ghost.id);
    owner[k] = static_cast<int>(ghost.number);
  }
};

/// As what entries are copied, whatever they hold: by words, or where they are no whole words by bytes.
struct AsWords {
  using Unit = std::uint32_t __attribute__((may_alias));
};
struct AsBytes {
  using Unit = unsigned char;
};

/// Copies entries of `per_entry` units each, one after the other: some of them, or where `ids` is null the first ones.
template <class As, class Index>
struct GatherEntries {
  const typename As::Unit* from;
  const Index* ids;
  offset_t per_entry;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const {
    to[k] = ids == nullptr ? from[k] : from[ids[k / per_entry] * per_entry + k % per_entry];
  }
};

template <class As, class Exec, class Index>
void gather_entries_as(const Exec& exec, const void* from, const Index* ids, offset_t count, std::size_t bytes, void* to) {
  using Unit = typename As::Unit;
  const auto per_entry = static_cast<offset_t>(bytes / sizeof(Unit));
  exec.for_each("hgrid::gather_entries", count * per_entry,
                GatherEntries<As, Index>{static_cast<const Unit*>(from), ids, per_entry, static_cast<Unit*>(to)});
}

/// Copies entries of that number of bytes.
template <class Exec, class Index>
void gather_entries(const Exec& exec, const void* from, const Index* ids, offset_t count, std::size_t bytes, void* to) {
  bytes % sizeof(AsWords::Unit) == 0 ? gather_entries_as<AsWords>(exec, from, ids, count, bytes, to)
                                     : gather_entries_as<AsBytes>(exec, from, ids, count, bytes, to);
}

/// Adds entries that came back to those of their particles, none of which is there twice.
template <class T>
struct AddEntries {
  const T* from;
  const index_t* ids;
  offset_t width;
  T* to;

  HGRID_HD void operator()(offset_t k) const { to[ids[k / width] * width + k % width] += from[k]; }
};

/// How many ids of two arrays differ.
struct Differing {
  offset_t ids = 0;
  HGRID_HD void join(const Differing& o) { ids += o.ids; }
};

struct CompareIds {
  const std::int64_t *a, *b;
  HGRID_HD void operator()(offset_t k, Differing& found) const { found.ids += a[k] != b[k]; }
};

/// Marks with 1 the contacts of a list that a rank reports.
template <int D>
struct MarkReported {
  HeldView<D> held;
  const Pair* pairs;
  const Image* images;  // or null
  offset_t* marks;

  HGRID_HD void operator()(offset_t k) const {
    marks[k] = held.reports(pairs[k].i, pairs[k].j, images == nullptr ? Image{} : images[k]) ? 1 : 0;
  }
};

struct KeepMarkedPairs {
  const offset_t* place;  // the sum of the marks before each
  const Pair* pairs;
  const Image* images;  // or null
  Pair* kept;
  Image* kept_images;

  HGRID_HD void operator()(offset_t k) const {
    if (place[k] == place[k + 1]) return;
    kept[place[k]] = pairs[k];
    if (images != nullptr) kept_images[place[k]] = images[k];
  }
};

/// The nanoseconds that the particle of a slot takes in a build and a search, by the shipped costs.
template <int D>
class CountedCost {
 public:
  CountedCost(const GridView<D>& grid, const Plan<D>& plan, offset_t slots)
      : grid_(grid),
        of_table_(plan.table == TableKind::dense
                      ? costs_.cell * static_cast<double>(plan.levels.cells) / static_cast<double>(slots)
                      : costs_.compacted_slot),
        of_row_(plan.table == TableKind::dense ? costs_.row : costs_.compacted_row) {}

  HGRID_HD index_t particle(index_t slot) const { return grid_.id[slot]; }
  HGRID_HD Vec<double, D> place(index_t slot) const { return grid_.position(slot); }
  HGRID_HD double operator()(index_t slot) const {
    const int level = grid_.level_of_slot(slot), searched = grid_.is_top_down() ? level + 1 : grid_.level_count - level;
    WorkCount work;
    CountWork<D>{grid_}(slot, work);
    return of_table_ + searched * costs_.setup + static_cast<double>(work.rows) * of_row_ +
           static_cast<double>(work.candidates) * costs_.candidate;
  }

 private:
  GridView<D> grid_;
  SearchCosts costs_;
  double of_table_, of_row_;
};

/// A weight at a place in the box.
template <int D>
struct Weighed {
  Vec<double, D> x;
  double weight;
};

/// Tells the cost of each particle, at its place.
template <int D>
struct PlaceWork {
  CountedCost<D> cost;
  Weighed<D>* out;

  HGRID_HD void operator()(offset_t k) const {
    const auto slot = static_cast<index_t>(k);
    out[cost.particle(slot)] = {cost.place(slot), cost(slot)};
  }
};

}  // namespace hgrid::inline v0_1::detail
