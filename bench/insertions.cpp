// SPDX-License-Identifier: BSD-3-Clause
// Particles that are inserted one by one into a built grid of a million, in nanoseconds each, and against brute force, which
// must find equal contacts. They lie at random places, so that each reads other memory, or along an inflow, near the one
// before. One command prints the table of docs/notes.md: insertions [particles] [inserted] [unchecked]; brute force
// takes most of its time.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"
#include "hgrid/queries.hpp"

namespace {

using hgrid::bench::nanoseconds;
using Point = hgrid::Vec<double, 3>;
using Exec = hgrid::OpenMPExec;

struct Sphere {
  Point x;
  double r;
};

/// Counts pairs of the last spheres with the spheres before them by brute force, by columns, so that a compiler makes vectors
/// of it.
std::int64_t all_pairs(const hgrid::Packing& p, const std::vector<Sphere>& inserted, double period) {
  std::vector<double> x = p.x, y = p.y, z = p.z, r = p.r;
  std::int64_t found = 0;
  const auto nearest = [period](double d) {  // at most one image in reach touches: periods are many diameters
    const double below = d - period, above = d + period;
    d = below * below < d * d ? below : d;
    return above * above < d * d ? above : d;
  };
  for (const Sphere& s : inserted) {
    std::int64_t touching = 0;
    for (std::size_t j = 0; j < x.size(); ++j) {
      const double dx = nearest(s.x[0] - x[j]), dy = nearest(s.x[1] - y[j]), dz = nearest(s.x[2] - z[j]), sum = s.r + r[j];
      touching += (dx * dx + dy * dy) + dz * dz <= sum * sum;
    }
    found += touching;
    x.push_back(s.x[0]), y.push_back(s.x[1]), z.push_back(s.x[2]), r.push_back(s.r);
  }
  return found;
}

void measure(const hgrid::Workload& workload, double fraction, bool near, std::int64_t particles, std::size_t count,
             bool checked) {
  const hgrid::Packing p = hgrid::random_packing({workload.sizes, particles, fraction});
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> unit(0, 1);
  std::vector<Sphere> spheres;
  for (std::size_t i = 0; i < count; ++i) {
    const double along = static_cast<double>(i) / static_cast<double>(count), wide = near ? 0.02 : 1;
    const double x = near ? along : unit(random);
    spheres.push_back(
        {{p.length * x, p.length * wide * unit(random), p.length * wide * unit(random)}, p.r[random() % p.r.size()]});
  }
  const hgrid::Box3 box = hgrid::Box3::periodic({0, 0, 0}, {p.length, p.length, p.length});
  hgrid::Grid<Exec, 3> grid(Exec{}, box);
  const auto built = hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), particles);
  hgrid::Insertions insertions(grid);
  std::vector<double> touches, free, inserted, each;
  std::int64_t touching = 0, kept = 0;
  const double share = 1 / static_cast<double>(count);
  for (int repeat = 0; repeat < 5; ++repeat) {
    grid.build(built);
    std::int64_t sum = 0;
    touches.push_back(share * nanoseconds([&] {
                        for (const Sphere& s : spheres) sum += insertions.touches(s.x, s.r);
                      }));
    grid.build(built);
    kept = 0;
    free.push_back(share * nanoseconds([&] {
                     for (const Sphere& s : spheres) kept += insertions.insert_if_free(s.x, s.r).has_value();
                   }));
    if (sum > static_cast<std::int64_t>(count) - kept) throw std::runtime_error("one was inserted where it touches");
    grid.build(built);
    touching = 0;
    each.push_back(share * nanoseconds([&] {
                     for (const Sphere& s : spheres) {
                       insertions.for_each_touching(s.x, s.r, [&](hgrid::index_t, const hgrid::Image&) { ++touching; });
                       insertions.insert(s.x, s.r);
                     }
                   }));
    insertions.clear();
    inserted.push_back(share * nanoseconds([&] {
                         for (const Sphere& s : spheres) insertions.insert(s.x, s.r);
                       }));
  }
  const auto least = [](const std::vector<double>& v) { return *std::ranges::min_element(v); };
  const std::int64_t expected = checked ? all_pairs(p, spheres, p.length) : -1;
  fmt::print("| {} | {} | {} | {:.0f} | {:.0f} | {:.0f} % | {:.0f} | {:.0f} | {} | {} | {} |\n", workload.name, fraction,
             near ? "inflow" : "random", least(touches), least(free), 100 * share * static_cast<double>(kept), least(each),
             least(inserted), touching, expected, insertions.bytes() / count);
  if (checked && touching != expected) throw std::runtime_error("all pairs touch others");
}

int run(const std::vector<std::string>& arguments) {
  const std::int64_t particles = arguments.empty() ? 1'000'000 : std::stoll(arguments[0]);
  const std::size_t count = arguments.size() < 2 ? 10'000 : std::stoull(arguments[1]);
  const bool checked = arguments.size() < 3 || arguments[2] != "unchecked";
  fmt::print(
      "| workload | fraction | places | touches | insert_if_free | free | for_each_touching and insert | insert | touching "
      "| by all pairs | bytes each |\n|-|-|-|-|-|-|-|-|-|-|-|\n");
  for (const hgrid::Workload& workload : hgrid::workloads) {
    if (workload.name != "mono" && workload.name != "pl10") continue;
    for (const double fraction : {0.1, 0.3}) {
      for (const bool near : {false, true}) measure(workload, fraction, near, particles, count, checked);
    }
  }
  return 0;
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::exception& e) {
    fmt::print(stderr, "insertions: {}\n", e.what());
    return 2;
  }
}
