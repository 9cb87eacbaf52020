// SPDX-License-Identifier: BSD-3-Clause
// What the planner is told of the particles: a sample of them, their sizes, and what the machine's search costs.
#pragma once

#include <algorithm>

#include "hgrid/build/executor.hpp"
#include "hgrid/build/inspect.hpp"
#include "hgrid/build/stages.hpp"
#include "hgrid/host/planning/plan.hpp"

namespace hgrid {

inline constexpr offset_t few_samples = 16384;
inline constexpr offset_t many_samples = 131072;  ///< where particles between those of a sample would cost much

/// `input` is the inspection's summary of the particles. Waits; throws `out_of_memory`.
template <Executor Exec, class Real, int D>
PlanInput<D> facts_of(const Exec& exec, const Particles<Real, D>& p, const Box<D>& box, const InputSummary<D>& input,
                      double skin, offset_t most_samples) {
  const offset_t samples = p.count < most_samples ? p.count : most_samples;
  PlanInput<D> facts;
  facts.particles = input.used;
  facts.lo = input.lo, facts.hi = input.hi;
  facts.radius_max = input.used > 0 ? input.radius_max : 0;
  facts.skin = skin;
  if constexpr (requires { Exec::search_costs; }) facts.costs = Exec::search_costs;
  facts.costs = search_costs(exec.name(), facts.costs);
  typename Exec::template Buffer<double> out(exec, samples * (D + 1));
  exec.for_each("hgrid::sample", samples, SampleParticle<Real, D>{p, box, samples, out.data()});
  exec.copy_out(facts.sample_of(samples), out.data(), samples * (D + 1));
  const offset_t pieces = Exec::on_host ? std::max<offset_t>(1, exec.chunks(p.count)) : p.count;
  const offset_t counted = (Exec::on_host ? pieces : 1) * radius_classes;
  typename Exec::template Buffer<offset_t> counts(exec, counted);
  exec.for_each("hgrid::clear_counts", counted, Fill<offset_t>{counts.data(), 0});
  exec.for_each("hgrid::count_radii", pieces, CountRadii<Exec, Real, D>{p, pieces, counts.data()});
  exec.copy_out(facts.counts_of(counted), counts.data(), counted);
  return facts;
}

}  // namespace hgrid
