// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set with Highway, and once without it.
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
#include "host/search/near_tree-inl.hpp"  // which uses the one before

#include "host/search/simd_end-inl.hpp"

#if HWY_ONCE

namespace hgrid::inline v0_2::detail {

template <bool surfaces, int D>
index_t add_near(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t from, index_t end,
                 const NearColumns& found, index_t& count, offset_t room) {
  return HGRID_DISPATCH(add_pieces<surfaces, D>)(g, p, pieces, from, end, found, count, room);
}

template <int D>
NearOne nearest_of(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t count) {
  return HGRID_DISPATCH(nearest_in_pieces<D>)(g, p, pieces, count);
}

template NearOne nearest_of(const GridView<2>&, const NearAsker<2>&, const NearPiece*, index_t);
template NearOne nearest_of(const GridView<3>&, const NearAsker<3>&, const NearPiece*, index_t);

void order_near(const NearColumns& found, index_t count, index_t first, const index_t* id) {
  HGRID_DISPATCH(order_any)(found, count, first, id);
}

#define HGRID_INSTANCE(surfaces, D)                                                                                \
  template index_t add_near<surfaces>(const GridView<D>&, const NearAsker<D>&, const NearPiece*, index_t, index_t, \
                                      const NearColumns&, index_t&, offset_t);
HGRID_INSTANCE(false, 2)
HGRID_INSTANCE(false, 3)
HGRID_INSTANCE(true, 2)
HGRID_INSTANCE(true, 3)

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

#define HGRID_INSTANCE_OF_TREE(D)                                                                                     \
  template void look_below<false>(const NearTreeView<D>&, const NearRange&, const NearQuery<D>&, const NearImage<D>&, \
                                  NearFound&);                                                                        \
  template void look_below<true>(const NearTreeView<D>&, const NearRange&, const NearQuery<D>&, const NearImage<D>&,  \
                                 NearFound&);                                                                         \
  template void find_leaves(const NearTreeView<D>&, const NearRange&, const Vec<double, D>*, index_t, cell_key_t*);
HGRID_INSTANCE_OF_TREE(2)
HGRID_INSTANCE_OF_TREE(3)

}  // namespace hgrid::inline v0_2::detail
#endif
