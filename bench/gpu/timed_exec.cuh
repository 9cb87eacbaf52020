// SPDX-License-Identifier: BSD-3-Clause
// An executor that times each stage.
#pragma once

#include <map>
#include <memory>
#include <numeric>

#include "kernels/cuda_launch.cuh"
#include "timing.cuh"

namespace gpu_bench {

/// CudaExec that times each stage by its label. Waits between stages make the whole slower than the parts.
class TimedExec : public hgrid::CudaExec {
 public:
  using Memory = TimedExec;
  template <int D>
  using Engine = hgrid::detail::DeviceEngine<TimedExec, D>;
  template <int D>
  using Search = hgrid::detail::DeviceSearch<TimedExec, D>;
  template <int D>
  using CellSort = hgrid::detail::BucketCells<TimedExec, D>;
  using ListSort = hgrid::detail::ScatterEntries<TimedExec>;

  using CudaExec::CudaExec;

  template <class F>
  void for_each(const char* label, hgrid::offset_t n, const F& f) const {
    timed(label, [&] { CudaExec::for_each(label, n, f); });
  }
  template <class F>
  void for_each_item(const char* label, hgrid::offset_t n, const F& f) const {
    for_each(label, n, f);
  }
  template <class V, class F>
  void reduce(const char* label, hgrid::offset_t n, const F& f, const V& identity, V* out) const {
    timed(label, [&] { CudaExec::reduce(label, n, f, identity, out); });
  }
  template <class Body>
  void launch(const char* label, std::size_t shared, const Body& body) const {
    timed(label, [&] { CudaExec::launch(label, shared, body); });
  }
  template <class T>
  void exclusive_scan(const char* label, T* data, hgrid::offset_t n) const {
    timed(label, [&] { CudaExec::exclusive_scan(label, data, n); });
  }
  template <class Buffers>
  void sort_keys(Buffers& s, hgrid::offset_t n, int key_bits) const {
    timed("hgrid::sort_keys", [&] { CudaExec::sort_keys(s, n, key_bits); });
  }

  template <class Offset, class Entries>
  void sort_lists(hgrid::offset_t rows, const Offset* offsets, const Entries& entries, hgrid::offset_t n) const {
    timed("hgrid::sort_lists", [&] { CudaExec::sort_lists(rows, offsets, entries, n); });
  }

  /// Milliseconds of each stage in one of so many steps that ran since the last call, on average.
  std::map<std::string, double> stages(int steps) const {
    std::map<std::string, double> means;
    for (const auto& [label, ms] : *times_) means[label] = std::accumulate(ms.begin(), ms.end(), 0.0) / steps;
    times_->clear();
    return means;
  }

 private:
  void timed(const std::string& label, const std::function<void()>& run) const {
    Interval interval;
    interval.begin(stream());
    run();
    interval.end(stream());
    (*times_)[label].push_back(interval.wait());
  }

  std::shared_ptr<std::map<std::string, std::vector<float>>> times_ =
      std::make_shared<std::map<std::string, std::vector<float>>>();
};

}  // namespace gpu_bench
