// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/embedded_space.hpp"

namespace hgrid::reference {
namespace {

double dot(const Vec<double, 2>& a, const Vec<double, 2>& b) { return a[0] * b[0] + a[1] * b[1]; }
double dot(const Vec<double, 3>& a, const Vec<double, 3>& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec<double, 2> normal(const Piece<2>& f) { return {f.vertex[0][1] - f.vertex[1][1], f.vertex[1][0] - f.vertex[0][0]}; }

Vec<double, 3> normal(const Piece<3>& f) {
  double a[3], b[3];
  for (int k = 0; k < 3; ++k) a[k] = f.vertex[1][k] - f.vertex[0][k], b[k] = f.vertex[2][k] - f.vertex[0][k];
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

template <int D>
bool ball_reaches(const MappedPiece<D>& mapped, const Bounds<D>& box) {
  const double reach = mapped.piece.radius + mapped.distance;
  double squared = 0;
  for (int k = 0; k < D; ++k) {
    const double x = mapped.piece.vertex[0][k], d = std::fmax(0, std::fmax(box.lo[k] - x, x - box.hi[k]));
    squared += d * d;
  }
  return squared <= reach * reach;
}

// Returns whether the slab reaches a box. A box lies beyond the slab if its nearest corner does. Infinite boxes are kept.
template <int D>
bool slab_reaches(const MappedPiece<D>& mapped, const Bounds<D>& box) {
  const Vec<double, D> n = normal(mapped.piece);
  const double length = std::sqrt(dot(n, n));
  double half = 0, distance = 0, coordinates = 0;
  for (int k = 0; k < D; ++k) {
    half += 0.5 * (box.hi[k] - box.lo[k]) * std::fabs(n[k]);
    distance += (0.5 * (box.hi[k] + box.lo[k]) - mapped.piece.vertex[0][k]) * n[k];
    coordinates = std::fmax(coordinates, std::fabs(box.lo[k]) + std::fabs(box.hi[k]));
  }
  const double rounding = 0x1p-46 * (coordinates + half / length) * length;
  return !(std::fabs(distance) > half + (mapped.piece.radius + mapped.distance) * length + rounding);
}

template <int D>
double size_of(const Bounds<D>& box) {
  double size = 1;
  for (int k = 0; k < D; ++k) size *= box.hi[k] - box.lo[k];
  return size;
}

}  // namespace

template <int D>
bool conforms(const MappedPiece<D>& mapped, const Bounds<D>& box) {
  return mapped.piece.is_facet() ? slab_reaches(mapped, box) : ball_reaches(mapped, box);
}

template <int D>
EmbeddedSpace<D>::EmbeddedSpace(const Bounds<D>& space, double cells) {
  const double side = cell_side(space, cells);
  for (int k = 0; k < D; ++k) {
    const double length = space.hi[k] - space.lo[k];
    lattice_.origin[k] = space.lo[k];
    lattice_.cells[k] = side > 0 ? static_cast<index_t>(std::fmax(1, std::round(length / side))) : 1;
    lattice_.cell_size[k] = side > 0 ? side : 1;
  }
  cells_.resize(static_cast<std::size_t>(lattice_.size()));
}

template <int D>
EmbeddedSpace<D>::EmbeddedSpace(const Bounds<D>& space, index_t per_axis) {
  for (int k = 0; k < D; ++k) {
    lattice_.origin[k] = space.lo[k];
    lattice_.cells[k] = per_axis;
    lattice_.cell_size[k] = (space.hi[k] - space.lo[k]) / per_axis;
  }
  cells_.resize(static_cast<std::size_t>(lattice_.size()));
}

template <int D>
Bounds<D> EmbeddedSpace<D>::box_of(index_t cell) const {
  Bounds<D> box;
  for (int k = 0; k < D; cell /= lattice_.cells[k], ++k) {
    box.lo[k] = lattice_.origin[k] + cell % lattice_.cells[k] * lattice_.cell_size[k];
    box.hi[k] = box.lo[k] + lattice_.cell_size[k];
  }
  return box;
}

// Returns the space whose points the clamp of Eq. 2 maps into a cell: a border cell has no outer face. Inner faces have room
// for rounding.
template <int D>
Bounds<D> EmbeddedSpace<D>::reach_of(const Vec<index_t, D>& at) const {
  Bounds<D> box;
  for (int k = 0; k < D; ++k) {
    const double size = lattice_.cell_size[k], face = lattice_.origin[k] + at[k] * size;
    const double room = 0x1p-20 * size + 0x1p-50 * (std::fabs(lattice_.origin[k]) + std::fabs(face));
    box.lo[k] = at[k] == 0 ? -HUGE_VAL : face - room;
    box.hi[k] = at[k] == lattice_.cells[k] - 1 ? HUGE_VAL : face + size + room;
  }
  return box;
}

template <int D>
void EmbeddedSpace<D>::erase(index_t cell, index_t id, const MappedPiece<D>& mapped) {
  Cell& c = cells_[static_cast<std::size_t>(cell)];
  c.pieces.erase(std::lower_bound(c.pieces.begin(), c.pieces.end(), id));
  if (cell_of(mapped.centroid()) == cell) --c.centroids;
  if (c.child) c.child->for_each_cell_of(mapped, [&](index_t i) { c.child->erase(i, id, mapped); });
}

template <int D>
void EmbeddedSpace<D>::insert(index_t cell, index_t id, const MappedPiece<D>& mapped) {
  Cell& c = cells_[static_cast<std::size_t>(cell)];
  c.pieces.insert(std::lower_bound(c.pieces.begin(), c.pieces.end(), id), id);
  if (cell_of(mapped.centroid()) == cell) ++c.centroids;
  if (c.child) c.child->for_each_cell_of(mapped, [&](index_t i) { c.child->insert(i, id, mapped); });
}

// Returns whether "the parent cell size is more than a specified factor larger than the average size of piece extents whose
// centroids map into the parent cell."
template <int D>
bool EmbeddedSpace<D>::is_large(const Cell& cell, index_t index, const std::vector<MappedPiece<D>>& mapped,
                                double factor) const {
  double sum = 0;
  for (const index_t id : cell.pieces) {
    const MappedPiece<D>& m = mapped[static_cast<std::size_t>(id)];
    if (cell_of(m.centroid()) == index) sum += m.extent_size;
  }
  return size_of(box_of(index)) * cell.centroids > factor * sum;
}

template <int D>
void EmbeddedSpace<D>::settle(index_t index, const std::vector<MappedPiece<D>>& mapped, const Refinement& rule,
                              RefinementCounts& counts, int depth) {
  Cell& cell = cells_[static_cast<std::size_t>(index)];
  if (cell.child && (cell.centroids < rule.below || !is_large(cell, index, mapped, rule.factor))) {
    cell.child.reset();  // the parent still lists its pieces
    ++counts.unrefined;
  }
  const bool crowded = rule.enabled && depth < rule.deepest && cell.centroids > rule.above;
  if (!cell.child && crowded && is_large(cell, index, mapped, rule.factor)) {
    const double children = std::ceil(static_cast<double>(cell.centroids) / rule.target);
    const auto per_axis = static_cast<index_t>(std::fmax(2, std::round(std::pow(children, 1.0 / D))));
    cell.child = std::make_unique<EmbeddedSpace>(box_of(index), per_axis);
    ++counts.refined;
    for (const index_t id : cell.pieces) {
      const MappedPiece<D>& m = mapped[static_cast<std::size_t>(id)];
      cell.child->for_each_cell_of(m, [&](index_t i) { cell.child->insert(i, id, m); });
    }
  }
  if (!cell.child) return;
  for (index_t i = 0; i < static_cast<index_t>(cell.child->cells_.size()); ++i) {
    cell.child->settle(i, mapped, rule, counts, depth + 1);
  }
}

template bool conforms(const MappedPiece<2>&, const Bounds<2>&);
template bool conforms(const MappedPiece<3>&, const Bounds<3>&);
template class EmbeddedSpace<2>;
template class EmbeddedSpace<3>;

}  // namespace hgrid::reference
