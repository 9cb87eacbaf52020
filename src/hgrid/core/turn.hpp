// SPDX-License-Identifier: BSD-3-Clause
// Boxes along any vectors, in any order and of either hand. They have axes of their own; along these axes the box has the form
// that LAMMPS writes. Also boxes that shear over time.
#pragma once

#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/tilt.hpp"

namespace hgrid::inline v0_2 {

/// Returns the box along other axes: its lo, hi and tilts are along these unit vectors, which are at right angles to each
/// other, right-handed or left-handed. A build throws `invalid_box` for other axes.
template <int D>
Box<D> turned(Box<D> box, const Vec<Vec<double, D>, D>& axes) {
  box.turned = true, box.axes = axes;
  return box;
}

namespace detail {

template <int D>
double dot(const Vec<double, D>& a, const Vec<double, D>& b) {
  double sum = 0;
  for (int k = 0; k < D; ++k) sum += a[k] * b[k];
  return sum;
}

/// Returns v less its parts along these directions. Subtracts twice, because the first time leaves rounding errors of the size
/// of v.
template <int D>
Vec<double, D> at_right_angles(Vec<double, D> v, const Vec<double, D>* directions, int count) {
  for (int turn = 0; turn < 2; ++turn) {
    for (int i = 0; i < count; ++i) {
      const double part = dot<D>(v, directions[i]);
      for (int k = 0; k < D; ++k) v[k] -= part * directions[i][k];
    }
  }
  return v;
}

/// Returns the unit vector along the part of v that is at right angles to the directions before it. Sets `length` to the length
/// of that part.
template <int D>
Vec<double, D> next_direction(const Vec<double, D>& v, const Vec<double, D>* before, int count, double& length) {
  Vec<double, D> rest = at_right_angles(v, before, count);
  length = std::sqrt(dot<D>(rest, rest));
  if (length == 0) return rest;
  for (int k = 0; k < D; ++k) rest[k] /= length;
  // The remaining parts along earlier directions are relative to v, which may be far longer than `rest`.
  rest = at_right_angles(rest, before, count);
  const double unit = std::sqrt(dot<D>(rest, rest));
  for (int k = 0; k < D; ++k) rest[k] /= unit;
  return rest;
}

/// Returns whether vectors are in the form that LAMMPS writes, so that the box need not be turned: no vector has a part along
/// an axis after its own.
template <int D>
bool is_standard_form(const Vec<Vec<double, D>, D>& vectors, const Vec<bool, D>& periodic) {
  for (int j = 0; j < D; ++j) {
    if (!periodic[j]) continue;
    if (!(vectors[j][j] > 0)) return false;
    for (int k = j + 1; k < D; ++k) {
      if (vectors[j][k] != 0) return false;
    }
  }
  return true;
}

}  // namespace detail

/// Returns the box that repeats along these vectors, of any directions, such as the cells of ASE and vesin (row j is vector j).
/// Vectors of axes that are not periodic are ignored and may be zero. The box begins at `origin`, which affects only rounding.
/// Images count these vectors. If a vector has a part along an axis after its own, the box is turned: its axes are made from
/// the vectors by the Gram-Schmidt process, and distances are computed from positions along these axes (contract C2). Throws
/// `invalid_box`, with the axis, for vectors that are not finite, longer than 1e15, or flat: less than 2^-20 of the vector is
/// at right angles to the vectors before it. Also throws the errors of `tilted`.
template <int D>
Box<D> box_of_vectors(const Vec<Vec<double, D>, D>& vectors, const Vec<bool, D>& periodic, const Vec<double, D>& origin = {}) {
  const auto fail = [](int j, double value, const char* why) {
    throw Error(ErrorCode::invalid_box, "vector " + std::string(1, "abc"[j]) + " of the box " + why,
                {.argument = "box", .index = j, .value = value});
  };
  for (int j = 0; j < D; ++j) {
    for (int k = 0; k < D && periodic[j]; ++k) {
      if (!(std::fabs(vectors[j][k]) <= largest_length)) fail(j, vectors[j][k], "is not finite, or longer than 1e15");
    }
  }
  Vec<Vec<double, D>, D> axes{};
  const bool turns = !detail::is_standard_form<D>(vectors, periodic);
  Vec<double, D> found[D] = {};
  int count = 0;
  for (int j = 0; j < D; ++j) {
    if (!periodic[j]) continue;
    double length;
    axes[j] = found[count] = detail::next_direction<D>(vectors[j], found, count, length);
    if (!(length > 0x1p-20 * std::sqrt(detail::dot<D>(vectors[j], vectors[j]))))
      fail(j, length, count == 0 ? "is zero" : "is a sum of multiples of the vectors before it: the box is flat");
    if (!turns) axes[j] = {}, axes[j][j] = 1, found[count] = axes[j];
    ++count;
  }
  for (int j = 0; j < D; ++j) {  // open axes: take the user's axis that is most nearly at right angles to the others
    if (periodic[j]) continue;
    double longest = 0;
    Vec<double, D> best{};
    for (int turn = 0; turn < D; ++turn) {
      Vec<double, D> unit{};
      unit[(j + turn) % D] = 1;
      double length;
      const Vec<double, D> direction = detail::next_direction<D>(unit, found, count, length);
      if (length > longest * (1 + 0x1p-40)) longest = length, best = direction;
    }
    axes[j] = found[count++] = best;
  }
  Box<D> box = turned(Box<D>{}, axes);
  const Vec<double, D> corner = turns ? detail::along_axes(box, origin) : origin;
  Vec<double, D> hi;
  Vec<double, Box<D>::tilts> tilts{};
  for (int j = 0; j < D; ++j) {
    const Vec<double, D> along = turns ? detail::along_axes(box, vectors[j]) : vectors[j];
    hi[j] = corner[j] + along[j];
    const double rounding = turns ? 0x1p-49 * std::sqrt(detail::dot<D>(along, along)) : 0;  // of parts that should be zero
    for (int k = 0; k < j && periodic[j]; ++k) {
      tilts[Box<D>::tilt_index(k, j)] = std::fabs(along[k]) <= rounding ? 0 : along[k];
    }
  }
  const Box<D> standard = tilted(Box<D>::periodic(corner, hi, periodic), tilts);
  return turns ? turned(standard, axes) : standard;
}

/// Returns the box in shear (Lees and Edwards 1972): images across the faces of axis `across` lie `offset` further along axis
/// `along`; both are axes of the box. At a shear rate g the offset is g * period(across) * time. The offset may grow without
/// limit, and must not be taken back if history is kept: taking it back by a period changes the numbers of images. If `along`
/// comes after `across`, the box turns as it shears, because its vectors then have parts along axes after their own. Throws
/// `invalid_box` unless `along` and `across` are two different axes and `across` is periodic. Also throws the errors of
/// `tilted` and `box_of_vectors`.
template <int D>
Box<D> sheared(const Box<D>& box, double offset, int along = 0, int across = 1) {
  if (along < 0 || across < 0 || along >= D || across >= D || along == across || !box.wraps[across]) {
    throw Error(ErrorCode::invalid_box, "a box is sheared across a periodic axis, along another",
                {.argument = "across", .index = across, .value = static_cast<double>(along)});
  }
  if (along < across) {
    Vec<double, Box<D>::tilts> tilts = tilts_of(box);
    tilts[Box<D>::tilt_index(along, across)] = offset;
    return tilted(box, tilts);
  }
  if (offset == 0) return box;
  const auto to_user = [&](const Vec<double, D>& v) { return box.turned ? detail::from_axes(box, v) : v; };
  Vec<Vec<double, D>, D> vectors{};
  for (int j = 0; j < D; ++j) {
    Vec<double, D> one{};
    one[j] = box.wraps[j];
    vectors[j] = detail::sum_of_vectors(box, one);
    if (j == across) vectors[j][along] = offset;
    vectors[j] = to_user(vectors[j]);
  }
  return box_of_vectors<D>(vectors, box.wraps, to_user(box.lo));
}

}  // namespace hgrid::inline v0_2
