// SPDX-License-Identifier: BSD-3-Clause
// Planning: from radii to levels. What the user may fix beforehand, and what the planner is told.
#pragma once

#include <optional>
#include <vector>

#include "hgrid/core/error.hpp"
#include "hgrid/core/levels.hpp"
#include "hgrid/host/planning/cost_model.hpp"

namespace hgrid {

/// A level as a user states it. Lengths in the units of the positions.
struct LevelSpec {
  double radius_max;       ///< largest radius (with extra distance and half the skin) to insert on this level
  double cell_size[3];     ///< per axis
};

/// Choices left open are made by the planner.
struct GridOptions {
  std::vector<LevelSpec> levels = {};          ///< finest first; empty: planned from the radii
  std::optional<Direction> direction = {};
  std::optional<KeyOrder> keys = {};
  std::optional<TableKind> table = {};
  Schedule schedule = Schedule::fast;          ///< of host executors
  std::optional<SearchCosts> costs = {};       ///< for planning the levels; else those of the executor
  /// Default: hosts partition (fastest, 24 bytes per particle more than radix), devices radix-sort.
  /// Counting is for devices, and particles in nearly the order of the last build.
  std::optional<SortKind> sort = {};
};

/// The input of planning: an even sample of the particles, and exact facts about all of them.
template <int D>
struct PlanInput {
  std::vector<double> sample;  ///< [samples][D + 1]: wrapped coordinates and radius; radius < 0: left out
  std::vector<offset_t> radii; ///< [pieces][radius_classes]: particles by class of radius; empty: as the sample says
  offset_t particles = 0;      ///< number in use
  Vec<double, D> lo, hi;       ///< bounds of their coordinates
  double radius_max = 0;       ///< largest radius (with extra distance)
  double skin = 0;
  SearchCosts costs{};         ///< of the executor's search

  /// Makes room for `samples` samples and returns where they go.
  double* sample_of(offset_t samples) {
    sample.resize(static_cast<std::size_t>(samples) * (D + 1));
    return sample.data();
  }

  /// The same for `counts` counts.
  offset_t* counts_of(offset_t counts) {
    radii.resize(static_cast<std::size_t>(counts));
    return radii.data();
  }
};

/// The decisions of planning.
template <int D>
struct Plan {
  Levels<D> levels;
  std::vector<Island> islands; ///< of all levels; none where cells are even
  int bits = 1;                ///< Morton bits per axis
  Direction direction = Direction::top_down;
  KeyOrder keys = KeyOrder::row_major;
  TableKind table = TableKind::dense;
  std::optional<SortKind> sort = {};
  double skin = 0;             ///< what it was made for
  bool weighed = true;         ///< false: costs are not finite, so the levels hold equally many particles
  double dense_cost = HUGE_VAL, compacted_cost = HUGE_VAL;  ///< by the model, of the best levels with either table, the latter at least
};

/// The histogram of all radii, from the counts or from the sample.
template <int D>
std::vector<RadiusBin> radius_bins(const PlanInput<D>& input);

/// The space of the searches of the sampled particles, as the planner sees it.
template <int D>
SearchSpace search_space(const PlanInput<D>& input, const Box<D>& box, std::span<const RadiusBin> bins);

/// Throws `invalid_levels` unless levels are 1 to 64, ascending, positive and finite.
void check_levels(const std::vector<LevelSpec>& levels, int dimension);

/// Makes a plan: levels by the optimiser unless given, their extents from quantiles of the sampled positions,
/// cells capped at 8 a particle for a dense table and at the key's range for a compacted one (layout.hpp).
template <int D>
Plan<D> make_plan(const PlanInput<D>& input, const Box<D>& box, const GridOptions& options);

/// Cost of searches with levels made for other particles, by the cost model, over their cost with `fresh`
/// levels; both in the same domain.
template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box,
               SearchCosts costs);

extern template std::vector<RadiusBin> radius_bins(const PlanInput<2>&);
extern template std::vector<RadiusBin> radius_bins(const PlanInput<3>&);
extern template SearchSpace search_space(const PlanInput<2>&, const Box<2>&, std::span<const RadiusBin>);
extern template SearchSpace search_space(const PlanInput<3>&, const Box<3>&, std::span<const RadiusBin>);
extern template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
extern template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
extern template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&);
extern template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&);

}  // namespace hgrid
