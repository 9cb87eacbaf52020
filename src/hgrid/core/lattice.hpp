// SPDX-License-Identifier: BSD-3-Clause
// The lattice of a periodic box: all that depends on how images of a position lie. It wraps positions, shifts images, says
// which of them are in reach, separates two positions, and bounds the cells that a search must visit. Boxes are orthogonal.
#pragma once

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_1 {

/// Coordinate x as `inside + count * period`, lo <= inside < hi.
struct Wrapped {
  double inside;
  double count;  ///< integral; checked against int32 by the input inspection
};

namespace detail {

/// x - count * period, rounded once.
HGRID_HD inline double less_periods(double x, double count, double period) { return std::fma(-count, period, x); }

/// Wraps a coordinate that lies outside. One correction step covers a quotient that rounded to the wrong side, and a result that rounds onto
/// hi becomes lo of the next period (contract, rule 6: -5e-17 must not land on L).
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

/// Wraps one coordinate of a periodic axis. One that lies inside, as nearly all do, stays bit for bit.
HGRID_HD inline Wrapped wrap(double x, double lo, double hi) {
  return x >= lo && x < hi ? Wrapped{x, 0} : detail::wrap_from_outside(x, lo, hi);
}

/// Wraps a coordinate along an axis of the box; on an open axis it stays.
template <int D>
HGRID_HD inline Wrapped wrap(const Box<D>& box, int axis, double x) {
  return box.wraps[axis] ? wrap(x, box.lo[axis], box.hi[axis]) : Wrapped{x, 0};
}

/// A position as `inside + periods * L`.
template <int D>
struct WrappedPosition {
  Vec<double, D> inside;
  Image periods;
};

/// Wraps a whole position, which must lie at most `most_periods` outside the box.
template <int D>
HGRID_HD inline WrappedPosition<D> wrap(const Box<D>& box, const Vec<double, D>& x) {
  WrappedPosition<D> w{x, {}};
  for (int k = 0; k < D; ++k) {
    if (!box.wraps[k]) continue;
    const Wrapped along = wrap(x[k], box.lo[k], box.hi[k]);
    w.inside[k] = along.inside;
    w.periods[k] = static_cast<std::int32_t>(along.count);
  }
  return w;
}

namespace detail {

/// Coordinate x less `count` periods of an axis; without any it stays bit for bit.
template <int D>
HGRID_HD inline double less_periods(const Box<D>& box, int axis, double x, double count) {
  return count == 0 ? x : less_periods(x, count, box.length(axis));
}

/// The numbers of an image along the axes of a box. Those that the box lacks are 0.
template <int D>
HGRID_HD inline Image image_of(const Vec<int, D>& m) {
  Image image{};
  for (int k = 0; k < D; ++k) image[k] = m[k];
  return image;
}

/// A periodic image as the search sees it: between wrapped positions, with its shift in length units.
template <int D>
struct Shift {
  Vec<int, D> m;
  Vec<double, D> by;  ///< m L
};

/// m L along one axis, in length units.
HGRID_HD inline double shift_by(int m, double period) { return mul_rn(m, period); }

template <int D>
HGRID_HD inline Shift<D> shift_of(const Box<D>& box, const Vec<int, D>& m) {
  Shift<D> shift{m, {}};
  for (int k = 0; k < D; ++k) shift.by[k] = shift_by(m[k], box.length(k));
  return shift;
}

/// m L of the image of a contact.
template <int D>
HGRID_HD inline Vec<double, D> shift_of(const Box<D>& box, const Image& image) {
  Vec<double, D> by;
  for (int k = 0; k < D; ++k) by[k] = shift_by(image[k], box.length(k));
  return by;
}

HGRID_HD inline bool at_most(double a, double b) { return a <= b; }

#include "hgrid/core/distance-inl.hpp"

}  // namespace detail

/// x_i - x_j - m L along one axis, for coordinates as they were passed and the image of a contact. Each operation is rounded
/// once, in the order of the contract.
template <int D>
HGRID_HD inline double separation(const Box<D>& box, int axis, double x_i, double x_j, const Image& image) {
  return detail::separated(x_i, x_j, detail::shift_by(image[axis], box.length(axis)));
}

/// The distance vector x_i - x_j - m L of a contact (contract C3), for positions as they were passed: pointers to D
/// coordinates, arrays, a `Vec` or anything else with [k].
template <int D, class PositionI, class PositionJ>
HGRID_HD inline Vec<double, D> separation(const Box<D>& box, const PositionI& x_i, const PositionJ& x_j, const Image& image) {
  Vec<double, D> d;
  for (int k = 0; k < D; ++k) d[k] = separation(box, k, x_i[k], x_j[k], image);
  return d;
}

namespace detail {

/// Consecutive images along one axis.
struct ImageSpan {
  int first, last;
  HGRID_HD int count() const { return last - first + 1; }
};

/// Whether x - m * period - reach does not lie beyond hi. With `ends_above` it says whether an image is in reach.
HGRID_HD inline bool begins_below(double x, int m, double period, double reach, double hi) {
  return x - m * period - reach <= hi;
}

/// Whether x - m * period + reach does not lie below lo.
HGRID_HD inline bool ends_above(double x, int m, double period, double reach, double lo) {
  return x - m * period + reach >= lo;
}

/// The images m on a periodic axis for which x - m * period +- reach meets [lo, hi].
template <int D>
HGRID_HD inline ImageSpan images_in_reach(const Box<D>& box, int axis, double x, double reach) {
  const double period = box.length(axis);
  ImageSpan span{0, 0};
  while (begins_below(x, span.first - 1, period, reach, box.hi[axis])) --span.first;
  while (ends_above(x, span.last + 1, period, reach, box.lo[axis])) ++span.last;
  return span;
}

/// Whether what is so wide meets at most `max_images` images of itself to a side, as the input must.
template <int D>
HGRID_HD inline bool has_few_images(const Box<D>& box, int axis, double width) {
  return width <= max_images * box.length(axis);
}

/// Half-width, along one axis, of an interval around x that contains every coordinate for which the rounded
/// predicate can be true (contract, rule 3). With u = 2^-53: the predicate errs by at most 4u of the interaction
/// distance plus 3u of the image shift, and forming the interval's ends by a few u of x, shift and distance. A
/// pair's shift is below |distance| + length, so the margins below, 32u of the distance and 8u of the
/// coordinates, leave room. The absolute floor covers squares that underflow to 0.
HGRID_HD inline double search_reach(double distance, double x, double period) {
  return distance * (1 + 0x1p-48) + (std::fabs(x) + 2 * period) * 0x1p-50 + 0x1p-500;
}

/// Consecutive cells along one axis; none if first > last.
struct CellSpan {
  index_t first, last;
};

/// The cells that hold all coordinates from lo - reach to hi + reach. `cell_of(x)` is monotone, so rounding costs none
/// (contract, rule 1).
template <class CellOf>
HGRID_HD inline CellSpan cells_in_reach(double lo, double hi, double reach, const CellOf& cell_of) {
  return {cell_of(lo - reach), cell_of(hi + reach)};
}

}  // namespace detail

}  // namespace hgrid::inline v0_1
