// SPDX-License-Identifier: BSD-3-Clause
// The command line: chooses the subcommand, and the exit code.
#include <algorithm>
#include <numeric>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

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

/// Returns how many letters must be inserted, deleted or changed to turn one word into the other.
std::size_t distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t before = std::exchange(row[0], i);
    for (std::size_t k = 1; k <= b.size(); ++k) {
      const std::size_t changed = before + (a[i - 1] != b[k - 1] ? 1 : 0);
      before = std::exchange(row[k], std::min({row[k] + 1, row[k - 1] + 1, changed}));
    }
  }
  return row.back();
}

/// Returns a hint with the command that was probably meant, if there is one.
std::string meant(const CLI::App& app, const std::string& word) {
  for (const CLI::App* command : app.get_subcommands(nullptr)) {
    if (distance(word, command->get_name()) <= 2) return "; did you mean hgrid " + command->get_name() + "?";
  }
  return "";
}

/// Returns the exit code if there is nothing more to do.
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
    const std::string hint = commands.empty() && argc > 1 ? meant(app, argv[1]) : "";
    print_error(e.what() + hint + "; " + command + " --help lists what is possible");
    return Exit::usage;
  }
}

}  // namespace

/// Does all the work of `main`; returns the exit code.
int run_command_line(int argc, char** argv) {
  fill_closed_streams();
  end_cleanly_on_signals();
  CLI::App app("Contacts of particles of any sizes", "hgrid");
  app.set_version_flag("--version", "hgrid " HGRID_VERSION);
  app.require_subcommand(0, 1);
  Action action = [] { print(false, examples); };
  add_bench(app, action);
  add_contacts(app, action);
  add_convert(app, action);
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
