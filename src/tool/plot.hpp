// SPDX-License-Identifier: BSD-3-Clause
// Pictures of summaries and packings, by hgrid-plot, the script that lies beside the tool.
#pragma once

#include <string>
#include <vector>

namespace hgrid::tool {

/// Throws Error(environment) unless pictures can be drawn here, by a Python with matplotlib, and Error(invalid_argument) if one
/// is there already, which is not to be overwritten. The option is the one that asks for the picture.
void require_plot(const std::string& option, const std::string& picture, bool overwrite);

/// Draws a file as the picture, whose kind its end says, with these options of the script. Throws Error(io); what was wrong is
/// then on standard error.
void plot(const std::string& option, const std::string& file, const std::string& picture,
          std::vector<std::string> options = {});

}  // namespace hgrid::tool
