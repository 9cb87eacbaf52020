// SPDX-License-Identifier: BSD-3-Clause
// The sampled particles for layouts of cells: the particles of one level, and their places along each axis.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// Planning lays out many candidates, so the particles are sorted along each axis only once, when first needed.
template <int D>
class SampledPlaces {
 public:
  explicit SampledPlaces(const PlanInput<D>& input) : input_(input) {}

  const PlanInput<D>& input() const { return input_; }

  /// Returns how many particles each sampled one stands for.
  double weight();

  void use(const Levels<D>& levels);

  /// Returns the places of the particles on level h. The next function returns their coordinates along each axis, ascending.
  std::vector<Vec<double, D>> on(int h) const;
  std::array<std::vector<Interval>, D> axes_of(int h) const;

  /// Returns the work: particles visited so far. A sorted particle counts once per axis.
  offset_t visited() const { return visited_; }

 private:
  std::size_t size() const { return input_.sample.size() / (D + 1); }
  double at(std::size_t s, int k) const { return input_.sample[s * (D + 1) + static_cast<std::size_t>(k)]; }
  double radius(std::size_t s) const { return at(s, D); }
  void sort();

  const PlanInput<D>& input_;
  std::array<std::vector<std::uint32_t>, D> order_;  // of the particles that take part, along each axis
  std::vector<std::uint8_t> level_;                  // of each sampled particle
  mutable offset_t visited_ = 0;
};

extern template class SampledPlaces<2>;
extern template class SampledPlaces<3>;

}  // namespace hgrid::inline v0_2::detail
