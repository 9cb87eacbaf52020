// SPDX-License-Identifier: BSD-3-Clause
// hgrid plan: the number of levels and their cell sizes, for particles or for a distribution of sizes.
#include <memory>

#include "commands.hpp"
#include "exits.hpp"
#include "record.hpp"
#include "sizing.hpp"

namespace hgrid::tool {
namespace {

void run(const SizingOptions& o) {
  if (o.q && o.method != Method::constant) refuse("--q is for --method constant");
  if (o.levels > 0 && o.method == Method::single) refuse("--method single has one level; --levels does not fit it");
  if (o.method == Method::calibrated && (o.levels > 0 || o.fewest || o.k)) {
    refuse("--method calibrated chooses the levels by its own costs; --levels, --short and --k do not fit it");
  }
  if (o.rule != Rule::sum && o.method != Method::calibrated) {
    refuse("--rule is for --method calibrated; the papers' methods are for pairs within r_i + r_j");
  }
  if (o.measure && o.file.empty()) refuse("--measure runs the plan on particles; it needs a FILE");
  if (any(o.periodic) && !o.measure) refuse("--periodic is for --measure; plans do not depend on it");
  const SizingInput input = read_sizing_input(o);
  Sizing sizing = choose_levels(o, input);
  if (o.measure) sizing.measured = measure(o, input, sizing);
  const Record report = record_of(o, input, sizing);
  print(false, o.json ? report.json() : report.text());
}

void declare_radii(CLI::App& command, SizingOptions& o) {
  CLI::Option_group* radii = command.add_option_group("Radii", "One of");
  radii->add_option("FILE", o.file, "Radii of particles; formats as for hgrid contacts, - is stdin")->option_text(" ");
  add_file(*radii, "--psd", o.psd, "A table of radius and cumulative number fraction, from 0 to 1, linear between its rows",
           "F");
  declare_distributions(command, *radii, o.sizes);
}

void declare_method(CLI::App& command, SizingOptions& o) {
  add_number(command, "--packing", o.packing,
             "Volume of the particles divided by the volume of the box (default: as in FILE; 0.62 for distributions)", 0)
      ->option_text("NU");
  add_dimension(command, o.dimension, "Dimensions (default: as in FILE, else 3)");
  add_number(command, "--k", o.k, "Cost of a cell access in pair tests (default: 0.2)", 0)->option_text("K");
  add_choice(command, "--method", o.method, "How cell sizes are chosen (default: optimal); calibrated is what grids do");
  add_choice(command, "--rule", o.rule,
             "Which pairs are searched for, as for hgrid contacts, with --method calibrated (default: sum)");
  add_number(command, "--q", o.q,
             "Ratio of particles per cell of a level to particles per cell of the next finer level (default: 1)", 0)
      ->option_text("Q (with --method constant)");
  auto directions = words_of<Direction, std::optional<Direction>>();
  directions.emplace_back("best", std::nullopt);
  add_choice(command, "--direction", o.direction, "Of the search across levels (default: best)", directions);
  command.add_option("--levels", o.levels, "Number of levels (default: that of the least work)")
      ->check(CLI::Range(1, 1000))
      ->option_text("L");
  command.add_flag("--short", o.fewest, "The fewest levels whose work is within 0.1 % of the least");
  command.add_flag("--measure", o.measure,
                   "Run the plan on the particles of FILE and print the work predicted beside that counted");
  add_axes(command, "--periodic", o.periodic, "Axes on which the file's box is periodic, for --measure")->option_text("AXES");
  command.add_flag("--json", o.json, "The plan as one JSON object, which hgrid contacts --plan reads");
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  const auto o = std::make_shared<SizingOptions>();
  CLI::App* command = app.add_subcommand("plan", "Choose levels and cell sizes for given particle sizes");
  declare_radii(*command, *o);
  declare_method(*command, *o);
  command->footer("Example: hgrid plan --size-ratio 100 --exponent -3 --packing 0.7");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
