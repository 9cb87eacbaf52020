// SPDX-License-Identifier: BSD-3-Clause
// Runs the library's own planner on particles of a file, or on particles that have the sizes of a distribution and fill a cube.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "columns.hpp"
#include "hgrid/inputs/radius_class.hpp"
#include "hgrid/packing/repeatable.hpp"
#include "host/planning/cost_model.hpp"
#include "sizing.hpp"

namespace hgrid::tool {
namespace {

constexpr offset_t most_samples = 16384;
constexpr offset_t assumed_particles = 1000000;  // of a distribution

double sphere_volume(double moment, int dimension) { return (dimension == 2 ? 1 : 4.0 / 3) * std::acos(-1.0) * moment; }

/// Returns the radius that a share u of the particles does not exceed.
double quantile(const paper::Distribution& radii, double u) {
  double lo = radii.radius_min(), hi = radii.radius_max();
  for (int step = 0; step < 60 && lo < hi; ++step) {
    const double middle = std::sqrt(lo * hi);
    (radii.share(paper::below_all, middle) < u ? lo : hi) = middle;
  }
  return hi;
}

template <int D>
detail::PlanInput<D> sample_of(const io::ParticleTable& table) {
  detail::PlanInput<D> input;
  input.costs = detail::search_costs("serial");
  input.particles = table.size();
  const auto columns = coordinates(table);
  for (int k = 0; k < D; ++k) {
    const auto [lo, hi] = std::ranges::minmax_element(*columns[static_cast<std::size_t>(k)]);
    input.lo[k] = table.size() > 0 ? *lo : 0, input.hi[k] = table.size() > 0 ? *hi : 0;
  }
  input.radii.assign(detail::radius_classes, 0);
  for (double r : table.r) {
    input.radius_max = std::max(input.radius_max, r);
    ++input.radii[static_cast<std::size_t>(detail::radius_class(r))];
  }
  const offset_t samples = std::min(most_samples, table.size());
  for (offset_t s = 0; s < samples; ++s) {
    const auto i = static_cast<std::size_t>(s * table.size() / samples);
    for (std::size_t k = 0; k < D; ++k) input.sample.push_back((*columns[k])[i]);
    input.sample.push_back(table.r[i]);
  }
  return input;
}

/// Returns the volume of the space that particles fill to a packing fraction.
template <int D>
double packed_volume(const detail::PlanInput<D>& input, double packing) {
  double moment = 0;
  for (const detail::RadiusBin& bin : detail::radius_bins(input)) moment += bin.moment[D];
  return sphere_volume(moment, D) / packing;
}

/// Returns a million particles, sampled evenly. With a wide distribution they lack the largest sizes, which are too rare.
/// Positions are random in a cube.
template <int D>
detail::PlanInput<D> sample_of(const paper::Distribution& radii, double packing) {
  RepeatableRandom random(1);
  detail::PlanInput<D> input;
  input.costs = detail::search_costs("serial");
  input.particles = assumed_particles;
  input.radius_max = quantile(radii, 1 - 0.5 / assumed_particles);
  input.radii.assign(detail::radius_classes, 0);
  offset_t below = 0;
  for (int c = detail::radius_class(radii.radius_min()); c <= detail::radius_class(input.radius_max); ++c) {
    const double share =
        c < detail::radius_class(input.radius_max) ? radii.share(paper::below_all, detail::radius_class_begin(c + 1)) : 1;
    const offset_t count = std::llround(share * assumed_particles);
    input.radii[static_cast<std::size_t>(c)] = count - below;
    below = count;
  }
  for (offset_t s = 0; s < most_samples; ++s) {
    const double i = static_cast<double>(s) + 0.5;
    for (int k = 0; k < D; ++k) input.sample.push_back(random.below_one());
    input.sample.push_back(quantile(radii, i / most_samples));
  }
  const double side = std::pow(packed_volume(input, packing), 1.0 / D);
  for (int k = 0; k < D; ++k) input.lo[k] = 0, input.hi[k] = side;
  for (std::size_t at = 0; at < input.sample.size(); at += D + 1) {
    for (std::size_t k = 0; k < D; ++k) input.sample[at + k] *= side;
  }
  return input;
}

template <int D>
detail::CellShape shape_of(const Level<D>& level, bool radii_add) {
  const double unit = detail::shape_unit(radii_add, level.radius_bound, 0);
  return {level.cell_size[0] / unit, level.cell_size[D - 1] / unit};
}

template <int D>
Sizing planned(Direction direction, Rule rule, const SizingInput& from) {
  const bool radii_add = rule == Rule::sum;
  detail::PlanInput<D> input = from.particles ? sample_of<D>(*from.particles) : sample_of<D>(*from.radii, from.packing);
  input.rule = rule, input.has_boxes = true;
  const Plan<D> plan = detail::make_plan<D>(input, Box<D>::open(), {.direction = direction});
  const std::vector<detail::RadiusBin> bins = detail::radius_bins(input);
  const double n = std::max(1.0, static_cast<double>(input.particles));
  const detail::SearchSpace space = detail::search_space<D>(input, Box<D>::open(), bins);
  const detail::SearchKind kind{.direction = direction, .keys = plan.keys, .table = plan.table, .radii_add = radii_add};
  const detail::CostModel model(bins, space, 0, kind, input.costs);
  double volume = 1;
  for (int k = 0; k < D; ++k) volume *= std::max(space.size[static_cast<std::size_t>(k)], 2 * input.radius_max);
  Sizing sizing;
  sizing.direction = direction;
  sizing.table = plan.table;
  sizing.table_work = {plan.dense_cost / n, plan.compacted_cost / n};
  sizing.costs = input.costs;
  if (!plan.weighed) {
    sizing.warnings.push_back("the costs are not finite, so levels are not weighed: each takes about as many particles");
  }
  if (!from.particles && input.radius_max < 0.9 * from.radii->radius_max()) {
    sizing.warnings.push_back(
        fmt::format("the levels are for a million particles, of which the largest has a radius of {:.4g}", input.radius_max));
  }
  detail::SearchWork steps;
  int first = 0;
  for (int h = 0; h < plan.levels.count; ++h) {
    const Level<D>& level = plan.levels.level[h];
    SizedLevel sized{{level.radius_bound, {}}, 0, 0};
    double cell = 1, particles = 0;
    for (int k = 0; k < D; ++k) sized.spec.cell_size[k] = level.cell_size[k], cell *= level.cell_size[k];
    if (D == 2) sized.spec.cell_size[2] = sized.spec.cell_size[1];
    int last = first;
    for (; last < static_cast<int>(bins.size()) && bins[last].radius_max <= level.radius_bound; ++last) {
      particles += bins[last].moment[0];
    }
    if (last > first) steps += model.work(first, last, shape_of(level, radii_add));
    sized.share = particles / n;
    sized.occupancy = particles * cell / volume;
    sizing.levels.push_back(sized);
    first = last;
  }
  sizing.work = steps.cost(input.costs) / n;
  sizing.steps = steps.over(n);
  sizing.single_level_work = model.level(0, static_cast<int>(bins.size())).cost / n;
  return sizing;
}

}  // namespace

Sizing calibrated_levels(Direction direction, Rule rule, const SizingInput& input) {
  return input.dimension == 2 ? planned<2>(direction, rule, input) : planned<3>(direction, rule, input);
}

}  // namespace hgrid::tool
