// SPDX-License-Identifier: BSD-3-Clause
// The threads of a CUDA block, with the interface of device/block.hpp.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_2::detail {

/// Only kernels create one: a host compiler sees bodies that do nothing.
struct CudaBlock {
  static constexpr int threads = 128;

#if HGRID_DEVICE_CODE
  HGRID_HD int thread() const { return static_cast<int>(threadIdx.x); }
  HGRID_HD int lane() const { return static_cast<int>(threadIdx.x % 32); }
  HGRID_HD int warp() const { return static_cast<int>(threadIdx.x / 32); }

  template <class T>
  HGRID_HD T* shared(int bytes) const {
    extern __shared__ __align__(16) char hgrid_block_scratch[];
    return reinterpret_cast<T*>(hgrid_block_scratch + bytes);
  }

  HGRID_HD void barrier() const { __syncthreads(); }
  HGRID_HD void warp_barrier() const { __syncwarp(); }
  HGRID_HD std::uint32_t ballot(bool bit) const { return __ballot_sync(~0u, bit); }
  template <class T>
  HGRID_HD T shuffle(T v, int from) const {
    return __shfl_sync(~0u, v, from);
  }
  template <class T>
  HGRID_HD T shuffle_up(T v, int distance) const {
    return __shfl_up_sync(~0u, v, static_cast<unsigned>(distance));
  }
  HGRID_HD static int bits(std::uint32_t mask) { return __popc(mask); }
  HGRID_HD static int lowest_bit(std::uint32_t mask) { return __ffs(static_cast<int>(mask)) - 1; }
  HGRID_HD static int highest_bit(std::uint32_t mask) { return 31 - __clz(static_cast<int>(mask)); }
  HGRID_HD static std::uint32_t with_sign(std::uint32_t bits, float v) { return __funnelshift_l(__float_as_uint(v), bits, 1); }

  template <class T>
  HGRID_HD T add(T* p, T v) const {
    return atomicAdd(p, v);
  }
  // A state is one word, so it needs no fence: a reader sees the whole word. Only this device reads it; a volatile access would
  // be visible to the whole system, and slower.
  HGRID_HD void publish(word_t* p, word_t v) const {
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(__cvta_generic_to_global(p)), "l"(v) : "memory");
  }
  HGRID_HD word_t observe(const word_t* p) const {
    word_t v;
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(v) : "l"(__cvta_generic_to_global(p)) : "memory");
    return v;
  }
  HGRID_HD void pause() const { __nanosleep(32); }

  template <class T>
  HGRID_HD T load(const T* p) const {
    static_assert(alignof(T) == 16);
    struct {
      int4 part[sizeof(T) / 16];
    } v;
    for (std::size_t k = 0; k < sizeof(T) / 16; ++k) v.part[k] = __ldg(reinterpret_cast<const int4*>(p) + k);
    return __builtin_bit_cast(T, v);
  }
  HGRID_HD void store(Pair* p, const Pair& v) const { *reinterpret_cast<int2*>(p) = make_int2(v.i, v.j); }
#else
  HGRID_HD int thread() const { return 0; }
  HGRID_HD int lane() const { return 0; }
  HGRID_HD int warp() const { return 0; }
  template <class T>
  HGRID_HD T* shared(int) const {
    return nullptr;
  }
  HGRID_HD void barrier() const {}
  HGRID_HD void warp_barrier() const {}
  HGRID_HD std::uint32_t ballot(bool bit) const { return bit; }
  template <class T>
  HGRID_HD T shuffle(T v, int) const {
    return v;
  }
  template <class T>
  HGRID_HD T shuffle_up(T v, int) const {
    return v;
  }
  HGRID_HD static int bits(std::uint32_t) { return 0; }
  HGRID_HD static int lowest_bit(std::uint32_t) { return 0; }
  HGRID_HD static int highest_bit(std::uint32_t) { return 0; }
  HGRID_HD static std::uint32_t with_sign(std::uint32_t, float) { return 0; }
  template <class T>
  HGRID_HD T add(T*, T) const {
    return 0;
  }
  HGRID_HD void publish(word_t*, word_t) const {}
  HGRID_HD word_t observe(const word_t*) const { return 0; }
  HGRID_HD void pause() const {}
  template <class T>
  HGRID_HD T load(const T* p) const {
    return *p;
  }
  HGRID_HD void store(Pair*, const Pair&) const {}
#endif
};

}  // namespace hgrid::inline v0_2::detail
