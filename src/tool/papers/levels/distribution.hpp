// SPDX-License-Identifier: BSD-3-Clause
// Distributions of radii for the cost model of Krijgsman, Ogarko and Luding (2014), by their partial moments. Section 4 of the
// paper has the power law; the others are the library's.
#pragma once

#include <array>
#include <memory>
#include <span>

namespace hgrid::paper {

/// Means of r^k over all particles, with particles outside an interval counted as 0: k = 0 (the share of particles) to 3.
using Moments = std::array<double, 4>;

/// A lower end below all radii, including points (r = 0).
constexpr double below_all = -1;

class Distribution {
 public:
  virtual ~Distribution() = default;
  Distribution(const Distribution&) = delete;
  Distribution& operator=(const Distribution&) = delete;

  /// Returns the smallest positive radius. The next function returns the largest radius.
  double radius_min() const { return radius_min_; }
  double radius_max() const { return radius_max_; }

  /// Returns moments over a < r <= b, accurate to rounding also for narrow intervals and rare sizes.
  virtual Moments moments(double a, double b) const = 0;
  /// Returns the share of the particles with a < r <= b: moment 0 only.
  virtual double share(double a, double b) const { return moments(a, b)[0]; }
  Moments all() const { return moments(below_all, radius_max_); }

  /// Returns the largest existing radius that is not above r; r itself if there is none, or within a continuous distribution.
  virtual double floor(double r) const { return r; }
  /// Returns the smallest existing radius above r; r itself within a continuous distribution.
  virtual double next(double r) const { return r; }

 protected:
  Distribution(double radius_min, double radius_max) : radius_min_(radius_min), radius_max_(radius_max) {}

 private:
  double radius_min_, radius_max_;
};

using DistributionPtr = std::unique_ptr<const Distribution>;

// Radii of the next four distributions are in units of the smallest. All throw `invalid_argument` for a ratio outside [1, 1e15]
// or an exponent that is not finite.

/// All of radius 1.
DistributionPtr monodisperse();
/// Number density f(r) ~ r^exponent on [1, ratio], Eq. 29 and 30. Closed form, including the exponents -1 to -4.
DistributionPtr power_law(double ratio, double exponent);
/// ln r normal, cut at three standard deviations, which are the radii 1 and ratio.
DistributionPtr log_normal(double ratio);
/// Radii 1 and ratio, both kinds with equal total volume (area in 2-D).
DistributionPtr bidisperse(double ratio, int dimension);

/// Returns the distribution of these particles, in any order and unit. Throws `nonfinite`, `negative_radius` and `range_error`
/// like a build. If no radius is positive, all count as 1: any cells are right then, and the plan is valid.
DistributionPtr from_radii(std::span<const double> radii);

/// Returns a cumulative number distribution, linear between its points. `radii` ascend and are positive; `cumulative` is the
/// share of particles not larger, which never falls and goes from 0 to 1 (the end rounded to 1e-4 at worst). Throws
/// `size_mismatch`, or `invalid_argument` naming the first offending point.
DistributionPtr from_table(std::span<const double> radii, std::span<const double> cumulative);

}  // namespace hgrid::paper
