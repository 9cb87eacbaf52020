// SPDX-License-Identifier: BSD-3-Clause
// Choices and boxes. Include hgrid11.hpp.
#ifndef HGRID11_BOX_HPP
#define HGRID11_BOX_HPP

#include <array>
#include <vector>

#include "hgrid11_error.hpp"

namespace hgrid11 {
inline namespace v0_2 {

/// Choices. `planned` ones are made by the grid.
enum class Rule { sum = HGRID_SUM, max = HGRID_MAX, gather = HGRID_GATHER };
enum class Direction { planned = 0, top_down = HGRID_TOP_DOWN, bottom_up = HGRID_BOTTOM_UP };
enum class KeyOrder { planned = 0, row_major = HGRID_ROW_MAJOR, morton = HGRID_MORTON };
enum class TableKind { planned = 0, dense = HGRID_DENSE, compacted = HGRID_COMPACTED };
enum class NonFinite { error = HGRID_REFUSE, skip = HGRID_SKIP };
enum class Order { fixed = HGRID_FIXED, sorted = HGRID_SORTED };
enum class ListKind { half = HGRID_HALF, full = HGRID_FULL };
enum class Take { touching = HGRID_TOUCHING, centres = HGRID_CENTRES };

using LevelSpec = hgrid_level_spec;

struct GridOptions {
  int threads = 0;  ///< 0: OMP_NUM_THREADS or the number of processors; HGRID_SERIAL: one
  Rule rule = Rule::sum;
  Direction direction = Direction::planned;
  KeyOrder keys = KeyOrder::planned;
  TableKind table = TableKind::planned;
  std::vector<LevelSpec> levels;  ///< finest first; empty: planned from the radii
};

/// Periodic shift of a pair in numbers of the box's vectors; unused axes hold 0.
struct Image {
  std::int32_t m[3];
  std::int32_t operator[](int k) const { return m[k]; }
};

/// The domain: each axis is open, or periodic with period hi - lo. The distance vector of a pair under an image is x_i - x_j -
/// shift(image).
template <int D>
struct Box {
  static_assert(D == 2 || D == 3, "hgrid searches in two or three dimensions");
  std::array<double, D> lo = {}, hi = {};
  std::array<bool, D> wraps = {};
  std::array<double, 3> tilt = {};        ///< xy, xz, yz: it repeats along (L_x, 0, 0), (xy, L_y, 0) and (xz, yz, L_z)
  std::array<double, D* D> vectors = {};  ///< vector j is row j, if `along_vectors`: the box repeats along these, from lo on
  bool along_vectors = false;

  static Box open() { return Box(); }
  static Box periodic(const double (&lo)[D], const double (&hi)[D]) {
    Box box;
    for (int k = 0; k < D; ++k) at(box.lo, k) = lo[k], at(box.hi, k) = hi[k], at(box.wraps, k) = true;
    return box;
  }
  /// Returns a box that is periodic only along some axes.
  static Box periodic(const double (&lo)[D], const double (&hi)[D], const bool (&axes)[D]) {
    Box box = periodic(lo, hi);
    for (int k = 0; k < D; ++k) at(box.wraps, k) = axes[k];
    return box;
  }
  /// Returns a box along vectors of any directions. Vectors that are not periodic are not used.
  static Box of_vectors(const double (&vectors)[D][D], const bool (&axes)[D]) {
    Box box;
    box.along_vectors = true;
    for (int j = 0; j < D; ++j) {
      at(box.wraps, j) = axes[j];
      for (int k = 0; k < D; ++k) at(box.vectors, D * j + k) = vectors[j][k];
    }
    return box;
  }
  /// Returns this box with tilted images, as in LAMMPS; xz and yz are 0 in two dimensions.
  Box tilted(double xy, double xz = 0, double yz = 0) const {
    Box box = *this;
    box.tilt = {{xy, xz, yz}};
    return box;
  }

  std::array<double, D> shift(const Image& image) const {
    std::array<double, D> sum = {};
    for (int j = 0; j < D; ++j) {
      for (int k = 0; k < D; ++k) at(sum, k) += image[j] * component(j, k);
    }
    return sum;
  }

  /// Returns the box of hgrid.h. It points into this object.
  hgrid_box get() const {
    hgrid_box box = detail::sized<hgrid_box>();
    for (int k = 0; k < D; ++k) box.lo[k] = at(lo, k), box.hi[k] = at(hi, k), box.periodic[k] = at(wraps, k);
    for (int t = 0; t < 3; ++t) box.tilt[t] = at(tilt, t);
    if (along_vectors) box.vectors = vectors.data();
    return box;
  }

 private:
  template <class Array>
  static auto at(Array& array, int k) -> decltype(array[0]) {
    return array[static_cast<std::size_t>(k)];
  }
  /// Returns component k of vector j; 0 for an open axis, whose image is 0.
  double component(int j, int k) const {
    if (!at(wraps, j)) return 0;
    if (along_vectors) return at(vectors, D * j + k);
    if (k > j) return 0;
    return k == j ? at(hi, j) - at(lo, j) : at(tilt, k + j - 1);
  }
};
using Box2 = Box<2>;
using Box3 = Box<3>;

}  // namespace v0_2
}  // namespace hgrid11

#endif
