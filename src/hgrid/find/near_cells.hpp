// SPDX-License-Identifier: BSD-3-Clause
// The cells of one level around one point.
#pragma once

#include <algorithm>

#include "hgrid/core/near_kernels.hpp"
#include "hgrid/core/query.hpp"
#include "hgrid/core/reach.hpp"

namespace hgrid::inline v0_2::detail {

/// Lists pieces of slots in the cells that a ball around a point reaches, without a shift. For grids of one world, with even
/// cells in rows and a dense table.
template <int D>
class NearCells {
 public:
  static bool fit(const GridView<D>& g) { return g.is_even() && !g.has_worlds() && g.in_rows() && g.is_dense(); }

  template <class Point>
  NearCells(const GridView<D>& g, int level, const Point& p, double distance) {
    Vec<index_t, D> first, last;
    for (int k = 0; k < D; ++k) {
      const auto cell_of = [&](double at) { return cell_coordinate(g.level[level], k, at); };
      const CellSpan cells = cells_in_reach(p.x[k], p.x[k], p.reach(k, distance), cell_of);
      first[k] = cells.first, last[k] = cells.last;
    }
    const index_t cells = last[0] - first[0] + 1;
    for (Vec<index_t, D> row = first; row[D - 1] <= last[D - 1];) {
      const index_t* const run = g.table.begin + linear_cell(g.level[level], row);
      index_t begin = run[0];
      do {  // most rows are one piece, and an empty piece takes less time than an unpredictable branch
        if (count_ == most) {
          are_too_many_ = true;
          return;
        }
        pieces_[count_++] = {begin, std::min(NearPiece::most, run[cells] - begin)};
        begin += NearPiece::most;
      } while (begin < run[cells]);
      for (int k = 1; k < D && ++row[k] > last[k] && k + 1 < D; ++k) row[k] = first[k];
    }
  }

  bool are_too_many() const { return are_too_many_; }
  const NearPiece* pieces() const { return pieces_; }
  index_t count() const { return count_; }

 private:
  static constexpr index_t most = 256;

  NearPiece pieces_[most];
  index_t count_ = 0;
  bool are_too_many_ = false;
};

}  // namespace hgrid::inline v0_2::detail
