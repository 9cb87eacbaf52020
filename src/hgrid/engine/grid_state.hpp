// SPDX-License-Identifier: BSD-3-Clause
// A built grid, as both engines keep it: its memory, its plan, and what the host knows of it.
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
#include "hgrid/engine/particle_facts.hpp"
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
  CrowdBoxes<Exec, D> slot_boxes;  ///< of hosts, where some cells are crowded
  LevelRadii<Exec> level_radii;    ///< of particles with extents
  LastBuild remembered;            ///< of a checkpoint, until the next build
  double skin = 0;
  offset_t slots = 0;  ///< exact on a host, an upper bound on a device, where a graph may be replayed when more take part
  std::int64_t skipped = 0;
  bool has_wraps = false, has_exact_records = false, built = false;
  ClearedByMove<std::uint64_t> generation;  ///< of the build
  std::uint64_t plan_generation = 0;        ///< of plan, memory and what the host knows of the particles

  /// The box of the builds that follow. `set_next_box` throws `invalid_box`.
  const Box<D>& next_box() const { return next_box_; }
  void set_next_box(const Box<D>& next) { next_box_ = checked_box(next); }
  /// The same for those of the worlds.
  void set_next_boxes(typename WorldBoxes<Exec, D>::List next) {
    for (std::size_t w = 0; w < next.size(); ++w) next[w] = checked_box_of_world(next[w], w);
    boxes.set_next(std::move(next));
  }
  /// Throws `size_mismatch` unless each world has a box, if any has.
  void require_boxes_for(const Worlds& asked) const {
    const auto given = static_cast<std::int64_t>(boxes.now().size());
    if (given == 0 || given == asked.count) return;
    throw Error(ErrorCode::size_mismatch,
                counted(given, "box", "boxes") + " for " + counted(asked.count, "world") + "; give each one, or none",
                {.argument = "boxes", .value = static_cast<double>(asked.count), .count = given});
  }

  /// Whether some axis wraps, in the box of some world.
  bool any_periodic() const { return boxes.now().empty() ? box.any_periodic() : boxes.any_periodic(); }
  /// Whether the cells may no longer lie where the particles are (PlanKeeper).
  bool is_moved(const InputSummary<D>& now) const {
    return keeper.moved(now, [this](int k) { return boxes.now().empty() ? !box.wraps[k] : boxes.any_open_along(k); });
  }
  /// f(boxes) of the particles of a build, in the executor's memory, once they are there.
  template <class F>
  void with_boxes(const Worlds& asked, const F& f) const {
    if (asked.count > 0) return f(boxes.data());
    box == Box<D>::open() ? f(OpenBox<D>{}) : f(OneBox<D>{box});
  }
  /// On a host.
  BoxesOfWorlds<D> boxes_on_host(const Worlds& asked) const {
    return asked.count > 0 ? boxes.data() : BoxesOfWorlds<D>{&box, 0};
  }
  /// An open one for a world that there is no more.
  Box<D> box_of(index_t world) const {
    const auto w = static_cast<std::size_t>(world);
    return boxes.now().empty() ? box : w < boxes.now().size() ? boxes.now()[w] : Box<D>::open();
  }

  bool is_built() const { return built && !storage.empty(); }
  void require_built() const {
    if (!is_built()) throw Error(ErrorCode::not_built, "the grid holds no particles yet; call build first");
  }

  /// For checks of particles that the caller has kept.
  void require_last_build() const {
    if (!remembered.known) require_built();
  }

  /// Runs a build in the next box, for which levels are planned anew if it lies elsewhere or is larger or smaller. All or
  /// nothing.
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

  /// Whether a list of this build can be one of these particles at all.
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
  /// Whether the host would enqueue a build of these particles as the last one.
  template <class Real>
  bool is_like_last(const Particles<Real, D>& p, double its_skin) const {
    return ParticleFacts::of(p) == *this && its_skin == skin;
  }

  /// Makes room for a build, with filter records or without. Throws `out_of_memory`, and the grid is as it was.
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

  /// Whether the build at hand has another box than the one before, or other boxes of worlds: a captured build has those.
  bool has_moved_boxes() const { return boxes_moved_; }

  /// The grid is not what it was until the build has run, because an executor may refuse work, such as Kokkos to a second
  /// thread. `another_plan`: also if memory has moved, or the host enqueues it otherwise.
  void open(bool another_plan) {
    built = false;
    remembered = {};
    keeper.forget();
    generation = next_generation();
    if (another_plan) plan_generation = next_generation();
  }

  /// Puts a new plan into the executor's memory, for which there is room.
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

  /// Takes down the facts of a build that the host knows before the stages run.
  template <class Real>
  void describe(const Particles<Real, D>& p, double its_skin) {
    static_cast<ParticleFacts&>(*this) = ParticleFacts::of(p);
    skin = its_skin;
    has_exact_records = has_floats && !any_periodic() && !box.turned && worlds == 0;
  }

  /// The last stage of a sort: where worlds begin.
  void find_worlds(const Exec& exec) {
    if (worlds == 0) return;
    const GridView<D> g = view();
    exec.for_each("hgrid::find_worlds", offset_t{g.level_count} * worlds + 1, FindWorlds<D>{g, arrays().world_begin});
  }

  /// Throws `invalid_argument` or `unsupported` for cut-offs or extents that do not go with the grid (inputs/extents.hpp).
  template <class Real>
  void require_rule_for(const Particles<Real, D>& p) const {
    const auto is_turned = [](const Box<D>& b) { return b.turned; };
    const bool turned = boxes.now().empty() ? box.turned : std::ranges::any_of(boxes.now(), is_turned);
    detail::require_rule_for(p, keeper.options(), turned);
  }

  /// Keeps the cut-offs of the build; `bad` are those of the input.
  void keep(const Exec& exec, const Cutoffs& cutoffs, const std::int64_t* bad) {
    if (types == 0) return;
    const CutoffArrays a = storage.cutoffs();
    exec.for_each("hgrid::keep_types", count, KeepEntry<index_t>{cutoffs.type, bad, a.type});
    exec.for_each("hgrid::keep_cutoffs", offset_t{types} * types, KeepEntry<double>{cutoffs.distance, bad, a.distance});
  }

  /// The same for the exclusions.
  void keep(const Exec& exec, const Exclusions& entries, const std::int64_t* bad) {
    if (!has_exclusions) return;
    const ExclusionArrays a = storage.exclusions();
    exec.for_each("hgrid::begin_exclusions", words_of_ids(count), BeginExclusions{entries, count, bad, a.listed, a.begin});
    exec.for_each("hgrid::copy_exclusions", entries.size, CopyExclusion{entries, a.ids});
  }

  SlotArrays<D> arrays() { return storage.arrays(has_groups, has_wraps, worlds > 0, has_extents); }

  GridView<D> view() const {
    // The arrays are handed out for writing by `arrays` only; a view is const.
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

  /// Whether many particles, as they were in the last build, are in the gaps between islands. Waits.
  bool gone_astray(const Exec& exec) {
    if (remembered.known) return remembered.astray;
    return built && slots > 0 && may_stray(keeper.plan()) && strays.are_many(exec, view(), slots);
  }

  /// Whether the levels may no longer be near the best (PlanKeeper). Waits.
  bool drifted(const Exec& exec, const InputSummary<D>& now) {
    if (remembered.known && !remembered.level_begin.empty()) return keeper.drifted(now, remembered.level_begin.data());
    if (!built || slots == 0) return keeper.drifted(now, nullptr);
    index_t level_begin[max_levels + 1];
    exec.copy_out(level_begin, arrays().level_begin, keeper.plan().levels.count + 1);
    return keeper.drifted(now, level_begin);
  }

 private:
  // Levels must be planned anew then; tilts move images only.
  static bool lies_elsewhere(const Box<D>& a, const Box<D>& b) {
    return a.lo != b.lo || a.hi != b.hi || a.wraps != b.wraps || a.axes != b.axes;
  }
  static bool may_stray(const Plan<D>& plan) { return !plan.islands.empty() || plan.worlds > 0; }

  Box<D> next_box_;
  bool boxes_moved_ = false;  // in the build at hand
};

}  // namespace hgrid::inline v0_2::detail
