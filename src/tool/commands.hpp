// SPDX-License-Identifier: BSD-3-Clause
// The subcommands. Each adds itself to the command line. If it is chosen, it sets the action to run once the whole line has
// been parsed.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>

namespace hgrid::tool {

using Action = std::function<void()>;

void add_calibrate(CLI::App& app, Action& action);
void add_bench(CLI::App& app, Action& action);
void add_contacts(CLI::App& app, Action& action);
void add_convert(CLI::App& app, Action& action);
void add_generate(CLI::App& app, Action& action);
void add_info(CLI::App& app, Action& action);
void add_plan(CLI::App& app, Action& action);
void add_plot(CLI::App& app, Action& action);

}  // namespace hgrid::tool
