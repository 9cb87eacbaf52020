// SPDX-License-Identifier: BSD-3-Clause
// hgrid plan: the number of levels and their cell sizes, for particles or for a distribution of sizes.
#include <memory>

#include "commands.hpp"
#include "exits.hpp"
#include "size_options.hpp"
#include "sizing.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

void run(const SizingOptions& o) {
  const auto refuse = [](const char* why) { throw Error(ErrorCode::invalid_argument, why); };
  if (!o.q.empty() && o.method != "constant") refuse("--q is for --method constant");
  if (o.levels > 0 && o.method == "single") refuse("--method single has one level; --levels does not fit it");
  if (o.method == "calibrated" && (o.levels > 0 || o.fewest || !o.k.empty())) {
    refuse(
        "--method calibrated chooses the levels by its own costs; --levels, --short and --k do not fit it");
  }
  if (o.measure && o.file.empty()) refuse("--measure runs the plan on particles; it needs a FILE");
  if (!o.periodic.empty() && !o.measure) refuse("--periodic is for --measure; plans do not depend on it");
  const SizingInput input = read_sizing_input(o);
  Sizing sizing = choose_levels(o, input);
  if (o.measure) sizing.measured = measure(o, input, sizing);
  print(false, o.json ? json_of(o, input, sizing) : text_of(o, input, sizing));
}

void declare_sizes(CLI::App& command, SizingOptions& o) {
  CLI::Option_group* sizes = command.add_option_group("Radii", "One of");
  sizes->add_option("FILE", o.file, "Radii of particles; formats as for hgrid contacts, - is stdin")
      ->option_text(" ");
  add_file(*sizes, "--psd", o.psd,
           "A table of radius and cumulative number fraction, from 0 to 1, linear between its rows", "F");
  declare_distributions(command, *sizes, o);
}

void declare_method(CLI::App& command, SizingOptions& o) {
  command
      .add_option(
          "--packing", o.packing,
          "Volume of the particles over that of the box (default: as in FILE; 0.62 for distributions)")
      ->check(number(0))
      ->option_text("NU");
  add_choice(command, "--dim", o.dimension, "Dimensions (default: as in FILE, else 3)", {"2", "3"});
  command.add_option("--k", o.k, "Cost of a cell access in pair tests (default: 0.2)")
      ->check(number(0))
      ->option_text("K");
  add_choice(command, "--method", o.method,
             "How cell sizes are chosen (default: optimal); calibrated is what grids do",
             {"optimal", "constant", "exponential", "linear", "single", "calibrated"});
  command.add_option("--q", o.q, "Particles per cell of a level by those of the next finer one (default: 1)")
      ->check(number(0))
      ->option_text("Q (with --method constant)");
  add_choice(command, "--direction", o.direction, "Of the search across levels (default: best)",
             {"top-down", "bottom-up", "best"});
  command.add_option("--levels", o.levels, "Number of levels (default: that of the least work)")
      ->check(CLI::Range(1, 1000))
      ->option_text("L");
  command.add_flag("--short", o.fewest, "The fewest levels whose work is within 0.1 % of the least");
  command.add_flag("--measure", o.measure,
                   "Run the plan on the particles of FILE and print the work predicted beside that counted");
  command.add_option("--periodic", o.periodic, "Axes on which the file's box is periodic, for --measure")
      ->check(axes())
      ->option_text("AXES");
  command.add_flag("--json", o.json, "The plan as one JSON object, which hgrid contacts --plan reads");
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  const auto o = std::make_shared<SizingOptions>();
  CLI::App* command = app.add_subcommand("plan", "Choose levels and cell sizes for given particle sizes");
  declare_sizes(*command, *o);
  declare_method(*command, *o);
  command->footer("Example: hgrid plan --size-ratio 100 --exponent -3 --packing 0.7");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
