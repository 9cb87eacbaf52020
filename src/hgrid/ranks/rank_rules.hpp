// SPDX-License-Identifier: BSD-3-Clause
// The rules by which ranks share the work (docs/scale-out.md). A particle is known on the ranks whose boxes its own sphere, or
// box, touches. The owner of a pair's contact point reports the pair.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/core/reach.hpp"
#include "hgrid/ranks/rank_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// A contact seen from one of its particles, whose number is local to each rank; or a particle in a region.
struct NeighbourRecord {
  index_t particle;
  Image image;
  std::int64_t neighbour;
};

/// The target rank of a particle, and its place there: among the particles that stay, or among the particles sent to that rank.
/// -1: nowhere.
struct Destination {
  int rank;
  index_t place;
};

/// Where the particles of rank `here` go. The first ones stay as they are.
struct MovesView {
  int here;
  index_t first;
  const Destination* others;

  HGRID_HD Destination of(index_t i) const { return i < first ? Destination{here, i} : others[i - first]; }
};

/// The half extents of a particle: of a box, or a sphere's radius along each axis.
template <int D>
struct Body {
  Vec<double, D> half;
  bool is_box;

  /// Returns whether the particle with centre x meets the box of a rank, including its faces.
  bool meets(const RankBox<D>& box, const Vec<double, D>& x) const {
    if (!is_box) return box.touches(x, half[0]);
    RankBox<D> own;
    for (int k = 0; k < D; ++k) own.lo[k] = x[k] - half[k], own.hi[k] = x[k] + half[k];
    return box.meets(own);
  }
};

template <class Real, int D>
HGRID_HD Body<D> body_of(const Particles<Real, D>& p, offset_t i) {
  Body<D> body;
  body.is_box = p.has_extents();
  const double radius = body.is_box ? 0 : p.scaled_radius(i);
  for (int k = 0; k < D; ++k) body.half[k] = body.is_box ? p.scaled_extent(i, k) : radius;
  return body;
}

/// Returns the margin by which ranks must know a particle beyond its own space: half the skin, or under `Rule::gather` all of
/// it, because the neighbor has no part in the reach.
inline double margin_of(Rule rule, double skin) { return rule == Rule::gather ? skin : 0.5 * skin; }

/// Returns the space in which ranks must know a particle at x in the box: the particle's own space and the margin, enlarged by
/// more than the rounding of a contact point. With u = 2^-53, this rounding is at most 64 u of the lengths summed here, for
/// either particle. The shift to the partner has five roundings at most, and the point seven more, each of a length within the
/// half extents, the coordinates and the shift (shift_scale). Wrapping the point rounds each coordinate three times at most.
/// The search shifts the particle instead: six roundings, and four of the distance to a rank's box.
template <int D>
HGRID_HD Body<D> known_within(const Box<D>& box, const Vec<double, D>& x, Body<D> body, double margin) {
  double lengths = 0;
  for (int k = 0; k < D; ++k) {
    body.half[k] += margin;
    lengths = std::fmax(lengths, body.half[k]);
  }
  for (int k = 0; k < D; ++k) lengths += std::fabs(x[k]) + shift_scale(box, k);
  for (int k = 0; k < D; ++k) body.half[k] += lengths * 0x1p-44 + 0x1p-500;
  return body;
}

/// Calls f(image) for the images of a position in the box that come within these distances of the box along the axes.
template <int D, class F>
void for_each_image_near(const Box<D>& box, const Vec<double, D>& x, const Vec<double, D>& within, const F& f) {
  for (int number = 0, images = 1; number < images; ++number) {
    const Shift<D> shift = image_in_reach(box, x, x, within, number, images);
    Vec<double, D> image = x;
    for (int k = 0; k < D; ++k) image[k] -= shift.by[k];
    f(image);
  }
}

/// Returns the vector of an image (of positions as they were passed) from its first to its second position, both wrapped.
template <int D>
HGRID_HD Vec<double, D> shift_between(const Box<D>& box, const Image& image, const Image& first, const Image& second) {
  Vec<double, D> count;
  for (int k = 0; k < D; ++k) count[k] = image[k] - first[k] + second[k];
  return sum_of_vectors(box, count);
}

/// One particle of a pair, with equal data on every rank that knows it.
template <int D>
struct Partner {
  WrappedPosition<D> at;
  Vec<double, D> half;  // of its body, plus half its grid's skin
  std::int64_t id;
};

/// Returns the contact point of a pair under an image (of positions as they were passed), in the box and along its axes. Along
/// each axis it lies between the centres, measured from the particle that is smaller along that axis. The share of the distance
/// is that particle's half extent plus half the skin, divided by the sum of both. So the point is in both particles, for
/// spheres on the line between the centres, and rounding moves it little even if one is far larger. Each operation is rounded
/// once, so all ranks find the same point: for a pair of one set (with different ids) from either side, and for two sets from
/// the query particle.
template <int D>
HGRID_HD Vec<double, D> contact_point(const Box<D>& box, const Partner<D>& i, const Partner<D>& j, const Image& image) {
  const Vec<double, D> by = shift_between(box, image, i.at.periods, j.at.periods);
  Vec<double, D> c;
  bool home = false;  // whether the point is at i's place, not at j's: as it is measured along the first axis
  for (int k = 0; k < D; ++k) {
    const bool from_i = i.half[k] != j.half[k] ? i.half[k] < j.half[k] : i.id < j.id;
    // Takes values, because with a reference kernels would keep two partners in memory.
    const auto small = [from_i](auto of_i, auto of_j) { return from_i ? of_i : of_j; };
    const double own = small(i.half[k], j.half[k]), both = add_rn(own, small(j.half[k], i.half[k]));
    const double share = both > 0 ? own / both : 0;
    const double from = small(i.at.inside[k], j.at.inside[k]), to = small(j.at.inside[k], i.at.inside[k]);
    const double along = small(by[k], -by[k]);
    c[k] = sub_rn(from, mul_rn(share, separated(from, to, along)));
    if (k == 0) home = from_i;
    if (from_i != home) c[k] = sub_rn(c[k], along);  // boxes only
  }
  return into_brick(box, c).inside;
}

/// The particles that need no check on the host: valid ones inside the box of their rank. Nearly all are.
template <int D>
class Interior {
 public:
  Interior(const Box<D>& box, const RankBox<D>& own, double skin, double margin) : box_(box), beyond_(margin) {
    const RankBox<D> all = RankBox<D>::all_of(box);
    const double most = (box.turned ? 0.5 : 1) * largest_length;  // so that no coordinate, as passed, is too large
    for (int k = 0; k < D; ++k) {
      bool whole = own.lo[k] == all.lo[k] && own.hi[k] == all.hi[k];  // no image along the axis's vector is on another rank
      for (int a = 0; a < k; ++a) whole = whole && (box.tilt[Box<D>::tilt_index(a, k)] == 0 || margin_[a] == 0);
      margin_[k] = whole ? 0 : 1;
      lo_[k] = std::fmax(own.lo[k], -most), hi_[k] = std::fmin(own.hi[k], most);
      most_[k] = box.wraps[k] ? std::fmin(largest_length, 0.49 * (most_images(box) * box.length(k) - skin)) : largest_length;
    }
  }

  HGRID_HD bool holds(const Vec<double, D>& passed, const Body<D>& body) const {
    const Vec<double, D> x = in_frame(box_, passed);
    const Body<D> known = known_within(box_, x, body, beyond_);
    bool holds = true;
    for (int k = 0; k < D; ++k) {
      const double half = body.half[k], margin = margin_[k] * known.half[k];
      holds = holds && (half >= smallest_radius || half == 0) && half <= most_[k];
      holds = holds && lo_[k] <= x[k] - margin && x[k] + margin < hi_[k];
    }
    return holds;
  }

 private:
  Box<D> box_;
  double beyond_;
  Vec<double, D> lo_, hi_, margin_, most_;
};

/// Pointers into the memory of the rank's executor. Owned particles come first, then ghosts.
template <int D>
struct HeldView {
  Box<D> box;
  RankBox<D> own;  // box of this rank
  double skin;
  const double *x, *size;  // D coordinates for each particle; its radius, or D half extents
  int sizes;               // 1 or D
  const std::int64_t* id;
  const int* owner;  // owner of each ghost
  index_t owned;
  bool is_one_sided;  // under `Rule::gather`

  HGRID_HD bool reports(index_t i, index_t j, const Image& image) const { return reports(i, *this, j, image); }
  /// Returns whether this rank reports the contact of particle i with particle j of another set that has equal cuts. If one
  /// rank owns both particles, it reports the contact. Otherwise the owner of the contact point does. The contact point of a
  /// one-sided search is the neighbor's centre.
  HGRID_HD bool reports(index_t i, const HeldView& others, index_t j, const Image& image) const {
    if (i < owned && j < others.owned) return true;
    if (i >= owned && j >= others.owned && owner[i - owned] == others.owner[j - others.owned]) return false;  // not this rank
    if (is_one_sided) return own.owns(into_box(box, others.position(j)).inside);
    return own.owns(contact_point(box, partner(i), others.partner(j), image));
  }

  HGRID_HD Vec<double, D> position(index_t k) const {
    Vec<double, D> at;
    for (int a = 0; a < D; ++a) at[a] = x[offset_t{D} * k + a];
    return at;
  }

 private:
  HGRID_HD Partner<D> partner(index_t k) const {
    Partner<D> p{wrap(box, position(k)), {}, id[k]};
    for (int a = 0; a < D; ++a) p.half[a] = add_rn(size[offset_t{sizes} * k + (sizes > 1 ? a : 0)], 0.5 * skin);
    return p;
  }
};

/// The particles of two sets that a rank holds.
template <int D>
struct HeldSets {
  HeldView<D> asking, asked;

  HGRID_HD bool reports(index_t i, index_t j, const Image& image) const { return asking.reports(i, asked, j, image); }
};

/// Calls f(i, j, image) for the contacts that a rank reports, of one set or between two. F may be a reference.
template <class Held, class F>
struct IfReported {
  static constexpr bool of_one_world = true;
  Held held;
  F f;

  HGRID_HD void operator()(index_t i, index_t j, const Image& image) const {
    if (held.reports(i, j, image)) f(i, j, image);
  }
};

}  // namespace hgrid::inline v0_2::detail
