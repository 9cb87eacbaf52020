// SPDX-License-Identifier: BSD-3-Clause
// Replaces the program's operator new by one that counts, can fail on demand and can poison what it hands
// out. Include it in one file of a program only.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace support {

struct Allocations {
  std::atomic<std::int64_t> count{0};
  std::atomic<std::int64_t> fail_at{-1};  ///< the allocation of this number fails, once; -1: none
  std::atomic<bool> poison{false};        ///< fill fresh memory with 0xff: NaN, -1

  static Allocations& get() {
    static Allocations allocations;
    return allocations;
  }

  void* allocate(std::size_t bytes, std::size_t alignment) {
    if (count.fetch_add(1) == fail_at.load()) return nullptr;
    void* p = std::aligned_alloc(alignment, (bytes + alignment) / alignment * alignment);
    if (p != nullptr && poison) std::memset(p, 0xff, bytes);
    return p;
  }
};

inline void* allocate_or_throw(std::size_t bytes, std::size_t alignment) {
  void* p = Allocations::get().allocate(bytes, alignment);
  if (p == nullptr) throw std::bad_alloc();
  return p;
}

}  // namespace support

inline constexpr std::size_t default_alignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

void* operator new(std::size_t n) { return support::allocate_or_throw(n, default_alignment); }
void* operator new[](std::size_t n) { return support::allocate_or_throw(n, default_alignment); }
void* operator new(std::size_t n, std::align_val_t a) {
  return support::allocate_or_throw(n, std::size_t(a));
}
void* operator new[](std::size_t n, std::align_val_t a) {
  return support::allocate_or_throw(n, std::size_t(a));
}
void* operator new(std::size_t n, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, default_alignment);
}
void* operator new[](std::size_t n, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, default_alignment);
}
void* operator new(std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, std::size_t(a));
}
void* operator new[](std::size_t n, std::align_val_t a, const std::nothrow_t&) noexcept {
  return support::Allocations::get().allocate(n, std::size_t(a));
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete[](void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t) noexcept { std::free(p); }
void operator delete(void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::align_val_t) noexcept { std::free(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
void operator delete[](void* p, std::size_t, std::align_val_t) noexcept { std::free(p); }
