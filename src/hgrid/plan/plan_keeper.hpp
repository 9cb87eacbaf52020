// SPDX-License-Identifier: BSD-3-Clause
// Decides which levels are in use, and when they are planned again: the policy of both engines. It calls no machine; engines
// pass the facts.
#pragma once

#include <algorithm>
#include <cmath>
#include <new>
#include <optional>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"
#include "hgrid/inputs/inspect.hpp"
#include "hgrid/plan/plan_bounds.hpp"
#include "hgrid/plan/planning.hpp"

namespace hgrid::inline v0_2::detail {

/// The inputs for which the levels in use were chosen or found good enough: ranges, because the numbers go up and down.
struct JudgedInputs {
  double fewest = HUGE_VAL, most = 0, radius_low = HUGE_VAL, radius_high = 0;

  void add(offset_t particles, double radius_max) {
    const auto n = static_cast<double>(particles);
    fewest = std::min(fewest, n), most = std::max(most, n);
    radius_low = std::min(radius_low, radius_max), radius_high = std::max(radius_high, radius_max);
  }
  template <class A>
  void archive(A& a) {
    a(fewest, most, radius_low, radius_high);
    a.require("judged inputs", [&] { return fewest >= 0 && most >= 0 && radius_low <= HUGE_VAL && radius_high >= 0; });
  }
  bool covers(offset_t particles, double radius_max) const {
    const auto n = static_cast<double>(particles);
    return n >= 0.8 * fewest && n <= 1.25 * most && radius_max >= 0.9 * radius_low && radius_max <= 1.1 * radius_high;
  }
};

/// Returns how many particles planning looks at first: so few that it takes about as long as a build.
inline offset_t few_samples(offset_t particles) { return std::clamp<offset_t>(particles / 4, 2048, 16384); }
inline constexpr offset_t many_samples = 131072;  ///< with islands: particles between the sampled ones may be expensive

template <int D>
class PlanKeeper {
 public:
  /// Throws `invalid_levels`.
  explicit PlanKeeper(GridOptions options) : options_(std::move(options)) {
    if (!options_.levels.empty()) check_levels(options_.levels, D);
  }

  const Plan<D>& plan() const { return plan_; }
  const GridOptions& options() const { return options_; }
  /// Returns the input for which the plan was made.
  const InputSummary<D>& planned_for() const { return planned_for_; }

  /// Returns whether there is a plan that the next build may use.
  bool has_plan() const { return usable_; }
  void forget() { usable_ = false; }
  void trust() { usable_ = true; }

  /// Returns whether the plan is for particles with extents, or if not `extended` for spheres.
  bool is_for(bool extended) const { return plan_.extents.empty() != extended; }

  /// Returns whether the plan no longer suits these numbers, which the host knows without a device. Small changes of the skin
  /// are allowed, because a skin that is being tuned changes often.
  bool outgrown(offset_t count, index_t worlds, double skin) const {
    const double finest = plan_.extents.empty() ? plan_.levels.level[0].radius_bound : largest_of(plan_.extents[0]);
    const double much = 0.1 * (finest + plan_.skin);
    const bool other = count > 2 * planned_count_ || 2 * count < planned_count_ || std::fabs(skin - plan_.skin) > much;
    return worlds != plan_.worlds || (other && !suits_any(count));
  }

  /// Returns whether the particles may have left the cells, so that many are in border cells. is_open(k) tells whether axis k
  /// is open. On a periodic axis, shrinking bounds do not count: a particle that crosses the face moves them by a period and
  /// back.
  template <class IsOpen>
  bool moved(const InputSummary<D>& now, const IsOpen& is_open) const {
    const InputSummary<D>& then = planned_for_;
    if (suits_any(now.used)) return false;
    if (now.used == 0 || then.used == 0) return now.used != then.used;
    for (int k = 0; k < D; ++k) {
      const double size = then.hi[k] - then.lo[k], far = 0.2 * std::max(size, 2 * then.radius_max);
      const double below = then.lo[k] - now.lo[k], above = now.hi[k] - then.hi[k];
      if (below > far || above > far || (is_open(k) && (-below > far || -above > far))) return true;
    }
    return false;
  }

  /// Returns whether the levels may no longer be near the best. Planning is then tried, and the new plan used if it gains
  /// enough. `level_begin` [levels + 1] belongs to the last build, or is null.
  bool drifted(const InputSummary<D>& now, const index_t* level_begin) {
    if (suits_any(now.used)) return false;
    return !judged_.covers(now.used, now.radius_max) || (level_begin != nullptr && share_moved(level_begin) > 0.1);
  }

  /// Returns a new plan, or one without levels if the levels in use are good enough; with `must`, always a new one.
  /// `facts_of(samples)` returns the PlanInput. Planning is plain host code over containers; if it cannot allocate, it throws
  /// `out_of_memory`.
  template <class FactsOf>
  Plan<D> judge(const Box<D>& box, offset_t particles, bool must, const FactsOf& facts_of) const {
    try {
      PlanInput<D> facts = facts_of(few_samples(particles));
      facts.rule = options_.rule;
      PlanRecord record;
      Plan<D> fresh = make_plan(facts, box, options_, &record);
      if (!fresh.islands.empty()) {  // small islands may lie between the sampled particles
        facts = facts_of(many_samples);
        facts.rule = options_.rule;
        // If the planner chose the levels, it also chooses the table.
        lay_out_again(facts, box, options_.levels.empty() ? std::optional(fresh.table) : options_.table, record, fresh);
      }
      const SearchCosts costs = options_.costs.value_or(facts.costs);
      if (must || gain_of(fresh, plan_, facts, box, costs) > least_gain) return fresh;
      return {};
    } catch (const std::bad_alloc&) {
      throw Error(ErrorCode::out_of_memory, "planning the levels found no host memory");
    }
  }

  template <class A>
  void archive(A& a) {
    a(options_, plan_, planned_for_, judged_, planned_count_, planned_share_, knows_shares_, usable_);
    a.require("what the plan was made for", [&] {
      if (!options_.levels.empty()) check_levels(options_.levels, D);
      const auto is_share = [](double share) { return share >= 0 && share <= 1; };
      return planned_count_ >= 0 && planned_count_ <= most_particles && std::ranges::all_of(planned_share_, is_share) &&
             (!usable_ || plan_.levels.count > 0) && !has_more_cells(plan_, planned_count_);
    });
  }

  /// Sets the plan of later builds. Call `trust` once it is in the executor's memory.
  void adopt(Plan<D>&& fresh, const InputSummary<D>& input, offset_t count) {
    plan_ = std::move(fresh), planned_for_ = input, planned_count_ = count, judged_ = {};
  }

  /// Notes that the levels in use were chosen for this input, or are good enough for it.
  void accept(const InputSummary<D>& input) { judged_.add(input.used, input.radius_max), knows_shares_ = false; }

 private:
  static constexpr double least_gain = 1.1;  // smaller gains do not change levels, because that changes the order of lists

  // Returns whether the plan is one cell for few particles, which suits any few.
  bool suits_any(offset_t few) const { return few <= most_in_one_cell && plan_.levels.cells == 1; }

  static double largest_of(const Vec<double, D>& extents) { return *std::max_element(extents.v, extents.v + D); }

  // Returns the share of the particles that are not on the level that they had in the first build of this plan.
  double share_moved(const index_t* level_begin) {
    const int levels = plan_.levels.count;
    double moved = 0;
    for (int h = 0; h < levels; ++h) {
      const double share = (level_begin[h + 1] - level_begin[h]) / std::max(1.0, 1.0 * level_begin[levels]);
      if (!knows_shares_) planned_share_[h] = share;
      moved += 0.5 * std::fabs(share - planned_share_[h]);
    }
    knows_shares_ = true;
    return moved;
  }

  GridOptions options_;
  Plan<D> plan_;
  InputSummary<D> planned_for_{};
  JudgedInputs judged_;
  offset_t planned_count_ = 0;
  double planned_share_[max_levels] = {};  // of the particles, by level, in the first build of the plan
  bool knows_shares_ = false, usable_ = false;
};

}  // namespace hgrid::inline v0_2::detail
