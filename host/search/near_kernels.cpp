// SPDX-License-Identifier: BSD-3-Clause
// With Highway this file is compiled once for each instruction set, without it once.
#include "hgrid/core/near_kernels.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>

#include "hgrid/core/predicate.hpp"
#include "host/search/lane_numbers.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/search/near_kernels.cpp"
#include "host/search/simd_begin-inl.hpp"

#ifdef HGRID_WITH_HIGHWAY
namespace hn = hwy::HWY_NAMESPACE;
#include "host/search/selection-inl.hpp"  // which the next uses
#endif

#include "host/search/near-inl.hpp"

#include "host/search/simd_end-inl.hpp"

#if HWY_ONCE

namespace hgrid::inline v0_2::detail {

template <bool surfaces, int D>
void look_below(const NearTreeView<D>& tree, const NearRange& range, const NearQuery<D>& query, const NearImage<D>& image,
                NearFound& found) {
  HGRID_DISPATCH(look_in_range<surfaces, D>)(tree, range, query, image, found);
}

template <int D>
void find_leaves(const NearTreeView<D>& tree, const NearRange& range, const Vec<double, D>* points, index_t count,
                 cell_key_t* leaf) {
  HGRID_DISPATCH(descend_to_leaves<D>)(tree, range, points, count, leaf);
}

void order_near(NearFound& found, const index_t* id) { HGRID_DISPATCH(order_found)(found, id); }

#define HGRID_INSTANCE(D)                                                                                             \
  template void look_below<false>(const NearTreeView<D>&, const NearRange&, const NearQuery<D>&, const NearImage<D>&, \
                                  NearFound&);                                                                        \
  template void look_below<true>(const NearTreeView<D>&, const NearRange&, const NearQuery<D>&, const NearImage<D>&,  \
                                 NearFound&);                                                                         \
  template void find_leaves(const NearTreeView<D>&, const NearRange&, const Vec<double, D>*, index_t, cell_key_t*);
HGRID_INSTANCE(2)
HGRID_INSTANCE(3)

}  // namespace hgrid::inline v0_2::detail
#endif
