// SPDX-License-Identifier: BSD-3-Clause
// Which cells may hold a partner: the search range of one particle on one level, as rows of cells along x.
#pragma once

#include "hgrid/core/levels.hpp"

namespace hgrid::inline v0_2::detail {

/// A box of cells, both ends included.
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

}  // namespace hgrid::inline v0_2::detail
