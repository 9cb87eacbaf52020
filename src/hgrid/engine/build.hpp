// SPDX-License-Identifier: BSD-3-Clause
// From particles to the grid, on any machine: inspect, plan (rarely), reserve, then stages that cannot fail.
#pragma once

#include <utility>

#include "hgrid/engine/grid_state.hpp"
#include "hgrid/inputs/environment.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

/// Builds the grid in its box. Throws for invalid input; the grid is then unchanged. An engine provides:
/// - `begin(exec, p, options, must)`: returns whether the host waits for the inspection; it waits if it `must`;
/// - `inspect(exec, p, skin, waits)`: returns the summary of the input, or an empty one if the host does not wait;
/// - `inspect_extents(exec, p, skin, waits, input)`: adds the summary of the extents;
/// - `facts(exec, p, input, skin, samples)`: returns the input of planning;
/// - `reserve(exec, p, plan)`: reserves memory for the sort; `build_bytes()`: memory that a build writes to; `keeps_filter`;
/// - `accept(exec, p, another_plan)`: checks the input in place, before the stages;
/// - `may_wrap(input)`: returns whether particles may lie outside the box;
/// - `sort(exec, p, input, planned)`: sorts into the cells of a new plan or of the last one;
/// - `gather_extents(exec, p, skin, bad)`: gathers the extents of the slots;
/// - `bad(input)`: returns where the number of bad particles lies, for the stages after the sort.
template <class Exec, int D, class Engine, class Real>
void build_grid(const Exec& exec, GridState<Exec, D>& grid, Engine& engine, const Particles<Real, D>& given,
                const BuildOptions& options) {
  const double skin = options.skin;
  check_environment();
  check_arguments(given, skin);
  grid.require_rule_for(given);
  grid.require_boxes_for(given.worlds);
  PlanKeeper<D>& keeper = grid.keeper;
  if (grid.storage.empty()) keeper.forget();  // never built, or moved from: there are no levels
  const bool outgrown =
      !keeper.has_plan() || !keeper.is_for(given.has_extents()) || keeper.outgrown(given.count, given.worlds.count, skin);
  const bool waits = engine.begin(exec, given, options, outgrown);
  if (given.worlds.count > 0) grid.boxes.upload(exec, grid.box);
  Particles<Real, D> p = given;  // the particles that the stages read
  if (given.has_extents()) p = grid.level_radii.give(exec, given, keeper.plan());
  InputSummary<D> input = engine.inspect(exec, p, skin, waits);
  if (given.has_extents()) engine.inspect_extents(exec, given, skin, waits, input);
  Plan<D> fresh;  // without levels unless there is a new plan; no `optional`, because compilers may clear all 8 kB of one
  bool judged = false;
  if (waits) {
    throw_if_bad(input, grid.box_of(input.world()), skin);
    const bool must = outgrown || grid.is_moved(input) || grid.gone_astray(exec);
    judged = must || grid.drifted(exec, input);
    if (judged) {
      fresh = keeper.judge(grid.box, given.count, must,
                           [&](offset_t samples) { return engine.facts(exec, given, input, skin, samples); });
    }
  }
  const bool planned = fresh.levels.count > 0;
  const Plan<D>& plan = planned ? fresh : keeper.plan();
  if (planned && given.has_extents()) p = grid.level_radii.give(exec, given, plan);
  const std::size_t bytes_before = engine.build_bytes();
  engine.reserve(exec, p, plan);
  grid.reserve(exec, p, plan, Engine::keeps_filter);
  const bool another_plan =
      planned || engine.build_bytes() != bytes_before || grid.has_moved_boxes() || !grid.is_like_last(given, skin);
  grid.open(another_plan);
  engine.accept(exec, p, another_plan);
  if (planned) grid.adopt(exec, std::move(fresh), input, p.count);
  if (judged) keeper.accept(input);
  keeper.trust();
  grid.describe(p, skin_of_stages(p, skin));
  grid.slots = Exec::on_host ? input.used : p.count;
  grid.skipped = input.skipped;
  grid.has_wraps = grid.any_periodic() && engine.may_wrap(input);
  engine.sort(exec, p, input, planned);
  if (given.has_extents()) engine.gather_extents(exec, given, skin, engine.bad(input));
  grid.skin = skin;
  grid.find_worlds(exec);
  grid.keep(exec, p.cutoffs, engine.bad(input));
  grid.keep(exec, p.exclusions, engine.bad(input));
  grid.built = true;
}

}  // namespace hgrid::inline v0_2::detail
