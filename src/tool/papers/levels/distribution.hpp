// SPDX-License-Identifier: BSD-3-Clause
// Distributions of radii, as the cost model of Krijgsman, Ogarko and Luding (2014) needs them: by their
// partial moments. Section 4 of the paper has the power law; the others are the library's.
#pragma once

#include <array>
#include <memory>
#include <span>

namespace hgrid::paper {

/// Means of r^k over all particles, with those outside an interval counted as 0: k = 0 (the share of
/// particles) to 3.
using Moments = std::array<double, 4>;

/// A lower end below all radii, points (r = 0) included.
constexpr double below_all = -1;

class Distribution {
 public:
  virtual ~Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  /// The smallest positive and the largest radius.
  double radius_min() const { return radius_min_; }
  double radius_max() const { return radius_max_; }

  /// Moments over a < r <= b. Accurate to rounding for narrow intervals and rare sizes too.
  virtual Moments moments(double a, double b) const = 0;
  /// The share of the particles with a < r <= b: moment 0 alone.
  virtual double share(double a, double b) const { return moments(a, b)[0]; }
  Moments all() const { return moments(below_all, radius_max_); }

  /// The largest radius there is that is not above r; r itself if none is, or within a continuous
  /// distribution.
  virtual double floor(double r) const { return r; }
  /// The smallest radius there is above r; r itself within a continuous distribution.
  virtual double next(double r) const { return r; }

 protected:
  Distribution(double radius_min, double radius_max) : radius_min_(radius_min), radius_max_(radius_max) {}

 private:
  double radius_min_, radius_max_;
};

using DistributionPtr = std::unique_ptr<const Distribution>;

// Radii of these four are in units of the smallest. All throw `invalid_argument` for a ratio outside [1,
// 1e15] or an exponent that is not finite.

/// All of radius 1.
DistributionPtr monodisperse();
/// Number density f(r) ~ r^exponent on [1, ratio], Eq. 29 and 30. Closed form, the exponents -1 to -4
/// included.
DistributionPtr power_law(double ratio, double exponent);
/// ln r normal, cut at three standard deviations: those are 1 and ratio.
DistributionPtr log_normal(double ratio);
/// Radii 1 and ratio, both kinds with the same total volume (area in 2-D).
DistributionPtr bidisperse(double ratio, int dimension);

/// The particles at hand, in any order and unit. Throws `nonfinite`, `negative_radius` and `range_error` as a
/// build would. Where no radius is positive, all count as 1: any cells are right then, and that makes a valid
/// plan.
DistributionPtr from_radii(std::span<const double> radii);

/// A cumulative number distribution, linear between its points. `radii` ascend and are positive, `cumulative`
/// is the share of particles not larger, which never falls and goes from 0 to 1 (the end rounded to 1e-4 at
/// worst). Throws `size_mismatch`, or `invalid_argument` naming the first offending point.
DistributionPtr from_table(std::span<const double> radii, std::span<const double> cumulative);

}  // namespace hgrid::paper
