// SPDX-License-Identifier: BSD-3-Clause
// A built grid, which both engines keep in this form: its memory, its plan, and the facts that the host knows.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/cells/cutoff_stages.hpp"
#include "hgrid/cells/slot_boxes.hpp"
#include "hgrid/cells/strays.hpp"
#include "hgrid/cells/world_stages.hpp"
#include "hgrid/engine/last_build.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/extents.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/inputs/world_boxes.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/storage.hpp"
#include "hgrid/plan/plan_keeper.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, int D>
class GridState : public ParticleFacts {
 public:
  /// Throws `invalid_box` or `invalid_levels`.
  GridState(const Box<D>& domain, GridOptions options) : box(checked_box(domain)), keeper(std::move(options)), next_box_(box) {}

  Box<D> box;
  WorldBoxes<Exec, D> boxes;
  PlanKeeper<D> keeper;
  Storage<Exec, D> storage;
  Strays<Exec> strays;
  CrowdBoxes<Exec, D> slot_boxes;  ///< on hosts, if some cells are crowded
  LevelRadii<Exec> level_radii;    ///< for particles with extents
  LastBuild remembered;            ///< from a checkpoint, until the next build
  double skin = 0;
  offset_t slots = 0;  ///< exact on a host; an upper bound on a device, where a replayed graph may add particles
  std::int64_t skipped = 0;
  bool has_wraps = false, has_exact_records = false, built = false;
  ClearedByMove<std::uint64_t> generation;  ///< of the last build
  std::uint64_t plan_generation = 0;        ///< changes with plan, memory and the host's facts about the particles

  /// Returns the box of later builds. `set_next_box` throws `invalid_box`.
  const Box<D>& next_box() const { return next_box_; }
  void set_next_box(const Box<D>& next) { next_box_ = checked_box(next); }
  /// Sets the boxes of all worlds for later builds. Throws `invalid_box`.
  void set_next_boxes(typename WorldBoxes<Exec, D>::List next) {
    for (std::size_t w = 0; w < next.size(); ++w) next[w] = checked_box_of_world(next[w], w);
    boxes.set_next(std::move(next));
  }
  /// Throws `size_mismatch` unless each world has a box or none has.
  void require_boxes_for(const Worlds& asked) const {
    const auto given = static_cast<std::int64_t>(boxes.now().size());
    if (given == 0 || given == asked.count) return;
    throw Error(ErrorCode::size_mismatch,
                counted(given, "box", "boxes") + " for " + counted(asked.count, "world") + "; give each one, or none",
                {.argument = "boxes", .value = static_cast<double>(asked.count), .count = given});
  }

  /// Returns whether some axis wraps, in the box of some world.
  bool any_periodic() const { return boxes.now().empty() ? box.any_periodic() : boxes.any_periodic(); }
  /// Returns whether the particles may have left the cells of the plan (PlanKeeper).
  bool is_moved(const InputSummary<D>& now) const {
    return keeper.moved(now, [this](int k) { return boxes.now().empty() ? !box.wraps[k] : boxes.any_open_along(k); });
  }
  /// Calls f(boxes) with the boxes of a build's particles, in the executor's memory. They must have been uploaded.
  template <class F>
  void with_boxes(const Worlds& asked, const F& f) const {
    if (asked.count > 0) return f(boxes.data());
    box == Box<D>::open() ? f(OpenBox<D>{}) : f(OneBox<D>{box});
  }
  /// Returns the boxes of the worlds on a host.
  BoxesOfWorlds<D> boxes_on_host(const Worlds& asked) const {
    return asked.count > 0 ? boxes.data() : BoxesOfWorlds<D>{&box, 0};
  }
  /// Returns the box of a world: an open box if the world no longer exists.
  Box<D> box_of(index_t world) const {
    const auto w = static_cast<std::size_t>(world);
    return boxes.now().empty() ? box : w < boxes.now().size() ? boxes.now()[w] : Box<D>::open();
  }

  bool is_built() const { return built && !storage.empty(); }
  void require_built() const {
    if (!is_built()) throw Error(ErrorCode::not_built, "the grid holds no particles yet; call build first");
  }

  /// Throws unless there is a last build, in this process or in a checkpoint. For checks of particles that the caller has kept.
  void require_last_build() const {
    if (!remembered.known) require_built();
  }

  /// Runs a build in the next box. Levels are planned again if that box has moved or changed its size. If the build throws, the
  /// old boxes stay.
  template <class Build>
  void in_next_box(const Build& build) {
    const bool shares = boxes.now().empty() && boxes.next().empty();
    if (!boxes.pending() && (box == next_box_ || !shares)) return build();
    const auto lies_there = [](const Box<D>& a, const Box<D>& b) { return !lies_elsewhere(a, b); };
    const bool moves = shares ? lies_elsewhere(box, next_box_) : !std::ranges::equal(boxes.now(), boxes.next(), lies_there);
    const bool had_plan = keeper.has_plan();
    boxes.take_next();
    const Box<D> before = std::exchange(box, next_box_);
    if (moves) keeper.forget();
    boxes_moved_ = true;
    try {
      build();
    } catch (...) {
      box = before;
      boxes_moved_ = false;
      boxes.undo();
      if (had_plan && (built || remembered.known)) keeper.trust();
      throw;
    }
    boxes_moved_ = false;
    boxes.keep();
  }

  /// Returns whether a list of this build can hold for these particles at all.
  template <class Real>
  bool is_comparable(const Particles<Real, D>& p) const {
    const auto now = ParticleFacts::of(p);
    return now.count == count && now.owned == owned && boxes_wrap_alike() && now.types == types && now.worlds == worlds &&
           now.has_extents == has_extents;
  }
  /// Whether the boxes of the next build wrap the axes that wrap now.
  bool boxes_wrap_alike() const {
    const auto alike = [](const Box<D>& a, const Box<D>& b) { return a.wraps == b.wraps; };
    return (!boxes.now().empty() || alike(box, next_box_)) && std::ranges::equal(boxes.now(), boxes.next(), alike);
  }
  /// How the boxes of worlds change, null if these have none of their own; nothing if other axes wrap.
  std::optional<const ChangedBox<D>*> box_changes(const Exec& exec) {
    if (!boxes_wrap_alike()) return {};
    return boxes.changes(exec);
  }
  /// Returns whether the host would enqueue a build of these particles in the same way as the last one.
  template <class Real>
  bool is_like_last(const Particles<Real, D>& p, double its_skin) const {
    return ParticleFacts::of(p) == *this && its_skin == skin;
  }

  /// Reserves memory for a build, with filter records or without. Throws `out_of_memory`; the grid is then unchanged.
  template <class Real>
  void reserve(const Exec& exec, const Particles<Real, D>& p, const Plan<D>& plan, bool filter) {
    if (may_stray(plan)) strays.reserve(exec);
    storage.reserve(exec, {.particles = p.count,
                           .cells = plan.levels.cells,
                           .table = plan.table,
                           .keys = plan.keys,
                           .groups = p.group != nullptr,
                           .periodic = any_periodic(),
                           .islands = static_cast<offset_t>(plan.islands.size()),
                           .exclusions = p.exclusions.size,
                           .types = p.cutoffs.types,
                           .levels = plan.levels.count,
                           .worlds = p.worlds.count,
                           .filter = filter,
                           .extents = p.has_extents()});
  }

  /// Returns whether the current build has a box, or boxes of worlds, other than the last build. A captured build keeps its
  /// boxes.
  bool has_moved_boxes() const { return boxes_moved_; }

  /// Marks the grid as not built until the build has run, because an executor may refuse work, such as Kokkos on a second
  /// thread. Pass `another_plan` also if memory has moved, or if the host enqueues the build differently.
  void open(bool another_plan) {
    built = false;
    remembered = {};
    keeper.forget();
    generation = next_generation();
    if (another_plan) plan_generation = next_generation();
  }

  /// Copies a new plan into the executor's memory, which has room for it.
  void adopt(const Exec& exec, Plan<D>&& fresh, const InputSummary<D>& input, offset_t particles) {
    keeper.adopt(std::move(fresh), input, particles);
    strays.forget();
    place_plan(exec);
  }
  void place_plan(const Exec& exec) {
    const Plan<D>& plan = keeper.plan();
    exec.copy_in(storage.levels(), plan.levels.level, plan.levels.count);
    if (!plan.islands.empty()) exec.copy_in(storage.islands(), plan.islands.data(), static_cast<offset_t>(plan.islands.size()));
    if (plan.worlds > 0) exec.copy_in(storage.world_origin(), plan.origins.data(), plan.worlds);
  }

  /// Stores the facts of a build that the host knows before the stages run.
  template <class Real>
  void describe(const Particles<Real, D>& p, double its_skin) {
    static_cast<ParticleFacts&>(*this) = ParticleFacts::of(p);
    skin = its_skin;
    has_exact_records = has_floats && !any_periodic() && !box.turned && worlds == 0;
  }

  /// The last stage of a sort: finds where worlds begin.
  void find_worlds(const Exec& exec) {
    if (worlds == 0) return;
    const GridView<D> g = view();
    exec.for_each("hgrid::find_worlds", offset_t{g.level_count} * worlds + 1, FindWorlds<D>{g, arrays().world_begin});
  }

  /// Throws `invalid_argument` or `unsupported` for cut-offs or extents that do not fit the grid's options
  /// (inputs/extents.hpp).
  template <class Real>
  void require_rule_for(const Particles<Real, D>& p) const {
    const auto is_turned = [](const Box<D>& b) { return b.turned; };
    const bool turned = boxes.now().empty() ? box.turned : std::ranges::any_of(boxes.now(), is_turned);
    detail::require_rule_for(p, keeper.options(), turned);
  }

  /// Keeps the cut-offs of the build. `bad` is the number of bad particles in the input.
  void keep(const Exec& exec, const Cutoffs& cutoffs, const std::int64_t* bad) {
    if (types == 0) return;
    const CutoffArrays a = storage.cutoffs();
    exec.for_each("hgrid::keep_types", count, KeepEntry<index_t>{cutoffs.type, bad, a.type});
    exec.for_each("hgrid::keep_cutoffs", offset_t{types} * types, KeepEntry<double>{cutoffs.distance, bad, a.distance});
  }

  /// Keeps the exclusions of the build. `bad` is the number of bad particles in the input.
  void keep(const Exec& exec, const Exclusions& entries, const std::int64_t* bad) {
    if (!has_exclusions) return;
    const ExclusionArrays a = storage.exclusions();
    exec.for_each("hgrid::begin_exclusions", words_of_ids(count), BeginExclusions{entries, count, bad, a.listed, a.begin});
    exec.for_each("hgrid::copy_exclusions", entries.size, CopyExclusion{entries, a.ids});
  }

  SlotArrays<D> arrays() { return storage.arrays(has_groups, has_wraps, worlds > 0, has_extents); }

  GridView<D> view() const {
    // `arrays` is the only function that returns the arrays for writing; a view is const.
    Storage<Exec, D>& memory = const_cast<GridState*>(this)->storage;
    const SlotArrays<D> a = memory.arrays(has_groups, has_wraps, worlds > 0, has_extents);
    const Plan<D>& plan = keeper.plan();
    GridView<D> g{};
    for (int k = 0; k < D; ++k) g.x[k] = a.x[k];
    for (int k = 0; k < D; ++k) g.extent[k] = a.extent[k];
    g.extent_max = a.extent_max;
    g.radius = a.radius, g.id = a.id, g.wraps = a.wraps;
    g.filter = a.filter;
    g.world = a.world;
    g.world_begin = worlds > 0 ? a.world_begin : nullptr;
    g.world_origin = worlds > 0 ? memory.world_origin() : nullptr;
    g.world_box = worlds > 0 ? boxes.data().box : nullptr;
    g.world_box_step = boxes.data().step;
    g.worlds = worlds;
    g.level = memory.levels();
    g.radius_max = a.radius_max, g.level_begin = a.level_begin;
    g.islands = plan.islands.empty() ? nullptr : memory.islands();
    g.level_count = plan.levels.count;
    g.bits = plan.bits;
    g.table = {plan.table, a.cell_begin, a.cell_end, a.segment, a.segment_first, a.segments, plan.levels.cells};
    g.box = box;
    g.skin = skin;
    g.rule = keeper.options().rule;
    if (!has_exact_records) g.filter_origin = middle_of(box, plan.levels.level[0]);
    g.exact_records = has_exact_records;
    const ExclusionArrays e = memory.exclusions();
    const ExclusionTable exclusions = has_exclusions ? ExclusionTable{e.listed, e.begin, e.ids} : ExclusionTable{};
    const CutoffArrays c = memory.cutoffs();
    const CutoffTable cutoffs = types > 0 ? CutoffTable{c.type, c.distance, types} : CutoffTable{};
    g.pair_filter = PairFilter::of(a.group, exclusions, cutoffs, owned, count);
    g.periodic = any_periodic();
    g.keys = plan.keys;
    g.direction = plan.direction;
    g.boxes = slot_boxes.view();
    return g;
  }

  /// Returns whether many particles of the last build lie in the gaps between islands. Waits.
  bool gone_astray(const Exec& exec) {
    if (remembered.known) return remembered.astray;
    return built && slots > 0 && may_stray(keeper.plan()) && strays.are_many(exec, view(), slots);
  }

  /// Returns whether the levels may no longer be near the best (PlanKeeper). Waits.
  bool drifted(const Exec& exec, const InputSummary<D>& now) {
    if (remembered.known && !remembered.level_begin.empty()) return keeper.drifted(now, remembered.level_begin.data());
    if (!built || slots == 0) return keeper.drifted(now, nullptr);
    index_t level_begin[max_levels + 1];
    exec.copy_out(level_begin, arrays().level_begin, keeper.plan().levels.count + 1);
    return keeper.drifted(now, level_begin);
  }

 private:
  // If true, levels must be planned again; tilts only move images.
  static bool lies_elsewhere(const Box<D>& a, const Box<D>& b) {
    return a.lo != b.lo || a.hi != b.hi || a.wraps != b.wraps || a.axes != b.axes;
  }
  static bool may_stray(const Plan<D>& plan) { return !plan.islands.empty() || plan.worlds > 0; }

  Box<D> next_box_;
  bool boxes_moved_ = false;  // in the current build
};

}  // namespace hgrid::inline v0_2::detail
