// SPDX-License-Identifier: BSD-3-Clause
// The rule by which ranks share a search (docs/scale-out.md): a particle is known on the ranks whose boxes its own sphere
// touches, and the owner of the contact point of a pair reports it.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/ranks/rank_boxes.hpp"

namespace hgrid::inline v0_1::detail {

/// How far from a particle, at x in the box, ranks must know it: its radius and half the skin, more than the rounding of a
/// contact point, which is at most 64 u of the lengths that are summed here, with u = 2^-53.
template <int D>
HGRID_HD double known_within(const Box<D>& box, const Vec<double, D>& x, double radius, double skin) {
  double within = radius + 0.5 * skin, lengths = within;
  for (int k = 0; k < D; ++k) lengths += std::fabs(x[k]) + box.length(k);
  return within + lengths * 0x1p-44 + 0x1p-500;
}

/// f(x + m L) for the images of a place in the box that come within a distance of the box; m = 0 is one of them.
template <int D, class F>
void for_each_image_near(const Box<D>& box, const Vec<double, D>& x, double within, const F& f) {
  Vec<int, 3> first{}, last{};
  for (int k = 0; k < D; ++k) {
    if (!box.wraps[k]) continue;
    first[k] = static_cast<int>(std::ceil((box.lo[k] - x[k] - within) / box.length(k)));
    last[k] = static_cast<int>(std::floor((box.hi[k] - x[k] + within) / box.length(k)));
  }
  Vec<int, 3> m;
  for (m[0] = first[0]; m[0] <= last[0]; ++m[0]) {
    for (m[1] = first[1]; m[1] <= last[1]; ++m[1]) {
      for (m[2] = first[2]; m[2] <= last[2]; ++m[2]) {
        Vec<double, D> image = x;
        for (int k = 0; k < D; ++k) image[k] += m[k] * box.length(k);
        f(image);
      }
    }
  }
}

/// One of a pair, as every rank that knows it sees it.
template <int D>
struct Sphere {
  WrappedPosition<D> at;
  double radius;
  std::int64_t id;
};

/// The contact point of a pair under an image (of the positions as they were passed), in the box. From the centre of the
/// smaller sphere it lies towards that of the larger, at the share of the distance that its radius and half the skin have; so
/// it is in both spheres, and rounding moves it by little even if one is far larger. Each operation is rounded once, so all
/// ranks find the same point, from whichever side they see the pair.
template <int D>
HGRID_HD Vec<double, D> contact_point(const Box<D>& box, const Sphere<D>& i, const Sphere<D>& j, Image image, double skin) {
  const bool from_i = i.radius != j.radius ? i.radius < j.radius : i.id < j.id;
  // Of values, because kernels would keep two spheres in memory for a reference to one of them.
  const auto small = [from_i](auto of_i, auto of_j) { return from_i ? of_i : of_j; };
  if (!from_i) image = -image;
  const double half = 0.5 * skin, own = add_rn(small(i.radius, j.radius), half);
  const double both = add_rn(own, add_rn(small(j.radius, i.radius), half));
  const double share = both > 0 ? own / both : 0;
  Vec<double, D> c;
  for (int k = 0; k < D; ++k) {
    const double from = small(i.at.inside[k], j.at.inside[k]), to = small(j.at.inside[k], i.at.inside[k]);
    const int m = image[k] - small(i.at.periods[k], j.at.periods[k]) + small(j.at.periods[k], i.at.periods[k]);
    c[k] = sub_rn(from, mul_rn(share, separated(from, to, mul_rn(m, box.length(k)))));
  }
  return wrap(box, c).inside;
}

}  // namespace hgrid::inline v0_1::detail
