// SPDX-License-Identifier: BSD-3-Clause
// A device executor on the host: the kernels of hgrid::CudaExec on a machine of fibers, everything else as a device
// would do it: no reading back in `build`, items in an order that is drawn.
#pragma once

#include <numeric>

#include "hgrid/device/bucket_cells.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/device/device_search.hpp"
#include "hgrid/device/sort_lists.hpp"
#include "hgrid/find/list_entries.hpp"
#include "support/lockstep.hpp"
#include "support/walled_memory.hpp"

namespace support {

class LockstepExec {
 public:
  using Block = LockstepBlock;
  using Memory = LockstepExec;
  template <int D>
  using Engine = hgrid::detail::DeviceEngine<LockstepExec, D>;
  template <class T>
  struct Buffer : WalledBuffer<T> {
    Buffer() = default;
    Buffer(const LockstepExec& exec, hgrid::offset_t n) : WalledBuffer<T>(exec, n) { exec.room_->allocations += n > 0; }
  };
  template <int D>
  using Search = hgrid::detail::DeviceSearch<LockstepExec, D>;
  template <int D>
  using CellSort = hgrid::detail::BucketCells<LockstepExec, D>;
  using ListSort = hgrid::detail::ScatterEntries<LockstepExec>;
  static constexpr bool on_host = false, keeps_filter = true, gathers_records = true, is_host_code = true;
  static constexpr int radix_bits = 8;
  static constexpr hgrid::SearchCosts search_costs{};

  /// Draws the way in which lists are made, too.
  explicit LockstepExec(std::uint64_t seed, Fault fault = Fault::none, int which = 0)
      : LockstepExec(seed, static_cast<hgrid::detail::ListMode>(seed / 2 % 2), fault, which) {}
  LockstepExec(std::uint64_t seed, hgrid::detail::ListMode mode, Fault fault = Fault::none, int which = 0)
      : random_(std::make_shared<Random>(seed)), list_mode_(mode), fault_(fault), which_(which) {}

  const char* name() const { return "lockstep"; }
  hgrid::detail::ListMode list_mode() const { return list_mode_; }
  int concurrency() const { return 3 * Block::threads; }
  hgrid::offset_t parts_of(hgrid::offset_t n) const { return n / 64 + 1; }
  std::size_t memory_limit() const { return hgrid::detail::physical_memory(); }

  template <class F>
  void for_each(const char*, hgrid::offset_t n, const F& f) const {
    if (n <= 0) return;
    const WalledMemory::Gate open;
    if constexpr (decltype(uses_warp(f))::value) return for_each_in_warps(n, f);
    hgrid::offset_t stride = random_->integer(1, 1000000) % n + 1;
    while (std::gcd(stride, n) != 1) ++stride;
    for (hgrid::offset_t k = 0, i = stride % n; k < n; ++k, i = (i + stride) % n) f(i);
  }
  template <class F>
  void for_each_item(const char* label, hgrid::offset_t n, const F& f) const {
    for_each(label, n, f);
  }

  template <class V, class F>
  void reduce(const char* label, hgrid::offset_t n, const F& f, const V& identity, V* out) const {
    const WalledMemory::Gate open;
    V parts[7] = {identity, identity, identity, identity, identity, identity, identity};
    for_each(label, n, [&](hgrid::offset_t i) { f(i, parts[i % 7]); });
    *out = identity;
    for (const V& part : parts) out->join(part);
  }

  // A device has scratch memory from earlier calls, and a captured build must fit into it.
  template <class T>
  void reserve_scan(hgrid::offset_t n) const {
    room_->scan = std::max(room_->scan, n);
  }
  template <class Key>
  void reserve_sort(hgrid::offset_t n, int key_bits) const {
    room_->sort = std::max(room_->sort, n * key_bits);
  }

  void reserve_lists(hgrid::offset_t rows, hgrid::offset_t count) const {
    room_->rows = std::max(room_->rows, row_bytes(rows, count));
  }

  template <class T>
  void exclusive_scan(const char* label, T* data, hgrid::offset_t n) const {
    if (n > room_->scan) throw std::runtime_error(std::string(label) + " has no scratch");
    const WalledMemory::Gate open;
    T sum = 0;
    for (hgrid::offset_t i = 0; i < n; ++i) sum += std::exchange(data[i], sum);
    data[n] = sum;
  }

  template <class Key>
  void sort_keys(hgrid::detail::SortBuffers<LockstepExec, Key>& s, hgrid::offset_t n, int key_bits) const {
    if (n * key_bits > room_->sort) throw std::runtime_error("the sort has no scratch");
    const hgrid::offset_t kept = std::exchange(room_->scan, INT64_MAX);  // the scans of the sort itself
    hgrid::detail::radix_sort(*this, s, n, key_bits);
    room_->scan = kept;
  }

  template <class Offset, class Entries>
  void sort_lists(hgrid::offset_t rows, const Offset* offsets, const Entries& entries, hgrid::offset_t count) const {
    const hgrid::offset_t bytes = row_bytes(rows, count);
    if (bytes > room_->rows) throw std::runtime_error("the sort of rows has no scratch");
    std::vector<hgrid::detail::word_t> memory(static_cast<std::size_t>(bytes / 8 + 1));
    hgrid::detail::sort_lists_on_device(*this, rows, offsets, entries, count, hgrid::detail::LongLists::in(memory.data()));
  }

  template <class Body>
  void launch(const char*, std::size_t shared, const Body& body) const {
    const WalledMemory::Gate open;
    Machine(*random_, fault_, which_).run(3, shared, body);
  }

  void require_may_wait() const {}
  void wait() const { ++room_->waits; }
  template <class T>
  void copy_in(T* to, const T* from, hgrid::offset_t n) const {
    ++room_->waits;
    room_->copied += n * static_cast<hgrid::offset_t>(sizeof(T));
    const WalledMemory::Gate open;
    std::copy_n(from, n, to);
  }
  template <class T>
  void copy_out(T* to, const T* from, hgrid::offset_t n) const {
    ++room_->waits;
    room_->copied += n * static_cast<hgrid::offset_t>(sizeof(T));
    const WalledMemory::Gate open;
    std::copy_n(from, n, to);
  }
  template <class T>
  T read_back(const T* p) const {
    const WalledMemory::Gate open;
    ++room_->waits;
    return *p;
  }
  int waits() const { return room_->waits; }                      ///< waits of the host for the device, so far
  int allocations() const { return room_->allocations; }          ///< allocations of memory, so far
  hgrid::offset_t copied_bytes() const { return room_->copied; }  ///< between host and device, numbers that are read back aside

  template <class T>
  static T atomic_add(T* p, T value) {
    return std::exchange(*p, *p + value);
  }
  static hgrid::index_t draw(hgrid::index_t* count, std::uint32_t which) {
    return hgrid::detail::draw_by_warp(LockstepWarp(), count, which);
  }
  static void atomic_max(double* p, double value) { hgrid::detail::atomic_max_by_warp(LockstepWarp(), p, value); }

 private:
  // Fibers take time, so they run only functors that meet others; a functor that is forgotten here throws.
  template <class F>
  static std::false_type uses_warp(const F&);
  template <class Real, int D, class Key, class View>
  static std::true_type uses_warp(const hgrid::detail::MakeKey<LockstepExec, Real, D, Key, View>&);
  template <class Real, int D, class View>
  static std::true_type uses_warp(const hgrid::detail::DrawNumber<LockstepExec, Real, D, View>&);
  template <class Real, int D>
  static std::true_type uses_warp(const hgrid::detail::GatherExtents<LockstepExec, Real, D>&);
  template <class Real, int D>
  static std::true_type uses_warp(const hgrid::detail::MeasureWorlds<LockstepExec, Real, D>&);

  template <class F>
  void for_each_in_warps(hgrid::offset_t n, const F& f) const {
    const hgrid::offset_t blocks = (n + Block::threads - 1) / Block::threads, begin = random_->integer(0, 1000000) % blocks;
    for (hgrid::offset_t k = 0; k < blocks; ++k) {
      Machine(*random_, fault_, which_).run_items((begin + k) % blocks * Block::threads, n, f);
    }
  }

  struct Room {
    hgrid::offset_t scan = 0, sort = 0, rows = 0, copied = 0;
    int waits = 0, allocations = 0;
  };
  static hgrid::offset_t row_bytes(hgrid::offset_t rows, hgrid::offset_t count) {
    return static_cast<hgrid::offset_t>(hgrid::detail::LongLists::bytes(hgrid::detail::LongLists::most(rows, count)));
  }

  std::shared_ptr<Random> random_;
  std::shared_ptr<Room> room_ = std::make_shared<Room>();
  hgrid::detail::ListMode list_mode_;
  Fault fault_;
  int which_;
};

}  // namespace support
