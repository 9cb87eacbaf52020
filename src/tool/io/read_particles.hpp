// SPDX-License-Identifier: BSD-3-Clause
// The one interface of all readers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Reads particles from a text table, a MercuryDPM .data or .restart file, a LAMMPS text dump or data file, (extended) XYZ,
/// GSD, a file of VTK, its legacy format or XML, or an .npy file. All except GSD may be compressed by gzip; "-" is standard
/// input. The content determines the format; the name decides only if the content does not. A format without frames has one.
/// The functions throw Error with codes io (cannot be read), format (the data; the message names line or byte),
/// invalid_argument (an option that does not fit the file, or a frame that it does not have), unsupported (GSD from a stream)
/// and out_of_memory.
class ParticleReader {
 public:
  explicit ParticleReader(const std::string& path, const ReadOptions& options = {})
      : ParticleReader(std::vector{path}, options) {}
  /// Frames of several files, one after the other; there is at least one. A file is opened when the one before has ended.
  explicit ParticleReader(std::vector<std::string> paths, const ReadOptions& options = {});
  ParticleReader(const ParticleReader&) = delete;
  ParticleReader& operator=(const ParticleReader&) = delete;

  /// Returns the next of the frames that the options name; nothing after the last of them.
  std::optional<ParticleTable> next();

 private:
  bool open_next();
  std::optional<ParticleTable> next_frame();
  ParticleTable parse();
  template <class F>
  auto with_memory(F&& f);

  ReadOptions options_;
  std::vector<std::string> paths_;
  std::size_t opened_ = 0;
  std::unique_ptr<ByteSource> source_;
  std::unique_ptr<FrameSource> frames_;
  std::int64_t passed_ = 0, given_ = 0;
};

/// Returns the first of the frames that the options name, or the last frame of the file if they name none.
ParticleTable read_particles(const std::string& path, const ReadOptions& options = {});

}  // namespace hgrid::io
