// SPDX-License-Identifier: BSD-3-Clause
// The executor on a CUDA stream. A plain C++ header: everything that the library itself runs is precompiled, so programs that
// list contacts need no CUDA compiler. The user's own functors need one, for the kernels around them (hgrid/cuda.hpp).
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "hgrid/device/bucket_cells.hpp"
#include "hgrid/device/cuda_atomics.hpp"
#include "hgrid/device/cuda_block.hpp"
#include "hgrid/device/cuda_graphs.hpp"
#include "hgrid/device/cuda_memory.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/device/device_search.hpp"
#include "hgrid/find/list_entries.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2 {

/// Runs on a stream of the device that is current when the executor is made, in that device's memory, whichever device is
/// current later. A cheap handle: copies share one scratch.
/// | Work is ordered on the stream. Only reading a number back waits. A build after the first, `enqueue` and the functors
/// neither wait nor allocate as long as nothing grows, so they can be captured in a graph.
class CudaExec : public detail::CudaAtomics {
 public:
  using Block = detail::CudaBlock;
  using Memory = CudaExec;
  template <class T>
  using Buffer = detail::CudaBuffer<T>;
  template <class T>
  using Staging = detail::PinnedBuffer<T>;  ///< for messages between ranks
  template <int D>
  using Engine = detail::DeviceEngine<CudaExec, D>;
  template <int D>
  using Search = detail::DeviceSearch<CudaExec, D>;
  template <int D>
  using CellSort = detail::BucketCells<CudaExec, D>;
  using ListSort = detail::ScatterEntries<CudaExec>;
  static constexpr bool on_host = false;
  static constexpr bool keeps_filter = true;
  static constexpr bool gathers_records = true;
  static constexpr int radix_bits = 8;
  /// In instructions per thread and active lane, read off the machine code and the counts of warps. They are predictions until
  /// `bench/gpu.sh` has measured them.
  static constexpr SearchCosts search_costs{
      .setup = 400, .row = 60, .candidate = 56, .cell = 16, .compacted_row = 100, .compacted_slot = 30, .island = 15};

  /// Throws `device` if there is no CUDA device. The stream and the memory (null: the device's pool) must outlive the executor
  /// and everything made with it. `mode` selects how pair lists are made; their bytes do not depend on it.
  explicit CudaExec(cudaStream_t stream = nullptr, CudaMemory* memory = nullptr,
                    detail::ListMode mode = detail::ListMode::one_search);
  // Copied instead of moved, because a moved-from executor must stay usable.
  CudaExec(const CudaExec&) = default;
  CudaExec& operator=(const CudaExec&) = default;

  const char* name() const { return "cuda"; }
  /// Returns the stream of all work: while something is recorded, the recorder's stream, else the stream given to the
  /// constructor.
  cudaStream_t stream() const { return scratch_->recorded_on == nullptr ? stream_ : scratch_->recorded_on; }
  int device() const { return device_; }
  CudaMemory& memory() const { return *memory_; }
  detail::ListMode list_mode() const { return list_mode_; }
  int concurrency() const { return blocks_of_reduction() * detail::CudaBlock::threads; }

  template <class F>
  void for_each(const char* label, offset_t n, const F& f) const;
  template <class F>
  void for_each_item(const char* label, offset_t n, const F& f) const {
    for_each(label, n, f);
  }
  template <class V, class F>
  void reduce(const char* label, offset_t n, const F& f, const V& identity, V* out) const;
  template <class Body>
  void launch(const char* label, std::size_t shared, const Body& body) const;

  /// CUB's scan and radix sort. The reserve functions allocate their scratch in advance.
  template <class T>
  void exclusive_scan(const char* label, T* data, offset_t n) const;
  template <class T>
  void reserve_scan(offset_t n) const;
  template <class Key>
  void reserve_sort(offset_t n, int key_bits) const;
  template <class Buffers>
  void sort_keys(Buffers& s, offset_t n, int key_bits) const {
    const auto pointers = [](auto& b) { return std::array{b[0].data(), b[1].data()}; };
    sort_pairs(pointers(s.key), pointers(s.id), s.current, n, key_bits);
  }

  /// Reserves scratch for the sort of that number of lists with at most `count` entries together.
  void reserve_lists(offset_t lists, offset_t count) const;
  template <class Offset, class Entries>
  void sort_lists(offset_t lists, const Offset* offsets, const Entries& entries, offset_t count) const;

  /// Returns whether a graph is being captured from the stream. After the first capture, outgrown memory is kept for its
  /// replays.
  bool is_captured() const;
  /// Returns a number that identifies the current capture; 0 if there is none.
  std::uint64_t capture() const;
  template <class... Buffers>
  void keep_outgrown(Buffers&... outgrown) const {
    if (scratch_->was_captured) (keep(outgrown), ...);
  }
  /// Frees outgrown memory. Graphs that were captured earlier must not be replayed after this call.
  void forget_graphs() const;
  /// Records the work that `enqueue` enqueues on copies of this executor while a graph is captured; nothing runs yet. Passes on
  /// errors of `enqueue`.
  template <class Enqueue>
  detail::CudaRecording record(const Enqueue& enqueue) const {
    detail::CudaRecorder recorder(*this, scratch_->recorded_on, scratch_->recorder);
    enqueue();
    return recorder.end();
  }
  /// Adds the recording to the graph that is being captured. At each replay it runs if `decide()` returns true at that point.
  template <class Decide>
  void enqueue_if(const char* label, const Decide& decide, const detail::CudaRecording& recording) const;

  /// Returns false for host memory that was not allocated for devices, if the device cannot reach all host memory.
  bool can_reach(const void* p) const;

  void wait() const;
  /// Throws `reentrancy` while the stream is being captured, because nothing can be waited for then.
  void require_may_wait() const { detail::require_no_capture(stream(), "something must be read back"); }
  template <class T>
  void copy_in(T* to, const T* from, offset_t n) const {
    copy(to, from, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyHostToDevice);
  }
  template <class T>
  void copy_out(T* to, const T* from, offset_t n) const {
    copy(to, from, static_cast<std::size_t>(n) * sizeof(T), cudaMemcpyDeviceToHost);
  }
  template <class T>
  T read_back(const T* p) const {
    T value;
    copy_out(&value, p, 1);
    return value;
  }

  offset_t parts_of(offset_t) const { return 0; }  // of a sort that is not used here
  std::size_t memory_limit() const;

 private:
  /// Sorts the `current` arrays, and sets `current` to the arrays that hold the result.
  template <class Key>
  void sort_pairs(std::array<Key*, 2> key, std::array<index_t*, 2> id, int& current, offset_t n, int key_bits) const;
  int blocks_of_reduction() const { return 8 * multiprocessors_; }
  void copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind) const;  // waits
  void* scratch(std::size_t bytes) const;  // shared by copies; used by one operation after the other
  template <class Buffer>
  void keep(Buffer& outgrown) const {
    if (outgrown.size() > 0) scratch_->outgrown.push_back(std::make_shared<Buffer>(std::move(outgrown)));
  }
  unsigned* arrived() const;  // counter of blocks in a reduction, 0 between reductions; also shared

  cudaStream_t stream_;
  CudaMemory* memory_;
  detail::ListMode list_mode_;
  int device_ = 0, multiprocessors_ = 0;
  struct Scratch {
    detail::CudaBuffer<char> now;
    detail::CudaBuffer<unsigned> arrived;
    bool was_captured = false;
    std::vector<std::shared_ptr<void>> outgrown;  // buffers that captured graphs may use
    detail::CudaStream recorder;
    cudaStream_t recorded_on = nullptr;  // the recorder's stream, while it records
  };
  std::shared_ptr<Scratch> scratch_;
};

}  // namespace hgrid::inline v0_2
