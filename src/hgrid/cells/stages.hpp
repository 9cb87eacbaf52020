// SPDX-License-Identifier: BSD-3-Clause
// The stages of a build as named function objects, in the order in which they run: keys, then slots. The earlier inspection is
// in inspect.hpp, the later cell tables are in cell_tables.hpp. Each stage has one body for every executor. Stages after the
// inspection return at once if it found a bad particle, so a device build needs no synchronisation (contract C7).
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/core/lattice.hpp"
#include "hgrid/inputs/inspect.hpp"
#include "hgrid/memory/storage.hpp"

namespace hgrid::inline v0_2::detail {

/// A particle in the form that the grid stores.
template <int D>
struct Stored {
  Vec<double, D> x;  // wrapped
  double radius;     // with extra distance
  Image wraps;
  index_t world;
};

/// Returns the stored radius of particle i, whose radius is at index `at`.
template <class Real, int D>
HGRID_HD inline double stored_radius(const Particles<Real, D>& particles, offset_t i, offset_t at) {
  return add_rn(particles.scaled_radius(at), particles.extra_distance(i));
}
template <class Real, int D>
HGRID_HD inline double stored_radius(const Particles<Real, D>& particles, offset_t i) {
  return stored_radius(particles, i, i);
}

/// Returns particle i wrapped into the box of its world. `boxes` is Boxes or a GridView. A particle with extents and no radius
/// gets 0.
template <class Real, int D, class BoxesOrView>
HGRID_HD inline Stored<D> stored(const Particles<Real, D>& particles, const BoxesOrView& boxes, offset_t i) {
  const index_t world = world_in(boxes, particles, i);
  const WrappedPosition<D> w = boxes.with_box(world, [&](const Box<D>& box) { return wrap(box, particles.position_of(i)); });
  return {w.inside, particles.radius != nullptr ? stored_radius(particles, i) : 0, w.periods, world};
}

/// Returns the key of a stored particle, and sets `level` to its level of insertion.
template <int D, class Certain>
HGRID_HD inline cell_key_t key_of(const GridView<D, Certain>& grid, const Stored<D>& s, int& level) {
  level = level_of_radius(grid.level, grid.level_count, s.radius + 0.5 * grid.skin);
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = grid.cell_of(grid.level[level], s.world, k, s.x[k]);
  return grid.key_of_cell(level, cell);
}

/// Position and radius of a particle as the user passed them, in one sector of a device's memory. Particles read in slot order
/// are scattered in memory, and each sector costs a read.
template <class Real>
struct alignas(4 * sizeof(Real)) InputRecord {
  Real number[4];

  template <int D>
  HGRID_HD static InputRecord of(const Particles<Real, D>& p, offset_t i) {
    InputRecord r{};
    for (int k = 0; k < D; ++k) r.number[k] = p.position[k][i * p.stride];
    r.number[3] = p.radius[i * p.radius_stride];
    return r;
  }
};

/// Returns how many records of doubles have room for n records of `Real`.
template <class Real>
constexpr offset_t room_of_records(offset_t n) {
  constexpr auto each = static_cast<offset_t>(sizeof(InputRecord<double>) / sizeof(InputRecord<Real>));
  return (n + each - 1) / each;
}

/// Returns whether the particles' arrays already have the layout of such records.
template <class Real, int D>
bool are_records(const Particles<Real, D>& p) {
  const auto place = reinterpret_cast<std::uintptr_t>(p.position[0]);
  bool together =
      p.stride == 4 && p.radius_stride == 4 && place % sizeof(InputRecord<Real>) == 0 && p.radius == p.position[0] + 3;
  for (int k = 1; k < D; ++k) together = together && p.position[k] == p.position[0] + k;
  return together;
}

/// Returns a view of the particles that reads their records.
template <class Real, int D>
Particles<Real, D> from_records(Particles<Real, D> p, const InputRecord<Real>* record) {
  for (int k = 0; k < D; ++k) p.position[k] = record->number + k;
  p.radius = record->number + 3;
  p.stride = p.radius_stride = 4;
  return p;
}

/// 2. Computes the cell key of particle i, and the largest radius of each level. `Key` has 32 bits if the plan's keys fit.
template <class Exec, class Real, int D, class Key, class View = GridView<D>>
struct MakeKey {
  Particles<Real, D> particles;
  View grid;
  const InputSummary<D>* input;
  double* radius_max;
  Key* key;
  index_t* id;
  InputRecord<Real>* record;  // or null

  template <class Kind>
  auto in(const Kind& view) const {
    return MakeKey<Exec, Real, D, Key, Kind>{particles, view, input, radius_max, key, id, record};
  }

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0) return;
    id[i] = static_cast<index_t>(i);
    key[i] = static_cast<Key>(no_key);
    if (!takes_part(particles, i)) return;
    if (record != nullptr) record[i] = InputRecord<Real>::of(particles, i);
    const Stored<D> s = stored(particles, grid, i);
    int h;
    key[i] = static_cast<Key>(key_of(grid, s, h));
    Exec::atomic_max(&radius_max[h], s.radius);
  }
};

/// Writes particle i, whose position and radius are at index `at`, to a slot.
template <class Real, int D, class Certain>
HGRID_HD inline void store_slot(const GridView<D, Certain>& grid, const Particles<Real, D>& particles, offset_t slot, index_t i,
                                index_t at, const SlotArrays<D>& out) {
  const index_t world = world_in(grid, particles, i);
  const WrappedPosition<D> w = grid.with_box(world, [&](const Box<D>& box) { return wrap(box, particles.position_of(at)); });
  for (int k = 0; k < D; ++k) out.x[k][slot] = w.inside[k];
  if (grid.has_worlds()) out.world[slot] = world;
  if (out.wraps != nullptr) out.wraps[slot] = w.periods;
  out.id[slot] = i;
  if (out.group != nullptr) out.group[slot] = particles.group[i];
  const double radius = stored_radius(particles, i, known_after(w.periods[0], at));
  out.radius[slot] = radius;
  if (out.filter != nullptr) out.filter[slot] = filter_record(grid, w.inside, radius);
}

/// Fills the records of slots without a particle, because searches read several records at a time.
template <int D>
HGRID_HD inline void store_nowhere(offset_t slot, index_t count, const SlotArrays<D>& out) {
  if (out.filter == nullptr) return;
  for (index_t k = 0; k < count; ++k) out.filter[slot + k] = nowhere();
}

/// 3. After the sort: writes the particle of each slot, and where levels begin.
template <class Real, int D, class Key, class View = GridView<D>>
struct GatherSlot {
  Particles<Real, D> particles;
  View grid;
  const InputSummary<D>* input;
  const Key* key;
  const index_t* id;
  offset_t n;
  SlotArrays<D> out;

  template <class Kind>
  auto in(const Kind& view) const {
    return GatherSlot<Real, D, Key, Kind>{particles, view, input, key, id, n, out};
  }

  HGRID_HD void operator()(offset_t slot) const {
    const bool bad = input->bad > 0;
    const int h = bad ? grid.level_count : level_of_key(key[slot]);
    const int before = bad || slot == 0 ? -1 : level_of_key(key[slot - 1]);
    const index_t start = bad ? 0 : static_cast<index_t>(slot);
    for (int j = before + 1; j <= h; ++j) out.level_begin[j] = start;
    if (slot == n - 1) {
      for (int j = h + 1; j <= grid.level_count; ++j) out.level_begin[j] = bad ? 0 : static_cast<index_t>(n);
      store_nowhere(n, records_behind_last, out);
    }
    if (h == grid.level_count) return store_nowhere(slot, 1, out);
    if (takes_items_in_turn() && slot + ahead < n) particles.fetch(id[slot + ahead]);
    store_slot(grid, particles, slot, id[slot], id[slot], out);
  }

 private:
  static constexpr offset_t ahead = 16;  // prefetch distance: the particles of consecutive slots are scattered in memory

  HGRID_HD int level_of_key(Key k) const {
    if (k == static_cast<Key>(no_key)) return grid.level_count;
    constexpr int key_bits = 8 * sizeof(Key);
    if (grid.keys == KeyOrder::morton) {
      const auto number = grid.bits * D < key_bits ? static_cast<index_t>(k >> (grid.bits * D)) : 0;
      return grid.has_worlds() ? number / grid.worlds : number;
    }
    int h = 0;
    while (h + 1 < grid.level_count && k >= grid.level[h + 1].first_cell) ++h;
    return h;
  }
};

/// Runs a stage on a device, compiled for the grid's kind.
struct StageByKind {
  template <class Exec, class Stage>
  void operator()(const Exec& exec, const char* name, offset_t n, const Stage& stage) const {
    for_worlds(stage.grid, [&](const auto& view) { exec.for_each(name, n, stage.in(view)); });
  }
};

template <class T>
struct Fill {
  T* data;
  T value;
  HGRID_HD void operator()(offset_t i) const { data[i] = value; }
};

template <class T>
struct CopyAll {
  const T* from;
  T* to;
  HGRID_HD void operator()(offset_t i) const { to[i] = from[i]; }
};

}  // namespace hgrid::inline v0_2::detail
