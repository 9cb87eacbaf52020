// SPDX-License-Identifier: BSD-3-Clause
// The sampled particles as layouts of cells ask for them: those of one level, and how they lie along each axis.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// Planning lays out many candidates, so the particles are sorted along each axis once, and not before they must be.
template <int D>
class SampledPlaces {
 public:
  explicit SampledPlaces(const PlanInput<D>& input) : input_(input) {}

  const PlanInput<D>& input() const { return input_; }

  /// How many particles each of the sample stands for.
  double weight();

  /// From now on the levels are these.
  void use(const Levels<D>& levels);

  /// The places of those on level h, and their coordinates along each axis, ascending.
  std::vector<Vec<double, D>> on(int h) const;
  std::array<std::vector<Interval>, D> axes_of(int h) const;

  /// Particles visited so far, one that is sorted counted once an axis: the work.
  offset_t visited() const { return visited_; }

 private:
  std::size_t size() const { return input_.sample.size() / (D + 1); }
  double at(std::size_t s, int k) const { return input_.sample[s * (D + 1) + static_cast<std::size_t>(k)]; }
  double radius(std::size_t s) const { return at(s, D); }
  void sort();

  const PlanInput<D>& input_;
  std::array<std::vector<std::uint32_t>, D> order_;  // of those that take part, along each axis
  std::vector<std::uint8_t> level_;                  // of each of the sample
  mutable offset_t visited_ = 0;
};

extern template class SampledPlaces<2>;
extern template class SampledPlaces<3>;

}  // namespace hgrid::inline v0_2::detail
