// SPDX-License-Identifier: BSD-3-Clause
// Measurements of one case: steps, stages, searches. Every count of contacts is compared with the case's.
#pragma once

#include <thrust/equal.h>

#include "hgrid/cuda.hpp"
#include "host_count.hpp"
#include "search_variants.hpp"
#include "systems.cuh"
#include "timed_exec.cuh"

namespace gpu_bench {

using hgrid::offset_t;
using Grid = hgrid::Grid<hgrid::CudaExec, 3>;
using PairList = hgrid::PairList<hgrid::CudaExec>;

constexpr std::int64_t most_for_host = 1'000'000;  ///< the host counts the contacts of that many in a second
constexpr std::int64_t most_for_rows = 10'000'000;

struct Case {
  std::string packing;
  double ratio;
  System system;
  offset_t contacts = -1;  ///< found by the host or by the first count

  Case(std::string name, double size_ratio, System particles)
      : packing(std::move(name)), ratio(size_ratio), system(std::move(particles)) {
    if (system.size() <= most_for_host) contacts = host_count(system.on_host(), system.box());
  }
  Row row(const std::string& what) const {
    return Row().add("what", what).add("packing", packing).add("ratio", ratio).add("n", double(system.size()));
  }
  /// Expects that every way of counting finds equal contacts.
  void expect(const char* what, offset_t found) {
    if (contacts < 0) contacts = found;
    if (found == contacts) return;
    throw std::runtime_error(std::string(what) + " finds " + std::to_string(found) + " contacts, not " +
                             std::to_string(contacts));
  }
};

/// Replays the step over a list that has been wiped out: each must bring back its length and all its bytes.
inline void expect_replays(Case& c, const Graph& step, const hgrid::CudaExec& exec, const PairList& list, offset_t size) {
  using Bytes = std::int64_t;  // a pair is as large
  static_assert(sizeof(Bytes) == sizeof(hgrid::Pair));
  const thrust::device_ptr<Bytes> written(reinterpret_cast<Bytes*>(const_cast<hgrid::Pair*>(list.pairs())));
  const thrust::device_vector<Bytes> before(written, written + size);
  const auto wipe = [&](const void* what, std::size_t bytes) {
    hgrid::detail::check_cuda(cudaMemsetAsync(const_cast<void*>(what), 0xA5, bytes, exec.stream()), "cudaMemsetAsync");
  };
  wipe(list.pairs(), static_cast<std::size_t>(size) * sizeof(hgrid::Pair));
  wipe(list.found(), sizeof(offset_t));
  step.replay();
  c.expect("a replay", exec.read_back(list.found()));  // waits
  if (!thrust::equal(before.begin(), before.end(), written)) throw std::runtime_error("a replay writes another list");
}

/// One step, build and list, captured and replayed; its parts likewise.
template <class Real>
void measure_step(Results& results, const hgrid::CudaExec& exec, Case& c, const char* name,
                  const hgrid::Particles<Real, 3>& particles, const hgrid::GridOptions& options) {
  const cudaStream_t stream = exec.stream();
  Grid grid(exec, c.system.box(), options);
  auto list = grid.make_pairs();
  for (int warm = 0; warm < 3; ++warm) grid.build(particles), grid.find(list);
  const offset_t pairs = list.size();
  c.expect("pairs", pairs);
  const auto build = [&] { grid.build(particles); };
  const auto search = [&] { grid.enqueue(list); };
  const Graph step(stream, [&] { build(), search(); }), only_build(stream, build), only_search(stream, search);
  expect_replays(c, step, exec, list, pairs);
  const Times replay = step.time();
  c.expect("the last replay", exec.read_back(list.found()));
  Row row = c.row(name);
  row.add(replay)
      .add("ns_per_entry", replay.median * 1e6 / std::max(1.0, double(pairs)))
      .add("build_ms", only_build.time().median)
      .add("list_ms", only_search.time().median);
  grid.wait(list);
  c.expect("wait", list.size());
  if (c.system.size() <= most_for_rows) {
    auto rows = grid.make_list();
    row.add("rows_ms", time_of(
                           stream, [&] { grid.find(rows); }, 1)
                           .median);  // the list, and its rows by id; waits
    c.expect("neighbours", rows.size());
  }
  results.add(row.add("levels", grid.view().level_count)
                  .add("cells", double(grid.plan().levels.cells))
                  .add("pairs", double(pairs))
                  .add("bytes", double(grid.bytes())));
}

inline void measure_times(Results& results, cudaStream_t stream, Case& c, const char* name, const hgrid::GridOptions& options,
                          hgrid::detail::ListMode mode = hgrid::detail::ListMode::one_search) {
  results.attempt(c.row(name),
                  [&] { measure_step(results, hgrid::CudaExec(stream, nullptr, mode), c, name, c.system.view(), options); });
}

/// Measures these numbers in double precision.
inline void measure_double(Results& results, cudaStream_t stream, Case& c) {
  results.attempt(c.row("double_input"), [&] {
    const thrust::device_vector<double> x = c.system.x, r = c.system.r;
    const auto particles =
        hgrid::particles<3>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data()), c.system.size());
    measure_step(results, hgrid::CudaExec(stream), c, "double_input", particles, {});
  });
}

/// Searches of the own levels that only count: the library's, then others, which must find as many.
inline void measure_searches(Results& results, cudaStream_t stream, Case& c) {
  results.attempt(c.row("search"), [&] {
    const hgrid::CudaExec exec(stream);
    Grid grid(exec, c.system.box(), {.table = hgrid::TableKind::dense});
    grid.build(c.system.view());
    const auto g = grid.view();
    c.expect("count", grid.count());
    offset_t expected = g.level_count == 1 ? c.contacts : -1;
    const auto cells = static_cast<offset_t>(grid.plan().levels.cells);
    for_each_search(exec, g, cells, [&](const char* name, const auto& search, const hgrid::detail::word_t* contacts) {
      const Times t = time_of(stream, search);
      const auto found = static_cast<offset_t>(exec.read_back(contacts));
      if (expected < 0) expected = found;
      if (found != expected) throw std::runtime_error(std::string(name) + " finds other contacts than the library");
      results.add(c.row("search").add("search", name).add(t).add("contacts", double(found)));
    });
  });
}

inline void measure_stages(Results& results, cudaStream_t stream, Case& c, const hgrid::GridOptions& options) {
  const char* const name = options.sort == hgrid::SortKind::counting ? "stages_buckets" : "stages";
  results.attempt(c.row(name), [&] {
    const TimedExec exec(stream);
    hgrid::Grid<TimedExec, 3> grid(exec, c.system.box(), options);
    auto list = grid.make_pairs();
    for (int warm = 0; warm < 3; ++warm) grid.build(c.system.view()), grid.find(list);
    exec.stages(1);  // forgets the first ones
    const int steps = 2 * timed_intervals();
    for (int step = 0; step < steps; ++step) grid.build(c.system.view()), grid.enqueue(list);
    Row row = c.row(name);
    for (const auto& [label, ms] : exec.stages(steps)) row.add(label.c_str(), ms);
    grid.wait(list);
    c.expect("stages", list.size());
    const auto& levels = grid.plan().levels;
    row.add("levels", levels.count).add("cells", double(levels.cells)).add("pairs", double(list.size()));
    results.add(row.add("candidates", double(grid.work().candidates)).add("rows", double(grid.work().rows)));
  });
}

/// Returns the particles in the order of their slots.
inline Case in_slot_order(cudaStream_t stream, const Case& c) {
  Case sorted("slot_order", c.ratio, in_slot_order(hgrid::CudaExec(stream), c.system));
  sorted.contacts = c.contacts;
  return sorted;
}

}  // namespace gpu_bench
