// SPDX-License-Identifier: BSD-3-Clause
// hgrid contacts: reads particles, finds their contacts, reports and writes them.
#include "contacts.hpp"

#include <fmt/format.h>

#include <memory>

#include "backends.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "io/write_output.hpp"
#include "record.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

/// The output, opened before the work, so that what cannot be written is known at once.
struct Output {
  io::OutputFormat format;
  io::AtomicFile file;
};

std::unique_ptr<Output> open_output(const ContactsOptions& o) {
  if (o.out.empty()) return nullptr;
  return std::unique_ptr<Output>(new Output{io::pair_format(o.out), io::AtomicFile(o.out, o.overwrite)});
}

std::unique_ptr<io::AtomicFile> open_walls_output(const ContactsOptions& o) {
  if (o.walls_out.empty()) return nullptr;
  return std::make_unique<io::AtomicFile>(o.walls_out, o.overwrite);
}

PairWriter writer(Output* out, const SearchOptions& s, const io::ParticleTable& table) {
  if (out == nullptr) return {};
  return
      [out, box = s.box, &table](const io::PairSource& pairs) { io::write_pairs(out->file, out->format, pairs, table, box); };
}

std::string next_step(const ContactsOptions& o) {
  const std::string out = io::printable_path(o.out);
  if (o.demo) return "hgrid contacts FILE finds the contacts of your particles";
  if (o.out.empty()) return "--out pairs.vtp writes the contacts for ParaView, --out pairs.csv as a table";
  if (out.ends_with(".vtp")) return "open " + out + " in ParaView";
  if (out.ends_with(".npy")) return "numpy.load('" + out + "') gives i, j, ix, iy, iz and overlap";
  return "--out pairs.vtp writes the contacts for ParaView";
}

Report search_input(const ContactsOptions& o, Output* out, io::AtomicFile* walls_out) {
  Report report;
  Progress progress;
  progress.step(o.demo ? "generating" : "reading");
  const double start = now();
  const io::ParticleTable table = read_input(o);
  report.seconds.read = now() - start;
  SearchOptions s = search_options(o, table);
  if (out != nullptr && out->format == io::OutputFormat::csv) s.order = Order::sorted;

  report.source = o.demo ? "the demo" : o.file == "-" ? "standard input" : io::printable_path(o.file);
  report.dimension = s.dimension;
  report.excluded = o.exclude.empty() ? -1 : static_cast<std::int64_t>(s.excluded.size());
  report.worlds = o.world.empty() ? -1 : s.worlds;
  report.particles = table.size();
  report.skipped_rows = table.skipped_rows;
  if (!any(o.periodic) && !table.periodic.empty()) {
    report.note =
        fmt::format("the file says that {} is periodic, the search was not: --periodic {}", table.periodic, table.periodic);
  }
  report.order = name_of(s.order);
  report.rule = name_of(o.rule);
  report.real = o.single_precision ? "float" : "double";
  report.backend = name_of(s.backend);
  report.backend_chosen = !o.backend && !o.algorithm;
  report.next = next_step(o);
  const auto find = s.algorithm ? reference_search : search;
  find(table, s, writer(out, s, table), progress, report);
  if (!o.walls.empty()) search_walls(o, table, s, walls_out, progress, report);
  report.seconds.total = now() - start;
  report.peak_bytes = peak_memory();
  return report;
}

void run(const ContactsOptions& o) {
  if (o.file.empty() == !o.demo) refuse("contacts needs a FILE or --demo, and not both");
  for (const auto& [name, given] :
       {std::pair{"--box", !o.box.empty()}, std::pair{"--tilt", !o.tilt.empty()}, std::pair{"--cell", !o.cell.empty()}}) {
    if (given && !any(o.periodic)) print_error(fmt::format("note: {} has no effect without --periodic", name));
  }
  io::require_distinct_files({o.file, o.exclude, o.walls, o.plan}, {o.out, o.walls_out});
  choose_backend(o.backend);  // what cannot be had is said before the work
  const std::unique_ptr<Output> out = open_output(o);
  const std::unique_ptr<io::AtomicFile> walls_out = open_walls_output(o);
  const Record report = record_of(search_input(o, out.get(), walls_out.get()));
  const bool stdout_is_taken = io::is_standard_output(o.out) || io::is_standard_output(o.walls_out);
  print(stdout_is_taken, o.json ? report.json() : report.text());
  io::AtomicFile::commit_all({walls_out.get(), out ? &out->file : nullptr});  // last: whatever fails, no output appears
}

}  // namespace

void add_contacts(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ContactsOptions>();
  CLI::App* command = app.add_subcommand("contacts", "Find all contacts: pairs of particles that touch or overlap");
  declare(*command, *options);
  command->footer(
      "A text table has commas, semicolons, or blanks between columns, and a header that names x y z (or x y), r or diameter,\n"
      "and what else it likes; without one its columns are x y, x y z, or x y z r. \"# box x0 y0 z0 x1 y1 z1\" states the\n"
      "box. .npy: N x 2, 3 or 4 numbers.\n"
      "In --out, i and j count the particles taken, from 0, in the order of FILE; the vector between their centres is\n"
      "x_i - x_j - (ix, iy, iz) * box; overlap is r_i + r_j, or what --rule takes, minus its length, negative for pairs that\n"
      "only --skin takes.\n"
      "Exits: 0 done, 2 usage, 3 data, 4 files, 5 memory or device, 70 internal error, 128 and its number for a signal:\n"
      "130 interrupted, 141 nobody reads the output any more.\n\n"
      "Example: hgrid contacts particles.csv --periodic xyz --box 0,0,0,1,1,1 --out pairs.vtp");
  command->callback([options, &action] { action = [options] { run(*options); }; });
}

}  // namespace hgrid::tool
