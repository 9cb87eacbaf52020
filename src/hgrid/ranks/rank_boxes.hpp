// SPDX-License-Identifier: BSD-3-Clause
// The boxes of the ranks, which tile space. They answer who owns a point, and which boxes a body meets.
#pragma once

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

/// The box of a rank. It owns points with lo <= x < hi. Ends may be infinite on open axes; a box with hi <= lo is empty.
template <int D>
struct RankBox {
  Vec<double, D> lo, hi;

  /// Returns a box with all of a system's space.
  static RankBox all_of(const Box<D>& box) {
    RankBox all;
    for (int k = 0; k < D; ++k)
      all.lo[k] = box.wraps[k] ? box.lo[k] : -HUGE_VAL, all.hi[k] = box.wraps[k] ? box.hi[k] : HUGE_VAL;
    return all;
  }
  bool is_empty() const {
    for (int k = 0; k < D; ++k) {
      if (!(lo[k] < hi[k])) return true;
    }
    return false;
  }
  HGRID_HD bool owns(const Vec<double, D>& x) const {
    for (int k = 0; k < D; ++k) {
      if (!(lo[k] <= x[k] && x[k] < hi[k])) return false;
    }
    return true;
  }
  /// Returns whether the box, including its faces, comes within a distance of a point.
  bool touches(const Vec<double, D>& x, double distance) const {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double beyond = std::fmax(0.0, std::fmax(lo[k] - x[k], x[k] - hi[k]));
      squared += beyond * beyond;
    }
    return squared <= distance * distance;
  }
  /// Returns whether the box, including its faces, meets another one.
  bool meets(const RankBox& other) const {
    for (int k = 0; k < D; ++k) {
      if (!(other.lo[k] <= hi[k] && lo[k] <= other.hi[k])) return false;
    }
    return true;
  }
  friend bool operator==(const RankBox&, const RankBox&) = default;
};

namespace detail {

/// The boxes as a tree over ranges of ranks; each half range has a bounding box. With ranks numbered along the cuts, as in
/// recursive bisection, a query takes time of the order of the logarithm of the number of ranks.
template <int D>
class RankBoxes {
 public:
  /// Has no rank: space is not cut yet.
  RankBoxes() = default;
  /// Needs at least one box, in the order of ranks.
  explicit RankBoxes(std::vector<RankBox<D>> of_ranks);

  const std::vector<RankBox<D>>& of_ranks() const { return ranks_; }

  /// Returns the boxes of another box of the system, with the same axes periodic: cuts keep their shares of the periods.
  RankBoxes moved(const Box<D>& from, const Box<D>& to) const;

  /// Returns the rank that owns a point in the box of the system.
  int owner(const Vec<double, D>& x) const { return std::max(0, owner(0, 0, static_cast<int>(ranks_.size()), x)); }

  /// Calls f(rank) for each rank whose box is not empty and for which `is_met(box)` is true. If `is_met` is true for a box, it
  /// must be true for each box that contains it.
  template <class IsMet, class F>
  void for_each_where(const IsMet& is_met, const F& f) const {
    descend(0, 0, static_cast<int>(ranks_.size()), is_met, f);
  }

 private:
  static int halfway(int first, int end) { return first + (end - first + 1) / 2; }

  const RankBox<D>& bound(std::size_t node, int first, int end);
  int owner(std::size_t node, int first, int end, const Vec<double, D>& x) const;

  template <class IsMet, class F>
  void descend(std::size_t node, int first, int end, const IsMet& is_met, const F& f) const {
    if (tree_[node].is_empty() || !is_met(tree_[node])) return;
    if (end - first == 1) return f(first);
    const int middle = halfway(first, end);
    descend(node + 1, first, middle, is_met, f);
    descend(node + 2 * static_cast<std::size_t>(middle - first), middle, end, is_met, f);
  }

  std::vector<RankBox<D>> ranks_, tree_;
};

extern template class RankBoxes<2>;
extern template class RankBoxes<3>;

/// How space is cut for ranks: their boxes in the last build, and in the next one, which may be in another box of the system.
template <int D>
class Cuts {
 public:
  const RankBoxes<D>& now() const { return now_; }
  const RankBoxes<D>& next() const { return next_ ? *next_ : now_; }

  /// Returns the box of a rank in the last build.
  const RankBox<D>& of(int rank) const { return now_.of_ranks()[static_cast<std::size_t>(rank)]; }

  void set(RankBoxes<D> boxes) { now_ = std::move(boxes), next_.reset(); }
  /// Clears all cuts. One rank has all space.
  void clear(int ranks, const Box<D>& box) { set(ranks > 1 ? RankBoxes<D>() : RankBoxes<D>({RankBox<D>::all_of(box)})); }
  /// Moves the next boxes with the box of the system.
  void move(const Box<D>& from, const Box<D>& to) {
    if (!(from.lo == to.lo && from.hi == to.hi)) next_ = next().moved(from, to);
  }
  void take_next() {
    if (next_) set(*std::move(next_));
  }

 private:
  RankBoxes<D> now_;
  std::optional<RankBoxes<D>> next_;  // if they differ
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
