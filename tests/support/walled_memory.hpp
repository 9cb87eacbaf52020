// SPDX-License-Identifier: BSD-3-Clause
// Memory of a device that is not real, but that its host cannot touch either: a host that reads it ends the program, as it
// would with the pointers of a real one.
#pragma once

#include <sys/mman.h>

#include <new>
#include <utility>

#include "hgrid/threads/buffer.hpp"

namespace support {

class WalledMemory {
 public:
  static WalledMemory& get() {
    static WalledMemory memory;
    return memory;
  }

  /// While it lives, the lockstep device takes its memory here.
  struct Walls {
    Walls() { get().is_up_ = true; }
    Walls(const Walls&) = delete;
    ~Walls() { get().is_up_ = false; }
  };
  /// While it lives, the device works, and the memory is there.
  struct Gate {
    Gate() {
      if (get().open_++ == 0) get().allow(PROT_READ | PROT_WRITE);
    }
    Gate(const Gate&) = delete;
    ~Gate() {
      if (--get().open_ == 0) get().allow(PROT_NONE);
    }
  };

  bool is_up() const { return is_up_; }
  /// Never given back.
  void* allocate(std::size_t bytes) {
    if (base_ == nullptr) {
      base_ = static_cast<char*>(mmap(nullptr, most, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
      if (base_ == MAP_FAILED) throw std::bad_alloc();
    }
    const std::size_t at = used_, page = 4096;
    used_ += (bytes + page - 1) / page * page;
    if (used_ > most) throw std::bad_alloc();
    if (open_ > 0) allow(PROT_READ | PROT_WRITE);
    return base_ + at;
  }

 private:
  void allow(int access) const {
    if (used_ > 0) mprotect(base_, used_, access);
  }

  static constexpr std::size_t most = std::size_t{1} << 36;
  char* base_ = nullptr;
  std::size_t used_ = 0;
  int open_ = 0;
  bool is_up_ = false;
};

/// Returns a buffer after the walls, if they are up, or anywhere.
template <class T>
class WalledBuffer {
 public:
  WalledBuffer() = default;
  template <class Exec>
  WalledBuffer(const Exec& exec, hgrid::offset_t n) : size_(n) {
    if (WalledMemory::get().is_up() && n > 0) {
      walled_ = static_cast<T*>(WalledMemory::get().allocate(bytes()));
    } else {
      anywhere_ = hgrid::detail::HostBuffer<T>(exec, n);
    }
  }
  WalledBuffer(WalledBuffer&& o) noexcept
      : anywhere_(std::move(o.anywhere_)), walled_(std::exchange(o.walled_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  WalledBuffer& operator=(WalledBuffer&& o) noexcept {
    anywhere_ = std::move(o.anywhere_), walled_ = std::exchange(o.walled_, nullptr), size_ = std::exchange(o.size_, 0);
    return *this;
  }

  T* data() { return walled_ != nullptr ? walled_ : anywhere_.data(); }
  const T* data() const { return walled_ != nullptr ? walled_ : anywhere_.data(); }
  hgrid::offset_t size() const { return size_; }
  std::size_t bytes() const { return static_cast<std::size_t>(size_) * sizeof(T); }

 private:
  hgrid::detail::HostBuffer<T> anywhere_;
  T* walled_ = nullptr;
  hgrid::offset_t size_ = 0;
};

}  // namespace support
