// SPDX-License-Identifier: BSD-3-Clause
// How long something takes, for programs that measure in turns.
#pragma once

#include <algorithm>
#include <chrono>
#include <vector>

namespace hgrid::bench {

template <class F>
double nanoseconds(const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count();
}

/// 0 of none.
inline double median(std::vector<double> all) {
  if (all.empty()) return 0;
  std::ranges::sort(all);
  return all[all.size() / 2];
}

}  // namespace hgrid::bench
