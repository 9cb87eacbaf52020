// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hgrid::inline v0_2::detail {

/// The time by a clock that never goes back, in seconds.
double steady_seconds();

}  // namespace hgrid::inline v0_2::detail
