// SPDX-License-Identifier: BSD-3-Clause
// Runs an experiment on any executor and reports on it as CSV.
#pragma once

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "cases.hpp"
#include "checkpoint.hpp"
#ifdef DEM_FRAMES
#include "frames.hpp"
#include "hgrid/loop.hpp"
#else
namespace dem {
template <class... Any>
void write_frame(const Any&...) { throw std::runtime_error("this program was built without frames"); }
}  // namespace dem
#endif

namespace dem {

inline void report(offset_t step, double time, const Energy& e, const hgrid::VerletCounters& list) {
  std::printf("%lld,%.6g,%.9g,%.9g,%.9g,%.9g,%lld,%lld\n", static_cast<long long>(step), time, e.kinetic, e.rotation,
              e.elastic, e.height, static_cast<long long>(e.contacts / 2), static_cast<long long>(list.builds));
}

template <class Exec, int D>
void let_in(Simulation<Exec, D>& simulation, const std::vector<Grain<D>>& grains) {
  if constexpr (Exec::on_host) simulation.insert(grains);  // run refuses others
}

/// Steps are made one by one; graph.hpp makes many ahead of the host.
struct NoneAhead {
  template <class Simulation>
  offset_t operator()(Simulation&, offset_t) {
    return 0;
  }
};

template <int D, class Exec, class Ahead = NoneAhead>
int run(const Exec& exec, const Options& options, Ahead ahead = {}) {
  if (!Exec::on_host) options.refuse({"insert"}, "is for hosts");
  const Start<D> start = start_of<D>(options);
  // [docs: set-up]
  const hgrid::VerletOptions list{.skin = options.number("skin"), .choose_skin = options.is("choose", "yes")};
  Simulation<Exec, D> simulation(exec, start.world, static_cast<offset_t>(start.x.size()), list, grid_options(options));
  fill(simulation, start);
  // [docs: end]

  const auto steps = static_cast<offset_t>(options.number("steps")), every = static_cast<offset_t>(options.number("report"));
  const auto builds_per_sort = static_cast<offset_t>(options.number("sort"));
  const auto between_inflows = static_cast<offset_t>(options.number("insert"));
  const std::string& checkpoint = options.text("checkpoint");
  const bool restarts = !options.text("restart").empty();
  Progress now = restarts ? read_checkpoint(options.text("restart"), simulation, options.start()) : Progress{};
  const offset_t first = now.step;
  double seconds = 0;
  std::printf("step,time,kinetic,rotation,elastic,height,contacts,builds\n");
  for (;;) {
    const bool reports = now.step % every == 0, written = restarts && now.step == first;  // the run before has written it
    if (reports && !written) {
      const Energy energy = simulation.energy();
      report(now.step, static_cast<double>(now.step) * start.world.dt, energy, simulation.list().counters());
      if (!options.text("frames").empty()) write_frame(simulation, options.text("frames"), now.step / every);
    }
    if (!checkpoint.empty() && (reports || now.step >= steps)) write_checkpoint(checkpoint, simulation, options.start(), now);
    if (now.step >= steps) break;
    const auto begin = std::chrono::steady_clock::now();
    const offset_t made = ahead(simulation, std::min(steps, (now.step / every + 1) * every) - now.step);
    if (made == 0) {
      if (between_inflows > 0 && now.step % between_inflows == 0) let_in(simulation, inflow(start, options, now.step));
      if (simulation.step() && builds_per_sort > 0 && ++now.builds % builds_per_sort == 0) simulation.sort();
    }
    now.step += made == 0 ? 1 : made;
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  const Seconds& s = simulation.seconds();
  const hgrid::VerletCounters& counters = simulation.list().counters();
  std::fprintf(stderr, "%s, %lld particles, %lld steps in %.3f s", exec.name(),
               static_cast<long long>(simulation.particles().count), static_cast<long long>(counters.steps), seconds);
  if (Exec::on_host) std::fprintf(stderr, ": detection %.3f, forces %.3f, motion %.3f", s.detection, s.forces, s.motion);
  std::fprintf(stderr, "; %lld builds, %lld checks, skin %.4g\n", static_cast<long long>(counters.builds),
               static_cast<long long>(counters.checks), simulation.list().skin());
  return 0;
}

template <class Exec, class Ahead = NoneAhead>
int run_dimension(const Exec& exec, const Options& options, Ahead ahead = {}) {
  return options.is("dimension", "2") ? run<2>(exec, options, ahead) : run<3>(exec, options, ahead);
}

}  // namespace dem
