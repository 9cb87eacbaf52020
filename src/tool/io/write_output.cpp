// SPDX-License-Identifier: BSD-3-Clause
#include "io/write_output.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <span>
#include <system_error>

#include "hgrid/core/error.hpp"
#include "io/csv_pairs.hpp"
#include "io/md_files.hpp"
#include "io/mercury_data.hpp"
#include "io/npy.hpp"
#include "io/printable.hpp"
#include "io/text_table.hpp"

namespace hgrid::io {
namespace {

struct Extension {
  const char* text;
  OutputFormat format;
};

OutputFormat format_of(const std::string& path, std::span<const Extension> known) {
  if (path == "-") return OutputFormat::csv;
  std::string lower = path;
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  std::string list;
  for (const Extension& extension : known) {
    if (lower.ends_with(extension.text)) return extension.format;
    list += (list.empty() ? "" : ", ") + std::string(extension.text);
  }
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!error && std::filesystem::is_other(status)) return OutputFormat::csv;
  throw Error(ErrorCode::invalid_argument,
              fmt::format("{}: cannot tell the format; an output ends in one of {}", printable_path(path), list));
}

}  // namespace

OutputFormat pair_format(const std::string& path) {
  static constexpr Extension known[] = {
      {".csv", OutputFormat::csv}, {".npy", OutputFormat::npy}, {".vtp", OutputFormat::vtp}, {".pvd", OutputFormat::pvd}};
  return format_of(path, known);
}

OutputFormat particle_format(const std::string& path) {
  static constexpr Extension known[] = {
      {".csv", OutputFormat::csv}, {".npy", OutputFormat::npy},    {".data", OutputFormat::data}, {".vtp", OutputFormat::vtp},
      {".xyz", OutputFormat::xyz}, {".extxyz", OutputFormat::xyz}, {".lmp", OutputFormat::lammps}};
  return format_of(path, known);
}

void write_pairs(AtomicFile& file, OutputFormat format, const FoundPairs& found, const FrameColumn& frame) {
  if (frame.frame && format != OutputFormat::csv) {
    throw Error(ErrorCode::invalid_argument, "pairs of several frames go into one table, which is written as .csv");
  }
  switch (format) {
    case OutputFormat::csv:
      return write_pairs_csv(file, found.pairs, found.particles, frame);
    case OutputFormat::npy:
      return write_pairs_npy(file, found.pairs, found.particles);
    case OutputFormat::vtp:
      return write_vtp(file, found);
    default:
      throw Error(ErrorCode::invalid_argument, "pairs are written as .csv, .npy or .vtp");
  }
}

void write_particles(AtomicFile& file, OutputFormat format, const ParticleTable& particles) {
  switch (format) {
    case OutputFormat::csv:
      return write_particles_csv(file, particles);
    case OutputFormat::npy:
      return write_particles_npy(file, particles);
    case OutputFormat::data:
      return write_mercury_data(file, particles);
    case OutputFormat::vtp: {
      const auto n = particles.x.size();
      const Coordination none{std::vector<std::int32_t>(n), std::vector<double>(n)};
      return write_vtp(file, {.pairs = {}, .particles = particles, .coordination = none});
    }
    case OutputFormat::xyz:
      return write_extended_xyz(file, particles);
    case OutputFormat::lammps:
      return write_lammps_data(file, particles);
    default:
      throw Error(ErrorCode::invalid_argument, "particles are written as .csv, .npy, .data, .vtp, .xyz, .extxyz or .lmp");
  }
}

std::string left_out(OutputFormat format, const ParticleTable& particles) {
  using enum OutputFormat;
  std::string list;
  const auto add = [&](const char* what, bool there, std::initializer_list<OutputFormat> without) {
    if (there && std::ranges::find(without, format) != without.end()) list += (list.empty() ? "" : ", ") + std::string(what);
  };
  const bool numbered = !particles.id.empty() && particles.id.front() < 1;
  add("ids", !particles.id.empty(), {npy, data});
  add("ids, of which some are below 1", numbered, {lammps});
  add("the box", particles.box.has_value(), {npy, vtp});
  add("the box, which is tilted", particles.box && !brick_of(*particles.box), {csv, data});
  add("which axes are periodic", !particles.periodic.empty(), {csv, npy, data, vtp, lammps});
  add("that there are two dimensions", particles.dimension == 2, {npy, vtp, lammps});
  add("time and step", particles.time || particles.step, {csv, npy, data, vtp, lammps});
  return list;
}

}  // namespace hgrid::io
