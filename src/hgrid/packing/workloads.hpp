// SPDX-License-Identifier: BSD-3-Clause
// The systems that benchmarks of this library measure: sizes from papers and practice.
#pragma once

#include <array>
#include <string_view>

#include "hgrid/packing/radii.hpp"

namespace hgrid::inline v0_2 {

/// A named distribution of sizes.
struct Workload {
  std::string_view name;
  SizeDistribution sizes;
};

/// Packing fraction of all workloads, with random centres.
inline constexpr double workload_fraction = 0.62;

/// One size; power laws of exponent -3 to ratios 10 to 1000; two sizes 1:10 of equal volume; uniform in size to ratio 50;
/// log-normal, three standard deviations each way within ratio 100.
inline constexpr std::array<Workload, 8> workloads = {{
    {"mono", {SizeDistribution::Kind::mono}},
    {"pl10", {SizeDistribution::Kind::power_law, 10, -3}},
    {"pl50", {SizeDistribution::Kind::power_law, 50, -3}},
    {"pl100", {SizeDistribution::Kind::power_law, 100, -3}},
    {"pl1000", {SizeDistribution::Kind::power_law, 1000, -3}},
    {"bi10", {SizeDistribution::Kind::bidisperse, 10}},
    {"us50", {SizeDistribution::Kind::power_law, 50, 0}},
    {"ln100", {SizeDistribution::Kind::log_normal, 100}},
}};

}  // namespace hgrid::inline v0_2
