// SPDX-License-Identifier: BSD-3-Clause
// A few points query many points of a surface for all within a radius, from ten to tens of thousands each, in nanoseconds per
// neighbor on one thread, against nanoflann if it was found, which must find as many: a functor that counts, and sorted lists.
// Grids and trees are built before.
// surface [points] [most neighbors] [repeats].
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/queries.hpp"
#if __has_include(<nanoflann.hpp>)
#include "bench/nanoflann_tree.hpp"
#define HGRID_HAS_NANOFLANN
#endif

namespace {

using hgrid::bench::median;
using hgrid::bench::nanoseconds;
using Points = std::vector<hgrid::Vec<double, 3>>;

constexpr std::size_t asking = 10000;

/// Points of a bumpy unit sphere, with a scatter of 0.1 % as a scanner's.
Points surface(std::size_t n) {
  std::mt19937_64 engine(7);
  std::normal_distribution<double> normal;
  Points x(n);
  for (hgrid::Vec<double, 3>& p : x) {
    double squared = 0;
    for (int k = 0; k < 3; ++k) p[k] = normal(engine), squared += p[k] * p[k];
    const double length = std::sqrt(squared);
    const double height = 1 + 0.1 * std::sin(5 * p[0] / length) * std::sin(4 * p[1] / length) + 0.001 * normal(engine);
    for (int k = 0; k < 3; ++k) p[k] *= height / length;
  }
  return x;
}

hgrid::Particles<double, 3> view(const Points& x, const std::vector<double>& radius) {
  return hgrid::particles<3>(x[0].v, radius.data(), static_cast<std::int64_t>(x.size()));
}

void measure(const Points& x, const Points& questions, double neighbours, int repeats) {
  const double radius = 2 * std::sqrt(neighbours / static_cast<double>(x.size()));  // neighbors in a flat disk
  const std::vector<double> none(x.size(), 0.0), reach(questions.size(), radius);
  hgrid::Grid points{hgrid::OpenMPExec(1)}, asks{hgrid::OpenMPExec(1)};
  points.build(view(x, none)), asks.build(view(questions, reach));
  auto rows = points.make_list(hgrid::ListKind::full);
  std::vector<double> functor, list, tree;
  std::int64_t found = 0, listed = 0, theirs = 0;
  const bool lists = neighbours <= 10000;  // 10^8 entries
  if (lists) points.find(rows, asks);      // the list has memory then
  for (int repeat = 0; repeat < repeats; ++repeat) {
    found = 0;
    functor.push_back(nanoseconds(
        [&] { points.for_each_partner([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++found; }, asks); }));
    if (lists) list.push_back(nanoseconds([&] { points.find(rows, asks), listed = rows.size(); }));
  }
  if (lists && listed != found) throw std::runtime_error("lists and calls differ");
#ifdef HGRID_HAS_NANOFLANN
  const hgrid::bench::NanoflannTree other(x);
  for (int repeat = 0; repeat < repeats; ++repeat) {
    theirs = 0;
    tree.push_back(nanoseconds([&] {
      std::vector<std::pair<std::uint32_t, double>> near;
      for (const hgrid::Vec<double, 3>& p : questions) {
        near.clear();
        other->radiusSearch(p.v, radius * radius, near, nanoflann::SearchParams(32, 0, false));
        theirs += static_cast<std::int64_t>(near.size());
      }
    }));
  }
  if (theirs != found) throw std::runtime_error("the numbers of neighbours differ");
#endif
  const auto each = [&](const std::vector<double>& times) {
    return times.empty() ? std::string() : fmt::format("{:.1f}", median(times) / static_cast<double>(found));
  };
  fmt::print("| {:.0f} | {} | {} | {} |\n", static_cast<double>(found) / asking, each(functor), each(list), each(tree));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::size_t n = argc > 1 ? std::stoull(argv[1]) : 1'000'000;
    const double most = argc > 2 ? std::stod(argv[2]) : 50000;
    const int repeats = argc > 3 ? std::stoi(argv[3]) : 3;
    const Points x = surface(n);
    Points questions(asking);
    std::mt19937_64 engine(8);
    for (hgrid::Vec<double, 3>& p : questions) p = x[engine() % n];
    fmt::print("| neighbours | functor | lists | nanoflann |\n|-|-|-|-|\n");
    for (const double neighbours : {10., 100., 1000., 10000., 50000.}) {
      if (neighbours <= most) measure(x, questions, neighbours, repeats);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "surface: {}\n", e.what());
    return 2;
  }
}
