// SPDX-License-Identifier: BSD-3-Clause
// Tests a plan: compares its prediction with the counts of a run.
#include <algorithm>

#include "bench.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "papers/systems/hgrid_2012.hpp"
#include "src/tool/columns.hpp"
#include "src/tool/progress.hpp"
#include "src/tool/seconds.hpp"
#include "src/tool/sizing.hpp"

namespace hgrid::tool {
namespace {

GivenBox measured_box(const SizingOptions& o, const SizingInput& input) {
  if (!any(o.periodic)) return {};
  if (!input.particles->box) refuse("--periodic: the file states no box");
  return {*input.particles->box, o.periodic};
}

/// Compares counts of the papers' algorithm with the model at equal cells, which periods may have stretched.
template <int D>
void count_papers(Measurement& m, const SizingOptions& o, const SizingInput& input, const Sizing& sizing, const Box3& box) {
  Grid<SerialExec, D> library(SerialExec(), Box<D>::of_axes(box));  // for its slots
  library.build(particles_of<D>(*input.particles));
  const GridView<D> slots = library.view();
  std::vector<double> sizes;
  for (const SizedLevel& level : sizing.levels) sizes.push_back(level.spec.cell_size[0]);
  const double start = now();
  const reference::Hgrid2012<D> grid(slots, slots.slots(), {sizes, sizing.direction});
  const reference::Hgrid2012Work work = grid.search();
  const double taken = now() - start;
  const paper::ModelOptions options = model_options(o, input, sizing.direction);
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
  GridSpec spec{.backend = Backend::serial, .dimension = input.dimension, .box = measured_box(o, input)};
  const Box3 box = box_of(spec.box, input.dimension);
  spec.options.direction = sizing.direction;
  spec.options.table = sizing.table;
  spec.options.rule = o.rule;
  for (const SizedLevel& level : sizing.levels) spec.options.levels.push_back(level.spec);
  if (spec.options.levels.size() > max_levels) spec.options.levels.clear();  // planned by the grid itself
  SearchGrid grid(spec);
  grid.take(particles_of<3>(*input.particles));
  const double n = std::max(1.0, static_cast<double>(input.particles->size()));
  Measurement m;
  m.library_ns = 1e9 * step_seconds(grid, 5)[2] / n;
  m.contacts = static_cast<double>(grid.count()) / n;
  if (o.method != Method::calibrated) {
    input.dimension == 2 ? count_papers<2>(m, o, input, sizing, box) : count_papers<3>(m, o, input, sizing, box);
    return m;
  }
  const WorkCount work = grid.work();
  m.quantities = {{"rows", sizing.steps.rows + sizing.steps.compacted_rows, static_cast<double>(work.rows) / n},
                  {"candidates", sizing.steps.candidates, static_cast<double>(work.candidates) / n},
                  {"nanoseconds", sizing.work, m.library_ns}};
  return m;
}

}  // namespace hgrid::tool
