// SPDX-License-Identifier: BSD-3-Clause
// The k nearest particles of a million, in nanoseconds per point on a number of threads: of random points and of the particles
// themselves, in random order, against nanoflann if it was found, in one process, which must find equal distances. nanoflann's
// tree has the particles in Morton order. It is queried twice: in hgrid's way, and by points that were put into Morton order
// before, which is its best form; the time for ordering does not count. One command prints the table of
// docs/notes.md: nearest [particles] [threads] [repeats].
#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/core/cell_key.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"
#include "hgrid/queries.hpp"
#if __has_include(<nanoflann.hpp>)
#include "bench/nanoflann_tree.hpp"
#define HGRID_HAS_NANOFLANN
#endif

namespace {

using hgrid::bench::median;
using hgrid::bench::nanoseconds;
using Point = hgrid::Vec<double, 3>;
using Points = std::vector<Point>;

Points in_morton_order(Points all, double length) {
  const auto key = [&](const Point& p) {
    hgrid::cell_key_t code = 0;
    for (int k = 0; k < 3; ++k)
      code |= hgrid::detail::spread_bits<3>(static_cast<hgrid::cell_key_t>(p[k] / length * 0x1p20)) << k;
    return code;
  };
  std::ranges::sort(all, {}, key);
  return all;
}

/// Both codes are built once, and queried in turn.
struct Hgrid {
  hgrid::Grid<hgrid::OpenMPExec, 3> grid;
  hgrid::Nearest<hgrid::OpenMPExec, 3> nearest;

  Hgrid(const Points& x, const std::vector<double>& r, int threads) : grid(hgrid::OpenMPExec(threads)), nearest(grid) {
    grid.build(hgrid::particles<3>(x[0].v, r.data(), static_cast<std::int64_t>(r.size())));
  }
  double ask(const Points& points, int k) {
    const auto found = nearest.of_points(points, {.k = k});
    double sum = 0;
    for (const double d : found.distances) sum += d;
    return sum;
  }
};

#ifdef HGRID_HAS_NANOFLANN
struct Nanoflann {
  hgrid::bench::NanoflannTree tree;
  int threads;
  std::vector<std::uint32_t> ids = {};
  std::vector<double> distances = {};

  Nanoflann(const Points& x, int thread_count) : tree(x), threads(thread_count) {}
  double ask(const Points& points, int k) {
    const auto each = static_cast<std::size_t>(k);
    ids.resize(points.size() * each), distances.resize(points.size() * each);
    hgrid::bench::in_parts(points.size(), threads, [&](std::size_t begin, std::size_t end) {
      for (std::size_t q = begin; q < end; ++q) {
        tree->knnSearch(points[q].v, each, &ids[q * each], &distances[q * each]);
        for (std::size_t e = q * each; e < (q + 1) * each; ++e) distances[e] = std::sqrt(distances[e]);
      }
    });
    double sum = 0;
    for (const double d : distances) sum += d;
    return sum;
  }
};
#endif

void measure(const hgrid::Workload& workload, std::int64_t n, int threads, int repeats) {
  const hgrid::Packing p = hgrid::random_packing({workload.sizes, n, 0.62});
  Points x, random;
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> unit(0, p.length);
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    x.push_back({p.x[i], p.y[i], p.z[i]});
    random.push_back({unit(engine), unit(engine), unit(engine)});
  }
  Hgrid ours(x, p.r, threads);
  const Points sorted = in_morton_order(x, p.length), sorted_random = in_morton_order(random, p.length);
#ifdef HGRID_HAS_NANOFLANN
  Nanoflann theirs(sorted, threads);
#endif
  for (const int k : {1, 8, 64}) {
    for (const bool of_particles : {false, true}) {
      std::vector<double> a, b, c;
      for (int repeat = 0; repeat < repeats; ++repeat) {
        double our_sum = 0, their_sum = 0;
        a.push_back(nanoseconds([&] { our_sum = ours.ask(of_particles ? x : random, k); }));
#ifdef HGRID_HAS_NANOFLANN
        b.push_back(nanoseconds([&] { their_sum = theirs.ask(of_particles ? x : random, k); }));
        c.push_back(nanoseconds([&] { theirs.ask(of_particles ? sorted : sorted_random, k); }));
        if (std::fabs(our_sum - their_sum) > 1e-9 * std::fabs(our_sum)) throw std::runtime_error("the distances differ");
#endif
      }
      const auto each = [n](const std::vector<double>& all) { return all.empty() ? 0 : median(all) / static_cast<double>(n); };
      fmt::print("| {} | {} | {} | {:.0f} | {:.0f} | {:.2f} | {:.0f} | {:.2f} |\n", workload.name,
                 of_particles ? "the particles" : "random", k, each(a), each(b), each(b) / each(a), each(c), each(c) / each(a));
      std::fflush(stdout);
    }
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::int64_t n = argc > 1 ? std::stoll(argv[1]) : 1'000'000;
    const int threads = argc > 2 ? std::stoi(argv[2]) : 2, repeats = argc > 3 ? std::stoi(argv[3]) : 3;
    fmt::print(
        "| sizes | points | k | hgrid, ns | nanoflann, ns | ratio | points sorted before, ns | ratio |\n|-|-|-|-|-|-|-|-|\n");
    for (const hgrid::Workload& workload : hgrid::workloads) {
      if (workload.name == "mono" || workload.name == "pl10" || workload.name == "pl100")
        measure(workload, n, threads, repeats);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "nearest: {}\n", e.what());
    return 2;
  }
}
