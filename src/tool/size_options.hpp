// SPDX-License-Identifier: BSD-3-Clause
// The options that name a distribution of radii, shared by the commands that take one.
#pragma once

#include <CLI/CLI.hpp>

#include "values.hpp"

namespace hgrid::tool {

/// Adds them to the group, of which exactly one option must be given, and the exponent to the command. `Options` has
/// mono, size_ratio, bidisperse, log_normal and exponent.
template <class Options>
void declare_distributions(CLI::App& command, CLI::Option_group& sizes, Options& o) {
  sizes.add_flag("--mono", o.mono, "All radii are 1");
  auto* ratio = sizes.add_option("--size-ratio", o.size_ratio, "Radii from 1 to W, number ~ r^A (needs --exponent)")
                    ->check(number(1))
                    ->option_text("W");
  sizes.add_option("--bidisperse", o.bidisperse, "Radii 1 and W, equal volumes of both")
      ->check(number(1))
      ->option_text("W");
  sizes.add_option("--lognormal", o.log_normal, "Log-normal, 1 and W being three standard deviations off")
      ->check(number(1))
      ->option_text("W");
  sizes.require_option(1);
  auto* exponent = command.add_option("--exponent", o.exponent, "Exponent A of --size-ratio, such as -3")
                       ->check(number())
                       ->needs(ratio)
                       ->option_text("A");
  ratio->needs(exponent);
}

}  // namespace hgrid::tool
