// SPDX-License-Identifier: BSD-3-Clause
// The lattice of a periodic box: everything that depends on where the images of a position lie. It wraps positions, shifts
// images and separates two positions; core/reach.hpp finds the images that a search must visit.
// | Vector j of a box has no component along later axes (types.hpp). So positions wrap into [lo, hi) one axis at a time, the
// last axis first, whatever the tilts are. Only images differ from an orthogonal box. Numbers of images have two forms. The
// first counts the vectors as the user gave them; users see this form. The second counts vectors with tilts of at most half a
// period, which keeps numbers and rounding small. A tilt that grows, as in a shear flow, changes the second form at times and
// never the first.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

/// Coordinate x as `inside + count * period`, with lo <= inside < hi.
struct Wrapped {
  double inside;
  double count;  ///< a whole number; the input inspection checks that it fits an int32
};

namespace detail {

/// Returns x - count * period, rounded once.
HGRID_HD inline double less_periods(double x, double count, double period) { return std::fma(-count, period, x); }

/// Wraps a coordinate that lies outside. One correction step covers a quotient that rounded to the wrong side. A result that
/// rounds onto hi becomes lo of the next period (contract, rule 6: -5e-17 must not land on L).
HGRID_HD inline Wrapped wrap_from_outside(double x, double lo, double hi) {
  const double period = hi - lo;
  double count = std::floor((x - lo) / period);
  double inside = less_periods(x, count, period);
  if (inside < lo) inside = less_periods(x, count -= 1, period);
  if (inside >= hi) inside = less_periods(x, count += 1, period);
  if (inside < lo || inside >= hi) inside = lo;
  return {inside, count};
}

}  // namespace detail

/// Wraps one coordinate of a periodic axis. A coordinate inside the box stays bit for bit, as most do.
HGRID_HD inline Wrapped wrap(double x, double lo, double hi) {
  return x >= lo && x < hi ? Wrapped{x, 0} : detail::wrap_from_outside(x, lo, hi);
}

namespace detail {

/// Returns a coordinate of a periodic axis less `count` periods, which `wrap` took off it in an earlier call. The result has
/// the bits of `wrap` as long as the coordinate lies the same number of periods outside: so a coordinate next to a face, which
/// rounding moves onto lo, gives the earlier result.
HGRID_HD inline double wrapped_by(double x, double count, double lo, double hi) {
  const double inside = count == 0 ? x : less_periods(x, count, hi - lo);
  if (inside >= lo && inside < hi) return inside;
  const Wrapped again = wrap(x, lo, hi);
  return again.count == count ? again.inside : inside;
}

}  // namespace detail

/// A position: `inside` plus `periods` vectors of the box.
template <int D>
struct WrappedPosition {
  Vec<double, D> inside;
  Image periods;
};

namespace detail {

/// Converts numbers of vectors with small tilts to numbers of the vectors that the user gave. All are whole numbers.
template <int D>
HGRID_HD inline Vec<double, D> as_given(const Box<D>& box, Vec<double, D> count) {
  for (int k = D - 2; k >= 0 && box.tilted; --k) {
    for (int j = k + 1; j < D; ++j) count[k] -= box.periods[Box<D>::tilt_index(k, j)] * count[j];
  }
  return count;
}

/// Converts numbers of the vectors that the user gave to numbers of vectors with small tilts.
template <int D>
HGRID_HD inline Vec<double, D> with_small_tilts(const Box<D>& box, Vec<double, D> count) {
  for (int k = 0; k < D - 1 && box.tilted; ++k) {
    for (int j = k + 1; j < D; ++j) count[k] += box.periods[Box<D>::tilt_index(k, j)] * count[j];
  }
  return count;
}

/// Subtracts from a position the tilts of `count` vectors of axis j, with small tilts. Without tilts it stays bit for bit.
template <int D>
HGRID_HD inline Vec<double, D> less_tilts(const Box<D>& box, Vec<double, D> x, int j, double count) {
  for (int k = 0; k < j && count != 0; ++k) x[k] = less_periods(x[k], count, box.tilt[Box<D>::tilt_index(k, j)]);
  return x;
}

/// Subtracts from a position this number of vectors of each axis, as the user gave them.
template <int D>
HGRID_HD inline Vec<double, D> less_vectors(const Box<D>& box, Vec<double, D> x, const Vec<double, D>& given) {
  const Vec<double, D> count = with_small_tilts(box, given);
  for (int j = D - 1; j >= 0; --j) {
    if (count[j] == 0) continue;
    if (box.tilted) x = less_tilts(box, x, j, count[j]);
    x[j] = less_periods(x[j], count[j], box.length(j));
  }
  return x;
}

/// Returns how many vectors a position may lie outside the box. The numbers of images, which are differences of two such
/// counts, then fit 32 bits.
template <int D>
HGRID_HD inline double most_outside(const Box<D>& box) {
  return box.tilted ? 0.5 * most_periods : most_periods;
}

/// Returns a position along the axes of a turned box. The next function turns it back. Each operation is rounded once, in this
/// order.
template <int D>
HGRID_HD inline Vec<double, D> along_axes(const Box<D>& box, const Vec<double, D>& x) {
  Vec<double, D> y;
  for (int k = 0; k < D; ++k) y[k] = mul_rn(box.axes[k][0], x[0]);
  for (int j = 1; j < D; ++j) {
    for (int k = 0; k < D; ++k) y[k] = add_rn(y[k], mul_rn(box.axes[k][j], x[j]));
  }
  return y;
}

template <int D>
HGRID_HD inline Vec<double, D> from_axes(const Box<D>& box, const Vec<double, D>& y) {
  Vec<double, D> x;
  for (int j = 0; j < D; ++j) {
    x[j] = mul_rn(box.axes[0][j], y[0]);
    for (int k = 1; k < D; ++k) x[j] = add_rn(x[j], mul_rn(box.axes[k][j], y[k]));
  }
  return x;
}

/// Returns a position, as the user passed it, along the axes of the box.
template <int D>
HGRID_HD inline Vec<double, D> in_frame(const Box<D>& box, const Vec<double, D>& x) {
  return box.turned ? along_axes(box, x) : x;
}

/// A position in the box, and how many vectors, as the user gave them, lead back to the original.
template <int D>
struct InBox {
  Vec<double, D> inside, count;
};

/// Wraps a position along the axes of the box.
template <int D>
HGRID_HD inline InBox<D> into_brick(const Box<D>& box, Vec<double, D> x) {
  Vec<double, D> count{};
  for (int j = D - 1; j >= 0; --j) {
    if (!box.wraps[j]) continue;
    const Wrapped along = wrap(x[j], box.lo[j], box.hi[j]);
    if (box.tilted) x = less_tilts(box, x, j, along.count);
    x[j] = along.inside, count[j] = along.count;
  }
  return {x, as_given(box, count)};
}

/// Wraps a position as the user passed it.
template <int D>
HGRID_HD inline InBox<D> into_box(const Box<D>& box, const Vec<double, D>& passed) {
  return into_brick(box, in_frame(box, passed));
}

}  // namespace detail

/// Wraps a whole position. It must lie at most `most_periods` outside the box, or half of that if the box is tilted.
template <int D>
HGRID_HD inline WrappedPosition<D> wrap(const Box<D>& box, const Vec<double, D>& x) {
  const detail::InBox<D> in = detail::into_box(box, x);
  WrappedPosition<D> w{in.inside, {}};
  for (int k = 0; k < D; ++k) w.periods[k] = static_cast<std::int32_t>(in.count[k]);
  return w;
}

namespace detail {

/// A periodic image inside a search: between wrapped positions, in numbers of vectors with small tilts, and its shift in length
/// units.
template <int D>
struct Shift {
  Vec<int, D> m;
  Vec<double, D> by;  ///< m_a a + m_b b + m_c c
};

/// Returns 0 if nothing is shifted. Otherwise its sign tells whether the image comes before or after its mirror image.
template <int D>
HGRID_HD inline int lexicographic_sign(const Vec<int, D>& m) {
  Image image{};
  for (int k = 0; k < D; ++k) image[k] = m[k];
  return lexicographic_sign(image);
}

/// Returns the shift along axis k, rounded in this order.
template <int D, class Number>
HGRID_HD inline double shift_along(const Box<D>& box, int k, const Vec<Number, D>& m) {
  double by = mul_rn(m[k], box.length(k));
  for (int j = k + 1; j < D && box.tilted; ++j) by = add_rn(by, mul_rn(m[j], box.tilt[Box<D>::tilt_index(k, j)]));
  return by;
}

template <int D>
HGRID_HD inline Shift<D> shift_of(const Box<D>& box, const Vec<int, D>& m) {
  Shift<D> shift{m, {}};
  for (int k = 0; k < D; ++k) shift.by[k] = shift_along(box, k, m);
  return shift;
}

/// Returns the image that users see for a shift between wrapped positions.
template <int D>
HGRID_HD inline Image image_of(const Box<D>& box, const Shift<D>& shift) {
  Image image{};
  if (box.tilted) {
    Vec<double, D> m;
    for (int k = 0; k < D; ++k) m[k] = shift.m[k];
    m = as_given(box, m);
    for (int k = 0; k < D; ++k) image[k] = static_cast<std::int32_t>(m[k]);
  } else {
    for (int k = 0; k < D; ++k) image[k] = shift.m[k];
  }
  return image;
}

/// Returns the sum of this number of vectors of each axis, as the user gave them. The sum is along the axes of a turned box.
template <int D>
HGRID_HD inline Vec<double, D> sum_of_vectors(const Box<D>& box, const Vec<double, D>& given) {
  const Vec<double, D> count = with_small_tilts(box, given);
  Vec<double, D> sum;
  for (int k = 0; k < D; ++k) sum[k] = shift_along(box, k, count);
  return sum;
}

/// Returns the shift of a contact's image in length units, along the user's axes.
template <int D>
HGRID_HD inline Vec<double, D> shift_of(const Box<D>& box, const Image& image) {
  Vec<double, D> given;
  for (int k = 0; k < D; ++k) given[k] = image[k];
  const Vec<double, D> shift = sum_of_vectors(box, given);
  return box.turned ? from_axes(box, shift) : shift;
}

HGRID_HD inline bool at_most(double a, double b) { return a <= b; }

#include "hgrid/core/distance-inl.hpp"

}  // namespace detail

/// Returns one component of the distance vector below, for coordinates along that axis.
template <int D>
HGRID_HD inline double separation(const Box<D>& box, int axis, double x_i, double x_j, const Image& image) {
  return detail::separated(x_i, x_j, detail::shift_of(box, image)[axis]);
}

/// Returns the distance vector x_i - x_j - m L of a contact (contract C3). Pass the positions of the build: pointers to D
/// coordinates, arrays, a `Vec` or anything else with [k]. m L is m_x a + m_y b + m_z c in a tilted box. Each operation is
/// rounded once, in the order of the contract.
template <int D, class PositionI, class PositionJ>
HGRID_HD inline Vec<double, D> separation(const Box<D>& box, const PositionI& x_i, const PositionJ& x_j, const Image& image) {
  const Vec<double, D> by = detail::shift_of(box, image);
  Vec<double, D> d;
  for (int k = 0; k < D; ++k) d[k] = detail::separated(static_cast<double>(x_i[k]), static_cast<double>(x_j[k]), by[k]);
  return d;
}

namespace detail {

/// Returns the numbers of vectors, with small tilts, whose sum is nearest to a way along the axes of the box, axis by axis.
template <int D>
HGRID_HD inline Vec<double, D> nearest_vectors(const Box<D>& box, Vec<double, D> way) {
  Vec<double, D> count{};
  for (int j = D - 1; j >= 0; --j) {
    if (!box.wraps[j]) continue;
    count[j] = std::round(way[j] / box.length(j));
    if (box.tilted) way = less_tilts(box, way, j, count[j]);
  }
  return count;
}

}  // namespace detail

/// Returns the image m under which a copy stands for the particle at x: copy = x + m L, apart from rounding. Pass positions as
/// for `separation`.
template <int D, class PositionOfCopy, class Position>
HGRID_HD inline Image image_of_copy(const Box<D>& box, const PositionOfCopy& copy, const Position& x) {
  Vec<double, D> way;
  for (int k = 0; k < D; ++k) way[k] = static_cast<double>(copy[k]) - static_cast<double>(x[k]);
  const Vec<double, D> count = detail::as_given(box, detail::nearest_vectors(box, detail::in_frame(box, way)));
  Image image{};
  for (int k = 0; k < D; ++k) image[k] = static_cast<std::int32_t>(count[k]);
  return image;
}

}  // namespace hgrid::inline v0_2
