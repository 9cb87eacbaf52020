// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the peers on Kokkos.
#pragma once

#include <omp.h>

#include <algorithm>
#include <vector>

#include "hgrid/core/types.hpp"

namespace hgrid::tool {

/// Pairs found by several threads, each into memory of its own, which is faster than to count them in one place.
class PairsByThread {
 public:
  PairsByThread() : found_(static_cast<std::size_t>(omp_get_max_threads())) {}

  void add(index_t i, index_t j) const {
    found_[static_cast<std::size_t>(omp_get_thread_num())].pairs.push_back({std::min(i, j), std::max(i, j)});
  }
  void move_to(std::vector<Pair>& out) {
    for (Found& own : found_) out.insert(out.end(), own.pairs.begin(), own.pairs.end());
  }

 private:
  struct alignas(128) Found {
    std::vector<Pair> pairs;
  };
  mutable std::vector<Found> found_;  // a functor is const when it runs
};

}  // namespace hgrid::tool
