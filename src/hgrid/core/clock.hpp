// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hgrid::inline v0_2::detail {

/// Returns the time in seconds of a clock that never goes back.
double steady_seconds();

}  // namespace hgrid::inline v0_2::detail
