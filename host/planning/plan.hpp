// SPDX-License-Identifier: BSD-3-Clause
// The parts of planning that its own files and its measurements use: the radii and the space of the cost model.
#pragma once

#include <span>
#include <vector>

#include "hgrid/plan/planning.hpp"
#include "host/planning/cost_model.hpp"
#include "host/planning/extent.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the histogram of all radii, from the counts or from the sample.
template <int D>
std::vector<RadiusBin> radius_bins(const PlanInput<D>& input);

/// Returns the space of the searches of the sampled particles, for the cost model.
template <int D>
SearchSpace search_space(const PlanInput<D>& input, const Extent<D>& extent, std::span<const RadiusBin> bins);
template <int D>
SearchSpace search_space(const PlanInput<D>& input, const Box<D>& box, std::span<const RadiusBin> bins);

extern template std::vector<RadiusBin> radius_bins(const PlanInput<2>&);
extern template std::vector<RadiusBin> radius_bins(const PlanInput<3>&);
extern template SearchSpace search_space(const PlanInput<2>&, const Extent<2>&, std::span<const RadiusBin>);
extern template SearchSpace search_space(const PlanInput<3>&, const Extent<3>&, std::span<const RadiusBin>);
extern template SearchSpace search_space(const PlanInput<2>&, const Box<2>&, std::span<const RadiusBin>);
extern template SearchSpace search_space(const PlanInput<3>&, const Box<3>&, std::span<const RadiusBin>);

}  // namespace hgrid::inline v0_2::detail
