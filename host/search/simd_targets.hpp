// SPDX-License-Identifier: BSD-3-Clause
// Settings for Highway's headers: besides the baseline of the build only two instruction sets are worth their code, and vectors
// of unknown size (SVE) cannot be members or elements of arrays.
#pragma once

#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL | HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128)
