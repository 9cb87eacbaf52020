// SPDX-License-Identifier: BSD-3-Clause
// The one pair predicate (contract, P): the reported set is exactly the pairs for which it is true, less those that the
// pair filter holds back.
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_1::detail {

/// Whether slots p and q touch under a shift: |x_p - x_q - shift|^2 <= (a_p + a_q + skin)^2, touching included.
/// Double throughout, each operation rounded once in this order; the sums are symmetric in p and q, so both see
/// the same answer.
template <int D, class Certain>
HGRID_HD inline bool in_contact(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  double d[D];
  for (int k = 0; k < D; ++k) d[k] = separated(g.x[k][p], g.x[k][q], shift.by[k]);
  return is_within<D>(d, listing_distance(g.radius[p], g.radius[q], g.skin));
}

/// The image of the pair (id of p, id of q) for the positions as the user passed them.
template <int D, class Certain>
HGRID_HD inline Image user_image(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  if (!g.has_images()) return {};
  Image image = image_of(g.box, shift);
  if (!g.has_wraps()) return image;
  for (int k = 0; k < D; ++k) image[k] += g.wraps[p][k] - g.wraps[q][k];
  return image;
}

/// Whether slots p and q, which touch under a shift, are reported.
template <int D, class Certain>
HGRID_HD inline bool reports(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  return !g.is_selective() || g.pair_filter.reports({g.id[p], p}, {g.id[q], q}, user_image(g, p, q, shift));
}

}  // namespace hgrid::inline v0_1::detail
