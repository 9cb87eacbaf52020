// SPDX-License-Identifier: BSD-3-Clause
// A plan put to the test: what it predicts beside what a run counts.
#include <algorithm>

#include "any_grid.hpp"
#include "columns.hpp"
#include "hgrid/host/reference/hgrid_2012.hpp"
#include "progress.hpp"
#include "sizing.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

Box3 box_of(const SizingOptions& o, const SizingInput& input) {
  if (o.periodic.empty()) return Box3::open();
  const std::optional<io::BoxBounds>& stated = input.particles->box;
  if (!stated) throw Error(ErrorCode::invalid_argument, "--periodic: the file states no box");
  const std::array<bool, 3> wraps = parse_axes(o.periodic);
  if (input.dimension == 2 && wraps[2])
    throw Error(ErrorCode::invalid_argument, "--periodic z: two dimensions have no z axis");
  const auto& [lo, hi] = *stated;
  return Box3::periodic({lo[0], lo[1], lo[2]}, {hi[0], hi[1], hi[2]}, {wraps[0], wraps[1], wraps[2]});
}

/// Nanoseconds to build and list: the median of a few, warm.
double time_library(AnyGrid& grid) {
  std::vector<double> seconds;
  for (int run = 0; run < 6; ++run) {
    const double start = now();
    grid.build();
    grid.list();
    if (run > 0) seconds.push_back(now() - start);
  }
  std::ranges::nth_element(seconds, seconds.begin() + 2);
  return 1e9 * seconds[2];
}

/// Counts of the papers' algorithm beside the model at the same cells, which periods may have stretched.
template <int D>
void count_papers(Measurement& m, const SizingOptions& o, const SizingInput& input, const Sizing& sizing,
                  const GridView<D>& slots) {
  std::vector<double> sizes;
  for (const SizedLevel& level : sizing.levels) sizes.push_back(level.spec.cell_size[0]);
  const double start = now();
  const reference::Hgrid2012<D> grid(slots, slots.slots(), {sizes, sizing.direction});
  const reference::Hgrid2012Work work = grid.search();
  const double taken = now() - start;
  paper::ModelOptions options{D, input.packing, 0.2, sizing.direction};
  if (!o.k.empty()) options.cell_cost = parse_numbers(o.k).front();
  const paper::Work expected = paper::CostModel(*input.radii, options).work(grid.sides());
  const double n = std::max(1.0, static_cast<double>(slots.slots()));
  m.papers_ns = 1e9 * taken / n;
  m.quantities = {{"tests", expected.tests, static_cast<double>(work.tests) / n},
                  {"cells", expected.cells, work.cells / n},
                  {"work", expected.total, work.total(options.cell_cost) / n}};
}

}  // namespace

Measurement measure(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  Progress progress;
  progress.step("running the plan");
  GridSpec spec{.backend = "serial", .dimension = input.dimension, .box = box_of(o, input)};
  spec.options.direction = sizing.direction;
  spec.options.table = sizing.table;
  for (const SizedLevel& level : sizing.levels) spec.options.levels.push_back(level.spec);
  if (spec.options.levels.size() > max_levels) spec.options.levels.clear();  // as a grid plans by itself
  const auto grid = make_grid(spec);
  grid->take(particles_of<3>(*input.particles));
  const double n = std::max(1.0, static_cast<double>(input.particles->size()));
  Measurement m;
  m.library_ns = time_library(*grid) / n;
  m.contacts = static_cast<double>(grid->count()) / n;
  if (o.method != "calibrated") {
    std::visit([&](const auto& slots) { count_papers(m, o, input, sizing, slots); }, grid->view());
    return m;
  }
  const WorkCount work = grid->work();
  m.quantities = {{"rows", sizing.steps.rows + sizing.steps.compacted_rows, static_cast<double>(work.look_ups) / n},
                  {"candidates", sizing.steps.candidates, static_cast<double>(work.candidates) / n},
                  {"nanoseconds", sizing.work, m.library_ns}};
  return m;
}

}  // namespace hgrid::tool
