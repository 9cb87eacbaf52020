// SPDX-License-Identifier: BSD-3-Clause
// What ranks with a device run on it: selects the particles that the host must check, packs and unpacks entries for other
// ranks, selects the contacts that a rank reports, and computes the cost of particles.
#pragma once

#include <cstdint>

#include "hgrid/find/neighbours.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"
#include "hgrid/ranks/rank_rules.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns how many numbers give a particle's size: one for a sphere, and D for a box.
template <class Real, int D>
HGRID_HD int sizes_of(const Particles<Real, D>& p) {
  return p.has_extents() ? D : 1;
}

/// One number of a particle's record, or an id.
union Word {
  double number;
  std::int64_t id;
};

/// Records of particles as messages. A record has the D coordinates as they were passed, so that all ranks compute with the
/// same bits, then radius or half extents, then one or more ids.
template <int D>
struct BodyRecords {
  Word* words;
  int sizes, ids;

  HGRID_HD offset_t words_each() const { return D + sizes + ids; }
  HGRID_HD Word* at(offset_t k) const { return words + k * words_each(); }
  HGRID_HD Word* ids_of(offset_t k) const { return at(k) + D + sizes; }

  template <class Real>
  HGRID_HD void set(offset_t k, const Particles<Real, D>& p, offset_t i) const {
    const Vec<double, D> x = p.position_of(i);
    const Body<D> body = body_of(p, i);
    for (int a = 0; a < D; ++a) at(k)[a].number = x[a];
    for (int a = 0; a < D; ++a) {
      if (a < sizes) at(k)[D + a].number = body.half[a];
    }
  }
};

/// Marks with 1 the particles that the host must check: each one that is not certainly valid and inside the rank's box.
template <class Real, int D>
struct MarkBorder {
  Particles<Real, D> particles;
  const std::int64_t* id;
  Interior<D> interior;
  offset_t* marks;

  HGRID_HD void operator()(offset_t i) const {
    marks[i] = id[i] < 0 || !interior.holds(particles.position_of(i), body_of(particles, i)) ? 1 : 0;
  }
};

/// Collects the marked particles with their ids and their indices among all; `place` is the sum of the marks before each.
template <class Real, int D>
struct TakeBorder {
  Particles<Real, D> particles;
  const std::int64_t* id;
  const offset_t* place;
  BodyRecords<D> out;

  HGRID_HD void operator()(offset_t i) const {
    if (place[i] == place[i + 1]) return;
    out.set(place[i], particles, i);
    out.ids_of(place[i])[0].id = id[i], out.ids_of(place[i])[1].id = i;
  }
};

/// The particles that a rank holds, as a grid takes them.
template <int D>
struct HeldArrays {
  double *x, *size;
  int sizes;
  std::int64_t* id;
  index_t *group, *type;  // or null

  template <class Real>
  HGRID_HD void label(const Particles<Real, D>& p, offset_t i) const {
    if (group != nullptr) group[i] = p.group[i];
    if (type != nullptr) type[i] = p.cutoffs.type[i];
  }
};

template <class Real, int D>
struct TakeOwned {
  Particles<Real, D> particles;
  const std::int64_t* id;
  HeldArrays<D> out;

  HGRID_HD void operator()(offset_t i) const {
    const Body<D> body = body_of(particles, i);
    for (int a = 0; a < D; ++a) out.x[D * i + a] = particles.coordinate(i, a);
    for (int a = 0; a < D; ++a) {
      if (a < out.sizes) out.size[out.sizes * i + a] = body.half[a];
    }
    out.id[i] = id[i];
    out.label(particles, i);
  }
};

/// Makes the records of some particles. Records of two ids hold group and type in the second.
template <class Real, int D>
struct PackGhosts {
  Particles<Real, D> particles;
  const std::int64_t* id;
  const index_t* some;
  BodyRecords<D> out;

  HGRID_HD void operator()(offset_t k) const {
    const index_t i = some[k];
    out.set(k, particles, i);
    out.ids_of(k)->id = id[i];
    if (out.ids < 2) return;
    const std::int64_t group = particles.group == nullptr ? -1 : particles.group[i];
    const std::int64_t type = particles.cutoffs.type == nullptr ? 0 : particles.cutoffs.type[i];
    out.ids_of(k)[1].id = (group << 32) | static_cast<std::uint32_t>(type);
  }
};

template <int D>
struct TakeGhost {
  BodyRecords<D> ghosts;
  offset_t owned;
  HeldArrays<D> out;

  HGRID_HD void operator()(offset_t k) const {
    const Word* const ghost = ghosts.at(k);
    for (int a = 0; a < D; ++a) out.x[D * (owned + k) + a] = ghost[a].number;
    for (int a = 0; a < out.sizes; ++a) out.size[out.sizes * (owned + k) + a] = ghost[D + a].number;
    out.id[owned + k] = ghosts.ids_of(k)->id;
    if (ghosts.ids < 2) return;
    const std::int64_t label = ghosts.ids_of(k)[1].id;
    if (out.group != nullptr) out.group[owned + k] = static_cast<index_t>(label >> 32);
    if (out.type != nullptr) out.type[owned + k] = static_cast<index_t>(label & 0xffffffff);
  }
};

/// Units in which entries of any type are copied: words, or bytes if an entry is not a whole number of words.
struct AsWords {
  using Unit = std::uint32_t __attribute__((may_alias));
};
struct AsBytes {
  using Unit = unsigned char;
};

/// Copies entries of `per_entry` units each: the entries `ids`, or the first ones if `ids` is null. A step from one entry to
/// the next is `per_entry` units or more.
template <class As, class Index>
struct GatherEntries {
  const typename As::Unit* from;
  const Index* ids;
  offset_t per_entry, from_step, to_step;
  typename As::Unit* to;

  HGRID_HD void operator()(offset_t k) const {
    if (ids == nullptr && from_step == per_entry && to_step == per_entry) {
      to[k] = from[k];
      return;
    }
    const offset_t entry = k / per_entry, unit = k % per_entry;
    to[entry * to_step + unit] = from[(ids == nullptr ? entry : ids[entry]) * from_step + unit];
  }
};

/// Sizes in bytes of an entry, and of the records that it is read from and written to.
struct EntryBytes {
  std::size_t entry, from_record, to_record;
};

template <class As, class Exec, class Index>
void gather_entries_as(const Exec& exec, const void* from, const Index* ids, offset_t count, const EntryBytes& bytes,
                       void* to) {
  using Unit = typename As::Unit;
  const auto units = [](std::size_t of) { return static_cast<offset_t>(of / sizeof(Unit)); };
  exec.for_each("hgrid::gather_entries", count * units(bytes.entry),
                GatherEntries<As, Index>{static_cast<const Unit*>(from), ids, units(bytes.entry), units(bytes.from_record),
                                         units(bytes.to_record), static_cast<Unit*>(to)});
}

/// Copies entries, by words if all of them begin at word boundaries.
template <class Exec, class Index>
void gather_entries(const Exec& exec, const void* from, const Index* ids, offset_t count, const EntryBytes& bytes, void* to) {
  const std::size_t all = bytes.entry | bytes.from_record | bytes.to_record | reinterpret_cast<std::uintptr_t>(from) |
                          reinterpret_cast<std::uintptr_t>(to);
  all % sizeof(AsWords::Unit) == 0 ? gather_entries_as<AsWords>(exec, from, ids, count, bytes, to)
                                   : gather_entries_as<AsBytes>(exec, from, ids, count, bytes, to);
}
/// Copies entries without gaps.
template <class Exec, class Index>
void gather_entries(const Exec& exec, const void* from, const Index* ids, offset_t count, std::size_t bytes, void* to) {
  gather_entries(exec, from, ids, count, {bytes, bytes, bytes}, to);
}

/// Adds returned entries to the entries of their particles. No particle may occur twice.
template <class T>
struct AddEntries {
  const T* from;
  const index_t* ids;
  offset_t width;
  T* to;

  HGRID_HD void operator()(offset_t k) const { to[ids[k / width] * width + k % width] += from[k]; }
};

/// The number of ids in which two arrays differ.
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
  const offset_t* place;  // sum of the marks before each pair
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

/// Computes the nanoseconds that the particle of a slot takes in a build and a search, from the shipped costs.
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

/// A weight at a position in the box.
template <int D>
struct Weighed {
  Vec<double, D> x;
  double weight;
};

/// Writes the cost of each particle, at its position.
template <int D>
struct PlaceWork {
  CountedCost<D> cost;
  Weighed<D>* out;

  HGRID_HD void operator()(offset_t k) const {
    const auto slot = static_cast<index_t>(k);
    out[cost.particle(slot)] = {cost.place(slot), cost(slot)};
  }
};

}  // namespace hgrid::inline v0_2::detail
