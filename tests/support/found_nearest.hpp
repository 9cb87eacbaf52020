// SPDX-License-Identifier: BSD-3-Clause
// Queries for the nearest particles in an executor's memory, and the results in host memory.
#pragma once

#include <span>
#include <vector>

#include "hgrid/find/nearest.hpp"
#include "support/results.hpp"

namespace support {

/// Values where an executor can read them.
template <class Exec, class T>
auto there(const Exec& exec, const std::vector<T>& values) {
  typename Exec::template Buffer<T> buffer(exec, static_cast<hgrid::offset_t>(values.size()));
  if (!values.empty()) exec.copy_in(buffer.data(), values.data(), buffer.size());
  return buffer;
}
template <class Buffer>
auto span_of(const Buffer& buffer) {
  return std::span(buffer.data(), static_cast<std::size_t>(buffer.size()));
}

/// Results where the host can read them.
struct FoundNearest {
  std::vector<hgrid::index_t> ids;
  std::vector<double> distances;
  std::vector<hgrid::Image> images;
  hgrid::index_t k;

  template <class Exec>
  FoundNearest(const Exec& exec, const hgrid::NearestResults& r)
      : ids(of(exec, r.ids)), distances(of(exec, r.distances)), images(of(exec, r.images)), k(r.k) {}
  friend bool operator==(const FoundNearest&, const FoundNearest&) = default;

 private:
  template <class Exec, class Span>
  static auto of(const Exec& exec, const Span& values) {
    return copied(exec, values.data(), static_cast<hgrid::offset_t>(values.size()));
  }
};

}  // namespace support
