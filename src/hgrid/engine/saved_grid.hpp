// SPDX-License-Identifier: BSD-3-Clause
// A grid in a checkpoint: its options, its boxes, its plan, and the facts by which the next build judges the plan. Particles
// are not saved, so a restored grid is not built. Its next build gives the same result as the next build of the saved grid.
#pragma once

#include "hgrid/engine/checkpoint.hpp"
#include "hgrid/engine/grid_state.hpp"

namespace hgrid::inline v0_2::detail {

template <class A>
void archive(A& a, SearchCosts& c) {
  a(c.setup, c.row, c.candidate, c.cell, c.compacted_row, c.compacted_slot, c.island);
}
template <class A>
void archive(A& a, LevelSpec& l) {
  a(l.radius_max, l.cell_size);
}
template <class A>
void archive(A& a, GridOptions& o) {
  a(o.levels, o.direction, o.keys, o.table, o.schedule, o.costs, o.sort, o.rule);
}
template <class A>
void archive(A& a, Island& i) {
  a(i.begin, i.cell);
}
template <class A, int D>
void archive(A& a, Level<D>& l) {
  a(l.radius_bound, l.cell_size, l.origin, l.inverse, l.cells, l.first_cell, l.islands, l.first_island);
}
template <class A, int D>
void archive(A& a, Levels<D>& l) {
  a(l.count, l.cells);
  a.require("the number of levels", [&] { return l.count >= 0 && l.count <= max_levels; });
  for (int h = 0; h < l.count; ++h) a(l.level[h]);
}
template <class A, int D>
void archive(A& a, Plan<D>& p) {
  a(p.levels, p.islands, p.bits, p.worlds, p.origins, p.extents, p.direction, p.keys, p.table, p.sort, p.skin, p.weighed,
    p.dense_cost, p.compacted_cost);
  a.require("the plan", [&] { return is_whole(p); });
}
constexpr int values_of(Fault) { return static_cast<int>(Fault::other_plan) + 1; }
template <class A, int D>
void archive(A& a, InputSummary<D>& s) {
  a(s.lo, s.hi, s.radius_max, s.used, s.skipped, s.bad, s.outside, s.first_bad, s.value, s.fault, s.place);
  a.require("the input that was planned for", [&] {
    double sum = s.used > 0 ? s.radius_max : 0;  // NaN if one of them is NaN or infinite
    for (int k = 0; k < D && s.used > 0; ++k) sum += s.lo[k] + s.hi[k];
    return sum - sum == 0 && is_count(s.used, most_particles) && is_count(s.skipped, most_particles) && s.bad == 0;
  });
}

/// Returns whether the other facts that a grid keeps of its last build, if it had one, fit its plan.
template <class Exec, int D, class Boxes>
bool is_whole(const GridState<Exec, D>& grid, const LastBuild& last, const Boxes& boxes) {
  const int levels = grid.keeper.plan().levels.count;
  const auto& begin = last.level_begin;
  return is_length(grid.skin) && is_count(grid.count, most_particles) && is_count(grid.owned, grid.count) &&
         is_count(grid.types, most_types) && is_count(grid.worlds, most_worlds) &&
         (!last.known || boxes.empty() || boxes.size() == static_cast<std::size_t>(grid.worlds)) &&
         (!last.known || levels > 0) &&
         (begin.empty() || (last.known && begin.size() == static_cast<std::size_t>(levels) + 1 && begin.back() <= grid.count));
}

/// Returns the facts of the last build of a grid that is built, or was restored and not built since. Waits.
template <class Exec, int D>
LastBuild last_build(const Exec& exec, GridState<Exec, D>& grid) {
  LastBuild last;
  last.known = grid.is_built() || grid.remembered.known;
  if (!last.known) return last;
  last.astray = grid.gone_astray(exec);
  if (grid.remembered.known) last.level_begin = grid.remembered.level_begin;
  if (!grid.is_built() || grid.slots == 0) return last;
  last.level_begin.resize(static_cast<std::size_t>(grid.keeper.plan().levels.count) + 1);
  exec.copy_out(last.level_begin.data(), grid.arrays().level_begin, static_cast<offset_t>(last.level_begin.size()));
  return last;
}

/// Saves a grid. Waits.
template <class Exec, int D>
void save_grid(const Exec& exec, GridState<Exec, D>& grid, Saver& a) {
  LastBuild last = last_build(exec, grid);
  Box<D> next = grid.next_box();
  auto boxes = grid.boxes.now(), next_boxes = grid.boxes.next();
  a(grid.box, next, boxes, next_boxes, grid.keeper, grid.strays, grid.skin, grid.count, grid.owned, grid.types, grid.worlds,
    grid.has_extents, last);
}

/// Restores a grid in which nothing was built. Waits.
template <class Exec, int D>
void restore_grid(const Exec& exec, GridState<Exec, D>& grid, Restorer& a) {
  LastBuild last;
  Box<D> next{};
  typename WorldBoxes<Exec, D>::List boxes, next_boxes;
  a(grid.box, next, boxes, next_boxes, grid.keeper, grid.strays, grid.skin, grid.count, grid.owned, grid.types, grid.worlds,
    grid.has_extents, last);
  a.require("the last build", [&] { return is_whole(grid, last, boxes); });
  grid.set_next_box(next);
  grid.boxes.set_next(std::move(boxes));
  grid.boxes.take_next();
  grid.boxes.keep();
  grid.boxes.set_next(std::move(next_boxes));
  if (grid.worlds > 0) grid.boxes.upload(exec, grid.box);
  const Plan<D>& plan = grid.keeper.plan();
  if (plan.levels.count > 0) {
    grid.storage.reserve(
        exec, {.islands = static_cast<offset_t>(plan.islands.size()), .levels = plan.levels.count, .worlds = plan.worlds});
    grid.place_plan(exec);
  }
  grid.remembered = std::move(last);
  grid.generation = next_generation(), grid.plan_generation = next_generation();
}

}  // namespace hgrid::inline v0_2::detail
