// SPDX-License-Identifier: BSD-3-Clause
// A system as a user would hold it: arrays in one of the layouts, and the library's view of them.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "hgrid/core/types.hpp"
#include "support/axes.hpp"
#include "support/oracle.hpp"

namespace support {

/// Exclusions as a user would hold them, in one of the forms.
class UserExclusions {
 public:
  using Entries = std::set<std::pair<std::int64_t, std::int64_t>>;

  UserExclusions() = default;
  UserExclusions(const Entries& entries, std::size_t lists, int form) : in_pairs_(form == values::excluded_pairs) {
    begin_.assign(lists + 1, 0);
    for (const auto& [i, j] : entries) {
      pairs_.push_back({static_cast<hgrid::index_t>(i), static_cast<hgrid::index_t>(j)});
      ids_.push_back(static_cast<hgrid::index_t>(j));
      ++begin_[static_cast<std::size_t>(i) + 1];
    }
    for (std::size_t i = 0; i < lists; ++i) begin_[i + 1] += begin_[i];
  }

  hgrid::Exclusions view() const {
    const auto size = static_cast<hgrid::offset_t>(pairs_.size());
    return in_pairs_ ? hgrid::Exclusions::in_pairs(pairs_.data(), size)
                     : hgrid::Exclusions::in_lists(begin_.data(), ids_.data(), size);
  }

 private:
  bool in_pairs_ = false;
  std::vector<hgrid::index_t> ids_;
  std::vector<hgrid::offset_t> begin_;
  std::vector<hgrid::Pair> pairs_;
};

template <class Real, int D>
class UserArrays {
 public:
  UserArrays(const oracle::System& s, int layout = values::interleaved, int exclusions = values::half_lists) {
    const std::size_t n = s.particles.size();
    const std::size_t stride = layout == values::columns ? 1 : (layout == values::padded ? D + 2 : D);
    const std::size_t radius_stride = layout == values::padded ? 3 : 1;
    position_.assign(n * (layout == values::columns ? D : stride) + D, Real{7});
    radius_.assign(n * radius_stride + 1, Real{7});
    const std::size_t extent_stride = layout == values::columns ? 1 : layout == values::padded ? D + 1 : D;
    extent_.assign(n * (layout == values::columns ? D : extent_stride) + D, Real{7});
    bool grouped = false, masked = false, any_extra = false;
    for (std::size_t i = 0; i < n; ++i) {
      const oracle::Particle& p = s.particles[i];
      for (std::size_t k = 0; k < D; ++k) {
        position_[layout == values::columns ? k * n + i : i * stride + k] = static_cast<Real>(p.x[k]);
        extent_[layout == values::columns ? k * n + i : i * extent_stride + k] = static_cast<Real>(p.extent[k]);
      }
      radius_[i * radius_stride] = static_cast<Real>(p.radius);
      extra_.push_back(static_cast<Real>(p.extra));
      group_.push_back(p.group);
      active_.push_back(p.active);
      type_.push_back(p.type);
      world_.push_back(p.world);
      grouped = grouped || p.group >= 0, masked = masked || !p.active, any_extra = any_extra || p.extra != 0;
    }
    for (std::size_t k = 0; k < D; ++k) {
      view_.position[k] = position_.data() + (layout == values::columns ? k * n : k);
    }
    view_.stride = static_cast<std::ptrdiff_t>(stride);
    view_.radius = radius_.data();
    view_.radius_stride = static_cast<std::ptrdiff_t>(radius_stride);
    view_.count = static_cast<std::int64_t>(n);
    view_.radius_scale = s.radius_scale;
    for (std::size_t k = 0; k < D && s.extended; ++k) {
      view_.extent[k] = extent_.data() + (layout == values::columns ? k * n : k);
      view_.radius = nullptr;
    }
    view_.extent_stride = static_cast<std::ptrdiff_t>(extent_stride);
    if (any_extra) view_.extra = extra_.data();
    if (grouped) view_.group = group_.data();
    if (masked) view_.active = active_.data();
    if (masked && n % 2 == 1) {  // one bit of several
      for (std::uint8_t& bits : active_) bits = bits != 0 ? 0x0c : 0x15;
      view_.active_bits = 0x08;
    }
    view_.owned = s.owned;
    view_.nonfinite = s.skip_nonfinite ? hgrid::NonFinite::skip : hgrid::NonFinite::error;
    if (!s.excluded.empty()) {
      UserExclusions::Entries entries = s.excluded;
      for (const auto& [i, j] : s.excluded) {
        if (exclusions == values::full_lists) entries.insert({j, i});
      }
      exclusions_ = UserExclusions(entries, n, exclusions);
      view_.exclusions = exclusions_.view();
    }
    cutoffs_ = s.cutoffs;
    if (s.worlds > 0) view_.worlds = {world_.data(), s.worlds};
    if (s.types > 0) view_.cutoffs = {type_.data(), cutoffs_.data(), s.types};
  }

  UserArrays(const UserArrays&) = delete;  // the view points into this object

  const hgrid::Particles<Real, D>& view() const { return view_; }

 private:
  std::vector<Real> position_, radius_, extent_, extra_;
  std::vector<double> cutoffs_;
  std::vector<hgrid::index_t> group_, type_, world_;
  UserExclusions exclusions_;
  std::vector<std::uint8_t> active_;
  hgrid::Particles<Real, D> view_{};
};

/// Returns a box along vectors where axes are turned: both sides get equal ones.
template <int D>
hgrid::Vec<hgrid::Vec<double, D>, D> vectors_of(const oracle::Domain& s) {
  hgrid::Vec<hgrid::Vec<double, D>, D> vectors{};
  for (int j = 0; j < D; ++j) {
    double along[3] = {0, 0, 0};
    along[j] = s.hi[j] - s.lo[j];
    for (int k = 0; k < j; ++k) along[k] = s.tilt[j + k - 1];
    const auto v = oracle::from_axes(s, along);
    for (int k = 0; k < D; ++k) vectors[j][k] = v[static_cast<std::size_t>(k)];
  }
  return vectors;
}

template <int D>
hgrid::Box<D> box_of(const oracle::Domain& s) {
  hgrid::Box<D> box{};
  for (int k = 0; k < D; ++k) box.lo[k] = s.lo[k], box.hi[k] = s.hi[k], box.wraps[k] = s.periodic[k];
  hgrid::Vec<double, hgrid::Box<D>::tilts> tilts;
  for (int j = 1; j < D; ++j) {
    for (int k = 0; k < j; ++k) tilts[j + k - 1] = s.periodic[j] ? s.tilt[j + k - 1] : 0;
  }
  box = hgrid::tilted(box, tilts);
  if (!s.turned) return box;
  hgrid::Vec<hgrid::Vec<double, D>, D> axes;
  for (int k = 0; k < D; ++k) std::copy_n(s.axes[k], D, axes[k].v);
  return hgrid::turned(box, axes);
}

/// Returns the boxes of the worlds; empty if they share one.
template <int D>
std::vector<hgrid::Box<D>> boxes_of(const oracle::System& s) {
  std::vector<hgrid::Box<D>> boxes;
  for (const oracle::Domain& box : s.boxes) boxes.push_back(box_of<D>(box));
  return boxes;
}

/// Returns a grid in the box of a system, or in the boxes of its worlds.
template <class Grid, class Exec>
Grid grid_in(const Exec& exec, const oracle::System& s, const hgrid::GridOptions& options = {}) {
  constexpr int D = Grid::View::dimension;
  Grid grid(exec, box_of<D>(s), options);
  grid.set_boxes(boxes_of<D>(s));
  return grid;
}

}  // namespace support
