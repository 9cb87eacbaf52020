// SPDX-License-Identifier: BSD-3-Clause
// hgrid generate: random packings of a given size distribution and packing fraction.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "io/write_output.hpp"
#include "packing/relax.hpp"
#include "packing_table.hpp"
#include "progress.hpp"
#include "report.hpp"
#include "size_options.hpp"
#include "values.hpp"

namespace hgrid::tool {
namespace {

struct GenerateOptions {
  std::int64_t n = 0;
  bool mono = false;
  std::string size_ratio, exponent, bidisperse, log_normal, packing, periodic;
  std::string dimension = "3";
  std::uint64_t seed = 1;
  bool relaxed = false, overwrite = false;
  std::string out;
};

double number_in(const std::string& text) { return parse_numbers(text).front(); }

SizeDistribution sizes_of(const GenerateOptions& o) {
  using Kind = SizeDistribution::Kind;
  if (!o.bidisperse.empty()) return {Kind::bidisperse, number_in(o.bidisperse), 0};
  if (!o.log_normal.empty()) return {Kind::log_normal, number_in(o.log_normal), 0};
  if (!o.size_ratio.empty()) return {Kind::power_law, number_in(o.size_ratio), number_in(o.exponent)};
  return {};
}

Relaxation relax_packing(Packing& packing, const GenerateOptions& o, Progress& progress) {
  RelaxOptions options;
  options.periodic = parse_axes(o.periodic);
  options.threads = usable_threads(0);
  options.progress = [&](const Relaxation& now) {
    progress.detail(fmt::format("iteration {}, overlap {:.2g} % on average, {:.2g} % at most,",
                                now.iterations, 100 * now.mean_overlap, 100 * now.max_overlap));
    return true;
  };
  progress.step("relaxing:");
  return relax(packing, options);
}

std::string describe(const Packing& packing, const GenerateOptions& o) {
  const auto [least, most] = std::ranges::minmax(packing.r);
  return fmt::format(
      "particles  {} in {} dimensions, radii {:.6g} to {:.6g}\nbox        0 to {} along each axis\n",
      grouped(o.n), packing.dimension, least, most, packing.length);
}

void run(const GenerateOptions& o) {
  const double start = now();
  const io::OutputFormat format = io::particle_format(o.out);
  io::AtomicFile file(o.out, o.overwrite);
  std::string text;
  {
    Progress progress;
    progress.step("generating");
    Packing packing =
        random_packing({sizes_of(o), o.n, number_in(o.packing), o.dimension == "2" ? 2 : 3, o.seed});
    text = describe(packing, o);
    if (o.relaxed) {
      const Relaxation reached = relax_packing(packing, o, progress);
      text += fmt::format(
          "relaxed    {} iterations; {} contacts overlap by {:.2g} % of the smaller diameter on average, "
          "{:.2g} % at most\n",
          reached.iterations, grouped(reached.contacts), 100 * reached.mean_overlap,
          100 * reached.max_overlap);
    }
    progress.step("writing");
    io::write_particles(file, format, table_of(std::move(packing)));
  }
  text += fmt::format("seconds    {:.3g}\nnext       hgrid contacts {}\n", now() - start,
                      o.out == "-" ? "- reads what comes through a pipe" : io::printable_path(o.out));
  print(io::is_standard_output(o.out), text);
  file.commit();
}

void declare_sizes(CLI::App& command, GenerateOptions& o) {
  CLI::Option_group* sizes = command.add_option_group("Radii", "One of");
  declare_distributions(command, *sizes, o);
}

}  // namespace

void add_generate(CLI::App& app, Action& action) {
  const auto o = std::make_shared<GenerateOptions>();
  CLI::App* command = app.add_subcommand("generate", "Place particles at random; they overlap unless --relaxed. The smallest radius is 1");
  command->add_option("--n", o->n, "Number of particles")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, INT64_MAX))
      ->option_text("N (required)");
  declare_sizes(*command, *o);
  command->add_option("--packing", o->packing, "Packing fraction: volume (in 2-D area) of the particles over that of the box")
      ->required()
      ->check(number(0))
      ->option_text("NU (required)");
  add_choice(*command, "--dim", o->dimension, "Dimensions (default: 3)", {"2", "3"});
  command->add_option("--seed", o->seed, "Seed of the random numbers, which are the same on every machine (default: 1)")
      ->check(CLI::NonNegativeNumber)
      ->option_text("S");
  auto* relaxed = command->add_flag("--relaxed", o->relaxed, "Push overlaps apart, between walls");
  command->add_option("--periodic", o->periodic, "Axes without walls, such as xyz")
      ->check(axes())
      ->needs(relaxed)
      ->option_text("AXES (with --relaxed)");
  add_file(*command, "--out", o->out,
           "The packing, by the name's end as .csv, .npy or .data; - is CSV to stdout and the report to stderr",
           "F (required)")
      ->required();
  command->add_flag("--overwrite", o->overwrite, "Replace F if it exists, with its permissions, unless it is read-only");
  command->footer(
      "Example: hgrid generate --n 1000000 --size-ratio 100 --exponent -3 --packing 0.62 --out packing.npy");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
