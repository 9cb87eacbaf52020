// SPDX-License-Identifier: BSD-3-Clause
// Outputs that would take the place of each other, or of an input.
#pragma once

#include <string>
#include <vector>

namespace hgrid::io {

/// Throws Error(invalid_argument) if two outputs go into one file or stream, or an output is an input: by whatever path,
/// links and "-" (standard input or output, redirected or not) included, and also where the file is yet to be made.
/// Empty paths do not count. A device, such as a terminal or /dev/null, may serve several times, but "-" only once.
void require_distinct_files(const std::vector<std::string>& inputs, const std::vector<std::string>& outputs);

/// Whether what is written to this path ends in the file or stream that standard output is.
bool is_standard_output(const std::string& path);

}  // namespace hgrid::io
