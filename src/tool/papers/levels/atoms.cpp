// SPDX-License-Identifier: BSD-3-Clause
#include "papers/levels/atoms.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "hgrid/inputs/input_error.hpp"

namespace hgrid::paper {
namespace {

double smallest_positive(const std::vector<double>& radii) { return *std::upper_bound(radii.begin(), radii.end(), 0.0); }

Moments between(const MomentSums& from, const MomentSums& to) {
  Moments m;
  for (int k = 0; k < 4; ++k) m[k] = static_cast<double>(to[k] - from[k]);
  return m;
}

void check_radius(double r, std::size_t i) {
  const auto fail = [&](ErrorCode code, const std::string& why) {
    throw Error(code, "radii[" + std::to_string(i) + "] = " + detail::to_text(r) + " " + why,
                {.argument = "radii", .index = static_cast<std::int64_t>(i), .value = r, .count = 1});
  };
  if (!std::isfinite(r)) fail(ErrorCode::nonfinite, "is not finite");
  if (r < 0) fail(ErrorCode::negative_radius, "is negative");
  if (r > largest_length || (r > 0 && r < smallest_radius)) fail(ErrorCode::range_error, "is neither 0 nor in [1e-15, 1e15]");
}

[[noreturn]] void bad_point(std::size_t i, double value, const std::string& why) {
  throw Error(ErrorCode::invalid_argument, "cumulative distribution, point " + std::to_string(i) + ": " + why,
              {.argument = "cumulative", .index = static_cast<std::int64_t>(i), .value = value});
}

void check_table(std::span<const double> radii, std::span<const double> cumulative) {
  if (radii.size() != cumulative.size()) {
    throw Error(ErrorCode::size_mismatch,
                std::to_string(radii.size()) + " radii, but " + std::to_string(cumulative.size()) + " cumulative fractions");
  }
  if (radii.size() < 2) bad_point(radii.size(), 0, "a distribution has at least two points");
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double r = radii[i], f = cumulative[i];
    if (!(r >= smallest_radius && r <= largest_length)) bad_point(i, r, "the radius must be in [1e-15, 1e15]");
    if (i > 0 && !(r > radii[i - 1])) bad_point(i, r, "radii must ascend");
    if (!(f >= 0 && f <= 1 + 1e-4)) bad_point(i, f, "the fraction must be in [0, 1]");
    if (i > 0 && f < cumulative[i - 1]) bad_point(i, f, "fractions must not fall");
  }
  if (cumulative.front() != 0) bad_point(0, cumulative.front(), "the first fraction must be 0");
  if (cumulative.back() < 1 - 1e-4) bad_point(radii.size() - 1, cumulative.back(), "the last fraction must be 1");
}

}  // namespace

Atoms::Atoms(std::vector<double> radii, const std::vector<double>& shares)
    : Distribution(smallest_positive(radii), radii.back()), radii_(std::move(radii)), sums_(radii_.size() + 1) {
  for (std::size_t i = 0; i < radii_.size(); ++i) {
    long double term = shares[i];
    for (int k = 0; k < 4; ++k, term *= radii_[i]) sums_[i + 1][k] = sums_[i][k] + term;
  }
}

Moments Atoms::moments(double a, double b) const {
  const auto up_to = [&](double r) { return std::upper_bound(radii_.begin(), radii_.end(), r) - radii_.begin(); };
  return a < b ? between(sums_[up_to(a)], sums_[up_to(b)]) : Moments{};
}

double Atoms::floor(double r) const {
  const auto above = std::upper_bound(radii_.begin(), radii_.end(), r);
  return above == radii_.begin() ? r : *(above - 1);
}

double Atoms::next(double r) const {
  const auto above = std::upper_bound(radii_.begin(), radii_.end(), r);
  return above == radii_.end() ? r : *above;
}

Table::Table(std::vector<double> radii, std::vector<double> cumulative)
    : Distribution(radii.front(), radii.back()),
      radii_(std::move(radii)),
      cumulative_(std::move(cumulative)),
      sums_(radii_.size()) {
  for (std::size_t i = 1; i < radii_.size(); ++i) {
    const MomentSums added = part(i - 1, radii_[i - 1], radii_[i]);
    for (int k = 0; k < 4; ++k) sums_[i][k] = sums_[i - 1][k] + added[k];
  }
}

// Returns moments of [a, b] within one segment: the mean of r^k over an interval is a sum without cancellation.
MomentSums Table::part(std::size_t segment, double a, double b) const {
  const double density = (cumulative_[segment + 1] - cumulative_[segment]) / (radii_[segment + 1] - radii_[segment]);
  const long double share = static_cast<long double>(density) * (b - a), x = a, y = b;
  return {share, share * (x + y) / 2, share * (x * x + x * y + y * y) / 3, share * (x + y) * (x * x + y * y) / 4};
}

// Returns the segment that holds r, which must be within the table. A segment's upper end belongs to the next one.
std::size_t Table::segment_of(double r) const {
  const auto above = std::upper_bound(radii_.begin(), radii_.end() - 1, r);
  return static_cast<std::size_t>(above - radii_.begin()) - 1;
}

Moments Table::moments(double a, double b) const {
  a = std::max(a, radius_min());
  b = std::min(b, radius_max());
  if (!(a < b)) return {};
  const std::size_t first = segment_of(a), last = segment_of(b);
  if (first == last) return between({}, part(first, a, b));
  const MomentSums head = part(first, a, radii_[first + 1]), tail = part(last, radii_[last], b);
  MomentSums sum;
  for (int k = 0; k < 4; ++k) sum[k] = head[k] + (sums_[last][k] - sums_[first + 1][k]) + tail[k];
  return between({}, sum);
}

// Returns r, or the largest radius below it if the distribution is flat there. A flat part has no radii: floor and next skip
// it.
double Table::floor(double r) const {
  if (r <= radius_min() || r >= radius_max()) return std::min(r, radius_max());
  std::size_t i = segment_of(r);
  if (cumulative_[i + 1] > cumulative_[i]) return r;
  while (cumulative_[i] == cumulative_[i - 1]) --i;
  return radii_[i];
}

double Table::next(double r) const {
  if (r < radius_min()) return radius_min();
  if (r >= radius_max()) return r;
  std::size_t i = segment_of(r);
  if (cumulative_[i + 1] > cumulative_[i]) return r;
  while (cumulative_[i + 1] == cumulative_[i]) ++i;
  return radii_[i];
}

DistributionPtr from_radii(std::span<const double> radii) {
  for (std::size_t i = 0; i < radii.size(); ++i) check_radius(radii[i], i);
  std::vector<double> sorted(radii.begin(), radii.end());
  std::sort(sorted.begin(), sorted.end());
  if (sorted.empty() || sorted.back() == 0) return monodisperse();
  std::vector<double> distinct, shares;
  for (double r : sorted) {
    if (distinct.empty() || r > distinct.back()) distinct.push_back(r), shares.push_back(0);
    shares.back() += 1;
  }
  for (double& share : shares) share /= static_cast<double>(sorted.size());
  return std::make_unique<Atoms>(std::move(distinct), shares);
}

DistributionPtr from_table(std::span<const double> radii, std::span<const double> cumulative) {
  check_table(radii, cumulative);
  const double total = cumulative.back();
  std::vector<double> r, f;
  for (std::size_t i = 0; i < radii.size(); ++i) {  // without the flat ends
    if (i + 1 < radii.size() && cumulative[i + 1] == 0) continue;
    if (i > 0 && cumulative[i - 1] == total) break;
    r.push_back(radii[i]), f.push_back(cumulative[i] / total);
  }
  return std::make_unique<Table>(std::move(r), std::move(f));
}

}  // namespace hgrid::paper
