// SPDX-License-Identifier: BSD-3-Clause
// Contacts between two sets, in nanoseconds per query particle: a random half of a packing queries the other half, in random
// order, against nanoflann if it was found and sizes are near to each other, in one process, which must find as many. The grid
// of the query particles is built again each time. The grid of the others, and the tree, are built once, which is shown
// separately. Lists and calls of a functor.
// two_sets [particles of both] [threads] [repeats] [factor of the radii].
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
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
struct Set {
  std::vector<hgrid::Vec<double, 3>> x;
  std::vector<double> r;

  hgrid::Particles<double, 3> view() const {
    return hgrid::particles<3>(x[0].v, r.data(), static_cast<std::int64_t>(r.size()));
  }
  std::size_t size() const { return r.size(); }
};

#ifdef HGRID_HAS_NANOFLANN
/// Returns the number of contacts that the tree of a set finds with another set.
std::int64_t ask(const hgrid::bench::NanoflannTree& tree, const Set& asked, const Set& asking, int threads) {
  const double largest = *std::ranges::max_element(asked.r);
  std::atomic<std::int64_t> total{0};
  hgrid::bench::in_parts(asking.size(), threads, [&](std::size_t begin, std::size_t end) {
    std::vector<std::pair<std::uint32_t, double>> near;
    std::vector<std::uint32_t> found;
    for (std::size_t i = begin; i < end; ++i) {
      const double reach = asking.r[i] + largest;
      near.clear();
      tree->radiusSearch(asking.x[i].v, reach * reach * (1 + 1e-12), near, nanoflann::SearchParams(32, 0, false));
      for (const auto& [j, squared] : near) {
        const double sum = asking.r[i] + asked.r[j];
        if (squared <= sum * sum) found.push_back(j);
      }
    }
    total += static_cast<std::int64_t>(found.size());
  });
  return total;
}
#endif

void measure(const hgrid::Workload& workload, std::int64_t n, int threads, int repeats, double factor) {
  const hgrid::Packing p = hgrid::random_packing({workload.sizes, n, 0.62});
  Set asking, asked;
  std::mt19937_64 engine(7);
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    Set& set = engine() % 2 == 0 ? asking : asked;
    set.x.push_back({p.x[i], p.y[i], p.z[i]}), set.r.push_back(factor * p.r[i]);
  }
  hgrid::Grid a{hgrid::OpenMPExec(threads)}, b{hgrid::OpenMPExec(threads)};
  auto rows = b.make_list(hgrid::ListKind::full);
  const bool beside = workload.name == "mono" || workload.name == "bi10" || workload.name == "pl10";
  std::vector<double> build, find, call, tree, search;
  std::int64_t entries = 0, theirs = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    build.push_back(nanoseconds([&] { b.build(asked.view()); }));
    find.push_back(nanoseconds([&] { a.build(asking.view()), b.find(rows, a), entries = rows.size(); }));
    std::atomic<std::int64_t> called{0};
    call.push_back(nanoseconds([&] {
      const auto f = [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) {
        if (i == j) called.fetch_add(1, std::memory_order_relaxed);
      };
      b.for_each_partner(f, a);
    }));
#ifdef HGRID_HAS_NANOFLANN
    if (!beside) continue;
    std::optional<hgrid::bench::NanoflannTree> other;
    tree.push_back(nanoseconds([&] { other.emplace(asked.x); }));
    search.push_back(nanoseconds([&] { theirs = ask(*other, asked, asking, threads); }));
    if (theirs != entries) throw std::runtime_error("the numbers of contacts differ");
#endif
  }
  const auto each = [&](const std::vector<double>& all) { return median(all) / static_cast<double>(asking.size()); };
  const double ratio = search.empty() ? 0 : (median(tree) + median(search)) / (median(build) + median(find));
  fmt::print("| {} | {:.2f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.0f} | {:.1f} |\n", workload.name,
             static_cast<double>(entries) / static_cast<double>(asking.size()), each(build), each(find), each(call), each(tree),
             each(search), ratio);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::int64_t n = argc > 1 ? std::stoll(argv[1]) : 2'000'000;
    const int threads = argc > 2 ? std::stoi(argv[2]) : 2, repeats = argc > 3 ? std::stoi(argv[3]) : 5;
    const double factor = argc > 4 ? std::stod(argv[4]) : 1;
    fmt::print(
        "| sizes | entries | build | build and find | for_each | nanoflann, tree | search | ratio |\n|-|-|-|-|-|-|-|-|\n");
    for (const hgrid::Workload& workload : hgrid::workloads) measure(workload, n, threads, repeats, factor);
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "two_sets: {}\n", e.what());
    return 2;
  }
}
