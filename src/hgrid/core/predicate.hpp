// SPDX-License-Identifier: BSD-3-Clause
// The one pair predicate (contract, P): the reported set is exactly the pairs for which it is true.
#pragma once

#include "hgrid/core/grid_view.hpp"

namespace hgrid {

/// A periodic image as the search sees it: between wrapped positions, with its shift in length units.
template <int D>
struct Shift {
  Vec<int, D> m;
  Vec<double, D> by;  ///< m * period
};

/// Whether slots p and q touch under a shift: |x_p - x_q - shift|^2 <= (a_p + a_q + skin)^2, touching included.
/// Double throughout, each operation rounded once in this order; the sums are symmetric in p and q, so both see
/// the same answer.
template <int D, class Certain>
HGRID_HD inline bool in_contact(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  double squared = 0;
  for (int k = 0; k < D; ++k) {
    const double d = sub_rn(sub_rn(g.x[k][p], g.x[k][q]), shift.by[k]);
    squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
  }
  const double distance = add_rn(add_rn(g.radius[p], g.radius[q]), g.skin);
  return squared <= mul_rn(distance, distance);
}

/// Whether two touching particles may be reported: not both ghosts, not of one group.
template <int D, class Certain>
HGRID_HD inline bool may_pair(const GridView<D, Certain>& g, index_t p, index_t q) {
  if constexpr (Certain::unselective) return true;
  if (g.id[p] >= g.sources && g.id[q] >= g.sources) return false;
  return g.group == nullptr || g.group[p] < 0 || g.group[p] != g.group[q];
}

/// The image of the pair (id of p, id of q) for the positions as the user passed them.
template <int D, class Certain>
HGRID_HD inline Image user_image(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  Image image{};
  for (int k = 0; k < D; ++k) image.m[k] = shift.m[k];
  if (!g.has_wraps()) return image;
  for (int k = 0; k < D; ++k) image.m[k] += g.wraps[p].m[k] - g.wraps[q].m[k];
  return image;
}

}  // namespace hgrid
