// SPDX-License-Identifier: BSD-3-Clause
// Opens the namespace of an instruction set in a file of plain loops, which must define itself as HWY_TARGET_INCLUDE first.
// With Highway the file is compiled once for each set, so this has no include guard; without Highway it is compiled once.
#ifdef HGRID_WITH_HIGHWAY
#include "host/search/simd_targets.hpp"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>
HWY_BEFORE_NAMESPACE();
namespace hgrid::inline v0_2::detail::HWY_NAMESPACE {
#else
#define HWY_ONCE 1
#define HGRID_DISPATCH(...) __VA_ARGS__
namespace hgrid::inline v0_2::detail {
namespace {
#endif
