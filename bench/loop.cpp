// SPDX-License-Identifier: BSD-3-Clause
// A time loop with a skin against a build and half list at each step, in nanoseconds per particle and step: a gas that flies
// freely between mirrors, by order of the particles in memory and by threads. Forces are not computed; a pass over the list
// that reads the positions of each pair stands for them. One command prints the table of docs/notes.md: loop
// [workload] [particles], such as `loop pl10`.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"

namespace {

using hgrid::bench::median;
using hgrid::bench::nanoseconds;
using Exec = hgrid::OpenMPExec;
using Grid = hgrid::Grid<Exec, 3>;
using Point = hgrid::Vec<double, 3>;

constexpr double skin = 0.2;         // as a share of the smallest radius
constexpr double steps_a_list = 16;  // steps until the fastest particle leaves it
constexpr int builds = 4;            // measured, after one

/// Reads the positions of the pairs of a row.
struct WalkRow {
  const hgrid::offset_t* offsets;
  const hgrid::index_t* neighbours;
  const Point* x;
  double* sum;

  void operator()(hgrid::offset_t i) const {
    double s = 0;
    for (hgrid::offset_t k = offsets[i]; k < offsets[i + 1]; ++k) {
      for (int axis = 0; axis < 3; ++axis) s += std::fabs(x[i][axis] - x[neighbours[k]][axis]);
    }
    sum[i] = s;
  }
};

struct Gas {
  double length;
  std::vector<Point> x, v;
  std::vector<double> r;

  hgrid::Particles<double, 3> view() const {
    return hgrid::particles<3>(x.front().v, r.data(), static_cast<std::int64_t>(r.size()));
  }

  void fly() {
    for (std::size_t i = 0; i < x.size(); ++i) {
      for (int k = 0; k < 3; ++k) {
        x[i][k] += v[i][k];
        if (x[i][k] < 0 || x[i][k] > length) v[i][k] = -v[i][k];
      }
    }
  }

  /// Sorts the particles along the slots of a grid.
  void sort() {
    Grid grid(Exec{});
    grid.build(view(), {.skin = skin});
    hgrid::Reordering order{Exec{}};
    order.take(grid);
    const auto follow = [&](auto& values) {
      auto sorted = values;
      order.apply(values.data(), sorted.data());
      values.swap(sorted);
    };
    follow(x), follow(v), follow(r);
  }

  /// Puts a share of the particles, drawn at random, into random order.
  void shuffle(double share) {
    std::mt19937_64 random(3);
    std::vector<std::size_t> drawn;
    for (std::size_t i = 0; i < x.size(); ++i) {
      if (static_cast<double>(random() >> 11) * 0x1p-53 < share) drawn.push_back(i);
    }
    for (std::size_t k = drawn.size(); k > 1; --k) {
      const std::size_t a = drawn[k - 1], b = drawn[random() % k];
      std::swap(x[a], x[b]), std::swap(v[a], v[b]), std::swap(r[a], r[b]);
    }
  }
};

Gas make_gas(const hgrid::Workload& workload, std::int64_t particles) {
  const hgrid::Packing p = hgrid::random_packing({workload.sizes, particles, hgrid::workload_fraction});
  Gas gas{p.length, {}, {}, p.r};
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> component(-1, 1);
  const double fastest = 0.5 * skin / steps_a_list / std::sqrt(3.0);
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    gas.x.push_back({p.x[i], p.y[i], p.z[i]});
    Point& v = gas.v.emplace_back();
    for (int k = 0; k < 3; ++k) v[k] = fastest * component(random);
  }
  return gas;
}

void measure(const hgrid::Workload& workload, Gas gas, double shuffled, int threads) {
  const double each = 1.0 / static_cast<double>(gas.r.size());
  std::vector<double> checks, by_slot, passes, with_skin, anew, sums(gas.r.size());
  double sum = 0, disorder = 0;
  hgrid::offset_t steps = 0;
  {
    Grid grid(Exec{threads});
    hgrid::VerletList list(grid, {.skin = skin});
    while (true) {
      gas.fly();
      bool rebuilt = false;
      const double taken = each * nanoseconds([&] { rebuilt = list.update(gas.view()); });
      if (list.counters().builds < 2) continue;
      if (list.counters().builds == 2 + builds) break;
      sum += taken, ++steps;
      (rebuilt ? with_skin : checks).push_back(taken);
      if (steps % 8 != 0) continue;
      by_slot.push_back(each * nanoseconds([&] { grid.valid(gas.view()); }));
      const WalkRow walk{list.neighbours().offsets(), list.neighbours().neighbours(), gas.x.data(), sums.data()};
      passes.push_back(each * nanoseconds([&] { grid.exec().for_each("walk", list.neighbours().lists(), walk); }));
    }
    disorder = list.counters().disorder;
  }
  Grid grid(Exec{threads});
  auto list = grid.make_list();
  for (int step = 0; step < 9; ++step) {
    gas.fly();
    const double taken = each * nanoseconds([&] { grid.build(gas.view()), grid.find(list); });
    if (step > 1) anew.push_back(taken);
  }
  const double amortised = sum / static_cast<double>(steps);
  fmt::print("| {} | {:.0f} % | {:.3f} | {} | {:.1f} | {:.1f} | {:.1f} | {:.0f} | {:.1f} | {:.0f} | {:.2f} | {:.0f} |\n",
             workload.name, 100 * shuffled, disorder, threads, median(checks), median(by_slot),
             static_cast<double>(steps) / builds, median(with_skin), amortised, median(anew), amortised / median(anew),
             median(passes));
}

int run(const std::vector<std::string>& arguments) {
  const std::string only = arguments.empty() ? "" : arguments[0];
  const std::int64_t particles = arguments.size() < 2 ? 1'000'000 : std::stoll(arguments[1]);
  fmt::print(
      "| workload | shuffled | disorder | threads | check | check by slot | steps a build | build with the skin, list "
      "| **step** | build and list at each | ratio | pass over the list |\n|-|-|-|-|-|-|-|-|-|-|-|-|\n");
  for (const hgrid::Workload& workload : hgrid::workloads) {
    if (only.empty() ? workload.name != "mono" && workload.name != "pl10" : workload.name != only) continue;
    Gas sorted = make_gas(workload, particles);
    sorted.sort();
    for (const double share : {1.0, 0.3, 0.1, 0.0}) {
      Gas gas = sorted;
      gas.shuffle(share);
      for (const int threads : {1, 2}) measure(workload, gas, share, threads);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "loop: {}\n", e.what());
    return 2;
  }
}
