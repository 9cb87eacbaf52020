// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <chrono>

namespace hgrid::tool {

/// Returns seconds on a clock that never goes back.
inline double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace hgrid::tool
