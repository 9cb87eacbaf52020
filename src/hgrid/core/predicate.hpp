// SPDX-License-Identifier: BSD-3-Clause
// The one pair predicate (contract, P): the reported pairs are exactly the pairs for which it is true, except pairs that the
// pair filter rejects.
#pragma once

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the distance at which a grid lists particles with these interaction distances. It is monotone in both.
template <int D, class Certain>
HGRID_HD inline double listing_distance_in(const GridView<D, Certain>& g, double a_i, double a_j) {
  return g.adds_radii() ? listing_distance<true>(a_i, a_j, g.skin) : listing_distance<false>(a_i, a_j, g.skin);
}

/// Returns the largest distance along axis k at which a particle with this half extent may touch a particle of a level.
template <int D, class Certain>
HGRID_HD inline double listing_extent(const GridView<D, Certain>& g, double extent, int level, int k) {
  return listing_distance<true>(extent, g.extent_max[level][k], g.skin);
}

/// Returns whether slots p and q are within a distance of each other under a shift.
template <int D, class Certain>
HGRID_HD inline bool are_within(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift, double distance) {
  double d[D];
  for (int k = 0; k < D; ++k) d[k] = separated(g.x[k][p], g.x[k][q], shift.by[k]);
  return is_within<D>(d, distance);
}

/// Returns whether boxes overlap along every axis, or are at most the skin apart: |x_p - x_q - shift| <= h_p + h_q + skin,
/// touching included. Each operation is rounded once, in this order, and is symmetric in p and q, as for spheres.
template <int D>
HGRID_HD inline bool overlap(const Vec<double, D>& x, const Vec<double, D>& extent, const double* const* others,
                             const double* const* extents_of_others, index_t q, const Shift<D>& shift, double skin) {
  bool together = true;
  for (int k = 0; k < D; ++k) {
    const double apart = std::fabs(separated(x[k], others[k][q], shift.by[k]));
    together = together && apart <= listing_distance<true>(extent[k], extents_of_others[k][q], skin);
  }
  return together;
}

/// Returns whether slots p and q touch under a shift: |x_p - x_q - shift|^2 <= (a_p + a_q + skin)^2, touching included, or with
/// the larger of a_p and a_q in place of their sum. All in double, each operation rounded once in this order. Sum and maximum
/// are symmetric in p and q, so both sides get the same answer.
template <int D, class Certain>
HGRID_HD inline bool in_contact(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  if (g.has_extents()) [[unlikely]]
    return overlap(g.position(p), g.extents(p), g.x, g.extent, q, shift, g.skin);
  return are_within(g, p, q, shift, listing_distance_in(g, g.radius[p], g.radius[q]));
}

/// The side of the predicate that searches: a position inside the box, with an interaction distance or half extents.
template <int D>
struct Asker {
  Vec<double, D> x;
  double a;
  Vec<double, D> extent;
};

template <int D, class Certain>
HGRID_HD inline Asker<D> asker(const GridView<D, Certain>& g, index_t p) {
  return {g.position(p), g.radius[p], g.has_extents() ? g.extents(p) : Vec<double, D>{}};
}

/// Returns whether p, which need not be of the grid, is within a distance of slot q under a shift.
template <int D, class Certain>
HGRID_HD inline bool are_within(const GridView<D, Certain>& g, const Asker<D>& p, index_t q, const Shift<D>& shift,
                                double distance) {
  double d[D];
  for (int k = 0; k < D; ++k) d[k] = separated(p.x[k], g.x[k][q], shift.by[k]);
  return is_within<D>(d, distance);
}
template <int D, class Certain>
HGRID_HD inline bool in_contact(const GridView<D, Certain>& g, const Asker<D>& p, index_t q, const Shift<D>& shift) {
  if (g.has_extents()) [[unlikely]]
    return overlap(p.x, p.extent, g.x, g.extent, q, shift, g.skin);
  return are_within(g, p, q, shift, listing_distance_in(g, p.a, g.radius[q]));
}

/// Returns whether slot p of a touching pair has slot q as a neighbor. This is always so except under `Rule::gather`: there a
/// pair touches by the larger of two distances, which may be the distance of q.
template <int D, class Certain>
HGRID_HD inline bool has_neighbour(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  return !g.is_one_sided() || are_within(g, p, q, shift, add_rn(g.radius[p], g.skin));
}

/// Returns the image of the pair (id of p, id of q) for the positions as the user passed them.
template <int D, class Certain>
HGRID_HD inline Image user_image(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  Image image{};
  if (g.has_images()) image = g.with_box(g.world_of(p), [&](const Box<D>& box) { return image_of(box, shift); });
  if (!g.has_wraps()) return image;
  for (int k = 0; k < D; ++k) image[k] += g.wraps[p][k] - g.wraps[q][k];
  return image;
}

/// Returns whether slots p and q, which touch under a shift, are within the cut-off of their types. True if there are no types.
/// A cut-off is at most twice either radius, so it is at most the rounded sum of both.
template <int D, class Certain>
HGRID_HD inline bool within_cutoff(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  const CutoffTable& table = g.pair_filter.cutoffs;
  if (table.type == nullptr) return true;
  const double cutoff = table.of(g.id[p], g.id[q]);
  return cutoff > 0 && are_within(g, p, q, shift, add_rn(cutoff, g.skin));
}

/// Returns whether slots p and q, which touch under a shift, are reported.
template <int D, class Certain>
HGRID_HD inline bool reports(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift) {
  return !g.is_selective() ||
         (g.pair_filter.reports({g.id[p], p}, {g.id[q], q}, user_image(g, p, q, shift)) && within_cutoff(g, p, q, shift));
}

}  // namespace hgrid::inline v0_2::detail
