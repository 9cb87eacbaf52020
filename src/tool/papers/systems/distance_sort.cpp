// SPDX-License-Identifier: BSD-3-Clause
#include "papers/systems/distance_sort.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace hgrid::reference {
namespace {

// Step 1, Eq. 3: l_i = |x_i - x_0| - r_i.
template <int D>
std::vector<double> surface_distances(const Bodies<D>& bodies, const Vec<double, D>& x0) {
  std::vector<double> l;
  for (index_t i = 0; i < bodies.size(); ++i) {
    double distance = 0;
    for (int k = 0; k < D; ++k) distance = std::hypot(distance, bodies.x(k, i) - x0[k]);
    l.push_back(distance - bodies.reach(i));
  }
  return l;
}

// Returns twice the rounding of Eq. 3, for a reference point far from the particles.
template <int D>
double rounding(const Bodies<D>& bodies, const Vec<double, D>& x0) {
  double farthest = 0;
  for (int k = 0; k < D; ++k) {
    farthest += std::max(std::fabs(bodies.bounds().lo[k] - x0[k]), std::fabs(bodies.bounds().hi[k] - x0[k]));
  }
  return 0x1p-48 * (farthest + bodies.largest_reach());
}

template <int D>
Vec<double, D> checked(const Vec<double, D>& x0) {
  for (int k = 0; k < D; ++k) {
    if (std::isfinite(x0[k]) && std::fabs(x0[k]) <= largest_length) continue;
    throw Error(std::isfinite(x0[k]) ? ErrorCode::range_error : ErrorCode::nonfinite,
                std::string("reference_point: ") + "xyz"[k] + " = " + detail::to_text(x0[k]) + " is not within 1e15",
                {.argument = "reference_point", .index = k, .value = x0[k]});
  }
  return x0;
}

}  // namespace

template <int D>
Contacts distance_sort(const Bodies<D>& bodies, const DistanceSortOptions<D>& options) {
  const Vec<double, D> x0 = checked(options.reference_point.value_or(bodies.bounds().lo));
  const std::vector<double> l = surface_distances(bodies, x0);
  std::vector<index_t> nl(l.size());  // Step 2: the matrix nl holds the particles in the order of their l
  std::iota(nl.begin(), nl.end(), 0);
  const auto at = [](index_t i) { return static_cast<std::size_t>(i); };
  std::sort(nl.begin(), nl.end(), [&](index_t a, index_t b) { return l[at(a)] != l[at(b)] ? l[at(a)] < l[at(b)] : a < b; });

  const double slack = rounding(bodies, x0);
  Contacts found;
  PairTester<D> pairs(bodies, found);
  std::int64_t breaks = 0;
  for (std::size_t i = 0; i + 1 < nl.size(); ++i) {  // Step 3
    for (std::size_t j = i + 1; j < nl.size(); ++j) {
      const double dist = l[at(nl[j])] - l[at(nl[i])];
      if (2 * bodies.reach(nl[i]) + slack < dist) {
        ++breaks;
        break;
      }
      pairs.test(nl[i], nl[j]);
    }
  }
  found.counters = {{"tests", pairs.tests()}, {"breaks", breaks}};
  return found;
}

template Contacts distance_sort(const Bodies<2>&, const DistanceSortOptions<2>&);
template Contacts distance_sort(const Bodies<3>&, const DistanceSortOptions<3>&);

}  // namespace hgrid::reference
