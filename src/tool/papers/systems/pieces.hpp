// SPDX-License-Identifier: BSD-3-Clause
// The pieces of the cell space (004): balls, pebbles of clumps and facets of walls, and how they move.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "papers/systems/bodies.hpp"

namespace hgrid::reference {

template <int D>
struct Matrix {
  Vec<double, D> row[D];
};

/// All points within `radius` of the hull of its vertices. With one vertex: a ball or a pebble; with D vertices, a facet: a
/// triangle in 3-D and a segment in 2-D.
template <int D>
struct Piece {
  Vec<double, D> vertex[D] = {};
  int vertices = 1;
  double radius = 0;
  Vec<double, D> velocity = {};  ///< for the tolerance, Eq. 1
  index_t owner = -1;            ///< number of a clump or wall, whose pieces do not pair with each other; -1: none

  bool is_facet() const { return vertices > 1; }
};

template <int D>
Piece<D> ball(const Vec<double, D>& centre, double radius) {
  Piece<D> piece;
  piece.vertex[0] = centre;
  piece.radius = radius;
  return piece;
}

template <int D>
Piece<D> facet(const Vec<double, D> (&vertices)[D], index_t wall = -1) {
  Piece<D> piece;
  for (int v = 0; v < D; ++v) piece.vertex[v] = vertices[v];
  piece.vertices = D;
  piece.owner = wall;
  return piece;
}

/// Returns the minimum extent (Fig. 1): the smallest axis-aligned box that encloses the piece.
template <int D>
Bounds<D> minimum_extent(const Piece<D>& piece) {
  Bounds<D> extent{piece.vertex[0], piece.vertex[0]};
  for (int v = 0; v < piece.vertices; ++v) {
    for (int k = 0; k < D; ++k) {
      extent.lo[k] = std::fmin(extent.lo[k], piece.vertex[v][k] - piece.radius);
      extent.hi[k] = std::fmax(extent.hi[k], piece.vertex[v][k] + piece.radius);
    }
  }
  return extent;
}

/// Returns E_p of Eq. 1: the diameter of a ball or pebble; for a facet, the mean side of its minimum extent.
template <int D>
double size_measure(const Piece<D>& piece) {
  if (!piece.is_facet()) return 2 * piece.radius;
  const Bounds<D> extent = minimum_extent(piece);
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += extent.hi[k] - extent.lo[k];
  return sum / D;
}

/// Returns the largest movement of any vertex along any axis. Rotation about a clump's centroid or a wall's centre moves the
/// vertices, so it is included.
template <int D>
double largest_movement(const Piece<D>& from, const Piece<D>& to) {
  double largest = 0;
  for (int v = 0; v < to.vertices; ++v) {
    for (int k = 0; k < D; ++k) largest = std::fmax(largest, std::fabs(to.vertex[v][k] - from.vertex[v][k]));
  }
  return largest;
}

/// Returns the rotation by an angle from axis a towards axis b; products of these give all rotations.
template <int D>
Matrix<D> rotation(int a, int b, double angle) {
  Matrix<D> turn{};
  for (int k = 0; k < D; ++k) turn.row[k][k] = 1;
  turn.row[a][a] = turn.row[b][b] = std::cos(angle);
  turn.row[b][a] = std::sin(angle);
  turn.row[a][b] = -turn.row[b][a];
  return turn;
}

/// Returns centre + turn (point - centre).
template <int D>
Vec<double, D> rotated(const Vec<double, D>& point, const Vec<double, D>& centre, const Matrix<D>& turn) {
  Vec<double, D> result = centre;
  for (int i = 0; i < D; ++i) {
    for (int k = 0; k < D; ++k) result[i] += turn.row[i][k] * (point[k] - centre[k]);
  }
  return result;
}

/// A rigid body of overlapping balls. Its pebbles are pieces; it has no extent of its own.
template <int D>
struct Clump {
  struct Pebble {
    Vec<double, D> offset;  ///< from the centroid, before rotation
    double radius;
  };

  Vec<double, D> centroid;
  Matrix<D> orientation = rotation<D>(0, 1, 0);
  std::vector<Pebble> pebbles;

  /// Appends the pebbles at their places after translation and rotation.
  void append_to(std::vector<Piece<D>>& pieces, index_t owner) const {
    for (const Pebble& pebble : pebbles) {
      Vec<double, D> at;
      for (int k = 0; k < D; ++k) at[k] = centroid[k] + pebble.offset[k];
      pieces.push_back(ball(rotated(at, centroid, orientation), pebble.radius));
      pieces.back().owner = owner;
    }
  }
};

}  // namespace hgrid::reference
