// SPDX-License-Identifier: BSD-3-Clause
// What the planner is told of the particles: a sample of them, their sizes, and what the machine's search costs.
#pragma once

#include "hgrid/engine/inspect.hpp"
#include "hgrid/engine/planning.hpp"
#include "hgrid/engine/stages.hpp"

namespace hgrid::inline v0_1::detail {

/// All but the counts of the radii. `input` is the inspection's summary of the particles, `shipped` what the executor's search
/// costs unless a calibration says otherwise. Waits; throws `out_of_memory`.
template <class Exec, class Real, int D>
PlanInput<D> facts_of(const Exec& exec, const Particles<Real, D>& p, const Box<D>& box, const InputSummary<D>& input,
                      double skin, const SearchCosts& shipped, offset_t most_samples) {
  const offset_t samples = p.count < most_samples ? p.count : most_samples;
  PlanInput<D> facts;
  facts.particles = input.used;
  facts.lo = input.lo, facts.hi = input.hi;
  facts.radius_max = input.used > 0 ? input.radius_max : 0;
  facts.skin = skin;
  facts.costs = search_costs(exec.name(), shipped);
  typename Exec::template Buffer<double> out(exec, samples * (D + 1));
  exec.for_each("hgrid::sample", samples, SampleParticle<Real, D>{p, box, samples, out.data()});
  exec.copy_out(facts.sample_of(samples), out.data(), samples * (D + 1));
  return facts;
}

}  // namespace hgrid::inline v0_1::detail
