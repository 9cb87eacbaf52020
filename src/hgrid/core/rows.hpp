// SPDX-License-Identifier: BSD-3-Clause
// Which cells may hold a partner: the search range of one particle on one level, as rows of cells along x.
#pragma once

#include "hgrid/core/levels.hpp"

namespace hgrid {

/// A block of cells, both ends included.
template <int D>
struct CellRange {
  Vec<index_t, D> first, last;

  HGRID_HD index_t width(int k) const { return last[k] - first[k] + 1; }
  HGRID_HD offset_t rows() const {
    offset_t n = 1;
    for (int k = 1; k < D; ++k) n *= width(k);
    return n;
  }
};

/// Half-width, along one axis, of an interval around x that contains every coordinate for which the rounded
/// predicate can be true (contract, rule 3). With u = 2^-53: the predicate errs by at most 4u of the interaction
/// distance plus 3u of the image shift, and forming the interval's ends by a few u of x, shift and distance. A
/// pair's shift is below |distance| + length, so the margins below, 32u of the distance and 8u of the
/// coordinates, leave room. The absolute floor covers squares that underflow to 0.
HGRID_HD inline double search_reach(double distance, double x, double period) {
  return distance * (1 + 0x1p-48) + (std::fabs(x) + 2 * period) * 0x1p-50 + 0x1p-500;
}

}  // namespace hgrid
