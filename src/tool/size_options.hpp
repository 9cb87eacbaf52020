// SPDX-License-Identifier: BSD-3-Clause
// The options that name a distribution of radii, shared by the commands that take one.
#pragma once

#include "hgrid/packing/radii.hpp"
#include "values.hpp"

namespace hgrid::tool {

/// Adds them to the group, of which exactly one option must be given, and the exponent to the command.
inline void declare_distributions(CLI::App& command, CLI::Option_group& group, SizeDistribution& sizes) {
  using Kind = SizeDistribution::Kind;
  const auto add = [&](const std::string& name, Kind kind, const std::string& help) {
    const auto take = [&sizes, kind](double ratio) { sizes.kind = kind, sizes.ratio = ratio; };
    return add_number(group, name, help, 1, take)->option_text("W");
  };
  group.add_flag("--mono")->description("All radii are 1");
  auto* ratio = add("--size-ratio", Kind::power_law, "Radii from 1 to W, number ~ r^A (needs --exponent)");
  add("--bidisperse", Kind::bidisperse, "Radii 1 and W, equal volumes of both");
  add("--lognormal", Kind::log_normal, "Log-normal, 1 and W being three standard deviations off");
  group.require_option(1);
  auto* exponent = add_number(command, "--exponent", sizes.exponent, "Exponent A of --size-ratio, such as -3");
  exponent->needs(ratio)->option_text("A");
  ratio->needs(exponent);
}

}  // namespace hgrid::tool
