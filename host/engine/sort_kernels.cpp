// SPDX-License-Identifier: BSD-3-Clause
// With Highway this file is compiled once for each instruction set, without it once.
#include "host/engine/sort_kernels.hpp"

#include <algorithm>
#include <cmath>

#ifdef HGRID_WITH_HIGHWAY
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)  // as the search
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "host/engine/sort_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
HWY_BEFORE_NAMESPACE();
namespace hgrid::HWY_NAMESPACE {
#else
#define HWY_ONCE 1
#define HGRID_DISPATCH(f) f
namespace hgrid {
namespace {
#endif

#include "host/engine/sort_kernels-inl.hpp"

bool inspect_2(const ParticleBatch<2>& batch, const Box<2>& box, double skin, InputSummary<2>& summary) {
  return inspect(batch, box, skin, summary);
}
bool inspect_3(const ParticleBatch<3>& batch, const Box<3>& box, double skin, InputSummary<3>& summary) {
  return inspect(batch, box, skin, summary);
}
void make_narrow_keys_2(const GridView<2>& grid, const ParticleBatch<2>& batch, std::uint32_t* key, double* radius_max) {
  make_keys(grid, batch, key, radius_max);
}
void make_wide_keys_2(const GridView<2>& grid, const ParticleBatch<2>& batch, cell_key_t* key, double* radius_max) {
  make_keys(grid, batch, key, radius_max);
}
void make_narrow_keys_3(const GridView<3>& grid, const ParticleBatch<3>& batch, std::uint32_t* key, double* radius_max) {
  make_keys(grid, batch, key, radius_max);
}
void make_wide_keys_3(const GridView<3>& grid, const ParticleBatch<3>& batch, cell_key_t* key, double* radius_max) {
  make_keys(grid, batch, key, radius_max);
}

#ifdef HGRID_WITH_HIGHWAY
}  // namespace hgrid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#else
}  // namespace
}  // namespace hgrid
#endif

#if HWY_ONCE
#ifdef HGRID_WITH_HIGHWAY
#include "host/engine/simd_dispatch.hpp"
#endif

namespace hgrid {

template <>
bool inspect_batch(const ParticleBatch<2>& batch, const Box<2>& box, double skin, InputSummary<2>& summary) {
  return HGRID_DISPATCH(inspect_2)(batch, box, skin, summary);
}
template <>
bool inspect_batch(const ParticleBatch<3>& batch, const Box<3>& box, double skin, InputSummary<3>& summary) {
  return HGRID_DISPATCH(inspect_3)(batch, box, skin, summary);
}
template <>
void make_batch_keys(const GridView<2>& grid, const ParticleBatch<2>& batch, std::uint32_t* key, double* radius_max) {
  HGRID_DISPATCH(make_narrow_keys_2)(grid, batch, key, radius_max);
}
template <>
void make_batch_keys(const GridView<2>& grid, const ParticleBatch<2>& batch, cell_key_t* key, double* radius_max) {
  HGRID_DISPATCH(make_wide_keys_2)(grid, batch, key, radius_max);
}
template <>
void make_batch_keys(const GridView<3>& grid, const ParticleBatch<3>& batch, std::uint32_t* key, double* radius_max) {
  HGRID_DISPATCH(make_narrow_keys_3)(grid, batch, key, radius_max);
}
template <>
void make_batch_keys(const GridView<3>& grid, const ParticleBatch<3>& batch, cell_key_t* key, double* radius_max) {
  HGRID_DISPATCH(make_wide_keys_3)(grid, batch, key, radius_max);
}

void sort_short_lists(const offset_t* begin, offset_t end, index_t lists, index_t* neighbours) {
  HGRID_DISPATCH(sort_short)(begin, end, lists, neighbours);
}

}  // namespace hgrid
#endif
