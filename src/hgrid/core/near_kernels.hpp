// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the search for the nearest, on hosts. They are compiled in the library, once for each instruction set, and
// chosen at run time.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/cell_key.hpp"
#include "hgrid/core/child_boxes.hpp"
#include "hgrid/core/function_ref.hpp"

namespace hgrid::inline v0_2::detail {

/// The particles of a grid in an order of space, with boxes around consecutive ones. A particle's number in it is its place.
template <int D>
struct NearTreeView {
  const double* x[D];
  const double* radius;
  const index_t* id;
  const index_t* slot;  ///< in the grid
  SlotBoxesView<D> boxes;
  const index_t* least_id;  ///< of each child of each node
};

/// Consecutive places of particles up to a radius.
struct NearRange {
  index_t begin, end;
  double radius;
};

/// A query point.
template <int D>
struct NearQuery {
  Vec<double, D> x;
  index_t itself;           ///< a place that is left out, or -1
  Vec<double, D> farthest;  ///< along each axis, that a nearest image may be
  double certain;           ///< of particles with keys up to this one no other image is nearer
};

/// A periodic image of the particles.
template <int D>
struct NearImage {
  Vec<double, D> by;  ///< its shift
  Image number;
  FunctionRef<bool(index_t place, double key)> is_nearest;
};

/// The nearest particles that a search has seen: all with keys up to the bound, or the k nearest and some more.
struct NearFound {
  static constexpr index_t behind_last = 32;  ///< vectors are stored and read whole
  /// How many particles there is room for.
  static offset_t room(index_t k) { return offset_t{k} + std::max(k, 64); }

  double* key;
  index_t* place;
  Image* image;
  index_t* order;  ///< numbers of the k nearest by keys and then by ids, once they are in order
  index_t k, count;
  double bound;      ///< particles with larger keys are none of the nearest
  index_t bound_id;  ///< nor are those with that key and larger ids
};

/// Looks for nearer particles in a range under an image. Keys are squared distances of centres, or distances from surfaces; each
/// operation is rounded once.
template <bool surfaces, int D>
void look_below(const NearTreeView<D>& tree, const NearRange& range, const NearQuery<D>& query, const NearImage<D>& image,
                NearFound& found);

/// Puts those found in order.
void order_near(NearFound& found, const index_t* id);

/// Fills `leaf` with the number of a box of eight places near each of some points.
template <int D>
void find_leaves(const NearTreeView<D>& tree, const NearRange& range, const Vec<double, D>* points, index_t count,
                 cell_key_t* leaf);

}  // namespace hgrid::inline v0_2::detail
