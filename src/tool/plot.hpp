// SPDX-License-Identifier: BSD-3-Clause
// Pictures of summaries, by hgrid-plot, the script that lies beside the tool.
#pragma once

#include <string>

namespace hgrid::tool {

/// Throws Error(environment) unless pictures can be drawn here, by a Python with matplotlib, and Error(invalid_argument) if one
/// is there already, which is not to be overwritten.
void require_plot(const std::string& picture, bool overwrite);

/// Draws the summary in a file of its own kind, which its end says. Throws Error(io); what was wrong is then on standard error.
void plot(const std::string& summary, const std::string& picture);

}  // namespace hgrid::tool
