// SPDX-License-Identifier: BSD-3-Clause
// The stages that sort particles into cells by counting, in two steps, on devices. Each particle draws a number within its
// bucket, which has up to 2,048 consecutive cells, and moves there with its position and radius. Then a block sorts each bucket
// in its scratch memory and writes its slots and the starts of its cells.
#pragma once

#include "hgrid/cells/cell_tables.hpp"
#include "hgrid/cells/stages.hpp"
#include "hgrid/device/sort_lists.hpp"

namespace hgrid::inline v0_2::detail {

/// The cells of a grid, cut into buckets of a power of two cells.
struct Buckets {
  static constexpr int most_bits = 11;   ///< log2 of the most cells in a bucket: their counters fit in scratch memory
  static constexpr int fewest_bits = 2;  ///< for crowded cells: the number of starts that are stored together
  static_assert(1 << fewest_bits == Starts::count);
  cell_key_t cells;
  int bits;

  /// Returns the buckets for n particles: a bucket gets about as many particles as fit into a block's memory, and there are
  /// enough buckets for all blocks of a device. With more particles in the same number of cells there are never fewer buckets.
  static Buckets of(cell_key_t cells, offset_t n) {
    constexpr cell_key_t particles = 1024, buckets = 2048;
    constexpr int few_bits = 8;  // two cells for each thread
    int bits = most_bits;
    while (bits > few_bits && cells >> bits < buckets) --bits;
    while (bits > fewest_bits && (static_cast<cell_key_t>(n) << bits) > particles * cells) --bits;
    return {cells, bits};
  }
  HGRID_HD offset_t count() const { return static_cast<offset_t>((cells + (cell_key_t{1} << bits) - 1) >> bits); }
};

/// The cell of a particle, and its number in its bucket, in order of arrival.
struct alignas(8) DrawnNumber {
  std::uint32_t cell;
  index_t number;
};

struct alignas(8) MovedParticle {
  std::uint32_t cell;
  index_t id;
};

/// A particle in its cell, in order of arrival, and its place in the bucket.
struct alignas(8) Arrival {
  index_t id, place;
};

/// Arrivals in order of their ids, for a sort by a block.
struct ArrivalsById {
  Arrival* arrival;

  HGRID_HD Arrival entry(offset_t k) const { return arrival[k]; }
  HGRID_HD void set(offset_t k, const Arrival& a) const { arrival[k] = a; }
  HGRID_HD static bool less(const Arrival& a, const Arrival& b) { return a.id < b.id; }
};

/// First stage: clears the numbers of particles in all buckets, and the counter of taken buckets.
struct ClearBuckets {
  index_t* count;
  word_t* next;

  HGRID_HD void operator()(offset_t bucket) const {
    count[bucket] = 0;
    if (bucket == 0) *next = 0;
  }
};

/// Computes the cell of particle i and its number in the bucket, and the largest radius of each level.
template <class Exec, class Real, int D, class View = GridView<D>>
struct DrawNumber {
  Particles<Real, D> particles;
  View grid;
  const InputSummary<D>* input;
  double* radius_max;
  int bucket_bits;
  index_t* count;  // [buckets]
  DrawnNumber* drawn;

  template <class Kind>
  auto in(const Kind& view) const {
    return DrawNumber<Exec, Real, D, Kind>{particles, view, input, radius_max, bucket_bits, count, drawn};
  }

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0) return;
    if (!takes_part(particles, i)) {
      drawn[i] = {static_cast<std::uint32_t>(no_key), 0};
      return;
    }
    const Stored<D> s = stored(particles, grid, i);
    int h;
    const auto cell = static_cast<std::uint32_t>(key_of(grid, s, h));
    drawn[i] = {cell, Exec::draw(count, cell >> bucket_bits)};
    Exec::atomic_max(&radius_max[h], s.radius);
  }
};

/// Moves particle i to its bucket, with position and radius.
template <class Real, int D>
struct MoveToBucket {
  Particles<Real, D> particles;
  const InputSummary<D>* input;
  int bucket_bits;
  const index_t* begin;  // of buckets
  const DrawnNumber* drawn;
  MovedParticle* moved;
  InputRecord<Real>* record;

  HGRID_HD void operator()(offset_t i) const {
    if (input->bad > 0) return;
    const DrawnNumber d = drawn[i];
    if (d.cell == static_cast<std::uint32_t>(no_key)) return;
    const offset_t to = begin[d.cell >> bucket_bits] + d.number;
    moved[to] = {d.cell, static_cast<index_t>(i)};
    record[to] = InputRecord<Real>::of(particles, i);
  }
};

/// Writes the slots and the starts of cells of each bucket, and where levels begin. Blocks take one bucket after the other.
template <class Real, int D, class View = GridView<D>>
struct SortBuckets {
  static constexpr int most_registers = 64;
  static constexpr index_t most_staged = 1536;  ///< the most particles in a bucket that fit in scratch memory
  static constexpr index_t most_ranked = 256;   ///< if a bucket does not fit, a cell with more particles is sorted by the
                                                ///< block; in smaller cells each particle counts the smaller ids

  Particles<Real, D> particles;  // positions and radii are read from the records
  View grid;
  const InputSummary<D>* input;
  Buckets buckets;
  const index_t* begin;  // of buckets; the last is the number of slots
  const MovedParticle* moved;
  Arrival* arrivals;  // for all particles; used by buckets that do not fit
  word_t* next;       // next bucket to be taken
  SlotArrays<D> out;

  template <class Kind>
  auto in(const Kind& view) const {
    return SortBuckets<Real, D, Kind>{particles, view, input, buckets, begin, moved, arrivals, next, out};
  }

  static constexpr std::size_t scratch_bytes() { return arrivals_at + most_staged * sizeof(Arrival); }

  template <class Block>
  HGRID_HD void operator()(Block& block) const {
    if (input->bad > 0) return;
    for (offset_t bucket; (bucket = next_tile(block, next)) < buckets.count();) sort(block, bucket);
  }

 private:
  static constexpr int ends_at = block_scratch_bytes, arrivals_at = ends_at + (4 << Buckets::most_bits);

  template <class Block>
  HGRID_HD void sort(Block& block, offset_t bucket) const {
    const cell_key_t first_cell = static_cast<cell_key_t>(bucket) << buckets.bits, rest = buckets.cells - first_cell;
    const int size = 1 << buckets.bits, cells = rest < static_cast<cell_key_t>(size) ? static_cast<int>(rest) : size;
    const index_t first = begin[bucket], n = begin[bucket + 1] - first;
    const MovedParticle* const here = moved + first;
    const auto cell_of = [&](offset_t k) { return here[k].cell - static_cast<std::uint32_t>(first_cell); };

    // For each cell: first the number of its particles, then where it begins in the bucket, then where it ends.
    auto* const end = block.template shared<index_t>(ends_at);
    auto* const ends = block.template shared<Starts>(ends_at);
    for (int k = block.thread(); k < size / Starts::count; k += Block::threads) ends[k] = {};
    block.barrier();
    for (offset_t k = block.thread(); k < n; k += Block::threads) add_one(block, end[cell_of(k)]);
    block.barrier();
    begin_cells(block, ends, size / Starts::count);
    block.barrier();
    for (int k = block.thread(); k * Starts::count < cells; k += Block::threads) {
      Starts starts = ends[k];
      for (index_t& slot : starts.slot) slot += first;
      // The table has room for whole groups of starts, also after the last cell.
      reinterpret_cast<Starts*>(out.cell_begin + first_cell)[k] = starts;
    }
    begin_levels(block, first_cell, cells, first, end);
    block.barrier();
    const bool is_staged = n <= most_staged;
    Arrival* const arrived = is_staged ? block.template shared<Arrival>(arrivals_at) : arrivals + first;
    for (offset_t k = block.thread(); k < n; k += Block::threads) {
      arrived[add_one(block, end[cell_of(k)])] = {here[k].id, static_cast<index_t>(k)};
    }
    block.barrier();
    const auto begin_of = [&](std::uint32_t cell) { return cell == 0 ? 0 : end[cell - 1]; };
    const auto is_crowded = [&](std::uint32_t cell) { return !is_staged && end[cell] - begin_of(cell) > most_ranked; };
    for (int c = 0; c < cells && !is_staged; ++c) {
      const auto cell = static_cast<std::uint32_t>(c);
      if (is_crowded(cell)) sort_by_block(block, ArrivalsById{arrived}, begin_of(cell), end[cell] - begin_of(cell));
    }
    for (offset_t k = block.thread(); k < n; k += Block::threads) {
      const Arrival p = arrived[k];
      const std::uint32_t cell = cell_of(p.place);
      offset_t slot = k;
      if (!is_crowded(cell)) {  // after the smaller ids of its cell
        slot = begin_of(cell);
        for (index_t other = begin_of(cell), behind = end[cell]; other < behind; ++other) slot += arrived[other].id < p.id;
      }
      store_slot(grid, particles, first + slot, p.id, first + p.place, out);
    }
  }

  template <class Block>
  HGRID_HD static index_t add_one(Block& block, index_t& n) {
    return static_cast<index_t>(block.add(reinterpret_cast<std::uint32_t*>(&n), std::uint32_t{1}));
  }

  /// Turns the numbers of particles into the begins of cells. Each thread adds up some consecutive cells.
  template <class Block>
  HGRID_HD static void begin_cells(Block& block, Starts* ends, int count) {
    const int each = (count + Block::threads - 1) / Block::threads, mine = block.thread() * each;
    const int behind = mine + each < count ? mine + each : count;
    index_t sum = 0;
    for (int k = mine; k < behind; ++k) {
      const Starts numbers = ends[k];
      for (const index_t n : numbers.slot) sum += n;
    }
    index_t before = block_scan<index_t>(block, sum).before;
    for (int k = mine; k < behind; ++k) {
      Starts starts = ends[k];
      for (index_t& slot : starts.slot) {
        const index_t n = slot;
        slot = before;
        before += n;
      }
      ends[k] = starts;
    }
  }

  /// Writes where levels begin if they begin in these cells. The last bucket also writes where the last level ends.
  template <class Block>
  HGRID_HD void begin_levels(Block& block, cell_key_t first_cell, int cells, index_t first, const index_t* cell_begin) const {
    for (int h = block.thread(); h < grid.level_count; h += Block::threads) {
      const cell_key_t of_level = grid.level[h].first_cell - first_cell;  // large if it begins earlier
      if (of_level < static_cast<cell_key_t>(cells)) out.level_begin[h] = first + cell_begin[of_level];
    }
    if (block.thread() > 0 || first_cell + static_cast<cell_key_t>(cells) < buckets.cells) return;
    const index_t slots = begin[buckets.count()];
    out.cell_begin[buckets.cells] = out.level_begin[grid.level_count] = slots;
    store_nowhere(slots, records_behind_last, out);
  }
};

}  // namespace hgrid::inline v0_2::detail
