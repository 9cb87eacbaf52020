// SPDX-License-Identifier: BSD-3-Clause
// The stages of a build as named function objects, in the order in which they run. Each is one body for every
// executor; those that follow the inspection return at once when it found a bad particle, so that a device build
// needs no synchronisation (contract C7).
#pragma once

#include "hgrid/build/executor.hpp"
#include "hgrid/build/inspect.hpp"
#include "hgrid/build/storage.hpp"
#include "hgrid/core/periodic.hpp"

namespace hgrid {

/// 1. Folds particle i into the summary: bounds, counts, first fault. Nearly all particles pass one test; the few
/// that do not are looked at closely.
template <class Real, int D>
struct InspectParticle {
  Particles<Real, D> particles;
  Box<D> box;
  double skin;

  HGRID_HD void operator()(offset_t i, InputSummary<D>& s) const {
    if (!particles.is_active(i)) return;
    const double r = particles.scaled_radius(i), e = particles.extra_distance(i);
    bool good = r >= 0 && r <= largest_length && (r >= smallest_radius || r == 0) && e >= 0 && e <= largest_length;
    for (int k = 0; k < D; ++k) {
      const double x = particles.coordinate(i, k);  // every comparison is false for NaN
      good = good && std::fabs(x) <= largest_length && (!box.wraps[k] || fits(k, x, r + e));
    }
    if (!good) {
      s.join(closely(i, r, e));
      return;
    }
    for (int k = 0; k < D; ++k) {
      double x = particles.coordinate(i, k);
      if (box.wraps[k]) x = wrap(x, box.lo[k], box.hi[k]).inside;
      s.lo[k] = x < s.lo[k] ? x : s.lo[k];
      s.hi[k] = x > s.hi[k] ? x : s.hi[k];
    }
    s.radius_max = r + e > s.radius_max ? r + e : s.radius_max;
    ++s.used;
  }

 private:
  // Whether the particle's images on axis k are few enough, and its image number is an int32.
  HGRID_HD bool fits(int k, double x, double radius) const {
    return 2 * radius + skin <= max_images * box.length(k) &&
           std::fabs(wrap(x, box.lo[k], box.hi[k]).count) <= most_periods;
  }

  // The summary of one particle that may be bad.
  HGRID_HD InputSummary<D> closely(offset_t i, double r, double e) const {
    InputSummary<D> s = InputSummary<D>::identity();
    if (particles.nonfinite == NonFinite::skip && !is_finite_particle(particles, i)) {
      s.skipped = 1;
      return s;
    }
    const auto blame = [&](Fault fault, double value, int axis = 0) {
      if (s.bad == 0) s.bad = 1, s.first_bad = i, s.fault = fault, s.value = value, s.axis = axis;
    };
    for (int k = 0; k < D; ++k) {
      const double x = particles.coordinate(i, k);
      if (!is_finite(x)) {
        blame(Fault::position_nonfinite, x, k);
      } else if (std::fabs(x) > largest_length) {
        blame(Fault::position_range, x, k);
      } else if (box.wraps[k] && std::fabs(wrap(x, box.lo[k], box.hi[k]).count) > most_periods) {
        blame(Fault::image_range, x, k);
      }
    }
    if (!is_finite(r)) blame(Fault::radius_nonfinite, r);
    if (r < 0) blame(Fault::radius_negative, r);
    if (r > largest_length || (r > 0 && r < smallest_radius)) blame(Fault::radius_range, r);
    if (!is_finite(e)) blame(Fault::extra_nonfinite, e);
    if (e < 0) blame(Fault::extra_negative, e);
    if (e > largest_length) blame(Fault::extra_range, e);
    for (int k = 0; k < D; ++k) {
      if (box.wraps[k] && !fits(k, box.lo[k], r + e)) blame(Fault::box_too_small, r + e, k);
    }
    return s;
  }
};

/// 2. When levels are planned: an even sample of the particles, wrapped; the radius of those left out is -1.
template <class Real, int D>
struct SampleParticle {
  Particles<Real, D> particles;
  Box<D> box;
  offset_t samples;
  double* out;  // [samples][D + 1]

  HGRID_HD void operator()(offset_t s) const {
    const offset_t i = sampled(s);
    double* row = out + s * (D + 1);
    for (int k = 0; k < D; ++k) {
      const double x = particles.coordinate(i, k);
      row[k] = box.wraps[k] ? wrap(x, box.lo[k], box.hi[k]).inside : x;
    }
    row[D] = takes_part(particles, i) ? particles.scaled_radius(i) + particles.extra_distance(i) : -1;
  }

 private:
  // One particle of each of `samples` equal stretches, at a scattered place, for species often alternate. The last
  // sample is the last particle: files keep odd ones there, such as an intruder.
  HGRID_HD offset_t sampled(offset_t s) const {
    if (s == samples - 1) return particles.count - 1;
    const offset_t begin = s * particles.count / samples, end = (s + 1) * particles.count / samples;
    return begin + static_cast<offset_t>(static_cast<std::uint32_t>(s) * 2654435761u) % (end - begin);
  }
};

/// A particle as the grid stores it.
template <int D>
struct Stored {
  Vec<double, D> x;  // wrapped
  double radius;     // with extra distance
  Image wraps;
};

template <class Real, int D>
HGRID_HD inline Stored<D> stored(const Particles<Real, D>& particles, const Box<D>& box, offset_t i) {
  Stored<D> s{};
  for (int k = 0; k < D; ++k) {
    s.x[k] = particles.coordinate(i, k);
    if (!box.wraps[k]) continue;
    const Wrapped w = wrap(s.x[k], box.lo[k], box.hi[k]);
    s.x[k] = w.inside;
    s.wraps.m[k] = static_cast<std::int32_t>(w.count);
  }
  s.radius = add_rn(particles.scaled_radius(i), particles.extra_distance(i));
  return s;
}

/// The key of a stored particle; `level` receives its level of insertion.
template <int D>
HGRID_HD inline cell_key_t key_of(const GridView<D>& grid, const Stored<D>& s, int& level) {
  level = level_of_radius(grid.level, grid.level_count, s.radius + 0.5 * grid.skin);
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = cell_coordinate(grid.level[level], k, s.x[k]);
  return grid.key_of_cell(level, cell);
}

/// 3. Cell key of particle i; the largest radius of each level.
template <class Exec, class Real, int D>
struct MakeKey {
  Particles<Real, D> particles;
  GridView<D> grid;
  const InputSummary<D>* input;
  double* radius_max;
  cell_key_t* key;
  index_t* id;

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0) return;
    id[i] = static_cast<index_t>(i);
    key[i] = no_key;
    if (!takes_part(particles, i)) return;
    const Stored<D> s = stored(particles, grid.box, i);
    int h;
    key[i] = key_of(grid, s, h);
    Exec::atomic_max(&radius_max[h], s.radius);
  }
};

/// 4. After the sort: the particle of each slot, and where levels begin.
template <class Real, int D>
struct GatherSlot {
  Particles<Real, D> particles;
  GridView<D> grid;
  const InputSummary<D>* input;
  const cell_key_t* key;
  const index_t* id;
  offset_t n;
  SlotArrays<D> out;

  HGRID_HD void operator()(offset_t slot) const {
    const bool bad = input->bad > 0;
    const int h = bad ? grid.level_count : level_of_key(key[slot]);
    const int before = bad || slot == 0 ? -1 : level_of_key(key[slot - 1]);
    const index_t start = bad ? 0 : static_cast<index_t>(slot);
    for (int j = before + 1; j <= h; ++j) out.level_begin[j] = start;
    if (slot == n - 1) {
      for (int j = h + 1; j <= grid.level_count; ++j) out.level_begin[j] = bad ? 0 : static_cast<index_t>(n);
    }
    if (h == grid.level_count) return;
    const index_t i = id[slot];
    const Stored<D> s = stored(particles, grid.box, i);
    for (int k = 0; k < D; ++k) out.x[k][slot] = s.x[k];
    out.radius[slot] = s.radius;
    out.id[slot] = i;
    if (out.group != nullptr) out.group[slot] = particles.group[i];
    if (out.wraps != nullptr) out.wraps[slot] = s.wraps;
  }

 private:
  HGRID_HD int level_of_key(cell_key_t k) const {
    if (k == no_key) return grid.level_count;
    if (grid.keys == KeyOrder::morton) return grid.bits * D < 64 ? static_cast<int>(k >> (grid.bits * D)) : 0;
    int h = 0;
    while (h + 1 < grid.level_count && k >= grid.level[h + 1].first_cell) ++h;
    return h;
  }
};

/// The cell of a slot among all cells, for dense tables: under row-major keys the key itself.
template <int D>
HGRID_HD inline cell_key_t dense_cell(const GridView<D>& g, const cell_key_t* key, offset_t slot) {
  if (g.keys == KeyOrder::row_major) return key[slot];
  const int h = g.level_of_slot(static_cast<index_t>(slot));
  Vec<index_t, D> cell;
  for (int k = 0; k < D; ++k) cell[k] = cell_coordinate(g.level[h], k, g.x[k][slot]);
  return linear_cell(g.level[h], cell);
}

/// 5a. Dense table: the first slot of every cell, empty ones included. Slot s fills the cells after its
/// predecessor's up to its own; the slot after the last fills the rest.
template <int D>
struct FillDenseRows {
  GridView<D> grid;
  const cell_key_t* key;
  index_t* begin;
  cell_key_t cells;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot > n) return;
    const cell_key_t first = slot == 0 ? 0 : key[slot - 1] + 1;
    const cell_key_t last = slot == n ? cells : key[slot];
    for (cell_key_t c = first; c <= last; ++c) begin[c] = static_cast<index_t>(slot);
  }
};

/// 5b. Dense table under Morton keys, zeroed before: begin and end of every occupied cell.
template <int D>
struct FillDenseCells {
  GridView<D> grid;
  const cell_key_t* key;
  index_t* begin;
  index_t* end;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot >= n) return;
    const bool first = slot == 0 || key[slot] != key[slot - 1];
    const bool last = slot + 1 == n || key[slot] != key[slot + 1];
    if (!first && !last) return;
    const cell_key_t cell = dense_cell(grid, key, slot);
    if (first) begin[cell] = static_cast<index_t>(slot);
    if (last) end[cell] = static_cast<index_t>(slot + 1);
  }
};

/// 5c. Compacted table, first part: 1 for each slot that opens a cell; scanned, the cell's place in the table.
template <int D>
struct MarkCells {
  GridView<D> grid;
  const cell_key_t* key;
  index_t* place;

  HGRID_HD void operator()(offset_t slot) const {
    place[slot] = slot < grid.slots() && (slot == 0 || key[slot] != key[slot - 1]);
  }
};

/// 5d. Compacted table, second part: key and first slot of each occupied cell, then one closing entry.
template <int D>
struct FillCompacted {
  GridView<D> grid;
  const cell_key_t* key;
  const index_t* place;
  cell_key_t* table_key;
  index_t* begin;

  HGRID_HD void operator()(offset_t slot) const {
    const index_t n = grid.slots();
    if (slot == n) begin[place[n]] = n;
    if (slot >= n || place[slot] == place[slot + 1]) return;
    table_key[place[slot]] = key[slot];
    begin[place[slot]] = static_cast<index_t>(slot);
  }
};

template <class T>
struct Fill {
  T* data;
  T value;
  HGRID_HD void operator()(offset_t i) const { data[i] = value; }
};

}  // namespace hgrid
