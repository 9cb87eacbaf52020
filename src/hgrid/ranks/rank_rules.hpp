// SPDX-License-Identifier: BSD-3-Clause
// The rules by which ranks share the work (docs/scale-out.md): a particle is known on the ranks whose boxes its own sphere, or
// box, touches, and the owner of the contact point of a pair reports it.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/core/reach.hpp"
#include "hgrid/ranks/rank_boxes.hpp"

namespace hgrid::inline v0_2::detail {

/// A contact seen from one of its particles, which has a number that each rank knows for itself; or a particle in a region.
struct NeighbourRecord {
  index_t particle;
  Image image;
  std::int64_t neighbour;
};

/// The rank that a particle goes to, and its place there: among all that stay, or among those that go to that rank. -1:
/// nowhere.
struct Destination {
  int rank;
  index_t place;
};

/// Where the particles of rank `here` go: the first ones stay as they are.
struct MovesView {
  int here;
  index_t first;
  const Destination* others;

  HGRID_HD Destination of(index_t i) const { return i < first ? Destination{here, i} : others[i - first]; }
};

/// How far a particle goes from its centre along each axis: a box its half extents, and a sphere its radius.
template <int D>
struct Body {
  Vec<double, D> half;
  bool is_box;

  /// Whether it meets the box of a rank, faces included, with its centre at x.
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

/// The space in which ranks must know a particle, at x in the box: its own and half the skin, more than the rounding of a
/// contact point, which is at most 64 u of the lengths that are summed here, with u = 2^-53.
template <int D>
HGRID_HD Body<D> known_within(const Box<D>& box, const Vec<double, D>& x, Body<D> body, double skin) {
  double lengths = 0;
  for (int k = 0; k < D; ++k) {
    body.half[k] += 0.5 * skin;
    lengths = std::fmax(lengths, body.half[k]);
  }
  for (int k = 0; k < D; ++k) lengths += std::fabs(x[k]) + box.length(k);
  for (int k = 0; k < D; ++k) body.half[k] += lengths * 0x1p-44 + 0x1p-500;
  return body;
}

/// f(x + m L) for the images of a place in the box that come within distances of the box along the axes; m = 0 is one of them.
template <int D, class F>
void for_each_image_near(const Box<D>& box, const Vec<double, D>& x, const Vec<double, D>& within, const F& f) {
  Vec<int, 3> first{}, last{};
  for (int k = 0; k < D; ++k) {
    if (!box.wraps[k]) continue;
    first[k] = static_cast<int>(std::ceil((box.lo[k] - x[k] - within[k]) / box.length(k)));
    last[k] = static_cast<int>(std::floor((box.hi[k] - x[k] + within[k]) / box.length(k)));
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
struct Partner {
  WrappedPosition<D> at;
  Vec<double, D> half;  // of its body, and half of its grid's skin
  std::int64_t id;
};

/// The contact point of a pair under an image (of the positions as they were passed), in the box. Along each axis it lies from
/// the centre of the one that is smaller there towards the other, at the share of the distance that its half extent and half
/// the skin have; so it is in both, that of spheres on the line between the centres, and rounding moves it by little even if
/// one is far larger. Each operation is rounded once, so all ranks find the same point: from whichever side they see a pair of
/// one set, of which ids differ, and from those who ask for one of two sets.
template <int D>
HGRID_HD Vec<double, D> contact_point(const Box<D>& box, const Partner<D>& i, const Partner<D>& j, const Image& image) {
  Vec<double, D> c;
  for (int k = 0; k < D; ++k) {
    const bool from_i = i.half[k] != j.half[k] ? i.half[k] < j.half[k] : i.id < j.id;
    // Of values, because kernels would keep two partners in memory for a reference to one of them.
    const auto small = [from_i](auto of_i, auto of_j) { return from_i ? of_i : of_j; };
    const double own = small(i.half[k], j.half[k]), both = add_rn(own, small(j.half[k], i.half[k]));
    const double share = both > 0 ? own / both : 0;
    const double from = small(i.at.inside[k], j.at.inside[k]), to = small(j.at.inside[k], i.at.inside[k]);
    const int seen = small(image[k], -image[k]);
    const int m = seen - small(i.at.periods[k], j.at.periods[k]) + small(j.at.periods[k], i.at.periods[k]);
    c[k] = sub_rn(from, mul_rn(share, separated(from, to, mul_rn(m, box.length(k)))));
  }
  return wrap(box, c).inside;
}

/// The particles that need no second look: valid ones that lie in the box of their rank, as nearly all do.
template <int D>
class Interior {
 public:
  Interior(const Box<D>& box, const RankBox<D>& own, double skin) : box_(box), skin_(skin) {
    for (int k = 0; k < D; ++k) {
      const bool whole = box.wraps[k] && own.lo[k] == box.lo[k] && own.hi[k] == box.hi[k];  // no image is on another rank
      margin_[k] = whole ? 0 : 1;
      lo_[k] = std::fmax(own.lo[k], -largest_length), hi_[k] = std::fmin(own.hi[k], largest_length);
      most_[k] = box.wraps[k] ? std::fmin(largest_length, 0.49 * (most_images(box) * box.length(k) - skin)) : largest_length;
    }
  }

  HGRID_HD bool holds(const Vec<double, D>& x, const Body<D>& body) const {
    const Body<D> known = known_within(box_, x, body, skin_);
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
  double skin_;
  Vec<double, D> lo_, hi_, margin_, most_;
};

/// Pointers into the memory of the rank's executor; owned particles come first, then ghosts.
template <int D>
struct HeldView {
  Box<D> box;
  RankBox<D> own;  // of the rank
  double skin;
  const double *x, *size;  // D coordinates for each particle; its radius, or D half extents
  int sizes;               // 1 or D
  const std::int64_t* id;
  const int* owner;  // of each ghost
  index_t owned;

  HGRID_HD bool reports(index_t i, index_t j, const Image& image) const { return reports(i, *this, j, image); }
  /// The same for particle i and one of another set, with the same cuts. A rank reports a contact of two particles of one owner
  /// if it owns both, another if it owns the contact point.
  HGRID_HD bool reports(index_t i, const HeldView& others, index_t j, const Image& image) const {
    if (i < owned && j < others.owned) return true;
    if (i >= owned && j >= others.owned && owner[i - owned] == others.owner[j - others.owned]) return false;  // not this rank
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

/// f(i, j, image) for the contacts that a rank reports, which holds one set or two. F may be a reference.
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
