// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set with Highway, and once without it.
#include "host/neighbours/measure_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#ifdef __x86_64__
#include <emmintrin.h>
#endif

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/neighbours/measure_kernels.cpp"
#include "host/search/simd_begin-inl.hpp"

#include "host/neighbours/measure-inl.hpp"

#include "host/search/simd_end-inl.hpp"

#if HWY_ONCE

namespace hgrid::inline v0_2::detail {

template <class Real, int D>
offset_t write_row(const WantedEntries<Real, D>& wanted, const ListRow& row, const EntryColumns& to, offset_t at) {
  return HGRID_DISPATCH(measure_row<Real, D>)(wanted, row, to, at);
}

void finish_rows() {
#ifdef __x86_64__
  _mm_sfence();
#endif
}

template offset_t write_row(const WantedEntries<float, 2>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<float, 3>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<double, 2>&, const ListRow&, const EntryColumns&, offset_t);
template offset_t write_row(const WantedEntries<double, 3>&, const ListRow&, const EntryColumns&, offset_t);

}  // namespace hgrid::inline v0_2::detail
#endif
