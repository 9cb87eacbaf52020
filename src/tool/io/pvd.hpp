// SPDX-License-Identifier: BSD-3-Clause
// A series of .vtp files that ParaView plays as one (.pvd).
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "io/vtp.hpp"

namespace hgrid::io {

/// Returns the .vtp file of a frame beside a series: run_7.vtp for run.pvd.
std::string frame_file(const std::string& series, std::int64_t frame);

/// Writes the frame's .vtp, which waits for its name, and its line of the series, to which `file` writes; `series` is its path.
/// `overwrite` is for the .vtp. Throws the errors of write_vtp and AtomicFile.
std::unique_ptr<AtomicFile> write_pvd_frame(AtomicFile& file, const std::string& series, bool overwrite,
                                            const FoundPairs& found);

/// Call before the first frame, and after the last.
void begin_pvd(AtomicFile& file);
void end_pvd(AtomicFile& file);

}  // namespace hgrid::io
