// SPDX-License-Identifier: BSD-3-Clause
// What a build is on this machine's cores. Where the last build tells how, inspecting and partitioning are one pass
// (PartitionCells).
#pragma once

#include <algorithm>
#include <utility>

#include "hgrid/engine/build.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/plan_facts.hpp"
#include "hgrid/engine/saved_grid.hpp"
#include "hgrid/lists/list_filler.hpp"
#include "hgrid/threads/host_engine.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "host/neighbours/host_lists.hpp"
#include "host/search/narrow_search.hpp"
#include "host/sort/partition_cells.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
struct HostEngine<D>::Impl {
  // Memory is the same for all host executors.
  Impl(const Box<D>& box, GridOptions options) : grid(box, std::move(options)), lists(SerialExec()) {
    lists.search.use(grid.keeper.options().schedule);
  }

  GridState<HostExec, D> grid;
  PartitionCells<D> cells;
  ListFiller<HostExec, HostSearch<D>, HostLists<D>> lists;
  NarrowSearch<D> narrow;
  Watch watch;

  /// It finds the contacts that a client's predicate confirms.
  NarrowFiller<D> filler_by(TouchBatch touches) { return {narrow, lists.search, grid.view(), touches}; }

  // Of build_grid.
  static constexpr bool keeps_filter = false;

  template <class Real>
  bool begin(const HostExec&, const Particles<Real, D>&, const BuildOptions&, bool) {
    lists.search.lose_columns();  // whose memory this build writes to
    return true;
  }

  template <class Real>
  InputSummary<D> inspect(const HostExec& exec, const Particles<Real, D>& p, double skin, bool) {
    InputSummary<D> input;
    partitioned = inspect_particles(exec, p, skin, input);
    inspect_others(exec, p, input);
    return input;
  }

  template <class Real>
  PlanInput<D> facts(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) const {
    PlanInput<D> facts = facts_of(exec, p, grid, input, skin, SearchCosts{}, samples);
    if (p.count <= samples) return facts;
    const offset_t parts = exec.parts_of(p.count);
    count_radii(exec, p, parts, facts.counts_of(parts * radius_classes));
    return facts;
  }

  template <class Real>
  void reserve(const HostExec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    cells.reserve(exec, p.count, plan);
  }
  std::size_t build_bytes() const { return grid.storage.bytes() + grid.boxes.bytes() + cells.bytes(); }

  template <class Real>
  void accept(const HostExec&, const Particles<Real, D>&, bool) const {}

  static bool may_wrap(const InputSummary<D>& input) { return input.outside > 0; }

  template <class Real>
  void sort(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, bool planned) {
    const SlotArrays<D> out = grid.arrays();
    std::fill_n(out.radius_max, max_levels, 0.0);
    std::fill_n(out.level_begin, max_levels + 1, 0);
    if (partitioned && !planned) {
      cells.finish(exec, p, grid.keeper.plan(), grid.view(), input, out);
    } else {
      cells.run(exec, p, input, grid.keeper.plan(), grid.view(), out);
    }
    lists.search.use(cells.filter_columns());
  }

  static const std::int64_t* bad(const InputSummary<D>& input) { return &input.bad; }

 private:
  // True if the particles were partitioned along the way, by the plan in use.
  template <class Real>
  bool inspect_particles(const HostExec& exec, const Particles<Real, D>& p, double skin, InputSummary<D>& input) {
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

  bool partitioned = false;  // in the build at hand
};

}  // namespace hgrid::inline v0_1::detail
