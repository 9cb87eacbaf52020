// SPDX-License-Identifier: BSD-3-Clause
// Distributions whose moments are prefix sums: finitely many radii, and tables.
#pragma once

#include <vector>

#include "papers/levels/distribution.hpp"

namespace hgrid::paper {

/// Sums of r^k; wider than double, so that a difference of two sums is still accurate to double.
using MomentSums = std::array<long double, 4>;

/// Radii with shares. `radii` ascend strictly and are not negative, the last is positive; `shares` sum to 1.
class Atoms final : public Distribution {
 public:
  Atoms(std::vector<double> radii, const std::vector<double>& shares);

  Moments moments(double a, double b) const override;
  double floor(double r) const override;
  double next(double r) const override;

 private:
  std::vector<double> radii_;
  std::vector<MomentSums> sums_;  // sums_[i]: over radii_[0 .. i - 1]
};

/// A cumulative distribution, linear between points (radii[i], cumulative[i]), both ascending, without flat ends.
class Table final : public Distribution {
 public:
  Table(std::vector<double> radii, std::vector<double> cumulative);

  Moments moments(double a, double b) const override;
  double floor(double r) const override;
  double next(double r) const override;

 private:
  MomentSums part(std::size_t segment, double a, double b) const;
  std::size_t segment_of(double r) const;

  std::vector<double> radii_, cumulative_;
  std::vector<MomentSums> sums_;  // sums_[i]: up to radii_[i]
};

}  // namespace hgrid::paper
