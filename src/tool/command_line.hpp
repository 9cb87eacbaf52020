// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hgrid::tool {

/// All that `main` does; returns the exit code.
int run_command_line(int argc, char** argv);

}  // namespace hgrid::tool
