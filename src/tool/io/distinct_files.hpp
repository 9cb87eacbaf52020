// SPDX-License-Identifier: BSD-3-Clause
// Detects outputs that would replace each other, or an input.
#pragma once

#include <string>
#include <vector>

namespace hgrid::io {

/// Throws Error(invalid_argument) if two outputs go into one file or stream, or an output is an input. Recognises different
/// paths to one file, including links and "-" (standard input or output, redirected or not), also if the file does not exist
/// yet. Empty paths are ignored. A device, such as a terminal or /dev/null, may be used several times, but "-" only once.
void require_distinct_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// Returns whether writing to this path writes into the file or stream that is standard output.
bool is_standard_output(const std::string& path);

}  // namespace hgrid::io
