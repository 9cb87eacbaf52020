// SPDX-License-Identifier: BSD-3-Clause
// hgrid contacts, in the order of the data flow: options (contacts_options.cpp), read (contacts_input.cpp), search (search.cpp,
// reference_search.cpp, walls.cpp), analyse (analysis.cpp), write (contacts_output.cpp), report (report.cpp, series.cpp). If
// ranks read parts of the file, parts.cpp replaces the stages from reading to writing.
#include "contacts.hpp"

#include <fmt/format.h>

#include <utility>

#include "commands.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "ranks.hpp"
#include "record.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

/// Returns facts for an error that the library cannot know: the id of a particle that it names by its index, and that pairs can
/// be counted without memory.
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
  const SearchOptions s = search_options(o, table);
  Report report = report_on_input(o, table, s);
  const PairTaker take = [&](const io::PairSource& pairs) {
    progress.step("analysing");
    const double analysing = now();
    report.analysis = analyse(pairs, table, s.dimension, o.rule, o.skin);
    report.seconds.analysis = now() - analysing;
    out.write({pairs, table, s.box, report.analysis->particle, walls}, progress, report);
  };
  try {
    (s.algorithm ? reference_search : search)(table, s, o.count ? PairTaker{} : take, progress, report);
  } catch (const Error& e) {
    const std::string what = e.what();  // begins with the name of the code
    throw Error(e.code(), what.substr(what.find(": ") + 2) + hint(e, o, table), e.detail());
  }
  if (!o.walls.empty()) out.write_walls(search_walls(walls, table, s, progress, report), table);
  return report;
}

std::vector<Report> search_frames(const ContactsOptions& o, Outputs& out) {
  Progress progress;
  progress.step(o.demo ? "generating" : "reading");
  double began = now();
  std::vector<Report> reports;
  const auto keep = [&](Report report) {
    complete(report, o, now() - began);
    out.end_frame(report);
    if (report.analysis) report.analysis->particle = {};  // for all frames this would be too much memory
    reports.push_back(std::move(report));
  };
  if (may_be_read_in_parts(o)) {
    if (std::optional<Report> report = search_in_parts(o, out, progress)) return keep(*std::move(report)), reports;
    progress.step("reading");
  }
  ContactsInput input(o);
  out.begin_frames();
  while (const std::optional<io::ParticleTable> table = input.next()) {
    const double read = now() - began;
    if (o.series) progress.of(fmt::format("frame {}", table->frame));
    Report report = search_frame(o, *table, input.walls, out, progress);
    report.seconds.read = read;
    keep(std::move(report));
    began = now();
    progress.step("reading");
  }
  out.end_frames();
  return reports;
}

void run(const ContactsOptions& o) {
  require_options_that_fit(o);
  std::vector<std::string> inputs = o.files;
  inputs.insert(inputs.end(), {o.exclude, o.walls, o.plan});
  io::require_distinct_files(inputs, {o.out, o.particles_out, o.summary, o.plot, o.walls_out});
  choose_backend(o.backend);  // errors come before the work
  if (!o.plot.empty()) require_plot("--plot", o.plot, o.overwrite);
  Outputs out(o);
  const std::vector<Report> reports = search_frames(o, out);
  if (o.series) {
    print(out.take_stdout(), o.json ? series_json(reports) : series_text(reports));
  } else {
    const Record report = record_of(reports.front());
    print(out.take_stdout(), o.json ? report.json() : report.text());
  }
  out.commit();  // last: after any failure no output appears
  if (!o.plot.empty()) plot("--plot", o.summary, o.plot);
}

}  // namespace

Report write_contacts(const ContactsOptions& o) {
  Outputs out(o);
  std::vector<Report> reports = search_frames(o, out);
  out.commit();
  return std::move(reports.front());
}

void add_contacts(CLI::App& app, Action& action) {
  const auto options = std::make_shared<ContactsOptions>();
  CLI::App* command = app.add_subcommand("contacts", "Find all contacts: pairs of particles that touch or overlap");
  declare(*command, *options);
  command->callback([options, &action] {
    action = [options] {
      take_series(*options);
      work_on_ranks(
          options->backend, [&] { run(*options); }, [&] { help_in_parts(*options); });
    };
  });
}

}  // namespace hgrid::tool
