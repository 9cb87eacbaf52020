// SPDX-License-Identifier: BSD-3-Clause
// With Highway this file is compiled once for each instruction set, without it once.
#include "host/neighbours/measure_kernels.hpp"

#include <algorithm>
#include <cmath>

#ifdef HGRID_WITH_HIGHWAY
#include "host/search/simd_targets.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/neighbours/measure_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
HWY_BEFORE_NAMESPACE();
namespace hgrid::inline v0_1::detail::HWY_NAMESPACE {
#else
#define HWY_ONCE 1
#define HGRID_DISPATCH(...) __VA_ARGS__
namespace hgrid::inline v0_1::detail {
namespace {
#endif

#include "host/neighbours/measure-inl.hpp"

#ifdef HGRID_WITH_HIGHWAY
}  // namespace hgrid::inline v0_1::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
}  // namespace
}  // namespace hgrid::inline v0_1::detail
#endif

#if HWY_ONCE
#ifdef HGRID_WITH_HIGHWAY
#include "host/search/simd_dispatch.hpp"
#endif

namespace hgrid::inline v0_1::detail {

template <class Real, int D>
offset_t write_row(const WantedEntries<Real, D>& wanted, const ListRow& row, const EntryColumns& to, offset_t at) {
  return HGRID_DISPATCH(measure_row<Real, D>)(wanted, row, to, at);
}

template offset_t write_row(const WantedEntries<float, 2>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<float, 3>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<double, 2>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<double, 3>&, const ListRow&, const EntryColumns&, offset_t);

}  // namespace hgrid::inline v0_1::detail
#endif
