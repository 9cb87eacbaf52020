// SPDX-License-Identifier: BSD-3-Clause
#include "io/read_particles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <new>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/extended_xyz.hpp"
#include "io/file_part.hpp"
#include "io/gsd.hpp"
#include "io/lammps_data.hpp"
#include "io/lammps_dump.hpp"
#include "io/lammps_yaml.hpp"
#include "io/mercury_data.hpp"
#include "io/mercury_restart.hpp"
#include "io/npy.hpp"
#include "io/row_parser.hpp"
#include "io/sniff.hpp"
#include "io/text_table.hpp"
#include "io/vtk_legacy.hpp"
#include "io/vtk_xml.hpp"

namespace hgrid::io {
namespace {

std::unique_ptr<FrameSource> open_frames(InputFormat format, ByteSource& source, const ReadOptions& options) {
  static constexpr InputFormat name_columns[] = {InputFormat::mercury_restart, InputFormat::vtk_legacy, InputFormat::vtk_xml,
                                                 InputFormat::gsd};
  if (!options.columns.empty() && std::ranges::find(name_columns, format) != std::end(name_columns)) {
    throw Error(ErrorCode::invalid_argument, source.name() + ": the format says what its columns are; leave out --columns");
  }
  switch (format) {
    case InputFormat::npy:
      return std::make_unique<SingleFrame<read_npy>>(source, options);
    case InputFormat::mercury_restart:
      return std::make_unique<SingleFrame<read_mercury_restart>>(source, options);
    case InputFormat::lammps_dump:
      return lammps_frames(source, options);
    case InputFormat::lammps_data:
      return std::make_unique<SingleFrame<read_lammps_data>>(source, options);
    case InputFormat::lammps_yaml:
      return lammps_yaml_frames(source, options);
    case InputFormat::vtk_legacy:
      return std::make_unique<SingleFrame<read_vtk_legacy>>(source, options);
    case InputFormat::vtk_xml:
      return std::make_unique<SingleFrame<read_vtk_xml>>(source, options);
    case InputFormat::gsd:
      return gsd_frames(source, options);
    case InputFormat::xyz:
      return xyz_frames(source, options);
    case InputFormat::mercury_data:
      return mercury_frames(source, options);
    default:
      return std::make_unique<SingleFrame<read_text_table>>(source, options);
  }
}

}  // namespace

template <class F>
auto ParticleReader::with_memory(F&& f) {
  try {
    return f();
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, source_->name() + ": the particles do not fit into memory");
  }
}

ParticleReader::ParticleReader(std::vector<std::string> paths, const ReadOptions& options)
    : options_(options), paths_(std::move(paths)) {
  open_next();
}

bool ParticleReader::open_next() {
  static constexpr std::size_t head = 1 << 16;
  if (opened_ == paths_.size()) return false;
  const std::string& path = paths_[opened_++];
  frames_.reset();
  source_ = std::make_unique<ByteSource>(path, options_);
  frames_ = with_memory([&] {
    return open_frames(sniff(source_->peek(head), path, source_->name(), options_.columns.size()), *source_, options_);
  });
  return true;
}

std::optional<ParticleTable> ParticleReader::next() {
  return with_memory([&] { return next_frame(); });
}

std::optional<ParticleTable> ParticleReader::next_frame() {
  const auto& chosen = options_.frames;
  while (!chosen || passed_ < chosen->end) {
    const bool keep = !chosen || chosen->has(passed_);
    if (!frames_->pass(keep)) {
      if (open_next()) continue;
      break;
    }
    ++passed_;
    if (chosen && keep) return parse();
  }
  if (given_ > 0) return std::nullopt;
  if (passed_ == 0) throw Error(ErrorCode::format, source_->name() + ": no particles: the file has no frame");
  if (!chosen) return parse();
  throw Error(ErrorCode::invalid_argument, fmt::format("{}: there is no frame {}; the {} {} (the first is 0)", source_->name(),
                                                       chosen->first, paths_.size() > 1 ? "files have" : "file has", passed_));
}

ParticleTable ParticleReader::parse() {
  ++given_;
  ParticleTable table = frames_->parse();
  table.frame = passed_ - 1, table.source = source_->name();
  return table;
}

std::optional<ParticleTable> read_particles_part(const std::string& path, const ReadOptions& options, const FilePart& part) {
  static constexpr std::size_t head = 1 << 16;
  ByteSource source(path, options);
  const InputFormat format = sniff(source.peek(head), path, source.name(), options.columns.size());
  if (!source.size() || !options.more.empty() || options.frames) return std::nullopt;
  std::optional<ParticleTable> table;
  if (format == InputFormat::text_table) table = read_text_part(source, options, part);
  if (format == InputFormat::npy && options.columns.empty()) table = read_npy_part(source, options, part);
  if (table) table->source = source.name();
  return table && are_points(*table) ? std::nullopt : table;  // only a read of the whole file tells whether all are points
}

ParticleTable read_particles(const std::string& path, const ReadOptions& options) {
  return *ParticleReader(path, options).next();
}

}  // namespace hgrid::io
