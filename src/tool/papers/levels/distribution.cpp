// SPDX-License-Identifier: BSD-3-Clause
#include "papers/levels/distribution.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "hgrid/inputs/input_error.hpp"
#include "papers/levels/atoms.hpp"

namespace hgrid::paper {
namespace {

[[noreturn]] void fail(const std::string& argument, const std::string& why, double value) {
  throw Error(ErrorCode::invalid_argument, argument + " " + why + ", got " + detail::to_text(value),
              {.argument = argument, .value = value});
}

void check_ratio(double ratio) {
  if (!(ratio >= 1) || ratio > largest_length) fail("size ratio", "must be in [1, 1e15]", ratio);
}

// Returns (1 - e^-x) / x for x >= 0.
double decay(double x) { return x == 0 ? 1 : -std::expm1(-x) / x; }

// Returns ln(b / a), accurate for narrow intervals.
double log_ratio(double a, double b) { return b < 2 * a ? std::log1p((b - a) / a) : std::log(b / a); }

// Integrals of r^p are l (b^(p+1) or a^(p+1), the larger) decay(|p + 1| l) with l = ln(b / a): nothing
// overflows or cancels, and the singular exponent p = -1 is no special case.
class PowerLaw final : public Distribution {
 public:
  PowerLaw(double ratio, double exponent)
      : Distribution(1, ratio),
        power_(exponent + 1),
        anchor_(power_ > 0 ? ratio : 1),
        norm_(std::log(ratio) * decay(std::fabs(power_) * std::log(ratio))) {}

  Moments moments(double a, double b) const override {
    Moments m{};
    for (int k = 0; k < 4; ++k) m[k] = moment(k, a, b);
    return m;
  }

  double share(double a, double b) const override { return moment(0, a, b); }

 private:
  double moment(int k, double a, double b) const {
    a = std::max(a, radius_min());
    b = std::min(b, radius_max());
    if (!(a < b)) return 0;
    const double p = power_ + k, end = p > 0 ? b : a, l = log_ratio(a, b);
    double m = std::pow(end / anchor_, power_) * (l / norm_) * decay(std::fabs(p) * l);
    for (int i = 0; i < k; ++i) m *= end;
    return m;
  }

  double power_, anchor_, norm_;
};

// Returns the normal distribution between two points, without cancellation in the tails.
double normal_between(double a, double b) {
  const double s = std::sqrt(0.5);
  if (a > 0) return 0.5 * (std::erfc(a * s) - std::erfc(b * s));
  if (b < 0) return 0.5 * (std::erfc(-b * s) - std::erfc(-a * s));
  return 0.5 * (std::erf(b * s) - std::erf(a * s));
}

class LogNormal final : public Distribution {
 public:
  explicit LogNormal(double ratio) : Distribution(1, ratio), mean_(std::log(ratio) / 2), deviation_(mean_ / 3) {}

  Moments moments(double a, double b) const override {
    Moments m{};
    a = std::max(a, radius_min());
    b = std::min(b, radius_max());
    if (!(a < b)) return m;
    const double from = (std::log(a) - mean_) / deviation_, to = (std::log(b) - mean_) / deviation_;
    for (int k = 0; k < 4; ++k) {
      const double shift = k * deviation_;
      m[k] = std::exp(k * mean_ + 0.5 * shift * shift) * normal_between(from - shift, to - shift) / normal_between(-3, 3);
    }
    return m;
  }

 private:
  double mean_, deviation_;
};

}  // namespace

DistributionPtr monodisperse() { return std::make_unique<Atoms>(std::vector<double>{1}, std::vector<double>{1}); }

DistributionPtr power_law(double ratio, double exponent) {
  check_ratio(ratio);
  if (!std::isfinite(exponent)) fail("exponent", "must be finite", exponent);
  if (ratio == 1) return monodisperse();
  return std::make_unique<PowerLaw>(ratio, exponent);
}

DistributionPtr log_normal(double ratio) {
  check_ratio(ratio);
  if (ratio == 1) return monodisperse();
  return std::make_unique<LogNormal>(ratio);
}

DistributionPtr bidisperse(double ratio, int dimension) {
  check_ratio(ratio);
  if (dimension != 2 && dimension != 3) fail("dimension", "must be 2 or 3", dimension);
  if (ratio == 1) return monodisperse();
  const double small_per_large = std::pow(ratio, dimension);
  return std::make_unique<Atoms>(std::vector<double>{1, ratio},
                                 std::vector<double>{small_per_large / (1 + small_per_large), 1 / (1 + small_per_large)});
}

}  // namespace hgrid::paper
