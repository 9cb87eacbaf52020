// SPDX-License-Identifier: BSD-3-Clause
#include "io/read_particles.hpp"

#include <fmt/format.h>

#include <new>

#include "hgrid/core/error.hpp"
#include "io/byte_source.hpp"
#include "io/extended_xyz.hpp"
#include "io/lammps_dump.hpp"
#include "io/mercury_data.hpp"
#include "io/npy.hpp"
#include "io/sniff.hpp"
#include "io/text_table.hpp"

namespace hgrid::io {
namespace {

ParticleTable read_as(InputFormat format, ByteSource& source, const ReadOptions& options) {
  const bool has_frames =
      format == InputFormat::mercury_data || format == InputFormat::lammps_dump || format == InputFormat::extended_xyz;
  if (!has_frames && options.frame.value_or(0) != 0) {
    throw Error(ErrorCode::invalid_argument,
                fmt::format("{}: the format has no frames, so there is no frame {}", source.name(), *options.frame));
  }
  switch (format) {
    case InputFormat::npy:
      return read_npy(source, options);
    case InputFormat::lammps_dump:
      return read_lammps_dump(source, options);
    case InputFormat::extended_xyz:
      return read_extended_xyz(source, options);
    case InputFormat::mercury_data:
      return read_mercury_data(source, options);
    default:
      return read_text_table(source, options);
  }
}

}  // namespace

ParticleTable read_particles(const std::string& path, const ReadOptions& options) {
  static constexpr std::size_t head = 1 << 16;
  ByteSource source(path, options);
  try {
    return read_as(sniff(source.peek(head), path, source.name()), source, options);
  } catch (const std::bad_alloc&) {
    throw Error(ErrorCode::out_of_memory, source.name() + ": the particles do not fit into memory");
  }
}

}  // namespace hgrid::io
