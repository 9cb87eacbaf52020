// SPDX-License-Identifier: BSD-3-Clause
// The reports of several frames as tables.
#pragma once

#include <string>
#include <vector>

#include "report.hpp"

namespace hgrid::tool {

/// The header of --summary, and the row of a frame; what a frame has not is an empty field.
std::string summary_header();
std::string summary_row(const Report& report);

/// A line for each frame, and the notes, each once with the frames that it is about.
std::string series_text(const std::vector<Report>& frames);
/// The reports of all frames as one JSON array.
std::string series_json(const std::vector<Report>& frames);

}  // namespace hgrid::tool
