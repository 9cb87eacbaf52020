// SPDX-License-Identifier: BSD-3-Clause
// The steps of a build on this machine's cores. If the last build's plan can be used, inspection and partition are one pass
// (PartitionCells).
#pragma once

#include <algorithm>
#include <utility>

#include "hgrid/engine/build.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/plan_facts.hpp"
#include "hgrid/engine/saved_grid.hpp"
#include "hgrid/find/list_filler.hpp"
#include "hgrid/threads/host_engine.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "host/neighbours/host_lists.hpp"
#include "host/search/narrow_search.hpp"
#include "host/sort/partition_cells.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
struct HostEngine<D>::Impl {
  // All host executors use the same memory.
  Impl(const Box<D>& box, GridOptions options) : grid(box, std::move(options)), lists(SerialExec()) {
    lists.search.use(grid.keeper.options().schedule);
  }

  GridState<HostExec, D> grid;
  PartitionCells<D> cells;
  ListFiller<HostExec, HostSearch<D>, HostLists<D>> lists;
  NarrowSearch<D> narrow;
  Watch watch;

  /// Returns a filler that finds the contacts that a client's predicate confirms.
  NarrowFiller<D> filler_by(TouchBatch touches) { return {narrow, lists.search, grid.view(), touches}; }

  // The interface for build_grid.
  static constexpr bool keeps_filter = false;

  template <class Real>
  bool begin(const HostExec&, const Particles<Real, D>&, const BuildOptions&, bool) {
    lists.search.lose_columns();  // this build writes to the memory of the columns
    return true;
  }

  template <class Real>
  InputSummary<D> inspect(const HostExec& exec, const Particles<Real, D>& p, double skin, bool) {
    watch.ask();
    const InspectOnHost<Real, D> each{p, grid.boxes_on_host(p.worlds), skin_of_stages(p, skin)};
    InputSummary<D> input;
    counted = false;
    partitioned = keeps_plan(each, skin) && partition(exec, each, input);
    if (!partitioned) {
      counted = p.count > few_samples(p.count) && !p.has_extents();
      input = inspect_all(exec, each, watch, counted ? radii : nullptr);
    }
    inspect_others(exec, p, input);
    return input;
  }

  template <class Real>
  void inspect_extents(const HostExec& exec, const Particles<Real, D>& p, double skin, bool, InputSummary<D>& input) {
    InputSummary<D> found;
    exec.reduce("hgrid::inspect_extents", p.count,
                InspectExtents<Real, D, BoxesOfWorlds<D>>{p, grid.boxes_on_host(p.worlds), skin}, InputSummary<D>::identity(),
                &found);
    input.take_extents(found);
  }

  template <class Real>
  PlanInput<D> facts(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) {
    PlanInput<D> facts = facts_of(exec, p, grid, input, skin, SearchCosts{}, samples);
    const GridOptions& options = grid.keeper.options();
    facts.has_boxes = options.keys.value_or(KeyOrder::row_major) == KeyOrder::row_major && options.sort != SortKind::radix;
    if (p.count <= samples || p.has_extents()) return facts;
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
    if (p.has_extents()) reserve_all(exec, Need{extents, D * FilterColumns<D>::room(p.count)});
  }
  std::size_t build_bytes() const {
    return grid.storage.bytes() + grid.boxes.bytes() + grid.level_radii.bytes() + extents.bytes() + cells.bytes();
  }

  template <class Real>
  void accept(const HostExec&, const Particles<Real, D>&, bool) const {}

  static bool may_wrap(const InputSummary<D>& input) { return input.outside > 0; }

  template <class Real>
  void sort(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, bool planned) {
    grid.slot_boxes.clear();
    const SlotArrays<D> out = grid.arrays();
    const Plan<D>& plan = grid.keeper.plan();
    std::fill_n(out.radius_max, max_levels, 0.0);
    std::fill_n(out.level_begin, max_levels + 1, 0);
    if (cells.keeps_order(p, plan)) {
      cells.put_in_order(p, grid.box, out);
    } else {
      const GridView<D> g = grid.view();
      partitioned && !planned ? cells.finish(exec, p, plan, g, input, out) : cells.run(exec, p, input, plan, g, out);
      if (cells.need_boxes(grid.slots) || looks_up_in_vain(g)) box_slots(exec, g);
    }
    if (grid.slots == 0) empty_cells(out);
    lists.search.use(cells.filter_columns());
  }

  // Makes all cells empty. Sorts write only the cells of particles.
  void empty_cells(const SlotArrays<D>& out) const {
    const Plan<D>& plan = grid.keeper.plan();
    std::fill_n(out.level_begin, plan.levels.count, 0);
    if (plan.table != TableKind::dense) return;
    const auto all = static_cast<offset_t>(plan.levels.cells);
    std::fill_n(out.cell_begin, all + 1, 0);
    if (plan.keys == KeyOrder::morton) std::fill_n(out.cell_end, all, 0);
  }

  // Builds boxes over slots. Without memory for them the search takes longer, with equal results.
  void box_slots(const HostExec& exec, const GridView<D>& g) {
    try {
      grid.slot_boxes.build(exec, g.x, {g.radius, g.pair_filter.group, g.id}, grid.slots);
    } catch (const Error&) {
    }
  }

  // Gathers extents, and fills the columns that filter them.
  template <class Real>
  void gather_extents(const HostExec& exec, const Particles<Real, D>& p, double skin, const std::int64_t* bad) {
    const SlotArrays<D> out = grid.arrays();
    std::fill_n(out.extent_max, max_levels, Vec<double, D>{});
    const GatherExtents<HostExec, Real, D> gather{p, grid.view(), bad, out};
    FilterColumns<D> columns = cells.filter_columns();
    const offset_t slots = grid.slots, room = FilterColumns<D>::room(slots);
    for (int k = 0; k < D; ++k) {
      columns.extent_of[k] = extents.data() + k * room;
      std::fill_n(out.extent[k] + slots, slot_padding, 0);
      std::fill(columns.extent_of[k] + slots, columns.extent_of[k] + room, 0);
    }
    exec.for_each_part("hgrid::gather_extents", slots, [&](offset_t begin, offset_t end) {
      for (offset_t slot = begin; slot < end; ++slot) {
        gather(slot);
        for (int k = 0; k < D; ++k) columns.extent_of[k][slot] = filter_radius(out.extent[k][slot], skin, true);
      }
    });
    if (!columns.empty()) lists.search.use(columns);
  }

  static const std::int64_t* bad(const InputSummary<D>& input) { return &input.bad; }

 private:
  // Returns whether large particles search many rows of a level, most of which are empty. Extents have not been gathered yet.
  static bool looks_up_in_vain(const GridView<D>& g) {
    if (g.has_extents()) return false;
    const bool down = g.is_top_down();
    const offset_t slots = g.slots();
    double rows = 0;
    for (int j = 0; j < g.level_count; ++j) {
      const offset_t there = g.level_begin[j + 1] - g.level_begin[j];
      const Level<D>& level = g.level[j];
      if (there * sparse > level.cells[1] * (D == 3 ? offset_t{level.cells[D - 1]} : 1)) continue;
      for (int own = down ? j + 1 : 0; own < (down ? g.level_count : j); ++own) {
        double each = 1;
        for (int k = 1; k < D; ++k)
          each *= std::min(2 * distance_of_levels(g, own, g, j, k) / level.cell_size[k] + 1, 1.0 * level.cells[k]);
        rows += std::min(each, static_cast<double>(there)) * (g.level_begin[own + 1] - g.level_begin[own]);
      }
    }
    return rows > static_cast<double>(slots);
  }

  // Returns whether the plan in use may suit the particles. A sample of them can show that it does not: they lie outside its
  // cells.
  template <class Real>
  bool keeps_plan(const InspectOnHost<Real, D>& each, double skin) const {
    const Particles<Real, D>& p = each.particles;
    if (!grid.keeper.has_plan() || !grid.built || !grid.keeper.is_for(p.has_extents()) ||
        grid.keeper.outgrown(p.count, p.worlds.count, skin) || cells.keeps_order(p, grid.keeper.plan()))
      return false;
    constexpr offset_t some = 256;
    if (p.count <= 64 * some) return true;  // sampling would take longer than a partition in vain
    InputSummary<D> bounds = grid.keeper.planned_for();
    for (offset_t s = 0; s < some; ++s) each(p.count * s / some, bounds);
    return !grid.is_moved(bounds);
  }

  // Inspects the particles and partitions them by the plan in use in one pass. Returns false, without doing anything, if it
  // cannot.
  template <class Real>
  bool partition(const HostExec& exec, const InspectOnHost<Real, D>& each, InputSummary<D>& input) {
    GridView<D> last = grid.view();
    last.skin = each.skin;
    return cells.inspect_and_partition(exec, each, grid.keeper.plan(), last, watch, &input);
  }

  static constexpr offset_t sparse = 4;       // rows per particle
  HostBuffer<float> extents;                  // filter columns of half extents
  bool partitioned = false, counted = false;  // in the current build: particles are partitioned, radii counted
  offset_t radii[radius_classes];
};

}  // namespace hgrid::inline v0_2::detail
