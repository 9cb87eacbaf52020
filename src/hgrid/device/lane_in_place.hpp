// SPDX-License-Identifier: BSD-3-Clause
// One thread of a search in place: it finds the rows of cells in reach of its slot in single precision, and tests their
// candidates.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_2::detail {

/// A level for the search in place, in single precision. Let v = 2^-24 and c be a coordinate of a slot's record. Its place in
/// cells, t = c * inverse + offset, errs by at most v (3 |c * inverse| + |offset| + |t|): c, inverse and offset each err by v
/// of themselves after rounding, and product and sum round. So t and the ends t -+ half-width err by at most 5 v |t| + 4 v
/// |offset|; the margin allows 8 v of each. Subtracting origins in double precision errs by 2^-53 of them; the margin has 2^-48
/// of them. Partners lie within own.r + reach, which exceeds the true limit by 16 v of the interaction distance (FilterRecord);
/// rounding the half-width takes 5 v of it. Floor and clamp are monotone, so the cells from one end to the other hold all
/// partners (contract, rule 1).
template <int D>
struct alignas(16) LevelInPlace {
  Vec<float, D> inverse, offset, margin;
  float reach;        ///< of partners: the largest radius, enlarged like the radii of records
  float blur, grain;  ///< for `doubtful`
  index_t end;        ///< one after the level's last slot
  Vec<index_t, D> cells;
  const index_t* cell_begin;  ///< where the slots of its cells begin

  /// Returns how far |d|^2 - s^2 of this record and another must be from 0 for its sign to agree with the predicate. Let M be
  /// the record's largest coordinate, and S the largest s. Its coordinates err by v M, another record's by v (M + S), unless
  /// records are exact. So |d| errs by E <= 1.8 v (2 M + S), its square by another 6 v of itself, and s exceeds the interaction
  /// distance R by e <= 23 v S + 4.1 v (2 M + S) + 2^-49 far + 2e-18, where far is the largest coordinate. If particles touch
  /// or nearly do, |d| >= R (1 - 8 * 2^-53), so |d|^2 - s^2 >= -2 R (E + e) - e^2 - 8 v S^2, which is at least -3 S (E + e) - 8
  /// v S^2 >= -S (98 v S + 36 v M + 2^-47 far + 6e-18).
  HGRID_HD float doubtful(const FilterRecord& own) const {
    const float most = std::fmax(std::fabs(own.x), std::fmax(std::fabs(own.y), std::fabs(own.z)));
    const float s = own.r + reach + most * 0x1p-21f;  // records of others exceed `reach` by up to 4.1 v (M + S)
    return s * (s * 0x1p-17f + (most * grain + blur));
  }
};

template <int D, class Certain>
HGRID_HD inline LevelInPlace<D> level_in_place(const GridView<D, Certain>& g, int h) {
  const Level<D>& level = g.level[h];
  LevelInPlace<D> l{};
  double far = 0;
  for (int k = 0; k < D; ++k) {
    const double inverse = level.inverse[k], offset = (g.filter_origin[k] - level.origin[k]) * inverse;
    const double origins = std::fabs(g.filter_origin[k]) + std::fabs(level.origin[k]);
    far = larger_of(far, std::fabs(g.filter_origin[k]));
    l.margin[k] = HUGE_VALF;
    if (inverse >= 1e20) continue;  // single precision may not represent a place, so all cells are in reach
    l.inverse[k] = static_cast<float>(inverse), l.offset[k] = static_cast<float>(offset);
    l.margin[k] = static_cast<float>(std::fabs(offset) * 0x1p-21 + origins * inverse * 0x1p-48);
  }
  l.reach = inflated(g, g.radius_max[h], 0);
  l.blur = static_cast<float>(far * 0x1p-46 + 1e-17);
  l.grain = g.exact_records ? 0x1p-46f : 0x1p-18f;
  l.end = g.level_begin[h + 1];
  l.cells = level.cells;
  l.cell_begin = g.table.begin + level.first_cell;
  return l;
}

/// The rows of cells that may hold partners of a slot. With Visit::once only slots after it count; otherwise all slots of its
/// level, including itself.
template <int D, Visit visit = Visit::once>
class RowsInPlace {
 public:
  /// Finds the rows of slot p in reach of its record. Slots ascend by layer, then row, so no slot after p is in an earlier row.
  /// If there are more rows than slots, all these slots become one run, which bounds the work at any size ratio.
  HGRID_HD RowsInPlace(const LevelInPlace<D>& level, const FilterRecord& own, index_t p, SlotRun& run) {
    const float x[] = {own.x, own.y, own.z}, reach = own.r + level.reach;
    Vec<index_t, D> first, last, home;
    for (int k = 0; k < D; ++k) {
      const float t = fma_any(x[k], level.inverse[k], level.offset[k]);
      const float margin = fma_any(std::fabs(t), 0x1p-21f, level.margin[k]);
      const float half = fma_any(reach, level.inverse[k], margin);
      const auto cell_of = [&](float at) { return clamped_cell(at, level.cells[k] - 1); };
      first[k] = cell_of(t - half), last[k] = cell_of(t + half), home[k] = cell_of(t - margin);
    }
    if constexpr (visit == Visit::all) home = first;
    index_t row = home[1];
    rows_ = last[1] - first[1] + 1, left_ = in_layer_ = last[1] - home[1] + 1;
    if constexpr (D == 3) {
      left_ += (last[2] - home[2]) * rows_, row += home[2] * level.cells[1];
      next_layer_ = (level.cells[1] - rows_ + 1) * level.cells[0];
    }
    begin_ = level.cell_begin, at_ = static_cast<std::uint32_t>(row * level.cells[0] + first[0]);
    cells_ = static_cast<std::uint32_t>(last[0] - first[0] + 1), next_row_ = level.cells[0];
    const index_t first_slot = visit == Visit::all ? level.cell_begin[0] : p + 1;
    if (left_ > level.end - first_slot) run = {first_slot, level.end}, left_ = 0;
  }

  HGRID_HD void forget() { left_ = 0; }
  HGRID_HD bool empty() const { return left_ == 0; }

  /// Returns the next row's slots; with Visit::once only slots after p.
  HGRID_HD SlotRun next(index_t p) {
    const index_t first = begin_[at_];
    const SlotRun run{visit == Visit::all || p < first ? first : p + 1, begin_[at_ + cells_]};
    --left_;
    const bool ends_layer = D == 3 && --in_layer_ == 0;
    at_ += static_cast<std::uint32_t>(ends_layer ? next_layer_ : next_row_);
    if (ends_layer) in_layer_ = rows_;
    return run;
  }

 private:
  const index_t* begin_;      ///< where the slots of the level's cells begin
  std::uint32_t at_, cells_;  ///< the next row's first cell in reach; number of cells in reach per row
  index_t left_;              ///< rows that are left
  index_t rows_, in_layer_;   ///< rows per layer; rows that are left in this layer
  index_t next_row_, next_layer_ = 0;
};

/// Tests the candidates of one thread's slot, four per step, and keeps only a sign of each test. The lanes of a warp stay
/// together.
template <class Block, int D, Visit visit>
class LaneInPlace {
 public:
  static constexpr int candidates = 4;                // per step
  static constexpr int most_steps = 32 / candidates;  // the signs fit a word
  static_assert(candidates <= records_behind_last);
  /// Scratch of the block, where its threads store the first candidates of their steps.
  static constexpr int shared_bytes = most_steps * Block::threads * static_cast<int>(sizeof(index_t));

  /// Begins the search for slot p, or an empty one without a slot. The scratch begins at byte `steps_at` of the block.
  HGRID_HD LaneInPlace(Block& block, const FilterRecord* records, const LevelInPlace<D>& level, index_t p, bool has_slot,
                       int steps_at)
      : block_(block),
        records_(records),
        steps_at_(steps_at),
        p_(p),
        own_(block.load(&records[p])),
        rows_(level, own_, p, run_) {
    if (!has_slot) rows_.forget(), run_ = {0, 0};
    doubtful_ = level.doubtful(own_);
  }

  std::uint32_t hits;  ///< of the last test, a bit for each candidate; the last candidate has the lowest bit
  int steps;           ///< of the last test

  /// Tests as many candidates as there are bits. Returns false if no lane has more.
  HGRID_HD bool test() {
    hits = 0, steps = 0, least_ = HUGE_VALF;
    bool more;
    HGRID_KEEP_ROLLED
    do {
      if (run_.begin >= run_.end && !rows_.empty()) run_ = rows_.next(p_);
      *step(steps) = run_.begin;
      for (int k = 0; k < candidates; ++k) {
        const float excess = excess_of(own_, block_.load(&records_[run_.begin + k]));
        hits = Block::with_sign(hits, excess);
        least_ = std::fmin(least_, std::fabs(excess));
      }
      if constexpr (visit == Visit::all) {  // a particle is not a partner of itself
        const auto self = static_cast<std::uint32_t>(p_ - run_.begin);
        if (self < candidates) hits &= ~(std::uint32_t{1} << (candidates - 1 - self));
      }
      run_.begin += candidates;
      const index_t behind = run_.begin - run_.end;  // slots that are not in the run
      hits &= ~0u << (behind < 0 ? 0 : behind < candidates ? behind : candidates);
      if (behind > 0) run_.begin = run_.end;
      more = block_.ballot(behind < 0 || !rows_.empty()) != 0;
    } while (++steps < most_steps && more);
    return more;
  }

  /// Returns whether a candidate came so close to just touching that its sign may be wrong.
  HGRID_HD bool is_doubtful() const { return least_ <= doubtful_; }

  /// Returns the candidate of a bit. `first_of_step` points to where the first of `most_steps` steps would be stored.
  HGRID_HD static index_t candidate(const index_t* first_of_step, std::uint32_t bit) {
    const std::uint32_t back = bit / candidates;  // steps before the last one
    const index_t last = first_of_step[(most_steps - 1 - back) * Block::threads] + candidates - 1;
    return last - static_cast<index_t>(bit % candidates);
  }
  HGRID_HD const index_t* first_of_step() const { return step(steps - most_steps); }

 private:
  /// Returns where the first candidate of the thread's k-th step is stored. A warp's accesses use different banks.
  HGRID_HD index_t* step(int k) const {
    return block_.template shared<index_t>(steps_at_) + k * Block::threads + block_.thread();
  }

  Block& block_;
  const FilterRecord* records_;
  int steps_at_;
  index_t p_;
  FilterRecord own_;
  SlotRun run_{0, 0};
  RowsInPlace<D, visit> rows_;
  float doubtful_, least_ = 0;
};

/// Returns the level of slot p, from the levels with which the search was prepared.
template <class Block, int D>
HGRID_HD LevelInPlace<D> level_of_slot(Block& block, const LevelInPlace<D>* levels, index_t p) {
  int h = 0;
  while (p >= levels[h].end) ++h;
  return block.load(&levels[h]);
}

}  // namespace hgrid::inline v0_2::detail
