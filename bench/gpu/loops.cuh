// SPDX-License-Identifier: BSD-3-Clause
// Measurements of neighbor lists: of every length, and in a time loop, in which the device decides when they are built. All are
// replays of a graph.
#pragma once

#include <algorithm>

#include "cases.cuh"
#include "hgrid/loop.hpp"

namespace gpu_bench {

/// A build and lists, half and full, each sorted.
inline void measure_lists(Results& results, cudaStream_t stream, Case& c) {
  for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
    const Row about = c.row(kind == hgrid::ListKind::full ? "full_lists" : "half_lists");
    results.attempt(about, [&] {
      const hgrid::CudaExec exec(stream);
      Grid grid(exec, c.system.box());
      auto list = grid.make_list(kind);
      for (int k = 0; k < 2; ++k) grid.build(c.system.view()), grid.find(list);
      const Graph search(stream, [&] { grid.enqueue(list); }), both(stream, [&] {
        grid.build(c.system.view());
        grid.enqueue(list);
      });
      const Times step = both.time(), listed = search.time();
      grid.wait(list);
      c.expect("lists", kind == hgrid::ListKind::full ? list.size() / 2 : list.size());
      results.add(Row(about).add(step).add("list_ms", listed.median).add("entries", double(list.size())));
    });
  }
}

/// The stages of full lists, which wait for each other.
inline void measure_list_stages(Results& results, cudaStream_t stream, Case& c) {
  results.attempt(c.row("list_stages"), [&] {
    const TimedExec exec(stream);
    hgrid::Grid<TimedExec, 3> grid(exec, c.system.box());
    auto list = grid.make_list(hgrid::ListKind::full);
    for (int warm = 0; warm < 3; ++warm) grid.build(c.system.view()), grid.find(list);
    exec.stages(1);  // forgets the first ones
    const int steps = timed_intervals();
    for (int step = 0; step < steps; ++step) grid.enqueue(list);
    Row row = c.row("list_stages");
    for (const auto& [label, ms] : exec.stages(steps)) row.add(label.c_str(), ms);
    grid.wait(list);
    c.expect("list stages", list.size() / 2);
    results.add(row.add("entries", double(list.size())));
  });
}

/// Measures all lists, also for particles in the order of their slots.
inline void measure_all_lists(Results& results, cudaStream_t stream, Case random) {
  Case sorted = in_slot_order(stream, random);
  for (Case* c : {&random, &sorted}) measure_lists(results, stream, *c), measure_list_stages(results, stream, *c);
}

/// Moves all particles there and back, in turns.
struct Sway {
  float by;
  __host__ __device__ float operator()(float x, float home) const { return x == home ? home + by : home; }
};

/// Measures one replay of a time loop's update. The skin is a fifth of the smallest radius, which is 1. Either the list holds,
/// or all have moved by more than the skin, so that it is built again (with the kernel that moves them).
inline void measure_loop(Results& results, cudaStream_t stream, Case c) {
  System& system = c.system;
  for (const bool builds : {false, true}) {
    const Row about = c.row(builds ? "update_builds" : "update_holds");
    results.attempt(about, [&] {
      const hgrid::CudaExec exec(stream);
      Grid grid(exec, system.box());
      hgrid::VerletList list(grid, {.skin = 0.2});
      const thrust::device_vector<float> home = system.x;
      list.wait(system.view());
      const Graph graph(stream, [&] {
        if (builds) {
          thrust::transform(thrust::cuda::par_nosync.on(stream), system.x.begin(), system.x.end(), home.begin(),
                            system.x.begin(), Sway{0.2F});
        }
        list.enqueue_update(system.view());
      });
      const auto before = list.counters();
      const Times t = graph.time();
      list.wait(system.view());
      const auto after = list.counters();
      results.add(Row(about)
                      .add(t)
                      .add("steps", double(after.steps - before.steps))
                      .add("builds", double(after.builds - before.builds))
                      .add("entries", double(list.neighbours().size())));
    });
  }
}

}  // namespace gpu_bench
