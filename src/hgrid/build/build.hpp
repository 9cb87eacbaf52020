// SPDX-License-Identifier: BSD-3-Clause
// From particles to the view: inspect, plan (rarely), reserve, then stages that cannot fail.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "hgrid/build/environment.hpp"
#include "hgrid/build/generation.hpp"
#include "hgrid/build/input_error.hpp"
#include "hgrid/build/judged_inputs.hpp"
#include "hgrid/build/plan_facts.hpp"
#include "hgrid/build/stages.hpp"
#include "hgrid/build/storage.hpp"
#include "hgrid/build/strays.hpp"
#include "hgrid/host/planning/plan.hpp"

namespace hgrid {

template <Executor Exec, int D>
class Builder {
 public:
  Builder(const Exec& exec, const Box<D>& box, GridOptions options)
      : exec_(exec), box_(used_part(box)), next_box_(box_), options_(std::move(options)), seen_(exec, 1), inspected_(exec, 1) {
    check_environment();
    check_box(box_);
    if (!options_.levels.empty()) check_levels(options_.levels, D);
  }

  /// The box of the builds that follow. Throws `invalid_box`.
  void set_box(const Box<D>& box) {
    check_box(box);
    next_box_ = used_part(box);
  }

  /// All or nothing, also of a new box, for which levels are planned anew.
  template <class Real>
  void build(const Particles<Real, D>& p, double skin, bool check_now) {
    if (box_ == next_box_) return build_in_box(p, skin, check_now);
    const Box<D> before = std::exchange(box_, next_box_);
    const bool was_planned = std::exchange(planned_, false);
    try {
      build_in_box(p, skin, check_now);
    } catch (...) {
      box_ = before, planned_ = was_planned && built_;
      throw;
    }
  }

  void check() {
    if (!built_ || storage_.empty() || Exec::on_host) return;
    const SeenInput<D> seen = exec_.read_back(seen_.data());  // each time: a graph may have built again
    skipped_ = seen.last.skipped;
    built_ = seen.last.bad == 0;
    if (built_) look_again_ = moved(seen.last) || drifted(seen.last) || gone_astray();  // the next build waits, and may plan anew
    if (seen.first_bad.bad > 0) forget_bad_input();
    throw_if_bad(seen.first_bad, box_, skin_);
  }

  GridView<D> view() const {
    // The arrays are handed out for writing by `run_stages` only; a view is const.
    const SlotArrays<D> a = const_cast<Builder*>(this)->storage_.arrays(has_groups_, has_wraps_);
    GridView<D> g{};
    for (int k = 0; k < D; ++k) g.x[k] = a.x[k];
    g.radius = a.radius, g.id = a.id, g.wraps = a.wraps;
    g.filter = a.filter;
    g.level = const_cast<Builder*>(this)->storage_.levels();
    g.radius_max = a.radius_max, g.level_begin = a.level_begin;
    g.islands = plan_.islands.empty() ? nullptr : const_cast<Builder*>(this)->storage_.islands();
    g.level_count = plan_.levels.count;
    g.bits = plan_.bits;
    g.table = {plan_.table, a.cell_begin, a.cell_end, a.segment, a.segment_first, a.segments};
    g.box = box_;
    g.skin = skin_;
    const Level<D>& finest = plan_.levels.level[0];
    for (int k = 0; k < D; ++k) {
      g.filter_origin[k] = box_.wraps[k] ? 0.5 * (box_.lo[k] + box_.hi[k])
                                         : finest.origin[k] + 0.5 * finest.cells[k] * finest.cell_size[k];
    }
    g.pair_filter = PairFilter::of(a.group, sources_, count_);
    g.periodic = box_.any_periodic();
    g.keys = plan_.keys;
    g.direction = plan_.direction;
    return g;
  }

  void require_built() const {
    check_environment();
    if (!built_ || storage_.empty()) {
      throw Error(ErrorCode::not_built, "the grid holds no particles yet; call build first");
    }
  }

  const Box<D>& next_box() const { return next_box_; }

  /// Whether a list of this build can be one of these particles at all.
  template <class Real>
  bool is_comparable(const Particles<Real, D>& p) const {
    return p.count == count_ && sources_of(p) == sources_ && box_.wraps == next_box_.wraps;
  }

  void plan_again() { planned_ = false; }
  const Plan<D>& plan() const { return plan_; }
  std::uint64_t generation() const { return generation_; }
  std::uint64_t plan_generation() const { return plan_generation_; }
  offset_t particles() const { return count_; }
  offset_t slots() const { return slots_; }  ///< upper bound on a device, exact on a host
  std::int64_t skipped() const { return skipped_; }
  std::size_t bytes() const { return storage_.bytes() + sort_.bytes(); }

 private:
  // Whether the sort can begin in the pass that inspects.
  static constexpr bool sorts_ahead = requires { requires Exec::template CellSort<D>::inspects; };
  static constexpr double least_gain = 1.1;  // for which levels are changed: orders of lists change with them

  template <class Real>
  void build_in_box(const Particles<Real, D>& p, double skin, bool check_now) {
    check_environment();
    check_arguments(p, skin);
    if (storage_.empty()) planned_ = false;  // never built, or moved from: the levels are not there
    const bool asynchronous = !Exec::on_host && planned_ && !check_now && !look_again_ && !outgrown(p.count, skin);
    if constexpr (requires { exec_.require_may_wait(); }) {
      if (!asynchronous) exec_.require_may_wait();  // before anything is enqueued
    }
    reserve_all(exec_, Need{seen_, 1}, Need{inspected_, 1});  // gone as well then
    if (storage_.empty()) forget_bad_input();
    bool partitioned = inspect(p, skin);
    InputSummary<D> input = InputSummary<D>::identity();
    std::optional<Plan<D>> fresh;
    bool judged = false;
    if (!asynchronous) {
      input = exec_.read_back(inspected_.data());
      throw_if_bad(input, box_, skin);
      const bool must = !planned_ || outgrown(p.count, skin) || moved(input) || gone_astray();
      judged = must || drifted(input);
      if (judged) fresh = plan_or_throw(p, input, skin, must);
    }
    const Plan<D>& plan = fresh ? *fresh : plan_;
    partitioned = partitioned && !fresh;
    const std::size_t bytes_before = bytes();
    if (!plan.islands.empty()) strays_.reserve(exec_);
    sort_.reserve(exec_, p.count, plan);
    storage_.reserve(exec_, {p.count, plan.levels.cells, plan.table, plan.keys, p.group != nullptr,
                            box_.any_periodic(), static_cast<offset_t>(plan.islands.size())});
    // Until the stages have run: the arrays may be new, and an executor may refuse work, such as Kokkos to a second thread.
    built_ = planned_ = false;
    generation_ = next_generation();
    const bool another_plan = fresh || bytes() != bytes_before;
    if (another_plan) plan_generation_ = next_generation();
    exec_.for_each("hgrid::accept_input", 1,
                   AcceptInput<D>{inspected_.data(), seen_.data(), plan_generation_, another_plan});
    if (fresh) {
      plan_ = std::move(*fresh), planned_for_ = input, planned_count_ = p.count, judged_ = {}, strays_.forget();
      exec_.copy_in(storage_.levels(), plan_.levels.level, plan_.levels.count);
      if (!plan_.islands.empty()) exec_.copy_in(storage_.islands(), plan_.islands.data(), static_cast<offset_t>(plan_.islands.size()));
    }
    if (judged) judged_.add(input.used, input.radius_max), knows_shares_ = false;
    planned_ = true, look_again_ = false;
    count_ = p.count;
    slots_ = asynchronous ? p.count : input.used;
    skipped_ = input.skipped;
    skin_ = skin;
    sources_ = sources_of(p);
    has_groups_ = p.group != nullptr;
    has_wraps_ = box_.any_periodic() && (input.outside > 0 || !Exec::on_host);  // what a device knows, the host may not
    run_stages(p, partitioned);
    built_ = true;
  }

  // Fills `inspected_`. True if the particles were partitioned along the way, by the plan in use.
  template <class Real>
  bool inspect(const Particles<Real, D>& p, double skin) {
    const InspectParticle<Real, D> each{p, box_, skin};
    if constexpr (sorts_ahead) {
      if (planned_ && built_ && !outgrown(p.count, skin)) {
        GridView<D> grid = view();
        grid.skin = skin;
        if (sort_.inspect_and_partition(exec_, each, plan_, grid, inspected_.data())) return true;
      }
    }
    exec_.reduce("hgrid::inspect", p.count, each, InputSummary<D>::identity(), inspected_.data());
    return false;
  }

  template <class Real>
  static index_t sources_of(const Particles<Real, D>& p) {
    return static_cast<index_t>(p.sources < 0 ? p.count : p.sources);
  }

  void forget_bad_input() {
    const InputSummary<D> none = InputSummary<D>::identity();
    exec_.copy_in(&seen_.data()->first_bad, &none, 1);
  }

  // Facts that the host knows without asking the device. A skin that is being chosen changes often, and little.
  bool outgrown(offset_t count, double skin) const {
    const double much = 0.1 * (plan_.levels.level[0].radius_bound + plan_.skin);
    return count > 2 * planned_count_ || 2 * count < planned_count_ || std::fabs(skin - plan_.skin) > much;
  }

  // Whether the levels may no longer be near the best: then planning anew is tried, and done if it gains enough.
  bool drifted(const InputSummary<D>& now) {
    return !judged_.covers(now.used, now.radius_max) || share_moved() > 0.1;
  }

  // The share of the particles that, in the last build, were not on the level that they had in the first of this plan.
  double share_moved() {
    if (!built_ || slots_ == 0) return 0;
    index_t begin[max_levels + 1];
    const int levels = plan_.levels.count;
    exec_.copy_out(begin, storage_.arrays(has_groups_, has_wraps_).level_begin, levels + 1);
    double moved = 0;
    for (int h = 0; h < levels; ++h) {
      const double share = (begin[h + 1] - begin[h]) / std::max(1.0, 1.0 * begin[levels]);
      if (!knows_shares_) planned_share_[h] = share;
      moved += 0.5 * std::fabs(share - planned_share_[h]);
    }
    knows_shares_ = true;
    return moved;
  }

  // Whether the cells may no longer lie where the particles are, so that border cells hold many.
  bool moved(const InputSummary<D>& now) const {
    const InputSummary<D>& then = planned_for_;
    if (now.used == 0 || then.used == 0) return now.used != then.used;
    for (int k = 0; k < D; ++k) {
      const double size = then.hi[k] - then.lo[k], far = 0.2 * std::max(size, 2 * then.radius_max);
      if (box_.wraps[k]) continue;
      if (std::fabs(now.lo[k] - then.lo[k]) > far || std::fabs(now.hi[k] - then.hi[k]) > far) return true;
    }
    return false;
  }

  // Whether many particles, as they were in the last build, are in the gaps between islands.
  bool gone_astray() { return built_ && slots_ > 0 && !plan_.islands.empty() && strays_.are_many(exec_, view(), slots_); }

  // New levels, unless those in use are good enough. Planning is plain host code over containers; its failure to allocate
  // is reported like any other.
  template <class Real>
  std::optional<Plan<D>> plan_or_throw(const Particles<Real, D>& p, const InputSummary<D>& input, double skin, bool must) {
    try {
      PlanInput<D> facts = facts_of(exec_, p, box_, input, skin, few_samples);
      Plan<D> fresh = make_plan(facts, box_, options_);
      if (!fresh.islands.empty()) {  // small ones may be between those of a sample
        facts = facts_of(exec_, p, box_, input, skin, many_samples);
        fresh = make_plan(facts, box_, options_);
      }
      const SearchCosts costs = options_.costs.value_or(facts.costs);
      if (must || gain_of(fresh, plan_, facts, box_, costs) > least_gain) return fresh;
      return std::nullopt;
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "planning the levels found no host memory");
    }
  }

  template <class Real>
  void run_stages(const Particles<Real, D>& p, bool partitioned) {
    const SlotArrays<D> out = storage_.arrays(has_groups_, has_wraps_);
    exec_.for_each("hgrid::clear_levels", max_levels, Fill<double>{out.radius_max, 0});
    exec_.for_each("hgrid::clear_level_begin", max_levels + 1, Fill<index_t>{out.level_begin, 0});
    if constexpr (sorts_ahead) {
      if (partitioned) return sort_.finish(exec_, p, plan_, view(), out);
    }
    sort_.run(exec_, p, &seen_.data()->last, plan_, view(), out);
  }

  Exec exec_;
  Box<D> box_, next_box_;
  GridOptions options_;
  Storage<Exec, D> storage_;
  typename Exec::template CellSort<D> sort_;
  typename Exec::template Buffer<SeenInput<D>> seen_;
  typename Exec::template Buffer<InputSummary<D>> inspected_;  // of the build in hand
  Plan<D> plan_;
  InputSummary<D> planned_for_{};
  JudgedInputs judged_;
  ClearedByMove<std::uint64_t> generation_;
  std::uint64_t plan_generation_ = 0;
  Strays<Exec> strays_;
  double skin_ = 0;
  offset_t planned_count_ = 0, count_ = 0, slots_ = 0;
  std::int64_t skipped_ = 0;
  index_t sources_ = 0;
  double planned_share_[max_levels] = {};  // of the particles, by level, in the first build of the plan
  bool knows_shares_ = false, look_again_ = false;
  bool planned_ = false, built_ = false, has_groups_ = false, has_wraps_ = false;
};

}  // namespace hgrid
