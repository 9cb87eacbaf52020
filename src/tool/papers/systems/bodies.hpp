// SPDX-License-Identifier: BSD-3-Clause
// The input of a reference algorithm: points with a reach each, in open space.
#pragma once

#include <string>
#include <vector>

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/predicate.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::reference {

/// A space from lo to hi, including its bounds.
template <int D>
struct Bounds {
  Vec<double, D> lo, hi;
};

/// The particles that take part, wrapped, in the order of their ids. On periodic axes they are followed by copies of the
/// particles that reach across a face. The papers' algorithms have no periodic box: with these images they need none. For a
/// pair across a face, one of the partners has the image, the one whose shift is lexicographically positive.
///
/// Two bodies that are a pair by the predicate are at most reach(a) + reach(b) apart, with room for the rounding of a dozen
/// operations on coordinates: an algorithm may compare distances as in its paper and still misses nothing.
template <int D>
class Bodies {
 public:
  /// Throws the errors of `Grid::build` for bad particles, boxes and skins, and `unsupported` for a tilted box and for
  /// exclusions, cut-offs and worlds.
  template <class Real>
  Bodies(const Particles<Real, D>& particles, const Box<D>& box, double skin) : box_(box), skin_(skin) {
    if (box.tilted || box.turned)
      throw Error(ErrorCode::unsupported, "this algorithm needs an orthogonal box", {.argument = "box"});
    if (particles.exclusions.size > 0) {
      throw Error(ErrorCode::unsupported, "this algorithm knows no exclusions", {.argument = "exclusions"});
    }
    if (particles.cutoffs.types > 0) {
      throw Error(ErrorCode::unsupported, "this algorithm knows no cut-offs by type", {.argument = "cutoffs"});
    }
    if (particles.worlds.count > 0) {
      throw Error(ErrorCode::unsupported, "this algorithm knows no worlds", {.argument = "worlds"});
    }
    check(particles);
    for (std::int64_t i = 0; i < particles.count; ++i) {
      if (detail::takes_part(particles, i)) add(detail::stored(particles, detail::OneBox<D>{box}, i), particles, i);
    }
    sources_ = static_cast<index_t>(particles.owned < 0 ? particles.count : particles.owned);
    particles_ = particles.count;
    finish();
  }

  index_t size() const { return static_cast<index_t>(reach_.size()); }    ///< including images
  index_t originals() const { return static_cast<index_t>(id_.size()); }  ///< they come first
  double x(int k, index_t b) const { return x_[k][static_cast<std::size_t>(b)]; }
  Vec<double, D> position(index_t b) const {
    Vec<double, D> p;
    for (int k = 0; k < D; ++k) p[k] = x(k, b);
    return p;
  }
  double reach(index_t b) const { return reach_[static_cast<std::size_t>(b)]; }
  double largest_reach() const { return largest_reach_; }
  const Bounds<D>& bounds() const { return bounds_; }  ///< of all positions; zeros if there are none

  bool is_image(index_t b) const { return b >= originals(); }
  /// Returns the body of which b is an image; b itself if it is none.
  index_t original(index_t b) const { return is_image(b) ? image_of_[static_cast<std::size_t>(b - originals())] : b; }
  /// Returns the shift that was added to the original's position, in periods. For images only.
  const Vec<int, D>& periods(index_t b) const { return periods_[static_cast<std::size_t>(b - originals())]; }

  /// Returns the originals as slots, for the predicate.
  GridView<D> slots() const;

  index_t id(index_t b) const { return id_[static_cast<std::size_t>(b)]; }
  const Box<D>& box() const { return box_; }

 private:
  template <class Real>
  void check(const Particles<Real, D>& particles) const {
    detail::check_box(box_);
    detail::check_arguments(particles, skin_);
    detail::InputSummary<D> input = detail::InputSummary<D>::identity();
    const detail::InspectParticle<Real, D, detail::OneBox<D>> inspect{particles, {box_}, skin_};
    for (std::int64_t i = 0; i < particles.count; ++i) inspect(i, input);
    throw_if_bad(input, box_, skin_);
  }

  template <class Real>
  void add(const detail::Stored<D>& s, const Particles<Real, D>& particles, std::int64_t i) {
    for (int k = 0; k < D; ++k) x_[k].push_back(s.x[k]);
    radius_.push_back(s.radius);
    wraps_.push_back(s.wraps);
    id_.push_back(static_cast<index_t>(i));
    if (particles.group != nullptr) group_.push_back(particles.group[i]);
  }
  void finish();
  void find_bounds();
  void add_images(index_t b);

  Box<D> box_;
  double skin_;
  index_t sources_ = 0;
  std::int64_t particles_ = 0;  // number of particles passed
  std::vector<double> x_[D], radius_, reach_;
  std::vector<index_t> id_, group_, image_of_;
  std::vector<Image> wraps_;
  std::vector<Vec<int, D>> periods_;
  Bounds<D> bounds_{};
  double largest_reach_ = 0;
};

}  // namespace hgrid::reference
