// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace hgrid::inline v0_2 {

/// Returns the name of the instruction set that the host engine uses, e.g. "AVX-512".
const char* simd_target();

}  // namespace hgrid::inline v0_2
