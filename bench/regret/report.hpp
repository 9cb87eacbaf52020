// SPDX-License-Identifier: BSD-3-Clause
// Measured results as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "search.hpp"

namespace regret {

using Json = nlohmann::ordered_json;

/// To six digits: lines are for reading, too.
double brief(double value);

/// Levels, table and counts of a built grid, counts per particle.
Json to_json(const Description& made, double particles);

/// Returns a plan of the search as JSON: its options, the times of its first and its fastest run, and, if it was described, its
/// counts.
Json to_json(const Trial& trial, const std::optional<Timed>& timed, const std::optional<Description>& made, double particles);

}  // namespace regret
