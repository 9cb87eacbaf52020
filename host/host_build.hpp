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
    watch.ask();
    const InspectOnHost<Real, D> each{p, grid.boxes_on_host(p.worlds), skin};
    InputSummary<D> input;
    counted = false;
    partitioned = keeps_plan(each) && partition(exec, each, input);
    if (!partitioned) {
      counted = p.count > few_samples;
      input = inspect_all(exec, each, watch, counted ? radii : nullptr);
    }
    inspect_others(exec, p, input);
    return input;
  }

  template <class Real>
  PlanInput<D> facts(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) {
    PlanInput<D> facts = facts_of(exec, p, grid, input, skin, SearchCosts{}, samples);
    if (p.count <= samples) return facts;
    if (!counted) {
      inspect_all(exec, InspectOnHost<Real, D>{p, grid.boxes_on_host(p.worlds), skin}, Watch{}, radii);
      counted = true;
    }
    std::copy_n(radii, radius_classes, facts.counts_of(radius_classes));
    return facts;
  }

  template <class Real>
  void reserve(const HostExec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    cells.reserve(exec, p, grid.box, plan);
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
  // Whether the plan in use may serve the particles. A few of them can show that it does not: cells do not lie there.
  template <class Real>
  bool keeps_plan(const InspectOnHost<Real, D>& each) const {
    const Particles<Real, D>& p = each.particles;
    if (!grid.keeper.has_plan() || !grid.built || grid.keeper.outgrown(p.count, p.worlds.count, each.skin)) return false;
    if (p.count <= few_samples) return true;  // to look at some would take longer than to partition in vain
    constexpr offset_t some = 256;
    InputSummary<D> bounds = grid.keeper.planned_for();
    for (offset_t s = 0; s < some; ++s) each(p.count * s / some, bounds);
    return !grid.is_moved(bounds);
  }

  // Inspects the particles and partitions them by the plan in use along the way. False, and nothing has happened, if it cannot.
  template <class Real>
  bool partition(const HostExec& exec, const InspectOnHost<Real, D>& each, InputSummary<D>& input) {
    GridView<D> last = grid.view();
    last.skin = each.skin;
    return cells.inspect_and_partition(exec, each, grid.keeper.plan(), last, watch, &input);
  }

  bool partitioned = false, counted = false;  // in the build at hand: the particles, and their radii
  offset_t radii[radius_classes];
};

}  // namespace hgrid::inline v0_1::detail
