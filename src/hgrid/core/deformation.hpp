// SPDX-License-Identifier: BSD-3-Clause
// How a box has changed between two moments: the affine map from the old box to the new one, including images.
#pragma once

#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2::detail {

/// Maps positions in an old box to where they are if everything moves with the box, as in a uniform shear or compression.
/// Images move along: a position and its image map to a position and its image, with equal numbers of box vectors as given by
/// the user.
template <int D>
struct Deformation {
  Vec<double, D> from, to;        ///< the corner of the old and of the new box
  Vec<Vec<double, D>, D> column;  ///< columns of the matrix F; column j has no component after j
  double strain;                  ///< at least the norm of F^-1 - 1: by this share of their distance two points may come closer

  HGRID_HD Vec<double, D> operator()(const Vec<double, D>& x) const {
    Vec<double, D> y = to;
    for (int k = 0; k < D; ++k) {
      for (int j = k; j < D; ++j) y[k] += column[j][k] * (x[j] - from[j]);
    }
    return y;
  }
};

/// Returns the vectors of a box. They are numbered like the vectors with small tilts of `numbered`. Open axes get 1.
template <int D>
HGRID_HD inline Vec<Vec<double, D>, D> vectors_as_of(const Box<D>& box, const Box<D>& numbered) {
  Vec<Vec<double, D>, D> vectors;
  for (int j = 0; j < D; ++j) {
    Vec<double, D> one{};
    one[j] = 1;
    vectors[j] = sum_of_vectors(box, as_given(numbered, one));
    if (!box.wraps[j]) vectors[j][j] = 1;
  }
  return vectors;
}

/// Returns the matrix that maps the vectors `from` to the vectors `to`, column by column.
template <int D>
HGRID_HD inline Vec<Vec<double, D>, D> matrix_between(const Vec<Vec<double, D>, D>& from, const Vec<Vec<double, D>, D>& to) {
  Vec<Vec<double, D>, D> column = to;
  for (int j = 0; j < D; ++j) {
    for (int k = 0; k <= j; ++k) {
      for (int i = k; i < j; ++i) column[j][k] -= column[i][k] * from[j][i];
      column[j][k] /= from[j][j];
    }
  }
  return column;
}

/// Returns the map from the box `before` to the box `after`. Both boxes must wrap the same axes.
template <int D>
HGRID_HD inline Deformation<D> deformation_of(const Box<D>& before, const Box<D>& after) {
  const Vec<Vec<double, D>, D> from = vectors_as_of(before, before), to = vectors_as_of(after, before);
  Deformation<D> map{before.lo, after.lo, matrix_between(from, to), 0};
  const Vec<Vec<double, D>, D> back = matrix_between(to, from);
  double squared = 0;
  for (int j = 0; j < D; ++j) {
    for (int k = 0; k <= j; ++k) {
      const double change = back[j][k] - (k == j ? 1 : 0);
      squared += change * change;
    }
  }
  map.strain = std::sqrt(squared) * (1 + 0x1p-40) + 0x1p-46;
  return map;
}

}  // namespace hgrid::inline v0_2::detail
