// SPDX-License-Identifier: BSD-3-Clause
// Chooses the skin that makes a time step fastest. A thick skin needs few builds but lists many pairs that do not touch. The
// best skin depends on velocities, forces and machine, so it is found by measuring while the loop runs.
#pragma once

#include <algorithm>
#include <cmath>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// Searches the skin in steps by a factor: further while steps get faster, back by a smaller factor when they do not. It rests
/// once the factor is small, until the cost changes. Contacts do not depend on the skin, so no result depends on the clock.
class SkinChooser {
 public:
  explicit SkinChooser(double first) : skin_(first), good_(first) {}

  double skin() const { return skin_; }
  bool resting() const { return factor_ < finest; }

  template <class A>
  void archive(A& a) {
    a(skin_, good_, most_, refused_, factor_, last_, cost_, count_, up_);
    a.require("the choice of a skin", [&] {
      const auto is_usual = [](double number) { return std::fabs(number) <= 1e100; };
      const auto is_skin = [](double number) { return number >= 0 && number <= largest_length; };
      return is_skin(skin_) && is_skin(good_) && is_usual(last_) && std::all_of(cost_, cost_ + builds, is_usual) &&
             most_ >= 0 && refused_ >= 0 && factor_ >= 1 && factor_ <= coarsest && count_ >= 0 && count_ < builds;
    });
  }

  /// Limits the skin to `most` until the next call.
  void limit(double most) {
    most_ = std::min(most, refused_);
    skin_ = std::min(skin_, most_);
  }

  /// Notes that a list was built with the skin.
  void accept() { good_ = skin_; }

  /// Returns to the last skin that worked, after a build with the present one failed, and proposes no wider one any more.
  /// Returns false if the skin is no wider than that, so that it is not the cause.
  bool retreat() {
    if (skin_ <= good_) return false;
    skin_ = most_ = refused_ = good_;
    count_ = 0;
    return true;
  }

  /// Makes the skin narrower because its list is far too long: returns to the last skin that worked, or to half the skin, and
  /// proposes no wider one any more.
  void narrow() {
    if (!retreat()) skin_ = most_ = refused_ = good_ = 0.5 * skin_;
    count_ = 0;
  }

  /// Takes, once for each build, the time from it to the next build, including its own time, and the number of steps in
  /// between. The median of three builds is one measurement, because steps that write files or plan levels take longer.
  void observe(double seconds, offset_t steps) {
    if (steps <= 0) return;
    cost_[count_++] = seconds / static_cast<double>(steps);
    if (count_ < builds) return;
    count_ = 0;
    std::sort(cost_, cost_ + builds);
    const double cost = cost_[builds / 2];
    if (resting()) {
      if (cost < 1.5 * last_ && last_ < 1.5 * cost) return;
      factor_ = coarsest;
      last_ = cost;
      return move();
    }
    if (last_ > 0 && cost >= last_) turn();
    last_ = cost;
    move();
  }

 private:
  static constexpr int builds = 3;
  static constexpr double coarsest = 1.6, finest = 1.05;

  void turn() {
    up_ = !up_;
    factor_ = std::sqrt(factor_);
  }

  void move() {
    if (up_ && skin_ >= most_) turn();
    skin_ = up_ ? std::min(skin_ * factor_, most_) : skin_ / factor_;
  }

  double skin_, good_, most_ = HUGE_VAL, refused_ = HUGE_VAL;
  double factor_ = coarsest, last_ = 0;
  double cost_[builds] = {};
  int count_ = 0;
  bool up_ = true;
};

/// Returns the mean of the levels' largest radii, or of the half extents along the axis where a level's are smallest and not 0.
/// For points it is a share of the cell size; without particles 0. Waits.
template <class Exec, int D>
double mean_size(const Exec& exec, const GridView<D>& g) {
  index_t begin[max_levels + 1];
  double largest[max_levels];
  Vec<double, D> extents[max_levels];
  Level<D> finest;
  exec.copy_out(begin, g.level_begin, g.level_count + 1);
  exec.copy_out(largest, g.radius_max, g.level_count);
  if (g.has_extents()) exec.copy_out(extents, g.extent_max, g.level_count);
  exec.copy_out(&finest, g.level, 1);
  double sum = 0;
  for (int h = 0; h < g.level_count; ++h) {
    double size = g.has_extents() ? 0 : largest[h];
    for (int k = 0; k < D && g.has_extents(); ++k) {
      if (extents[h][k] > 0 && (size == 0 || extents[h][k] < size)) size = extents[h][k];
    }
    sum += size * (begin[h + 1] - begin[h]);
  }
  const index_t count = begin[g.level_count];
  if (count == 0) return 0;
  return sum > 0 ? sum / count : 0.1 * finest.cell_size[0];  // points, a few per cell
}

}  // namespace hgrid::inline v0_2::detail
