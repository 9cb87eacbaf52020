// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/packing/radii.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2 {
namespace {

// Inverts F(r) = (r^(A+1) - 1) / (W^(A+1) - 1) without overflow or cancellation: neither for a large exponent, nor near A = -1,
// where F becomes ln r / ln W.
double power_law(double u, double ratio, double exponent) {
  const double a = exponent + 1, k = a * std::log(ratio);
  if (std::fabs(k) < 1e-12) return std::exp(u * std::log(ratio));
  if (k > 0) return ratio * std::exp(std::log1p((1 - u) * std::expm1(-k)) / a);
  return std::exp(std::log1p(u * std::expm1(k)) / a);
}

double normal_cdf(double z) { return 0.5 * std::erfc(-z * std::sqrt(0.5)); }

// Returns the z in (-3, 3) with normal_cdf(z) = p, by Newton steps inside a bracket.
double normal_quantile(double p) {
  static const double density_at_0 = 1 / std::sqrt(2 * std::acos(-1.0));
  double lo = -3, hi = 3, z = 0;
  for (int k = 0; k < 60; ++k) {
    const double error = normal_cdf(z) - p;
    (error < 0 ? lo : hi) = z;
    double next = z - error / (density_at_0 * std::exp(-0.5 * z * z));
    if (!(next > lo && next < hi)) next = 0.5 * (lo + hi);
    if (std::fabs(next - z) < 1e-14) break;
    z = next;
  }
  return z;
}

double log_normal(double u, double ratio) {
  static const double below = normal_cdf(-3), inside = normal_cdf(3) - below;
  return std::exp(std::log(ratio) * (0.5 + normal_quantile(below + u * inside) / 6));
}

[[noreturn]] void fail(const std::string& why, double value) {
  throw Error(ErrorCode::invalid_argument, why, {.argument = "sizes", .value = value});
}

}  // namespace

std::vector<double> sample_radii(const SizeDistribution& sizes, std::int64_t n, int dimension) {
  using Kind = SizeDistribution::Kind;
  if (n > std::numeric_limits<index_t>::max()) {
    throw Error(ErrorCode::too_many_particles, std::to_string(n) + " particles; 2147483647 are the limit",
                {.argument = "n", .needed = n});
  }
  if (!(sizes.ratio >= 1) || sizes.ratio > largest_length) fail("the size ratio must be in [1, 1e15]", sizes.ratio);
  if (!std::isfinite(sizes.exponent)) fail("the exponent must be finite", sizes.exponent);

  // Equal volumes: for each large particle ratio^D small ones.
  const double large = static_cast<double>(n) / (1 + std::pow(sizes.ratio, dimension));
  if (sizes.kind == Kind::bidisperse && n > 0 && std::llround(large) < 1) {
    fail("at size ratio " + detail::to_text(sizes.ratio) + " one particle in " +
             detail::to_text(1 + std::pow(sizes.ratio, dimension)) + " is large; more particles are needed",
         sizes.ratio);
  }
  const std::int64_t small = n - std::llround(large);

  std::vector<double> radii(static_cast<std::size_t>(std::max<std::int64_t>(n, 0)), 1.0);
  for (std::int64_t i = 0; i < n && sizes.kind != Kind::mono; ++i) {
    const double u = (static_cast<double>(i) + 0.5) / static_cast<double>(n);
    double r = i < small ? 1 : sizes.ratio;
    if (sizes.kind == Kind::power_law) r = power_law(u, sizes.ratio, sizes.exponent);
    if (sizes.kind == Kind::log_normal) r = log_normal(u, sizes.ratio);
    radii[static_cast<std::size_t>(i)] = std::clamp(r, 1.0, sizes.ratio);
  }
  return radii;
}

}  // namespace hgrid::inline v0_2
