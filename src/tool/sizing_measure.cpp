// SPDX-License-Identifier: BSD-3-Clause
// A plan put to the test: what it predicts beside what a run counts.
#include <algorithm>

#include "hgrid/hgrid.hpp"
#include "hgrid/host/reference/hgrid_2012.hpp"
#include "progress.hpp"
#include "sizing.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

template <int D>
Box<D> box_of(const SizingOptions& o, const io::ParticleTable& table) {
  Box<D> box{};
  if (o.periodic.empty()) return box;
  if (!table.box) throw Error(ErrorCode::invalid_argument, "--periodic: the file states no box");
  const std::array<bool, 3> wraps = parse_axes(o.periodic);
  if (D == 2 && wraps[2])
    throw Error(ErrorCode::invalid_argument, "--periodic z: two dimensions have no z axis");
  for (std::size_t axis = 0; axis < D; ++axis) {
    const int k = static_cast<int>(axis);
    box.lo[k] = table.box->lo[axis], box.hi[k] = table.box->hi[axis], box.wraps[k] = wraps[axis];
  }
  return box;
}

template <int D>
Particles<double, D> particles_of(const io::ParticleTable& table) {
  const std::vector<double>* x[] = {&table.x, &table.y, &table.z};
  Particles<double, D> p{};
  for (int k = 0; k < D; ++k) p.position[k] = x[k]->data();
  p.stride = 1, p.radius = table.r.data(), p.count = table.size();
  return p;
}

/// Nanoseconds to build and list: the median of a few, warm.
template <int D>
double time_library(Grid<SerialExec, D>& grid, const Particles<double, D>& particles) {
  auto pairs = grid.make_pairs();
  std::vector<double> seconds;
  for (int run = 0; run < 6; ++run) {
    const double start = now();
    grid.build(particles);
    grid.pairs(pairs);
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

template <int D>
Measurement measured(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  Progress progress;
  progress.step("running the plan");
  GridOptions options{.direction = sizing.direction};
  const bool calibrated = o.method == "calibrated";
  for (const SizedLevel& level : sizing.levels) options.levels.push_back(level.spec);
  if (options.levels.size() > max_levels) options.levels.clear();  // as a grid plans by itself
  Grid<SerialExec, D> grid(SerialExec{}, box_of<D>(o, *input.particles), options);
  const double n = std::max(1.0, static_cast<double>(input.particles->size()));
  Measurement m;
  m.library_ns = time_library(grid, particles_of<D>(*input.particles)) / n;
  m.contacts = static_cast<double>(grid.count()) / n;
  if (!calibrated) {
    count_papers<D>(m, o, input, sizing, grid.view());
    return m;
  }
  const WorkCount work = grid.work();
  m.quantities = {{"rows", *sizing.rows, static_cast<double>(work.look_ups) / n},
                  {"candidates", *sizing.candidates, static_cast<double>(work.candidates) / n},
                  {"nanoseconds", sizing.work, m.library_ns}};
  return m;
}

}  // namespace

Measurement measure(const SizingOptions& o, const SizingInput& input, const Sizing& sizing) {
  return input.dimension == 2 ? measured<2>(o, input, sizing) : measured<3>(o, input, sizing);
}

}  // namespace hgrid::tool
