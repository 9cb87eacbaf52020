// SPDX-License-Identifier: BSD-3-Clause
// Compiled once for each instruction set with Highway, and once without it.
#include "host/sort/sort_kernels.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/sort/sort_kernels.cpp"
#include "host/search/simd_begin-inl.hpp"

#include "host/search/cell_of-inl.hpp"  // which the others use,

#include "host/sort/sort_kernels-inl.hpp"  // and these bounds

#include "host/sort/check-inl.hpp"
#include "host/sort/rank-inl.hpp"

#include "host/search/simd_end-inl.hpp"

#if HWY_ONCE

namespace hgrid::inline v0_2::detail {

template <class Real, int D>
void read_interleaved(const Real* from, index_t n, double (*columns)[particles_per_batch]) {
  HGRID_DISPATCH(read_columns<Real, D>)(from, n, columns);
}

template <int D>
bool inspect_batch(const ParticleBatch<D>& batch, const Box<D>& box, double skin, InputSummary<D>& summary) {
  return HGRID_DISPATCH(inspect<D>)(batch, box, skin, summary);
}

template <int D>
index_t wrap_batch(ParticleBatch<D>& batch, const Box<D>& box, Image* periods) {
  return HGRID_DISPATCH(wrap_all<D>)(batch, box, periods);
}

template <int D, class Key>
void make_batch_keys(const GridView<D>& grid, const ParticleBatch<D>& batch, Key* key, double* radius_max) {
  HGRID_DISPATCH(make_keys<D, Key>)(grid, batch, key, radius_max);
}

template <int D>
bool within_margins(const ParticleBatch<D>& batch, const BuiltParticles<D>& built, const ChangedBox<D>& box, offset_t first,
                    double& excess) {
  return HGRID_DISPATCH(all_within<D>)(batch, built, box, first, excess);
}

template <int D>
void fill_filter_columns(const GridView<D>& grid, index_t first, index_t last, const FilterColumns<D>& columns) {
  HGRID_DISPATCH(fill_columns<D>)(grid, first, last, columns);
}

void rank_lists(const RankedLists& in, index_t* neighbours, Image* images) {
  HGRID_DISPATCH(rank_into_lists)(in, neighbours, images);
}
void rank_lists(const RankedLists& in, PackedNeighbour* out) { HGRID_DISPATCH(rank_into_packed)(in, out); }

template void read_interleaved<float, 2>(const float*, index_t, double (*)[particles_per_batch]);
template void read_interleaved<float, 3>(const float*, index_t, double (*)[particles_per_batch]);
template void read_interleaved<double, 2>(const double*, index_t, double (*)[particles_per_batch]);
template void read_interleaved<double, 3>(const double*, index_t, double (*)[particles_per_batch]);
template bool inspect_batch(const ParticleBatch<2>&, const Box<2>&, double, InputSummary<2>&);
template bool inspect_batch(const ParticleBatch<3>&, const Box<3>&, double, InputSummary<3>&);
template index_t wrap_batch(ParticleBatch<2>&, const Box<2>&, Image*);
template index_t wrap_batch(ParticleBatch<3>&, const Box<3>&, Image*);
template void fill_filter_columns(const GridView<2>&, index_t, index_t, const FilterColumns<2>&);
template void fill_filter_columns(const GridView<3>&, index_t, index_t, const FilterColumns<3>&);
template bool within_margins(const ParticleBatch<2>&, const BuiltParticles<2>&, const ChangedBox<2>&, offset_t, double&);
template bool within_margins(const ParticleBatch<3>&, const BuiltParticles<3>&, const ChangedBox<3>&, offset_t, double&);
template void make_batch_keys(const GridView<2>&, const ParticleBatch<2>&, std::uint32_t*, double*);
template void make_batch_keys(const GridView<2>&, const ParticleBatch<2>&, cell_key_t*, double*);
template void make_batch_keys(const GridView<3>&, const ParticleBatch<3>&, std::uint32_t*, double*);
template void make_batch_keys(const GridView<3>&, const ParticleBatch<3>&, cell_key_t*, double*);

}  // namespace hgrid::inline v0_2::detail
#endif
