// SPDX-License-Identifier: BSD-3-Clause
// The cost of lists over the number of neighbors and the size ratio, in nanoseconds per entry: lists of random points in a
// periodic cube, in random order, with radii for that mean number of neighbors.
//   lists --benchmark_filter='full/.*/n:20000/.*'   one result; `beyond` is the time above `pairs` in this case
// The time of the list alone counts, without the build.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

#include "steps.hpp"

namespace {

using namespace hgrid::bench;

/// Draws points with numbers of radii as r^-3 from 1 to the ratio. Radii are scaled to that many neighbors on the average.
hgrid::Packing points(std::int64_t n, double neighbours, double ratio) {
  std::mt19937_64 bits(static_cast<std::uint64_t>(n + 1000 * neighbours + ratio));
  std::uniform_real_distribution<double> uniform(0, 1);
  hgrid::Packing p;
  p.length = 1;
  for (auto* column : {&p.x, &p.y, &p.z, &p.r}) column->resize(static_cast<std::size_t>(n));
  double sum[4] = {};  // sums of powers of the radius
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    p.x[i] = uniform(bits), p.y[i] = uniform(bits), p.z[i] = uniform(bits);
    p.r[i] = 1 / std::sqrt(1 - uniform(bits) * (1 - 1 / (ratio * ratio)));
    for (int power = 1; power <= 3; ++power) sum[power] += std::pow(p.r[i], power) / static_cast<double>(n);
  }
  const double cubes = 2 * sum[3] + 6 * sum[2] * sum[1];  // the mean of (r_i + r_j)^3
  const double scale = std::cbrt(neighbours / (static_cast<double>(n) * 4 / 3 * 3.14159265358979 * cubes));
  for (double& r : p.r) r *= scale;
  return p;
}

enum class Result { pairs, sorted_pairs, half, full, packed };

/// Fills the result once; returns its entries.
class Filled {
 public:
  Filled(const hgrid::Packing& p, int threads)
      : grid_{hgrid::OpenMPExec(threads), hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1})},
        pairs_(grid_.make_pairs()),
        half_(grid_.make_list(hgrid::ListKind::half)),
        full_(grid_.make_list(hgrid::ListKind::full)),
        packed_(grid_.make_packed_list(hgrid::ListKind::full)) {
    grid_.build(view3(p));
  }

  hgrid::offset_t operator()(Result result) {
    switch (result) {
      case Result::half:
        return grid_.find(half_), half_.size();
      case Result::full:
        return grid_.find(full_), full_.size();
      case Result::packed:
        return grid_.find(packed_), packed_.size();
      default:
        return grid_.find(pairs_, {.order = result == Result::pairs ? hgrid::Order::fixed : hgrid::Order::sorted}),
               pairs_.size();
    }
  }

 private:
  Grid3 grid_;
  hgrid::PairList<hgrid::OpenMPExec> pairs_;
  hgrid::NeighbourList<hgrid::OpenMPExec> half_, full_;
  hgrid::PackedList<hgrid::OpenMPExec> packed_;
};

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// The list, and by turns with it the pairs that it is made beyond.
void list_step(benchmark::State& state, Result result, std::int64_t n, double neighbours, double ratio, int threads) {
  const std::string name = std::to_string(n) + "/" + std::to_string(neighbours) + "/" + std::to_string(ratio);
  const hgrid::Packing& p = kept(name, [&] { return points(n, neighbours, ratio); });
  Filled filled(p, threads);
  hgrid::offset_t entries = 0;
  for (int warm = 0; warm < 2; ++warm) filled(Result::pairs), entries = filled(result);
  std::vector<double> list, pairs;
  for (auto _ : state) {
    const double start = seconds();
    filled(result);
    list.push_back(seconds() - start);
    state.PauseTiming();
    const double again = seconds();
    filled(Result::pairs);
    pairs.push_back(seconds() - again);
    state.ResumeTiming();
  }
  const auto median_ns = [&](std::vector<double>& times) {
    std::ranges::sort(times);
    return times[times.size() / 2] * 1e9 / static_cast<double>(entries);
  };
  state.counters["neighbours"] =
      static_cast<double>(entries) / static_cast<double>(n) * (result == Result::full || result == Result::packed ? 1 : 2);
  state.counters["ns_per_entry"] = median_ns(list);
  state.counters["beyond"] = state.counters["ns_per_entry"] - median_ns(pairs);
}

}  // namespace

int main(int argc, char** argv) {
  const std::pair<const char*, Result> results[] = {{"pairs", Result::pairs},
                                                    {"sorted", Result::sorted_pairs},
                                                    {"half", Result::half},
                                                    {"full", Result::full},
                                                    {"packed", Result::packed}};
  for (const std::int64_t n : {std::int64_t{20000}, million}) {
    for (const int ratio : {1, 10, 100}) {
      for (const int neighbours : {2, 8, 32, 64, 128, 256, 1000}) {
        if (n == million && neighbours > 100) continue;  // 10^8 entries take 3 GB
        const std::string end = "/ratio:" + std::to_string(ratio) + "/neighbours:" + std::to_string(neighbours) +
                                "/n:" + std::to_string(n) + "/threads:";
        for (const auto& [name, result] : results) {
          for (const int threads : {1, 2}) {
            const Result what = result;
            add(name + end + std::to_string(threads),
                [=](auto& state) { list_step(state, what, n, neighbours, ratio, threads); });
          }
        }
      }
    }
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
