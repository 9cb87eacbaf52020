// SPDX-License-Identifier: BSD-3-Clause
// Replaces the program's operator new by one that counts, can fail on demand and can fill fresh memory with old-looking
// numbers. Include it in one file of a program only.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

#include "random.hpp"  // benchmarks include this file by its path

namespace support {

struct Allocations {
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> fail_at{-1};  ///< the allocation of this number fails, once; -1: none
  std::atomic<bool> only_buffers{false};  ///< the next non-throwing allocation fails instead, as the library's buffers allocate
  std::atomic<std::int64_t> refused{0};   ///< how many have failed
  std::atomic<std::int64_t> last{-1};     ///< the number of the last that has
  std::atomic<std::uint64_t> fill{0};     ///< seed for the contents of fresh memory; 0: as the system left it

  static Allocations& get() {
    static Allocations allocations;
    return allocations;
  }

  void* allocate(std::size_t bytes, std::size_t alignment, bool may_throw) {
    const std::int64_t number = count.fetch_add(1);
    std::int64_t failing = fail_at.load();
    const bool fails = failing >= 0 && number >= failing && !(may_throw && only_buffers);
    if (fails && fail_at.compare_exchange_strong(failing, -1)) {
      ++refused, last = number;
      return nullptr;
    }
    void* p = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (p != nullptr && fill != 0) fill_with_small_numbers(p, bytes, Random(fill + static_cast<std::uint64_t>(number)));
    return p;
  }

 private:
  // Fills memory with integers like counts, indices and offsets, of 32 or 64 bits: up to 1 in one allocation, up to 65,535 in
  // another. Code that reads them as its own state continues, which uniform bytes would often hide. One in eight is all NaN and
  // -1.
  static void fill_with_small_numbers(void* to, std::size_t bytes, Random random) {
    if (random.chance(0.125)) return void(std::memset(to, 0xff, bytes));
    const std::uint64_t mask = 0xffff >> random.integer(0, 15), most = random.chance(0.5) ? mask << 32 | mask : mask;
    std::uint64_t state = random.bits();
    auto* at = static_cast<unsigned char*>(to);
    for (std::size_t done = 0; done < bytes; done += sizeof(std::uint64_t)) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const std::uint64_t word = state >> 12 & most;
      std::memcpy(at + done, &word, bytes - done < sizeof word ? bytes - done : sizeof word);
    }
  }
};

inline void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* p = Allocations::get().allocate(bytes, alignment, true);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

// Not inlined: compilers would call it a mismatch of new and free.
[[gnu::noinline]] inline void release(void* p) { std::free(p); }

}  // namespace support

inline constexpr std::size_t default_alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* operator new(std::size_t n) { return support::allocate_or_throw(n, default_alignment); }
void* operator new[](std::size_t n) { return support::allocate_or_throw(n, default_alignment); }
void* operator new(std::size_t n, std::align_val_t a) { return support::allocate_or_throw(n, std::size_t(a)); }
void* operator new[](std::size_t n, std::align_val_t a) { return support::allocate_or_throw(n, std::size_t(a)); }
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, default_alignment, false);
}
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, default_alignment, false);
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, std::size_t(a), false);
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, std::size_t(a), false);
}
void operator delete(void* p) noexcept { support::release(p); }
void operator delete[](void* p) noexcept { support::release(p); }
void operator delete(void* p, std::size_t) noexcept { support::release(p); }
void operator delete[](void* p, std::size_t) noexcept { support::release(p); }
void operator delete(void* p, std::align_val_t) noexcept { support::release(p); }
void operator delete[](void* p, std::align_val_t) noexcept { support::release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { support::release(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { support::release(p); }
