// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>

#include "contacts.hpp"
#include "io/csv_pairs.hpp"
#include "io/distinct_files.hpp"
#include "io/pvd.hpp"
#include "seconds.hpp"

namespace hgrid::tool {
namespace {

std::unique_ptr<io::AtomicFile> opened(const std::string& path, bool overwrite) {
  return path.empty() ? nullptr : std::make_unique<io::AtomicFile>(path, overwrite);
}

}  // namespace

Outputs::Outputs(const ContactsOptions& o)
    : o_(o),
      format_(pair_format(o)),
      pairs_(opened(o.out, o.overwrite)),
      particles_(opened(o.particles_out, o.overwrite)),
      summary_(opened(o.summary, o.overwrite)),
      walls_(opened(o.walls_out, o.overwrite)) {
  if (summary_) summary_->write(summary_header());
}

void Outputs::begin_frames() {
  if (format_ == io::OutputFormat::pvd) io::begin_pvd(*pairs_);
}

void Outputs::write(const io::FoundPairs& found, Progress& progress, Report& report) {
  if (!pairs_ && !particles_) return;
  progress.step("writing");
  const double writing = now();
  if (o_.series) column_.frame = found.particles.frame;
  if (format_ == io::OutputFormat::pvd) {
    frames_.push_back(io::write_pvd_frame(*pairs_, o_.out, o_.overwrite, found));
  } else if (pairs_) {
    io::write_pairs(*pairs_, format_, found, column_);
  }
  if (particles_) io::write_coordination_csv(*particles_, found.particles, found.coordination, column_);
  report.seconds.write = now() - writing;
}

void Outputs::write_walls(const std::vector<reference::WallContact>& contacts, const io::ParticleTable& table) {
  if (!walls_) return;
  if (o_.series) column_.frame = table.frame;
  fmt::memory_buffer text;
  const std::string first = column_.begin("ball,facet,overlap", text);
  for (const reference::WallContact& c : contacts) {
    fmt::format_to(std::back_inserter(text), FMT_COMPILE("{}{},{},{}\n"), first, table.id_of(c.ball), c.facet, c.overlap);
    walls_->write_when_full(text);
  }
  walls_->write({text.data(), text.size()});
}

void Outputs::end_frame(const Report& report) {
  if (summary_) summary_->write(summary_row(report));
  column_.header = false;
}

void Outputs::end_frames() {
  if (format_ == io::OutputFormat::pvd) io::end_pvd(*pairs_);
}

bool Outputs::take_stdout() const {
  const std::string* const paths[] = {&o_.out, &o_.particles_out, &o_.summary, &o_.walls_out};
  return std::ranges::any_of(paths, [](const std::string* path) { return io::is_standard_output(*path); });
}

void Outputs::commit() {
  std::vector<io::AtomicFile*> files;
  for (const auto& frame : frames_) files.push_back(frame.get());
  files.insert(files.end(), {walls_.get(), particles_.get(), summary_.get(), pairs_.get()});
  io::AtomicFile::commit_all(files);
}

}  // namespace hgrid::tool
