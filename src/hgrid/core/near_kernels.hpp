// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the nearest-neighbor search on hosts. The library has them compiled once for each instruction set, and
// chooses at run time.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/child_boxes.hpp"
#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// At most `most` consecutive slots, which are tested together, without a branch for each.
struct NearPiece {
  static constexpr index_t most = 8;
  static_assert(most <= slot_padding);  // slot arrays can be read beyond the last slot

  index_t begin, count;
};

/// Columns for the particles that one search has seen, for at most k nearest.
struct NearColumns {
  double* key;
  index_t* slot;
  Image* image;
  index_t* order;

  static constexpr offset_t behind_last = 32;  ///< vectors are stored and read whole
  /// Returns for how many particles there is room.
  static offset_t room(index_t k) { return offset_t{k} + std::max(k, 64); }
  NearColumns operator+(offset_t n) const { return {key + n, slot + n, image + n, order + n}; }
};

/// A query point, and the largest key that it accepts: a squared distance of centres, or a distance from the surface.
template <int D>
struct NearAsker {
  Vec<double, D> x, by;  ///< the point, and the shift of the image that is searched
  index_t itself;        ///< a slot that is left out, or -1
  double bound;
};

/// Appends the keys and slots of all particles in the pieces from number `from` on whose keys are within the bound. Each
/// operation is rounded once. Returns the piece to continue from if there is no room for another whole piece, or else `end`.
template <bool surfaces, int D>
index_t add_near(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t from, index_t end,
                 const NearColumns& found, index_t& count, offset_t room);

/// The nearest of some particles, with its key.
struct NearOne {
  double key = HUGE_VAL;
  index_t slot = -1;     ///< -1: there is none
  bool is_tied = false;  ///< another particle has an equal key
};

/// Returns the nearest particle of the pieces, by centres and under no shift, without a bound on its key. Each operation is
/// rounded once.
template <int D>
NearOne nearest_of(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t count);

/// Fills the column `order` with the numbers of the `first` first particles, in order of keys and then of ids. The key column
/// must have room after its last entry; the numbers there are ignored.
void order_near(const NearColumns& found, index_t count, index_t first, const index_t* id);

/// The particles of a grid in a spatial order, with boxes around consecutive particles. A particle's number in this order is
/// its place.
template <int D>
struct NearTreeView {
  const double* x[D];
  const double* radius;
  const index_t* id;
  const index_t* slot;  ///< in the grid
  CrowdBoxesView<D> boxes;
};

/// A range of consecutive places, whose particles have at most this radius.
struct NearRange {
  index_t begin, end;
  double radius;
};

template <int D>
struct NearQuery {
  Vec<double, D> x;
  index_t itself;           ///< a place that is left out, or -1
  Vec<double, D> farthest;  ///< the largest distance of a nearest image along each axis
  double certain;           ///< if a particle's key is at most this, none of its other images is nearer
};

/// A periodic image of the particles.
template <int D>
struct NearImage {
  Vec<double, D> by;  ///< its shift
  Image number;
  FunctionRef<bool(index_t place, double key)> is_nearest;
};

/// The nearest particles that a tree search has seen: all with keys up to the bound, or the k nearest and some more. Slots in
/// the columns are places.
struct NearFound {
  NearColumns columns;
  index_t k, count;
  double bound;      ///< particles with larger keys are not among the nearest
  index_t bound_id;  ///< nor are particles with this key and larger ids
};

/// Searches a range of places for nearer particles under an image. Keys are squared distances of centres, or distances from
/// surfaces; each operation is rounded once.
template <bool surfaces, int D>
void look_below(const NearTreeView<D>& tree, const NearRange& range, const NearQuery<D>& query, const NearImage<D>& image,
                NearFound& found);

/// Fills `leaf` with the number of a box of eight places near each point.
template <int D>
void find_leaves(const NearTreeView<D>& tree, const NearRange& range, const Vec<double, D>* points, index_t count,
                 cell_key_t* leaf);

}  // namespace hgrid::inline v0_2::detail
