// SPDX-License-Identifier: BSD-3-Clause
// This file is compiled once for each instruction set: Highway includes it again and again.
#include "hgrid/host/search/run_kernels.hpp"

#include <cstdlib>
#include <cstring>

// Two instruction sets beside the baseline of the build are worth their code.
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_SSE4 | HWY_AVX3_DL)
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "hgrid/host/search/run_kernels.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace hgrid::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#include "hgrid/host/search/find_ranges-inl.hpp"

template <int D, bool shifted>
index_t test(const GridView<D>& g, const Run* runs, index_t count, const Shift<D>* shifts, index_t* hit_run,
             index_t* hit_slot) {
  const hn::ScalableTag<double> d;
  const hn::Rebind<std::int32_t, decltype(d)> d32;
  using V = hn::Vec<decltype(d)>;
  const index_t lanes = static_cast<index_t>(hn::Lanes(d));
  const V skin = hn::Set(d, g.skin);
  const auto iota = hn::Iota(d32, 0);
  index_t hits = 0;
  for (index_t r = 0; r < count; ++r) {
    const Run run = runs[r];
    const V x = hn::Set(d, g.x[0][run.p]), y = hn::Set(d, g.x[1][run.p]);
    const V z = hn::Set(d, D == 3 ? g.x[D - 1][run.p] : 0.0), a = hn::Set(d, g.radius[run.p]);
    const auto run_number = hn::Set(d32, r);
    for (index_t q = run.begin; q < run.end; q += lanes) {
      V dx = hn::Sub(x, hn::LoadU(d, g.x[0] + q)), dy = hn::Sub(y, hn::LoadU(d, g.x[1] + q));
      if constexpr (shifted) {
        dx = hn::Sub(dx, hn::Set(d, shifts[run.shift].by[0]));
        dy = hn::Sub(dy, hn::Set(d, shifts[run.shift].by[1]));
      }
      V squared = hn::Add(hn::Mul(dx, dx), hn::Mul(dy, dy));
      if constexpr (D == 3) {
        V dz = hn::Sub(z, hn::LoadU(d, g.x[D - 1] + q));
        if constexpr (shifted) dz = hn::Sub(dz, hn::Set(d, shifts[run.shift].by[D - 1]));
        squared = hn::Add(squared, hn::Mul(dz, dz));
      }
      const V distance = hn::Add(hn::Add(a, hn::LoadU(d, g.radius + q)), skin);
      auto touch = hn::Le(squared, hn::Mul(distance, distance));
      if (run.end - q < lanes) touch = hn::And(touch, hn::FirstN(d, static_cast<std::size_t>(run.end - q)));
      // Compressing in a register and storing whole is much faster than a compressing store on some machines. The
      // slots are 32-bit, so the mask changes its lanes by way of its bits.
      std::uint8_t bits[8] = {};
      hn::StoreMaskBits(d, touch, bits);
      const auto slots = hn::Compress(hn::Add(iota, hn::Set(d32, q)), hn::LoadMaskBits(d32, bits));
      hn::StoreU(slots, d32, hit_slot + hits);
      hn::StoreU(run_number, d32, hit_run + hits);
      hits += static_cast<index_t>(hn::CountTrue(d, touch));
    }
  }
  return hits;
}

void find_ranges_2(const GridView<2>& g, int j, bool ascending, index_t first, index_t count,
                   SearchRanges<2>& out) {
  find_ranges_of_all<2>(g, j, ascending, first, count, out);
}
void find_ranges_3(const GridView<3>& g, int j, bool ascending, index_t first, index_t count,
                   SearchRanges<3>& out) {
  find_ranges_of_all<3>(g, j, ascending, first, count, out);
}
index_t test_2(const GridView<2>& g, const Run* runs, index_t n, const Shift<2>* shifts, index_t* r, index_t* q) {
  return shifts == nullptr ? test<2, false>(g, runs, n, shifts, r, q) : test<2, true>(g, runs, n, shifts, r, q);
}
index_t test_3(const GridView<3>& g, const Run* runs, index_t n, const Shift<3>* shifts, index_t* r, index_t* q) {
  return shifts == nullptr ? test<3, false>(g, runs, n, shifts, r, q) : test<3, true>(g, runs, n, shifts, r, q);
}

}  // namespace hgrid::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace hgrid {

// Chosen by hand, so that the library needs Highway's headers to be built and nothing of it to be linked.
#if HWY_ARCH_X86 && (HWY_TARGETS & HWY_AVX3) && (HWY_TARGETS & HWY_AVX2)
namespace {
enum class Target { baseline, avx2, avx512 };
Target best_target() {
  __builtin_cpu_init();
  const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  const char* wanted = std::getenv("HGRID_SIMD");  // "avx2" or "baseline": not more than that, for tests and doubts
  if (wanted != nullptr && std::strcmp(wanted, "baseline") == 0) return Target::baseline;
  const bool any = wanted == nullptr || std::strcmp(wanted, "avx2") != 0;
  return avx2 && avx512 && any ? Target::avx512 : (avx2 ? Target::avx2 : Target::baseline);
}
const Target target = best_target();
}  // namespace
#define HGRID_DISPATCH(f) \
  (target == Target::avx512 ? N_AVX3::f : (target == Target::avx2 ? N_AVX2::f : HWY_STATIC_DISPATCH(f)))
const char* simd_target() {
  return target == Target::avx512 ? "AVX-512" : (target == Target::avx2 ? "AVX2" : hwy::TargetName(HWY_STATIC_TARGET));
}
#else
#define HGRID_DISPATCH(f) HWY_STATIC_DISPATCH(f)
const char* simd_target() { return hwy::TargetName(HWY_STATIC_TARGET); }
#endif

template <>
void find_ranges(const GridView<2>& g, int j, bool ascending, index_t first, index_t n, SearchRanges<2>& ranges) {
  HGRID_DISPATCH(find_ranges_2)(g, j, ascending, first, n, ranges);
}
template <>
void find_ranges(const GridView<3>& g, int j, bool ascending, index_t first, index_t n, SearchRanges<3>& ranges) {
  HGRID_DISPATCH(find_ranges_3)(g, j, ascending, first, n, ranges);
}
template <>
index_t test_runs(const GridView<2>& g, const Run* runs, index_t n, const Shift<2>* shifts, index_t* r, index_t* q) {
  return HGRID_DISPATCH(test_2)(g, runs, n, shifts, r, q);
}
template <>
index_t test_runs(const GridView<3>& g, const Run* runs, index_t n, const Shift<3>* shifts, index_t* r, index_t* q) {
  return HGRID_DISPATCH(test_3)(g, runs, n, shifts, r, q);
}

}  // namespace hgrid
#endif
