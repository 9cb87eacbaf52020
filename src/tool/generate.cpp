// SPDX-License-Identifier: BSD-3-Clause
// hgrid generate: random packings of a given size distribution and packing fraction.
#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "commands.hpp"
#include "contacts.hpp"
#include "exits.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/relax.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "io/write_output.hpp"
#include "progress.hpp"
#include "record.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

struct GenerateOptions {
  PackingOptions packing;
  Axes periodic{};
  bool relaxed = false, overwrite = false;
  std::string out;
};

io::ParticleTable table_of(Packing packing) {
  io::ParticleTable table;
  table.dimension = packing.dimension;
  const double length = packing.length;
  table.box = io::BoxBounds{{}, {length, length, packing.dimension == 3 ? length : 0}};
  table.x = std::move(packing.x);
  table.y = std::move(packing.y);
  table.z = std::move(packing.z);
  table.r = std::move(packing.r);
  return table;
}

Relaxation relax_packing(Packing& packing, const GenerateOptions& o, Progress& progress) {
  RelaxOptions options;
  options.periodic = o.periodic;
  options.threads = usable_threads(0);
  options.progress = [&](const Relaxation& now) {
    progress.detail(fmt::format("iteration {}, overlap {:.2g} % on average, {:.2g} % at most,", now.iterations,
                                100 * now.mean_overlap, 100 * now.max_overlap));
    return true;
  };
  progress.step("relaxing:");
  return relax(packing, options);
}

void describe(const Packing& packing, Record& out) {
  const auto [least, most] = std::ranges::minmax(packing.r);
  out.line("particles")
      .say("{} in {} dimensions, radii {:.6g} to {:.6g}", grouped(std::ssize(packing.r)), packing.dimension, least, most);
  out.line("box").say("0 to {} along each axis", packing.length);
}

void describe(const Relaxation& reached, Record& out) {
  out.line("relaxed").say("{}; {} {} by {:.2g} % of the smaller diameter on average, {:.2g} % at most",
                          detail::counted(reached.iterations, "iteration"), grouped(reached.contacts),
                          reached.contacts == 1 ? "contact overlaps" : "contacts overlap", 100 * reached.mean_overlap,
                          100 * reached.max_overlap);
}

void run(const GenerateOptions& o) {
  const double start = now();
  const io::OutputFormat format = io::particle_format(o.out);
  io::AtomicFile file(o.out, o.overwrite);
  Record report;
  {
    Progress progress;
    progress.step("generating");
    Packing packing = random_packing(o.packing);
    describe(packing, report);
    if (o.relaxed) describe(relax_packing(packing, o, progress), report);
    progress.step("writing");
    io::write_particles(file, format, table_of(std::move(packing)));
  }
  report.line("seconds").say("{:.3g}", now() - start);
  report.line("next").say("hgrid contacts {}", o.out == "-" ? "- reads what comes through a pipe" : io::printable_path(o.out));
  print(io::is_standard_output(o.out), report.text());
  file.commit();
}

}  // namespace

io::ParticleTable demo_particles() {
  PackingOptions options;
  options.sizes = {SizeDistribution::Kind::power_law, 100, -3};
  options.particles = 100000;
  options.fraction = 0.62;
  return table_of(random_packing(options));
}

void add_generate(CLI::App& app, Action& action) {
  const auto o = std::make_shared<GenerateOptions>();
  CLI::App* command =
      app.add_subcommand("generate", "Place particles at random; they overlap unless --relaxed. The smallest radius is 1");
  command->add_option("--n", o->packing.particles, "Number of particles")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, INT64_MAX))
      ->option_text("N (required)");
  declare_distributions(*command, *command->add_option_group("Radii", "One of"), o->packing.sizes);
  add_number(*command, "--packing", o->packing.fraction,
             "Packing fraction: volume (in 2-D area) of the particles divided by the volume of the box", 0)
      ->required()
      ->option_text("NU (required)");
  add_dimension(*command, o->packing.dimension, "Dimensions (default: 3)");
  command->add_option("--seed", o->packing.seed, "Seed of the random numbers, which are the same on every machine (default: 1)")
      ->check([](const std::string& text) {
        return text.starts_with('-') ? "a seed is a whole number from 0 on, not " + text : "";
      })
      ->option_text("S");
  auto* relaxed = command->add_flag("--relaxed", o->relaxed, "Push overlaps apart, between walls");
  add_axes(*command, "--periodic", o->periodic, "Axes without walls, such as xyz")
      ->needs(relaxed)
      ->option_text("AXES (with --relaxed)");
  add_file(*command, "--out", o->out,
           "The packing, by the name's end as .csv, .npy, .data (MercuryDPM), .vtp, .xyz or .lmp (LAMMPS); - is CSV to stdout "
           "and the report to stderr",
           "F (required)")
      ->required();
  add_overwrite(*command, o->overwrite, "F");
  command->footer("Example: hgrid generate --n 1000000 --size-ratio 100 --exponent -3 --packing 0.62 --out packing.npy");
  command->callback([o, &action] { action = [o] { run(*o); }; });
}

}  // namespace hgrid::tool
