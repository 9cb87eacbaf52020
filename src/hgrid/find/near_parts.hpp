// SPDX-License-Identifier: BSD-3-Clause
// Where the nearest particles of some points close together may be: pieces of the slots in the cells around all these points.
#pragma once

#include <algorithm>

#include "hgrid/core/near_kernels.hpp"
#include "hgrid/core/query.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/find/near_point.hpp"

namespace hgrid::inline v0_2::detail {

/// Slots that may hold some of the nearest particles, under an image.
template <int D>
struct NearPart {
  index_t begin, end;  ///< pieces, or slots of a level
  int level_by_boxes;  ///< the level, if its slots are better searched by boxes; else -1
  Shift<D> shift;
};

/// Uses memory of one thread.
template <int D>
class NearParts {
 public:
  static constexpr index_t most = 512, most_pieces = 4096;

  /// Memory for `most` parts and `most_pieces` pieces.
  NearParts(const GridView<D>& g, NearPart<D>* parts, NearPiece* pieces) : g_(g), parts_(parts), pieces_(pieces) {}

  /// Clears the parts, for points between lo and hi.
  void start(const Vec<double, D>& lo, const Vec<double, D>& hi, offset_t points) {
    lo_ = lo, hi_ = hi;
    for (int k = 0; k < D; ++k) apart_[k] = (hi[k] - lo[k]) * 0x1p-48;
    most_runs_ = runs_of_one + runs_of_more * (points - 1);
    count_ = piece_count_ = 0, rows_ = 0, are_too_many_ = false;
  }

  /// Adds the slots of a level within a distance of the points, under a shift. p is one of the points.
  template <class Point>
  void add(const Point& p, int h, const Shift<D>& shift, double distance) {
    if (count_ == most) {
      are_too_many_ = true;
      return;
    }
    CellRange<D> range;
    for (int k = 0; k < D; ++k) {
      const auto cell_of = [&](double at) { return g_.cell_of(g_.level[h], p.world, k, at); };
      const CellSpan cells = cells_within(k, shift, p.reach(k, distance), cell_of);
      range.first[k] = cells.first, range.last[k] = cells.last;
    }
    if (g_.runs(range) > most_runs_) {
      const SlotRun there = g_.slots_on(h, p.world);
      if (there.begin < there.end) parts_[count_++] = {there.begin, there.end, h, shift};
      return;
    }
    const index_t first = piece_count_;
    rows_ += range.rows();
    add_cells(p, h, range, shift, distance);
    if (piece_count_ == first) return;
    NearPart<D>* const last = count_ == 0 ? nullptr : &parts_[count_ - 1];
    if (last != nullptr && last->level_by_boxes < 0 && last->shift.m == shift.m) {
      last->end = piece_count_;
    } else {
      parts_[count_++] = {first, piece_count_, -1, shift};
    }
  }

  /// Returns whether some parts had no room.
  bool are_too_many() const { return are_too_many_; }
  /// Returns how many rows of cells were looked up.
  offset_t rows() const { return rows_; }
  const NearPart<D>* begin() const { return parts_; }
  const NearPart<D>* end() const { return parts_ + count_; }
  const NearPiece* pieces() const { return pieces_; }

 private:
  // Most runs in a range of cells, for one point and for each further point. Boxes take less time than more runs.
  static constexpr offset_t runs_of_one = 64, runs_of_more = 16;

  template <class CellOf>
  CellSpan cells_within(int k, const Shift<D>& shift, double reach, const CellOf& cell_of) const {
    return cells_in_reach(lo_[k] - shift.by[k], hi_[k] - shift.by[k], reach + apart_[k], cell_of);
  }

  template <class Point>
  void add_cells(const Point& p, int h, const CellRange<D>& range, const Shift<D>& shift, double distance) {
    if (!g_.is_even() || g_.has_worlds() || !g_.in_rows()) {
      return for_each_run_in(g_, h, p.world, range, [&](index_t begin, index_t end) { add_slots(begin, end); });
    }
    index_t hint = 0;
    Vec<index_t, D> row = range.first;
    for (offset_t i = 0, rows = range.rows(); i < rows; ++i) {
      const CellSpan cells = clip(p, h, shift, row, distance);
      row[0] = std::max(range.first[0], cells.first);
      const index_t last = std::min(range.last[0], cells.last);
      if (row[0] <= last) {
        const SlotRun run = g_.run(h, row, last, hint);
        add_slots(run.begin, run.end);
      }
      for (int k = 1; k < D && ++row[k] > range.last[k]; ++k) row[k] = range.first[k];
    }
  }

  // Returns the cells of a row within a distance of the points. The bounds of cells are exact except for rounding: the margins
  // of `distance_to_cell` and of the points' reach are subtracted twice for it.
  template <class Point>
  CellSpan clip(const Point& p, int h, const Shift<D>& shift, const Vec<index_t, D>& row, double distance) const {
    const Level<D>& level = g_.level[h];
    double rest = distance * distance * (1 + 0x1p-46);
    for (int k = 1; k < D; ++k) {
      const double lo = lo_[k] - shift.by[k], hi = hi_[k] - shift.by[k];
      if (row[k] >= cell_coordinate(level, k, lo) && row[k] <= cell_coordinate(level, k, hi)) continue;
      const double near = std::fmin(distance_to_cell(level, k, row[k], lo), distance_to_cell(level, k, row[k], hi));
      const double d = larger_of(near - 2 * (p.margin(k, distance) + apart_[k]), 0.0);
      rest -= d * d;
    }
    if (rest < 0) return {0, -1};
    return cells_within(0, shift, p.reach(0, std::sqrt(rest)), [&](double at) { return cell_coordinate(level, 0, at); });
  }

  void add_slots(index_t begin, index_t end) {
    for (; begin < end; begin += NearPiece::most) {
      if (piece_count_ == most_pieces) {
        are_too_many_ = true;
        return;
      }
      for (int k = 0; k < D; ++k) fetch(g_.x[k] + begin);
      pieces_[piece_count_++] = {begin, std::min(NearPiece::most, end - begin)};
    }
  }

  const GridView<D>& g_;
  NearPart<D>* parts_;
  NearPiece* pieces_;
  Vec<double, D> lo_, hi_;  // corners of a box around the points
  Vec<double, D> apart_;    // rounding error of the other points' coordinates, beyond the margins of the point that is used
  offset_t most_runs_ = 0;
  index_t count_ = 0, piece_count_ = 0;
  offset_t rows_ = 0;
  bool are_too_many_ = false;
};

}  // namespace hgrid::inline v0_2::detail
