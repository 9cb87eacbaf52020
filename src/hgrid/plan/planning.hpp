// SPDX-License-Identifier: BSD-3-Clause
// Planning: from radii to levels. It is compiled in the library; engines tell it the facts.
#pragma once

#include <string_view>
#include <vector>

#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2::detail {

/// The input of planning: an even sample of the particles, and exact facts about all of them.
template <int D>
struct PlanInput {
  std::vector<double> sample;   ///< [samples][D + 1]: wrapped coordinates and radius; radius < 0: left out
  std::vector<offset_t> radii;  ///< [parts][radius_classes]: particles by class of radius; empty: as in the sample
  /// Of particles with extents: those of the sample, [samples][D]; the bounds of classes along an axis, and the number of each
  /// class (inputs/extents.hpp). The largest is `radius_max`.
  std::vector<double> extents, extent_bounds;
  std::vector<offset_t> extent_counts;
  offset_t particles = 0;  ///< number in use
  Vec<double, D> lo, hi;   ///< bounds of their coordinates
  /// Of worlds, the origins; the sample and the bounds are relative to them, and `sample_world` [samples] says of which each
  /// is.
  std::vector<Vec<double, D>> origins;
  std::vector<index_t> sample_world;
  double share_of_world = 1;  ///< that a particle's world has of all particles, on the average of all
  double radius_max = 0;      ///< largest radius (with extra distance)
  double skin = 0;
  Rule rule = Rule::sum;
  SearchCosts costs{};  ///< of the executor's search

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

/// The costs for an executor, by its name. They come from the file that $HGRID_CALIBRATION names, which is
/// read once; where that is not set, is empty, or has no line for the executor, they are the shipped ones.
/// Throws `io` if the file cannot be read, `format` if it is malformed.
SearchCosts search_costs(std::string_view executor, const SearchCosts& shipped = {});

/// Throws `invalid_levels` unless levels are 1 to 64, ascending, positive and finite.
void check_levels(const std::vector<LevelSpec>& levels, int dimension);

/// A record of planning: the levels as they were before cells were laid out, and its work, counted.
struct PlanRecord {
  std::vector<LevelSpec> levels;
  int optimised = 0;     ///< how many times the best levels were looked for
  offset_t visited = 0;  ///< particles of the sample that layouts looked at, one that is sorted counted once an axis
};

/// Makes a plan: levels by the optimiser unless given, their extents from quantiles of the sampled positions,
/// cells capped at 8 a particle for a dense table and at the key's range for a compacted one (layout.hpp).
template <int D>
Plan<D> make_plan(const PlanInput<D>& input, const Box<D>& box, const GridOptions& options, PlanRecord* record = nullptr);

/// Lays the cells of a plan out by another sample of the same particles; `record` is that of `make_plan`, and `table` the one
/// that is asked for, if any.
template <int D>
void lay_out_again(const PlanInput<D>& input, const Box<D>& box, std::optional<TableKind> table, PlanRecord& record,
                   Plan<D>& plan);

/// Cost of searches with levels made for other particles, by the cost model, over their cost with `fresh`
/// levels; both in the same domain.
template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box, SearchCosts costs);

extern template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
extern template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
extern template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&, PlanRecord*);
extern template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&, PlanRecord*);
extern template void lay_out_again(const PlanInput<2>&, const Box<2>&, std::optional<TableKind>, PlanRecord&, Plan<2>&);
extern template void lay_out_again(const PlanInput<3>&, const Box<3>&, std::optional<TableKind>, PlanRecord&, Plan<3>&);

}  // namespace hgrid::inline v0_2::detail
