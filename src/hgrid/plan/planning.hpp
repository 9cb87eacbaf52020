// SPDX-License-Identifier: BSD-3-Clause
// Planning: from radii to levels. It is compiled in the library; engines pass the facts.
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
  std::vector<offset_t> radii;  ///< [parts][radius_classes]: particles by class of radius; empty: use the sample
  /// With extents only: the extents of the sample, [samples][D]; the bounds of classes along an axis; and the number of
  /// particles in each class (inputs/extents.hpp). The largest extent is `radius_max`.
  std::vector<double> extents, extent_bounds;
  std::vector<offset_t> extent_counts;
  offset_t particles = 0;  ///< number in use
  Vec<double, D> lo, hi;   ///< bounds of their coordinates
  /// With worlds only: their origins. The sample and the bounds are relative to these; `sample_world` [samples] holds the world
  /// of each sample.
  std::vector<Vec<double, D>> origins;
  std::vector<index_t> sample_world;
  double share_of_world = 1;  ///< share of all particles that are in a particle's world, averaged over particles
  double radius_max = 0;      ///< largest radius (with extra distance)
  double skin = 0;
  Rule rule = Rule::sum;
  SearchCosts costs{};     ///< of the executor's search
  bool has_boxes = false;  ///< slots of crowded cells get boxes, so that many outliers may share a cell

  /// Reserves room for `samples` samples and returns where they go.
  double* sample_of(offset_t samples) {
    sample.resize(static_cast<std::size_t>(samples) * (D + 1));
    return sample.data();
  }

  /// Reserves room for `counts` counts and returns where they go.
  offset_t* counts_of(offset_t counts) {
    radii.resize(static_cast<std::size_t>(counts));
    return radii.data();
  }
};

/// Returns the costs for an executor, by its name. They come from the file that $HGRID_CALIBRATION names, which is read once.
/// If the variable is not set or empty, or the file has no line for the executor, the result is `shipped`. Throws `io` if the
/// file cannot be read, `format` if it is malformed.
SearchCosts search_costs(std::string_view executor, const SearchCosts& shipped = {});

/// Throws `invalid_levels` unless levels are 1 to 64, ascending, positive and finite.
void check_levels(const std::vector<LevelSpec>& levels, int dimension);

/// A record of planning: the levels before cells were laid out, and counts of its work.
struct PlanRecord {
  std::vector<LevelSpec> levels;
  int optimised = 0;     ///< how many times the best levels were searched
  offset_t visited = 0;  ///< sampled particles that layouts read; a sorted particle counts once per axis
};

/// Up to this number of particles have one cell: testing all pairs takes less time than finding cells.
inline constexpr offset_t most_in_one_cell = 32;

/// Makes a plan. Levels come from the optimiser, unless they are given or particles are few. Their extents come from quantiles
/// of the sampled positions. Cells are limited to 8 per particle for a dense table and to the key's range for a compacted one
/// (layout.hpp).
template <int D>
Plan<D> make_plan(const PlanInput<D>& input, const Box<D>& box, const GridOptions& options, PlanRecord* record = nullptr);

/// Lays out the cells of a plan again, from another sample of the same particles. `record` is the record of `make_plan`, and
/// `table` the requested table, if any.
template <int D>
void lay_out_again(const PlanInput<D>& input, const Box<D>& box, std::optional<TableKind> table, PlanRecord& record,
                   Plan<D>& plan);

/// Returns the cost of searches with the levels `kept`, made for other particles, divided by the cost with the `fresh` levels,
/// by the cost model. Both must have the same domain.
template <int D>
double gain_of(const Plan<D>& fresh, const Plan<D>& kept, const PlanInput<D>& input, const Box<D>& box, SearchCosts costs);

extern template double gain_of(const Plan<2>&, const Plan<2>&, const PlanInput<2>&, const Box<2>&, SearchCosts);
extern template double gain_of(const Plan<3>&, const Plan<3>&, const PlanInput<3>&, const Box<3>&, SearchCosts);
extern template Plan<2> make_plan(const PlanInput<2>&, const Box<2>&, const GridOptions&, PlanRecord*);
extern template Plan<3> make_plan(const PlanInput<3>&, const Box<3>&, const GridOptions&, PlanRecord*);
extern template void lay_out_again(const PlanInput<2>&, const Box<2>&, std::optional<TableKind>, PlanRecord&, Plan<2>&);
extern template void lay_out_again(const PlanInput<3>&, const Box<3>&, std::optional<TableKind>, PlanRecord&, Plan<3>&);

}  // namespace hgrid::inline v0_2::detail
