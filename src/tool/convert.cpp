// SPDX-License-Identifier: BSD-3-Clause
// hgrid convert: reads particles in any supported format and writes them in another.
#include <fmt/format.h>

#include <memory>

#include "commands.hpp"
#include "contacts.hpp"
#include "exits.hpp"
#include "io/distinct_files.hpp"
#include "io/printable.hpp"
#include "io/write_output.hpp"
#include "progress.hpp"
#include "record.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

/// Writes the frames, and reports on the particles of all frames and on the last one.
void write_frames(const ContactsOptions& o, io::OutputFormat format, io::AtomicFile& file, Record& report) {
  ContactsInput input(o);
  std::int64_t frames = 0, particles = 0, skipped = 0;
  std::string left_out;
  std::vector<std::string> notes;
  while (const std::optional<io::ParticleTable> table = input.next()) {
    io::write_particles(file, format, *table);
    ++frames, particles += table->size(), skipped += table->skipped_rows;
    left_out = io::left_out(format, *table), notes = table->notes;
  }
  report.line("particles").say("{}", grouped(particles));
  if (o.series) report.say(" in {}", detail::counted(frames, "frame"));
  if (skipped > 0) report.line("skipped").say("{}", detail::counted(skipped, "bad row"));
  if (!left_out.empty()) report.line("left out").say("{}, for which such a file has no room", left_out);
  for (const std::string& note : notes) report.line("note").say("{}", note);
}

void convert(const ContactsOptions& o) {
  const double start = now();
  const io::OutputFormat format = io::particle_format(o.out);
  if (o.series && format != io::OutputFormat::xyz) {
    throw Error(ErrorCode::invalid_argument, "several frames go into extended XYZ, which ends in .xyz; --frames K takes one");
  }
  io::require_distinct_files(o.files, {o.out});
  io::AtomicFile file(o.out, o.overwrite);
  Record report;
  {
    Progress progress;
    progress.step("converting");
    write_frames(o, format, file, report);
  }
  report.line("seconds").say("{:.3g}", now() - start);
  print(io::is_standard_output(o.out), report.text());
  file.commit();  // last: after any failure no output appears
}

}  // namespace

void add_convert(CLI::App& app, Action& action) {
  const auto o = std::make_shared<ContactsOptions>();
  CLI::App* command = app.add_subcommand("convert", "Write the particles of a file in another format, to the last bit");
  declare_file(*command, *o);
  command->get_option("FILE")->required();
  command
      ->add_option("OUT", o->out,
                   "By the name's end .csv, .npy, .data (MercuryDPM), .vtp, .xyz (extended, of several frames too) or .lmp "
                   "(LAMMPS); - is CSV to stdout")
      ->required()
      ->option_text(" ");
  add_overwrite(*command, o->overwrite, "OUT");
  command->footer("Example: hgrid convert run.gsd run.xyz --frames all");
  command->callback([o, &action] { action = [o] { convert(*o); }; });
}

}  // namespace hgrid::tool
