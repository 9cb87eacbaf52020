// SPDX-License-Identifier: BSD-3-Clause
// Times on a stream, and rows of results: JSON, one object a line.
#pragma once

#include <algorithm>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <vector>

#include "hgrid/kernels/cuda_launch.cuh"

namespace gpu_bench {

struct Times {
  double min, median, max;  // ms
};

inline Times summary(std::vector<float> ms) {
  std::sort(ms.begin(), ms.end());
  return {ms.front(), ms[ms.size() / 2], ms.back()};
}

/// Milliseconds between two points of a stream.
class Interval {
 public:
  Interval() {
    hgrid::check_cuda(cudaEventCreate(&begin_), "cudaEventCreate");
    hgrid::check_cuda(cudaEventCreate(&end_), "cudaEventCreate");
  }
  Interval(const Interval&) = delete;
  ~Interval() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  void begin(cudaStream_t stream) { cudaEventRecord(begin_, stream); }
  void end(cudaStream_t stream) { cudaEventRecord(end_, stream); }
  float wait() const {
    float ms = 0;
    hgrid::check_cuda(cudaEventSynchronize(end_), "cudaEventSynchronize");
    hgrid::check_cuda(cudaEventElapsedTime(&ms, begin_, end_), "cudaEventElapsedTime");
    return ms;
  }

 private:
  cudaEvent_t begin_ = nullptr, end_ = nullptr;
};

/// Five runs to warm up, then the times of twenty.
inline Times time_of(cudaStream_t stream, const std::function<void()>& run) {
  std::vector<float> ms;
  Interval interval;
  for (int repeat = 0; repeat < 25; ++repeat) {
    interval.begin(stream);
    run();
    interval.end(stream);
    const float took = interval.wait();
    if (repeat >= 5) ms.push_back(took);
  }
  return summary(ms);
}

/// CudaExec that times each stage by its label. Waits between stages make the whole slower than the parts.
class TimedExec : public hgrid::CudaExec {
 public:
  template <int D>
  using Search = hgrid::DeviceSearch<TimedExec, D>;
  template <int D>
  using CellSort = hgrid::CountingCells<TimedExec, D>;

  using CudaExec::CudaExec;

  template <class F>
  void for_each(const char* label, hgrid::offset_t n, const F& f) const {
    timed(label, [&] { CudaExec::for_each(label, n, f); });
  }
  template <class F>
  void for_each_block(const char* label, hgrid::offset_t n, const F& f) const { for_each(label, n, f); }
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

  template <class Offset>
  void sort_rows(hgrid::offset_t rows, const Offset* offsets, const hgrid::RowEntries& entries, hgrid::offset_t n) const {
    timed("hgrid::sort_rows", [&] { CudaExec::sort_rows(rows, offsets, entries, n); });
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

/// A row of results: fields in the order in which they are added.
class Row {
 public:
  Row& add(const char* name, const std::string& text) { return raw(name, '"' + text + '"'); }
  Row& add(const char* name, double number) {
    char text[40];
    std::snprintf(text, sizeof text, "%.6g", number);
    return raw(name, text);
  }
  Row& add(const Times& t) { return add("min_ms", t.min).add("median_ms", t.median).add("max_ms", t.max); }
  Row& raw(const char* name, const std::string& value) {
    text_ += (text_.empty() ? "" : ", ") + ('"' + std::string(name) + "\": ") + value;
    return *this;
  }
  std::string text() const { return "{" + text_ + "}"; }

 private:
  std::string text_;
};

/// Rows, appended to a file as they come, so that a run that is cut short keeps them.
class Results {
 public:
  explicit Results(const char* path) : file_(std::fopen(path, "w")) {
    if (file_ == nullptr) throw std::runtime_error(std::string(path) + " cannot be written");
  }
  ~Results() { std::fclose(file_); }
  void add(const Row& row) {
    std::fprintf(file_, "%s\n", row.text().c_str());
    std::fflush(file_);
    std::printf("%s\n", row.text().c_str());
    std::fflush(stdout);
  }

 private:
  std::FILE* file_;
};

}  // namespace gpu_bench
