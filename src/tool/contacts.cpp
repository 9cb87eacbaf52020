// SPDX-License-Identifier: BSD-3-Clause
// hgrid contacts: reads particles, finds their contacts, reports and writes them.
#include "contacts.hpp"

#include <fmt/format.h>

#include <memory>
#include <utility>

#include "backends.hpp"
#include "columns.hpp"
#include "commands.hpp"
#include "exits.hpp"
#include "io/csv_pairs.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "io/pvd.hpp"
#include "io/write_output.hpp"
#include "parts.hpp"
#include "plot.hpp"
#include "ranks.hpp"
#include "record.hpp"
#include "seconds.hpp"
#include "series.hpp"

namespace hgrid::tool {
namespace {

/// The outputs, opened before the work, so that what cannot be written is known at once.
struct Outputs {
  explicit Outputs(const ContactsOptions& o)
      : format(o.out.empty() ? io::OutputFormat::csv : io::pair_format(o.out)),
        pairs(o.out, o),
        particles(o.particles_out, o),
        summary(o.summary, o),
        walls(o.walls_out, o) {}

  io::OutputFormat format;
  TableOutput pairs, particles, summary, walls;
};

std::string next_step(const ContactsOptions& o) {
  const std::string out = io::printable_path(o.out);
  if (o.demo) return "hgrid contacts FILE finds the contacts of your particles";
  if (o.out.empty()) return "--out pairs.vtp writes the contacts for ParaView, --out pairs.csv as a table";
  if (out.ends_with(".vtp") || out.ends_with(".pvd")) return "open " + out + " in ParaView";
  if (out.ends_with(".npy")) return "numpy.load('" + out + "') gives i, j, ix, iy, iz and overlap";
  return "--out pairs.vtp writes the contacts for ParaView";
}

void describe_input(const ContactsOptions& o, const io::ParticleTable& table, const SearchOptions& s, Report& report) {
  report.source = o.demo ? "the demo" : o.file == "-" ? "standard input" : io::printable_path(o.file);
  report.frame = table.frame, report.step = table.step, report.time = table.time;
  report.columns = table.taken;
  report.sizes = sizes_of(table, s.box, s.dimension);
  report.dimension = s.dimension;
  report.excluded = o.exclude.empty() ? -1 : static_cast<std::int64_t>(s.excluded.size());
  for (const OptionalArray& array : s.optional) report.optional.emplace_back(array.column, array.count);
  report.particles = table.size();
  report.skipped_rows = table.skipped_rows;
  report.notes = table.notes;
  const std::string units = note_on_units(table.length_unit, table.size_unit, o.radius_scale, name_of_sizes(table.boxes));
  if (!units.empty()) report.notes.push_back(units);
  const std::string periods = any(o.periodic) ? "" : note_on_periods(table, s.dimension);
  if (!periods.empty()) report.notes.push_back(periods);
  report.order = name_of(s.order);
  report.rule = name_of(o.rule);
  report.real = o.single_precision ? "float" : "double";
  report.backend = name_of(s.backend);
  report.backend_chosen = !o.backend && !o.algorithm;
}

/// What the library cannot know: the id of a particle that it names by its index, and that pairs may be counted without memory.
std::string hint(const Error& e, const ContactsOptions& o, const io::ParticleTable& table) {
  const auto& d = e.detail();
  const bool of_particles = d.argument == "positions" || d.argument == "radii" || d.argument == "extents";
  const bool names_particle = of_particles && d.index >= 0 && d.index < table.size();
  if (names_particle && !table.id.empty()) return fmt::format("; particle {} has the id {}", d.index, table.id_of(d.index));
  const bool lacks_memory = e.code() == ErrorCode::capacity || e.code() == ErrorCode::out_of_memory;
  return lacks_memory && !o.count ? "; --count needs no memory for the pairs" : "";
}

Report search_frame(const ContactsOptions& o, const io::ParticleTable& table, std::span<const io::WallTriangle> walls,
                    Outputs& out, Progress& progress) {
  Report report;
  const double start = now();
  SearchOptions s = search_options(o, table);
  if (!out.pairs.file && s.backend != Backend::mpi) s.order = Order::fixed;
  if (out.format == io::OutputFormat::csv && out.pairs.file) s.order = Order::sorted;
  describe_input(o, table, s, report);
  for (TableOutput* each : {&out.pairs, &out.particles, &out.walls}) each->begin(table.frame);

  const PairTaker take = [&](const io::PairSource& pairs) {
    progress.step("analysing");
    const double analysing = now();
    report.analysis = analyse(pairs, table, s.dimension, o.rule, o.skin);
    report.seconds.analysis = now() - analysing;
    if (!out.pairs.file && !out.particles.file) return;
    progress.step("writing");
    const double writing = now();
    const io::Coordination& coordination = report.analysis->particle;
    const io::FoundPairs found{pairs, table, s.box, coordination, walls};
    if (out.pairs.file && out.format == io::OutputFormat::pvd) {
      io::write_pvd_frame(*out.pairs.file, o.out, o.overwrite, found);
    } else if (out.pairs.file) {
      io::write_pairs(*out.pairs.file, out.format, found, out.pairs.column);
    }
    if (out.particles.file) io::write_coordination_csv(*out.particles.file, table, coordination, out.particles.column);
    report.seconds.write = now() - writing;
  };
  try {
    (s.algorithm ? reference_search : search)(table, s, o.count ? PairTaker{} : take, progress, report);
  } catch (const Error& e) {
    const std::string what = e.what();  // begins with the name of the code
    throw Error(e.code(), what.substr(what.find(": ") + 2) + hint(e, o, table), e.detail());
  }
  if (!o.walls.empty()) search_walls(walls, table, s, out.walls, progress, report);
  add_notes(report);
  report.seconds.total = now() - start;
  report.peak_bytes = peak_memory();
  return report;
}

/// The same of a file that ranks read in parts; nothing where they cannot, or something is wrong, which a reader of the whole
/// file says.
std::optional<Report> search_in_parts(const ContactsOptions& o, Outputs& out, Progress& progress) {
  Report report;
  const double reading = now();
  const std::unique_ptr<FileInParts> parts = read_in_parts(o);
  if (!parts) return std::nullopt;
  const double start = now();
  report.seconds.read = start - reading;
  describe_input(o, parts->part(), parts->options(), report);
  parts->describe(report);
  if (!parts->search(o.count, progress, report)) return std::nullopt;
  if (out.pairs.file) {
    progress.step("writing");
    const double writing = now();
    out.pairs.begin(report.frame);
    io::write_pairs(*out.pairs.file, out.format,
                    {parts->pairs(), parts->part(), parts->options().box, report.analysis->particle}, out.pairs.column);
    report.seconds.write = now() - writing;
  }
  add_notes(report);
  report.seconds.total = now() - start;
  report.peak_bytes = peak_memory();
  return report;
}

std::vector<Report> search_frames(const ContactsOptions& o, Outputs& out) {
  Progress progress;
  progress.step(o.demo ? "generating" : "reading");
  double reading = now();
  std::vector<Report> reports;
  if (out.summary.file) out.summary.file->write(summary_header());
  const auto keep = [&](Report report) {
    report.seconds.total += report.seconds.read;
    report.next = next_step(o);
    if (out.summary.file) out.summary.file->write(summary_row(report));
    if (report.analysis) report.analysis->particle = {};  // of all frames this would be too much
    reports.push_back(std::move(report));
  };
  if (may_be_read_in_parts(o)) {
    if (std::optional<Report> report = search_in_parts(o, out, progress)) return keep(*std::move(report)), reports;
    progress.step("reading");
  }
  const auto walls = o.walls.empty() ? std::vector<io::WallTriangle>{} : io::read_walls(o.walls);
  ContactsInput input(o);
  const bool plays = out.pairs.file && out.format == io::OutputFormat::pvd;
  if (plays) io::begin_pvd(*out.pairs.file);
  while (const std::optional<io::ParticleTable> table = input.next()) {
    const double read = now() - reading;
    if (o.series) progress.of(fmt::format("frame {}", table->frame));
    Report report = search_frame(o, *table, walls, out, progress);
    report.seconds.read = read;
    keep(std::move(report));
    reading = now();
    progress.step("reading");
  }
  if (plays) io::end_pvd(*out.pairs.file);
  return reports;
}

void run(const ContactsOptions& o) {
  require_options_that_fit(o);
  io::require_distinct_files({o.file, o.exclude, o.walls, o.plan}, {o.out, o.particles_out, o.summary, o.plot, o.walls_out});
  choose_backend(o.backend);  // what cannot be had is said before the work
  if (!o.plot.empty()) require_plot("--plot", o.plot, o.overwrite);
  Outputs out(o);
  const std::vector<Report> reports = search_frames(o, out);
  bool stdout_is_taken = false;
  for (const std::string* path : {&o.out, &o.particles_out, &o.summary, &o.walls_out}) {
    stdout_is_taken = stdout_is_taken || io::is_standard_output(*path);
  }
  if (o.series) {
    print(stdout_is_taken, o.json ? series_json(reports) : series_text(reports));
  } else {
    const Record report = record_of(reports.front());
    print(stdout_is_taken, o.json ? report.json() : report.text());
  }
  // Last: whatever fails, no output appears.
  io::AtomicFile::commit_all({out.walls.file.get(), out.particles.file.get(), out.summary.file.get(), out.pairs.file.get()});
  if (!o.plot.empty()) plot("--plot", o.summary, o.plot);
}

}  // namespace

void require_options_that_fit(const ContactsOptions& o) {
  if (o.file.empty() == !o.demo) refuse("a FILE or --demo is needed, and not both");
  if (o.count && !(o.out.empty() && o.particles_out.empty()))
    refuse("--count keeps no pairs to write; leave out --count or the outputs");
  const io::OutputFormat format = o.out.empty() ? io::OutputFormat::csv : io::pair_format(o.out);
  if (o.series && format != io::OutputFormat::csv && format != io::OutputFormat::pvd) {
    refuse(
        "--out of several frames is one table, which ends in .csv, or a series for ParaView, which ends in .pvd; --frames K "
        "takes one frame");
  }
  for (const auto& [name, given] :
       {std::pair{"--box", !o.box.empty()}, std::pair{"--tilt", !o.tilt.empty()}, std::pair{"--cell", !o.cell.empty()}}) {
    if (given && !any(o.periodic)) print_error(fmt::format("note: {} has no effect without --periodic", name));
  }
}

Report write_contacts(const ContactsOptions& o) {
  Outputs out(o);
  std::vector<Report> reports = search_frames(o, out);
  io::AtomicFile::commit_all({out.pairs.file.get()});
  return std::move(reports.front());
}

TableOutput::TableOutput(const std::string& path, const ContactsOptions& o)
    : file(path.empty() ? nullptr : std::make_unique<io::AtomicFile>(path, o.overwrite)), series_(o.series) {}

void TableOutput::begin(std::int64_t frame) {
  column = {series_ ? std::optional(frame) : std::nullopt, !std::exchange(begun_, true)};
}

void add_contacts(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ContactsOptions>();
  CLI::App* command = app.add_subcommand("contacts", "Find all contacts: pairs of particles that touch or overlap");
  declare(*command, *options);
  command->footer(
      "A text table has commas, semicolons, or blanks between columns, and a header that names x y z (or x y), r or diameter,\n"
      "or hx hy hz, half extents of boxes, and what else it likes; without one, nor --columns, they are x y, x y z, or x y z "
      "r.\n"
      "\"# box x0 y0 z0 x1 y1 z1\" states the box. .npy: N x 2, 3, 4 (x y z r) or 6 (x y z hx hy hz) numbers.\n"
      "In --out, i and j are the ids of FILE or, where it has none, count the particles taken, from 0; contacts of several\n"
      "frames are one table with a column frame. The vector between their centres is\n"
      "x_i - x_j - (ix, iy, iz) * box; overlap is r_i + r_j, or what --rule takes, minus its length, negative for pairs that\n"
      "only --skin takes; of boxes the least overlap along the axes.\n"
      "Exits: 0 done, 2 usage, 3 data, 4 files, 5 memory or device, 70 internal error, 128 and its number for a signal:\n"
      "130 interrupted, 141 nobody reads the output any more.\n\n"
      "Example: hgrid contacts particles.csv --periodic xyz --box 0,0,0,1,1,1 --out pairs.vtp");
  command->callback([options, &action] {
    action = [options] {
      work_on_ranks(
          options->backend, [&] { run(*options); }, [&] { help_in_parts(*options); });
    };
  });
}

}  // namespace hgrid::tool
