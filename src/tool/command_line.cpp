// SPDX-License-Identifier: BSD-3-Clause
// The command line: which subcommand, and how it ends.
#include "command_line.hpp"

#include <optional>
#include <sstream>
#include <string>

#include "commands.hpp"
#include "exits.hpp"
#include "hgrid/version.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

constexpr const char* examples =
    "hgrid finds the contacts of particles of any sizes.\n\n"
    "  hgrid contacts --demo\n"
    "  hgrid generate --n 100000 --size-ratio 10 --exponent -2 --packing 0.5 --out packing.csv\n"
    "  hgrid contacts packing.csv --periodic xyz --out pairs.vtp\n\n"
    "hgrid --help lists the commands, hgrid contacts --help what one of them can do.\n";

/// The exit code if that is all there is to do.
std::optional<int> parse(CLI::App& app, int argc, char** argv) {
  try {
    app.parse(argc, argv);
    return std::nullopt;
  } catch (const CLI::Success& e) {  // --help and --version
    return run_reporting_errors([&] {
      std::ostringstream out;
      app.exit(e, out, out);
      print(false, out.str());
    });
  } catch (const CLI::ParseError& e) {
    const auto commands = app.get_subcommands();
    const std::string command = commands.empty() ? "hgrid" : "hgrid " + commands.front()->get_name();
    print_error(std::string(e.what()) + "; " + command + " --help lists what is possible");
    return Exit::usage;
  }
}

}  // namespace

int run_command_line(int argc, char** argv) {
  fill_closed_streams();
  end_cleanly_on_signals();
  CLI::App app("Contacts of particles of any sizes", "hgrid");
  app.set_version_flag("--version", "hgrid " HGRID_VERSION);
  app.require_subcommand(0, 1);
  Action action = [] { print(false, examples); };
  add_bench(app, action);
  add_contacts(app, action);
  add_generate(app, action);
  add_info(app, action);
  add_plan(app, action);
  add_plot(app, action);
  add_calibrate(app, action);
  const int empty = run_reporting_errors([&] { require_no_empty_file_name(app, {argv + 1, argv + argc}); });
  if (empty != Exit::ok) return empty;
  if (const auto code = parse(app, argc, argv)) return *code;
  return run_reporting_errors(action);
}

}  // namespace hgrid::tool
