// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/core/clock.hpp"

#include <chrono>

namespace hgrid::inline v0_2::detail {

double steady_seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace hgrid::inline v0_2::detail
