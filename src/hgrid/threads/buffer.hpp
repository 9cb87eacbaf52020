// SPDX-License-Identifier: BSD-3-Clause
// Host memory for executors: uninitialised, aligned to a cache line, move-only.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns the bytes of memory in this machine. A single larger buffer is a mistake, which overcommitting systems would notice
/// late.
inline std::size_t physical_memory() {
  return static_cast<std::size_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
}

/// Memory of buffers of all types.
class HostMemory {
 public:
  /// Allocates room for n elements of a size; null for none. Throws `capacity` and `out_of_memory`.
  static void* allocate(offset_t n, std::size_t size) {
    if (n == 0) return nullptr;
    std::size_t bytes;
    if (n < 0 || __builtin_mul_overflow(static_cast<std::size_t>(n), size, &bytes)) {
      throw Error(ErrorCode::capacity, "a buffer of " + std::to_string(n) + " elements exceeds the address space");
    }
    void* p = bytes < huge_from ? ::operator new(bytes, alignment, std::nothrow) : map(bytes);
    if (p == nullptr) {
      throw Error(ErrorCode::out_of_memory, std::to_string(bytes) + " bytes of host memory could not be had",
                  {.needed = static_cast<std::int64_t>(bytes)});
    }
    return p;
  }

  static void release(void* data, std::size_t bytes) {
    if (bytes < huge_from) {
      ::operator delete(data, alignment);
    } else {
      munmap(data, mapped(bytes));
    }
  }

  /// Lets the system reclaim the contents of large memory.
  static void offer([[maybe_unused]] void* data, [[maybe_unused]] std::size_t bytes) noexcept {
#ifdef MADV_FREE
    if (bytes >= huge_from) madvise(data, mapped(bytes), MADV_FREE);
#endif
  }

 private:
  // Large buffers are mapped separately and request huge pages, a hint that a system may refuse. Memory from the heap may have
  // been touched before, in small pages, and keeps these.
  static constexpr std::size_t huge_page = std::size_t{1} << 21, huge_from = 2 * huge_page;
  static constexpr std::align_val_t alignment{64};

  static std::size_t mapped(std::size_t bytes) { return (bytes + huge_page - 1) / huge_page * huge_page; }

  // Maps whole huge pages, or returns null.
  static void* map(std::size_t bytes) {
    const std::size_t wanted = mapped(bytes), most = wanted + huge_page;  // the system aligns to small pages
    void* const all = mmap(nullptr, most, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) return nullptr;
    auto* const begin = static_cast<std::byte*>(all);
    const std::size_t before = mapped(reinterpret_cast<std::uintptr_t>(begin)) - reinterpret_cast<std::uintptr_t>(begin);
    if (before > 0) munmap(begin, before);
    if (before < huge_page) munmap(begin + before + wanted, huge_page - before);
#ifdef MADV_HUGEPAGE
    madvise(begin + before, wanted, MADV_HUGEPAGE);
#endif
    return begin + before;
  }
};

template <class T>
class HostBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  HostBuffer() = default;
  /// Allocates room for n elements. Throws `out_of_memory`; the executor is not used.
  template <class Exec>
  HostBuffer(const Exec&, offset_t n) : data_(allocate(n)), size_(n) {}
  HostBuffer(HostBuffer&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  HostBuffer& operator=(HostBuffer&& o) noexcept {  // leaves `o` empty: a moved-from grid is not built
    HostBuffer taken(std::move(o));
    std::swap(data_, taken.data_);
    std::swap(size_, taken.size_);
    return *this;
  }
  ~HostBuffer() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  offset_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

  /// Makes the contents undefined until they are written again; meanwhile the system may reclaim memory of large buffers.
  void offer() noexcept { HostMemory::offer(data_, bytes()); }

 private:
  static T* allocate(offset_t n) { return static_cast<T*>(HostMemory::allocate(n, sizeof(T))); }
  void release() { HostMemory::release(data_, bytes()); }

  T* data_ = nullptr;
  offset_t size_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
