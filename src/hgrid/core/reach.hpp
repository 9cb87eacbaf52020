// SPDX-License-Identifier: BSD-3-Clause
// The surroundings of a position that a search must visit: the images in reach, and along an axis the interval and its cells.
#pragma once

#include "hgrid/core/lattice.hpp"

namespace hgrid::inline v0_2::detail {

/// Consecutive images along one axis.
struct ImageSpan {
  int first, last;
  HGRID_HD int count() const { return last - first + 1; }
};

/// Returns whether x - m * period - reach does not lie above hi. Together with `ends_above`: whether an image is in reach.
HGRID_HD inline bool begins_below(double x, int m, double period, double reach, double hi) {
  return sub_rn(sub_rn(x, mul_rn(m, period)), reach) <= hi;
}

/// Returns whether x - m * period + reach does not lie below lo.
HGRID_HD inline bool ends_above(double x, int m, double period, double reach, double lo) {
  return add_rn(sub_rn(x, mul_rn(m, period)), reach) >= lo;
}

/// Returns the images m on a periodic axis for which the interval [from - reach, to + reach], shifted by -m periods, meets
/// [lo, hi]. `from` must lie in [lo, hi], except with `anywhere`.
template <int D>
HGRID_HD inline ImageSpan images_in_reach(const Box<D>& box, int axis, double from, double to, double reach, bool anywhere) {
  const double period = box.length(axis);
  const int home = anywhere ? static_cast<int>(std::floor((from - box.lo[axis]) / period)) : 0;
  ImageSpan span{home, home};
  while (begins_below(from, span.first - 1, period, reach, box.hi[axis])) --span.first;
  while (ends_above(to, span.last + 1, period, reach, box.lo[axis])) ++span.last;
  return span;
}

/// Calls f(m, span) for the rows of images along the first axis in reach of a box [from, to] that begins in the periodic box:
/// images m with m[0] in the span. Each axis has a reach of its own. The vectors of later axes move images along the earlier
/// axes.
template <int D, class F>
HGRID_HD inline void for_each_row_of_images(const Box<D>& box, const Vec<double, D>& from, const Vec<double, D>& to,
                                            const Vec<double, D>& reach, const F& f) {
  Vec<int, D> m{};
  const auto span_of = [&](int k) {
    if (!box.wraps[k]) return ImageSpan{0, 0};
    m[k] = 0;
    const double by = box.tilted ? shift_along(box, k, m) : 0.0;
    return images_in_reach(box, k, from[k] - by, to[k] - by, reach[k], box.tilted);
  };
  const ImageSpan last = span_of(D - 1);
  for (int z = last.first; z <= last.last; ++z) {
    m[D - 1] = z;
    if constexpr (D == 2) {
      f(m, span_of(0));
    } else {
      const ImageSpan middle = span_of(1);
      for (m[1] = middle.first; m[1] <= middle.last; ++m[1]) f(m, span_of(0));
    }
  }
}

/// Calls f(shift) for the images in reach.
template <int D, class F>
HGRID_HD inline void for_each_image(const Box<D>& box, const Vec<double, D>& from, const Vec<double, D>& to,
                                    const Vec<double, D>& reach, const F& f) {
  for_each_row_of_images(box, from, to, reach, [&](Vec<int, D> m, const ImageSpan& span) {
    for (m[0] = span.first; m[0] <= span.last; ++m[0]) f(shift_of(box, m));
  });
}

/// Returns one of the images of `for_each_image`, by its number, and sets `images` to how many there are. For devices, whose
/// threads continue where they stopped, and for functors of hosts, which nvcc warns of in a function for devices.
template <int D>
HGRID_HD inline Shift<D> image_in_reach(const Box<D>& box, const Vec<double, D>& from, const Vec<double, D>& to,
                                        const Vec<double, D>& reach, int number, int& images) {
  Vec<int, D> found{};
  if (box.tilted) {
    images = 0;
    for_each_row_of_images(box, from, to, reach, [&](const Vec<int, D>& m, const ImageSpan& span) {
      if (number >= images && number - images < span.count()) found = m, found[0] = span.first + (number - images);
      images += span.count();
    });
  } else {
    images = 1;
    for (int k = 0; k < D; ++k) {
      if (!box.wraps[k]) continue;
      const ImageSpan span = images_in_reach(box, k, from[k], to[k], reach[k], false);
      found[k] = span.first;
      if (span.count() == 1) continue;  // the usual case, handled first because division is slow on devices
      found[k] += number % span.count();
      number /= span.count();
      images *= span.count();
    }
  }
  return shift_of(box, found);
}

/// Returns the image with this number among the lexicographically positive images in reach of x. Sets `images` to how many
/// there are.
template <int D>
HGRID_HD inline Shift<D> positive_image_in_reach(const Box<D>& box, const Vec<double, D>& x, const Vec<double, D>& reach,
                                                 int number, int& images) {
  Vec<int, D> found{};
  images = 0;
  for_each_row_of_images(box, x, x, reach, [&](const Vec<int, D>& m, const ImageSpan& span) {
    const int least = lexicographic_sign(m) > 0 ? 0 : 1, first = span.first > least ? span.first : least;  // m[0] is 0 here
    if (first > span.last) return;
    if (number >= images && number - images <= span.last - first) found = m, found[0] = first + (number - images);
    images += span.last - first + 1;
  });
  return shift_of(box, found);
}

/// Returns how many images to each side may be in reach along an axis. Images of a tilted box have numbers up to three times as
/// large.
template <int D>
HGRID_HD inline int most_images(const Box<D>& box) {
  return box.tilted ? max_tilted_images : max_images;
}

/// Returns whether an interval of this width meets at most as many images of itself to each side as the input may.
template <int D>
HGRID_HD inline bool has_few_images(const Box<D>& box, int axis, double width) {
  return width <= most_images(box) * box.length(axis);
}

/// Returns an upper bound for the sum of the absolute terms of an image's shift along an axis. In an orthogonal box: twice the
/// period. In a tilted box, fewer than 32 of each vector with a component along the axis are in reach of anything. Inlined by
/// force, as GridView::cell_of.
template <int D>
[[gnu::always_inline]] HGRID_HD inline double shift_scale(const Box<D>& box, int axis) {
  double scale = 2 * box.length(axis);
  if (!box.tilted) return scale;
  scale *= 16;
  for (int j = axis + 1; j < D; ++j) scale += 32 * std::fabs(box.tilt[Box<D>::tilt_index(axis, j)]);
  return scale;
}

/// Returns the half-width, along one axis, of an interval around x that contains every coordinate for which the rounded
/// predicate can be true (contract, rule 3). With u = 2^-53: the predicate errs by at most 4u of the interaction distance plus
/// 3u of the image shift, in a tilted box plus 6u of the terms of the shift. Forming the interval's ends errs by a few u of x,
/// shift and distance. In an orthogonal box a pair's shift is below |distance| + length, so the margins below, 32u of the
/// distance and 8u of the coordinates, leave room. `scale` is the scale of the shift (shift_scale), or 0 if nothing is shifted.
/// The absolute floor covers squares that underflow to 0. Each operation is rounded, because on a device one kernel counts the
/// pairs and another one finds them again, and both may be compiled with contraction.
HGRID_HD inline double search_reach(double distance, double x, double scale) {
  return add_rn(add_rn(mul_rn(distance, 1 + 0x1p-48), mul_rn(add_rn(std::fabs(x), scale), 0x1p-50)), 0x1p-500);
}

/// Consecutive cells along one axis; none if first > last.
struct CellSpan {
  index_t first, last;
};

/// Returns the cells that hold all coordinates from lo - reach to hi + reach. `cell_of(x)` is monotone, so rounding loses none
/// (contract, rule 1).
template <class CellOf>
HGRID_HD inline CellSpan cells_in_reach(double lo, double hi, double reach, const CellOf& cell_of) {
  return {cell_of(lo - reach), cell_of(hi + reach)};
}

}  // namespace hgrid::inline v0_2::detail
