// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/packing/packing.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/packing/repeatable.hpp"

namespace hgrid::inline v0_2 {
namespace {

double volume_of(const std::vector<double>& radii, int dimension) {
  const double pi = std::acos(-1.0);
  double sum = 0;
  for (const double r : radii) sum += dimension == 2 ? r * r : r * r * r;
  return sum * (dimension == 2 ? pi : 4 * pi / 3);
}

void check(const PackingOptions& options) {
  const auto require = [](bool good, const char* argument, double value, const std::string& why) {
    if (!good) throw Error(ErrorCode::invalid_argument, why, {.argument = argument, .value = value});
  };
  require(options.dimension == 2 || options.dimension == 3, "dimension", options.dimension, "the dimension must be 2 or 3");
  require(options.particles >= 1, "particles", static_cast<double>(options.particles), "a packing needs at least one particle");
  require(options.fraction > 0 && options.fraction <= 100, "fraction", options.fraction,
          "the packing fraction must be in (0, 100]");
}

}  // namespace

Packing random_packing(const PackingOptions& options) {
  check(options);
  Packing packing;
  packing.dimension = options.dimension;
  packing.r = sample_radii(options.sizes, options.particles, options.dimension);
  packing.length = std::pow(volume_of(packing.r, options.dimension) / options.fraction, 1.0 / options.dimension);

  RepeatableRandom random(options.seed);
  for (std::size_t k = packing.r.size(); k > 1; --k) std::swap(packing.r[k - 1], packing.r[random.below(k)]);
  const std::size_t n = packing.r.size();
  for (auto* column : {&packing.x, &packing.y, &packing.z}) column->resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    packing.x[i] = packing.length * random.below_one();
    packing.y[i] = packing.length * random.below_one();
    if (options.dimension == 3) packing.z[i] = packing.length * random.below_one();
  }
  return packing;
}

}  // namespace hgrid::inline v0_2
