// SPDX-License-Identifier: BSD-3-Clause
#include "io/pvd.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace hgrid::io {
namespace {

std::string as_attribute(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    escaped += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '"' ? "&quot;" : std::string(1, c);
  }
  return escaped;
}

/// Returns the file's time, or else its step, or else the number of the frame.
double time_of(const ParticleTable& table) {
  return table.time ? *table.time : static_cast<double>(table.step ? *table.step : table.frame);
}

}  // namespace

std::string frame_file(const std::string& series, std::int64_t frame) {
  return fmt::format("{}_{}.vtp", series.substr(0, series.size() - std::string(".pvd").size()), frame);
}

std::unique_ptr<AtomicFile> write_pvd_frame(AtomicFile& file, const std::string& series, bool overwrite,
                                            const FoundPairs& found) {
  const std::string path = frame_file(series, found.particles.frame);
  auto frame = std::make_unique<AtomicFile>(path, overwrite);
  write_vtp(*frame, found);
  frame->finish();
  file.write(fmt::format("    <DataSet timestep=\"{}\" part=\"0\" file=\"{}\"/>\n", time_of(found.particles),
                         as_attribute(std::filesystem::path(path).filename().string())));
  return frame;
}

void begin_pvd(AtomicFile& file) {
  file.write(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"Collection\" version=\"0.1\" byte_order=\"LittleEndian\">\n  <Collection>\n");
}
void end_pvd(AtomicFile& file) { file.write("  </Collection>\n</VTKFile>\n"); }

}  // namespace hgrid::io
