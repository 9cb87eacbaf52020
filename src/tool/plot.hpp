// SPDX-License-Identifier: BSD-3-Clause
// Pictures of summaries and packings, by hgrid-plot, the script that lies beside the tool.
#pragma once

#include <string>
#include <vector>

namespace hgrid::tool {

/// Throws Error(environment) unless pictures can be drawn here, by a Python with matplotlib, and Error(invalid_argument) if one
/// is there already, which is not to be overwritten. The option is the one that asks for the picture.
void require_plot(const std::string& option, const std::string& picture, bool overwrite);

/// Draws, with these arguments of the script: a file, the picture, whose kind its end says, and what else. Throws Error(io);
/// what was wrong is then on standard error.
void plot(const std::string& option, const std::vector<std::string>& arguments);

}  // namespace hgrid::tool
