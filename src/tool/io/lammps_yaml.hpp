// SPDX-License-Identifier: BSD-3-Clause
// LAMMPS' `dump yaml`: a document for each frame, line by line as LAMMPS writes it. Other YAML is refused.
#pragma once

#include <memory>
#include <string_view>

#include "io/byte_source.hpp"
#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Returns the frames of a file; lammps_frame.hpp finds the meaning of the columns.
std::unique_ptr<FrameSource> lammps_yaml_frames(ByteSource& source, const ReadOptions& options);

/// Returns whether a file with these first lines is one.
inline bool is_lammps_yaml(std::string_view first, std::string_view second) {
  return first == "---" && second.starts_with("creator: LAMMPS");
}

}  // namespace hgrid::io
