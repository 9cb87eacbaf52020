// SPDX-License-Identifier: BSD-3-Clause
// The cells of the cell space (004): a lattice whose cells hold lists of pieces or a finer space of their own.
#pragma once

#include <algorithm>
#include <memory>

#include "papers/systems/lattice.hpp"
#include "papers/systems/pieces.hpp"

namespace hgrid::reference {

/// When a cell is refined and when its refinement is removed (004, "Cell Space").
struct Refinement {
  bool enabled = true;
  int above = 10;     ///< with more piece-extent centroids in a cell than this, refinement is considered
  int target = 10;    ///< centroids per child cell
  int below = 2;      ///< with fewer than this in a refined cell, the children are removed
  double factor = 8;  ///< the cell must be larger than the mean extent by more than this factor, as areas or volumes; the text
                      ///< gives no number: 8 leaves children of half the side no smaller than the extents
  int deepest = 10;   ///< children of children
};

/// A piece in the state in which it was last mapped.
template <int D>
struct MappedPiece {
  Piece<D> piece;
  double tolerance = -1;  ///< epsilon of Eq. 1; negative: never mapped
  double distance = 0;    ///< of the conformal surface from the piece: 2 epsilon + r_i / 2 (Fig. 3), plus rounding
  Bounds<D> cell_extent{};
  double extent_size = 0;  ///< area or volume of the cell extent

  Vec<double, D> centroid() const {
    Vec<double, D> c;
    for (int k = 0; k < D; ++k) c[k] = 0.5 * (cell_extent.lo[k] + cell_extent.hi[k]);
    return c;
  }
};

/// Returns whether a piece's conformal surface may reach into a box (Fig. 3): exact for balls and pebbles; for a facet, whether
/// the box meets the slab around its plane. A superset never loses a pair.
template <int D>
bool conforms(const MappedPiece<D>& mapped, const Bounds<D>& box);

/// Counts of refined and unrefined cells.
struct RefinementCounts {
  std::int64_t refined = 0, unrefined = 0;
};

template <int D>
class EmbeddedSpace {
 public:
  struct Cell {
    std::vector<index_t> pieces;           ///< all that map into it, ascending
    std::unique_ptr<EmbeddedSpace> child;  ///< if refined; then the pieces are reached only through it
    int centroids = 0;                     ///< of the pieces' extents
  };

  /// Makes equidimensional cells of a space: about `cells` of them.
  EmbeddedSpace(const Bounds<D>& space, double cells);
  /// Makes `per_axis` cells along each axis.
  EmbeddedSpace(const Bounds<D>& space, index_t per_axis);

  /// Calls f(index) for the cells into which a piece maps: cells of its cell extent, by Eqs. 2 and 3, that its conformal
  /// surface reaches.
  template <class F>
  void for_each_cell_of(const MappedPiece<D>& mapped, F&& f) const {
    for_each_cell_in(mapped.cell_extent, [&](index_t i, const Vec<index_t, D>& at) {
      if (conforms(mapped, reach_of(at))) f(i);
    });
  }

  /// The iterator over a search window: calls f(piece) for all pieces in cells that meet the window, once per such cell.
  template <class F>
  void for_each_in(const Bounds<D>& window, F&& f) const {
    for_each_cell_in(window, [&](index_t i, const Vec<index_t, D>&) {
      const Cell& cell = cells_[static_cast<std::size_t>(i)];
      if (cell.child) {
        cell.child->for_each_in(window, f);
      } else {
        for (const index_t piece : cell.pieces) f(piece);
      }
    });
  }

  /// Takes a piece out of, or into, one cell and the spaces embedded in it.
  void erase(index_t cell, index_t id, const MappedPiece<D>& mapped);
  void insert(index_t cell, index_t id, const MappedPiece<D>& mapped);

  /// Refines or unrefines a cell, and the cells below it, as its current pieces require.
  void settle(index_t cell, const std::vector<MappedPiece<D>>& mapped, const Refinement& rule, RefinementCounts& counts,
              int depth = 0);

  const std::vector<Cell>& cells() const { return cells_; }
  const Lattice<D>& lattice() const { return lattice_; }

 private:
  template <class F>
  void for_each_cell_in(const Bounds<D>& extent, F&& f) const {
    Vec<index_t, D> lb, ub;
    for (int k = 0; k < D; ++k) lb[k] = lattice_.cell(k, extent.lo[k]), ub[k] = lattice_.cell(k, extent.hi[k]);
    for (Vec<index_t, D> at = lb;;) {
      f(linear(at), at);
      int k = 0;
      for (; k < D && at[k] == ub[k]; ++k) at[k] = lb[k];
      if (k == D) return;
      ++at[k];
    }
  }

  index_t linear(const Vec<index_t, D>& at) const {  // Eq. 3
    index_t i = 0;
    for (int k = D - 1; k >= 0; --k) i = i * lattice_.cells[k] + at[k];
    return i;
  }
  index_t cell_of(const Vec<double, D>& point) const {
    Vec<index_t, D> at;
    for (int k = 0; k < D; ++k) at[k] = lattice_.cell(k, point[k]);
    return linear(at);
  }
  Bounds<D> box_of(index_t cell) const;
  Bounds<D> reach_of(const Vec<index_t, D>& at) const;
  bool is_large(const Cell& cell, index_t index, const std::vector<MappedPiece<D>>& mapped, double factor) const;

  Lattice<D> lattice_{};
  std::vector<Cell> cells_;
};

}  // namespace hgrid::reference
