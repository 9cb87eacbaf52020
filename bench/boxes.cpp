// SPDX-License-Identifier: BSD-3-Clause
// Contacts of boxes with extents along the axes, in nanoseconds per particle: cubes, needles, plates along random axes, of
// sizes 1:1 to 1:100, at random places; beside them spheres around the boxes, built and counted, for which a long body is
// large. Then systems drawn at random along all axes in which users' systems differ, of which it shows the most expensive; and
// such systems with the levels of other planning costs.
// boxes [particles] [threads] [repeats] [drawn systems] [systems with other costs].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"

namespace {

using hgrid::bench::median;
using hgrid::bench::nanoseconds;

struct Kind {
  std::string name;
  double aspect, ratio;
  bool flat;             ///< short along one axis, or else long along one
  double packing = 0.3;  ///< volume of all boxes over the domain's volume
  bool periodic = false;
};

struct System {
  std::vector<double> x, h, around;  ///< the last are radii of spheres that hold the boxes
  hgrid::Box3 box;

  System(const Kind& kind, std::int64_t n, std::uint64_t seed) {
    std::mt19937_64 engine(seed);
    std::uniform_real_distribution<double> unit(0, 1);
    double volume = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double size =
          std::pow(1 - unit(engine) * (1 - std::pow(kind.ratio, -3)), -1.0 / 3);  // as many of each octave's volume
      const auto axis = static_cast<int>(engine() % 3);
      double product = 8, squares = 0;
      for (int k = 0; k < 3; ++k) {
        h.push_back(size * ((k == axis) != kind.flat ? kind.aspect : 1));
        product *= h.back(), squares += h.back() * h.back();
      }
      volume += product, around.push_back(std::sqrt(squares));
    }
    const double side = std::max(std::cbrt(volume / kind.packing), kind.periodic ? *std::ranges::max_element(h) : 0.0);
    for (std::int64_t i = 0; i < 3 * n; ++i) x.push_back(side * unit(engine));
    box = kind.periodic ? hgrid::Box3::periodic({0, 0, 0}, {side, side, side}) : hgrid::Box3::open();
  }
  std::int64_t size() const { return static_cast<std::int64_t>(around.size()); }
  hgrid::Particles<double, 3> view() const { return hgrid::extended_particles<3>(x.data(), h.data(), size()); }
};

struct Times {
  double first, build, pairs;
  hgrid::offset_t contacts;
  std::size_t levels;
};

Times measure(const System& system, int threads, int repeats) {
  hgrid::Grid grid{hgrid::OpenMPExec(threads), system.box};
  auto list = grid.make_pairs();
  const double first = nanoseconds([&] { grid.build(system.view()); });
  std::vector<double> build, pairs;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    build.push_back(nanoseconds([&] { grid.build(system.view()); }));
    pairs.push_back(nanoseconds([&] { grid.find(list); }));
  }
  return {first, median(build), median(pairs), list.size(), grid.levels().size()};
}

void show(const Kind& kind, std::int64_t n, int threads, int repeats) {
  const System system(kind, n, 7);
  const Times t = measure(system, threads, repeats);
  hgrid::Grid spheres{hgrid::OpenMPExec(threads), system.box};
  const auto around = hgrid::particles<3>(system.x.data(), system.around.data(), n);
  spheres.build(around);
  std::vector<double> of_spheres;
  hgrid::offset_t contacts = 0;
  for (int repeat = 0; repeat < repeats; ++repeat)
    of_spheres.push_back(nanoseconds([&] { spheres.build(around), contacts = spheres.count(); }));
  const auto each = static_cast<double>(n);
  fmt::print("{:<8} {:>4.0f} {:>6.0f} {:>9.2f} {:>7} {:>7.0f} {:>6.0f} {:>6.0f} {:>9.2f} {:>10.0f}\n", kind.name, kind.aspect,
             kind.ratio, static_cast<double>(t.contacts) / each, t.levels, t.first / each, t.build / each, t.pairs / each,
             static_cast<double>(contacts) / each, median(of_spheres) / each);
  std::fflush(stdout);
}

/// A kind and a number of particles, along all that users differ in.
std::pair<Kind, std::int64_t> drawn_kind(std::mt19937_64& engine) {
  std::uniform_real_distribution<double> unit(0, 1);
  const auto between = [&](double lo, double hi) { return lo * std::pow(hi / lo, unit(engine)); };
  Kind kind{"", between(1, 1000), unit(engine) < 0.3 ? 1 : between(1, 1000), engine() % 2 == 0};
  kind.packing = between(0.01, 2), kind.periodic = engine() % 2 == 0;
  return {kind, static_cast<std::int64_t>(between(100, 300000))};
}

void show_dearest(int systems, int threads, int repeats) {
  struct Drawn {
    double cost;
    std::string text;
  };
  std::vector<Drawn> all;
  std::mt19937_64 engine(11);
  for (int s = 0; s < systems; ++s) {
    const auto [kind, n] = drawn_kind(engine);
    const Times t = measure(System(kind, n, engine()), threads, repeats);
    const double cost = (t.build + t.pairs) / static_cast<double>(n + t.contacts);
    all.push_back(
        {cost,
         fmt::format("{:>7.0f} ns: {} {} of aspect {:.3g}, sizes 1:{:.3g}, packing {:.2g}, {}; {:.2f} contacts each, {} levels",
                     cost, n, kind.flat ? "plates" : "needles", kind.aspect, kind.ratio, kind.packing,
                     kind.periodic ? "periodic" : "open", static_cast<double>(t.contacts) / static_cast<double>(n), t.levels)});
  }
  std::ranges::sort(all, std::greater(), &Drawn::cost);
  fmt::print(
      "\n{} systems drawn, nanoseconds of a build and a list for each particle and contact: median {:.0f}; the dearest:\n",
      systems, all[all.size() / 2].cost);
  for (std::size_t k = 0; k < std::min<std::size_t>(8, all.size()); ++k) fmt::print("{}\n", all[k].text);
}

/// Compares the step with the best levels of all these costs: do the costs that come with hgrid, which were measured with
/// spheres, serve boxes? In processor time, on one thread.
void compare_costs(int systems, int repeats) {
  const hgrid::SearchCosts usual;
  std::vector<hgrid::SearchCosts> costs{usual};
  for (const double factor : {0.25, 0.5, 2.0, 4.0}) {
    for (double hgrid::SearchCosts::*cost :
         {&hgrid::SearchCosts::setup, &hgrid::SearchCosts::row, &hgrid::SearchCosts::candidate, &hgrid::SearchCosts::cell}) {
      costs.push_back(usual);
      costs.back().*cost *= factor;
    }
  }
  std::vector<std::vector<double>> ratios(costs.size());
  std::mt19937_64 engine(12);
  for (int s = 0; s < systems; ++s) {
    const auto [kind, n] = drawn_kind(engine);
    const System system(kind, n, engine());
    std::vector<hgrid::Grid<hgrid::OpenMPExec, 3>> grids;
    for (const auto& c : costs) {
      grids.emplace_back(hgrid::OpenMPExec(1), system.box, hgrid::GridOptions{.costs = c});
      grids.back().build(system.view());
    }
    auto list = grids[0].make_pairs();
    std::vector<double> least(costs.size(), HUGE_VAL);
    for (int repeat = 0; repeat < repeats; ++repeat) {
      for (std::size_t c = 0; c < costs.size(); ++c) {
        const std::clock_t start = std::clock();
        grids[c].build(system.view());
        grids[c].find(list);
        least[c] = std::min(least[c], static_cast<double>(std::clock() - start));
      }
    }
    const double best = *std::ranges::min_element(least);
    for (std::size_t c = 0; c < costs.size(); ++c) ratios[c].push_back(least[c] / best);
  }
  fmt::print("\nstep over the best of {} costs, {} systems\n{:>6} {:>6} {:>9} {:>6}  {:>6} {:>6} {:>6}\n", costs.size(),
             systems, "setup", "row", "candidate", "cell", "median", "90 %", "worst");
  for (std::size_t c = 0; c < costs.size(); ++c) {
    auto& r = ratios[c];
    std::ranges::sort(r);
    fmt::print("{:>6.4g} {:>6.4g} {:>9.4g} {:>6.4g}  {:>6.3f} {:>6.3f} {:>6.3f}\n", costs[c].setup, costs[c].row,
               costs[c].candidate, costs[c].cell, r[r.size() / 2], r[r.size() * 9 / 10], r.back());
  }
}

}  // namespace

int main(int argc, char** argv) {
  const auto number = [&](int k, long otherwise) { return argc > k ? std::stol(argv[k]) : otherwise; };
  const std::int64_t n = number(1, 1000000);
  const int threads = static_cast<int>(number(2, 2)), repeats = static_cast<int>(number(3, 3));
  fmt::print("{} boxes, {} threads, medians of {} in ns a particle\n", n, threads, repeats);
  fmt::print("{:<8} {:>4} {:>6} {:>9} {:>7} {:>7} {:>6} {:>6} {:>9} {:>10}\n", "shape", "long", "sizes", "contacts", "levels",
             "planned", "build", "pairs", "(spheres)", "(count)");
  for (const double ratio : {1.0, 10.0, 100.0}) show({"cubes", 1, ratio, false}, n, threads, repeats);
  for (const double aspect : {10.0, 100.0}) {
    for (const double ratio : {1.0, 10.0, 100.0}) show({"needles", aspect, ratio, false}, n, threads, repeats);
    show({"plates", aspect, 1, true}, n, threads, repeats);
  }
  if (const int drawn = static_cast<int>(number(4, 0)); drawn > 0) show_dearest(drawn, threads, repeats);
  if (const int compared = static_cast<int>(number(5, 0)); compared > 0) compare_costs(compared, repeats);
}
