// SPDX-License-Identifier: BSD-3-Clause
// From particles to the grid on this machine's cores: inspect, plan (rarely), reserve, then stages that cannot fail. Where the
// last build tells how, inspecting and partitioning are one pass (PartitionCells).
#pragma once

#include <algorithm>
#include <optional>
#include <utility>

#include "hgrid/engine/environment.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/list_filler.hpp"
#include "hgrid/engine/plan_facts.hpp"
#include "hgrid/engine/saved_grid.hpp"
#include "hgrid/host/host_engine.hpp"
#include "hgrid/host/serial_exec.hpp"
#include "host/engine/partition_cells.hpp"
#include "host/engine/partition_entries.hpp"
#include "host/search/host_search.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
struct HostEngine<D>::Impl {
  // Memory is the same for all host executors.
  Impl(const Box<D>& box, GridOptions options) : grid(box, std::move(options)), lists(SerialExec()) {
    lists.search.use(grid.keeper.options().schedule);
  }

  template <class Real>
  void build(const HostExec& exec, const Particles<Real, D>& p, double skin) {
    check_environment();
    check_arguments(p, skin);
    grid.require_rule_for(p.cutoffs);
    grid.require_boxes_for(p.worlds);
    if (p.worlds.count > 0) grid.boxes.upload(exec, grid.box);
    PlanKeeper<D>& keeper = grid.keeper;
    if (grid.storage.empty()) keeper.forget();
    InputSummary<D> input;
    lists.search.lose_columns();  // whose memory this build writes to
    const bool partitioned = inspect(exec, p, skin, input);
    inspect_others(exec, p, input);
    throw_if_bad(input, grid.box_of(input.world()), skin);
    const bool must = !keeper.has_plan() || keeper.outgrown(p.count, p.worlds.count, skin) ||
                      keeper.moved(input, [this](int k) { return grid.is_open_along(k); }) || grid.gone_astray(exec);
    const bool judged = must || grid.drifted(exec, input);
    std::optional<Plan<D>> fresh;
    if (judged) {
      fresh = keeper.judge(grid.box, must, [&](offset_t samples) { return facts(exec, p, input, skin, samples); });
    }
    const std::size_t bytes_before = bytes();
    cells.reserve(exec, p.count, fresh ? *fresh : keeper.plan());
    grid.reserve(exec, p, fresh ? *fresh : keeper.plan(), false);
    grid.open(fresh || bytes() != bytes_before || grid.has_moved_boxes());
    const bool ready = partitioned && !fresh;
    if (fresh) grid.adopt(exec, std::move(*fresh), input, p.count);
    if (judged) keeper.accept(input);
    keeper.trust();
    grid.describe(p, skin);
    grid.slots = input.used, grid.skipped = input.skipped;
    grid.has_wraps = grid.any_periodic() && input.outside > 0;
    run_stages(exec, p, input, ready);
    grid.keep(exec, p.cutoffs, &input.bad);
    grid.keep(exec, p.exclusions, &input.bad);
    grid.built = true;
  }

  std::size_t bytes() const { return grid.storage.bytes() + grid.boxes.bytes() + cells.bytes(); }

  GridState<HostExec, D> grid;
  PartitionCells<D> cells;
  ListFiller<HostExec, HostSearch<D>, PartitionEntries> lists;
  Watch watch;

 private:
  // True if the particles were partitioned along the way, by the plan in use.
  template <class Real>
  bool inspect(const HostExec& exec, const Particles<Real, D>& p, double skin, InputSummary<D>& input) {
    watch.ask();
    const InspectOnHost<Real, D> each{p, grid.boxes_on_host(p.worlds), skin};
    const PlanKeeper<D>& keeper = grid.keeper;
    if (keeper.has_plan() && grid.built && !keeper.outgrown(p.count, p.worlds.count, skin)) {
      GridView<D> last = grid.view();
      last.skin = skin;
      if (cells.inspect_and_partition(exec, each, keeper.plan(), last, watch, &input)) return true;
    }
    exec.fold_parts(
        "hgrid::inspect", p.count,
        [&](offset_t begin, offset_t end, InputSummary<D>& found) { inspect_range(each, watch, begin, end, found); },
        InputSummary<D>::identity(), &input);
    return false;
  }

  template <class Real>
  PlanInput<D> facts(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) const {
    PlanInput<D> facts = facts_of(exec, p, grid, input, skin, SearchCosts{}, samples);
    const offset_t parts = exec.parts_of(p.count);
    count_radii(exec, p, parts, facts.counts_of(parts * radius_classes));
    return facts;
  }

  template <class Real>
  void run_stages(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, bool partitioned) {
    const SlotArrays<D> out = grid.arrays();
    std::fill_n(out.radius_max, max_levels, 0.0);
    std::fill_n(out.level_begin, max_levels + 1, 0);
    if (partitioned) {
      cells.finish(exec, p, grid.keeper.plan(), grid.view(), input, out);
    } else {
      cells.run(exec, p, input, grid.keeper.plan(), grid.view(), out);
    }
    grid.find_worlds(exec);
    lists.search.use(cells.filter_columns());
  }
};

}  // namespace hgrid::inline v0_1::detail
