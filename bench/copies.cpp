// SPDX-License-Identifier: BSD-3-Clause
// A code that wraps its particles into a periodic box and copies particles near a face again at each step: a list that lives on
// the particles with `Copies`, against a build of particles and copies at each step, in nanoseconds per particle and step;
// separately, the loop over the pairs. Both see one motion and find equal pairs.
// copies [particles] [steps]
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/packing/packing.hpp"
#include "hgrid/packing/workloads.hpp"

namespace {

using Exec = hgrid::OpenMPExec;

struct Bodies {
  hgrid::Box3 box;
  double length, reach;         // how far from a face particles are copied
  std::vector<double> x, r;     // particles wrapped into the box, then copies
  std::vector<double> free, v;  // unwrapped positions
  std::vector<hgrid::Image> periods, image;
  std::vector<hgrid::index_t> owner;

  std::size_t particles() const { return periods.size(); }

  void step(double dt) {
    x.resize(free.size()), r.resize(particles()), owner.clear(), image.clear();
    for (std::size_t e = 0; e < free.size(); ++e) {
      free[e] += dt * v[e];
      const double taken_off = std::floor(free[e] / length);
      x[e] = free[e] - taken_off * length, periods[e / 3][static_cast<int>(e % 3)] = static_cast<std::int32_t>(taken_off);
    }
    for (std::size_t i = 0; i < particles(); ++i) {
      int sides[3];
      for (std::size_t k = 0; k < 3; ++k) sides[k] = x[3 * i + k] < reach ? 1 : x[3 * i + k] > length - reach ? -1 : 0;
      for (int corner = 1; corner < 8; ++corner) {
        hgrid::Image m{};
        bool there = true;
        for (int k = 0; k < 3; ++k) {
          const bool moved = (corner >> k & 1) != 0;
          if (moved) m[k] = sides[k];
          there &= !moved || sides[k] != 0;
        }
        if (!there) continue;
        for (int k = 0; k < 3; ++k) x.push_back(x[3 * i + static_cast<std::size_t>(k)] + m[k] * length);
        r.push_back(r[i]), owner.push_back(static_cast<hgrid::index_t>(i)), image.push_back(m);
      }
    }
  }

  /// Counts a pair, as a code that uses it would.
  void count(hgrid::index_t i, hgrid::index_t j, std::int64_t& touching) const {
    double squared = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = x[3 * static_cast<std::size_t>(i) + static_cast<std::size_t>(k)] -
                       x[3 * static_cast<std::size_t>(j) + static_cast<std::size_t>(k)];
      squared += d * d;
    }
    const double sum = r[static_cast<std::size_t>(i)] + r[static_cast<std::size_t>(j)];
    touching += squared <= sum * sum;
  }
};

Bodies random_bodies(const hgrid::Workload& workload, std::int64_t n, double fraction) {
  const hgrid::Packing p = hgrid::random_packing({workload.sizes, n, fraction});
  Bodies b{hgrid::Box3::periodic({0, 0, 0}, {p.length, p.length, p.length}), p.length, 0, {}, p.r, {}, {}, {}, {}, {}};
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> velocity(-1, 1);
  const double largest = *std::max_element(p.r.begin(), p.r.end());
  b.periods.resize(p.r.size());
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    b.free.insert(b.free.end(), {p.x[i], p.y[i], p.z[i]});
    for (int k = 0; k < 3; ++k) b.v.push_back(velocity(random));
  }
  b.reach = 2.5 * largest;
  return b;
}

template <class F>
void add_time(double& seconds, const F& f) {
  const auto start = std::chrono::steady_clock::now();
  f();
  seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

void measure(const hgrid::Workload& workload, std::int64_t n, int steps) {
  Bodies b = random_bodies(workload, n, 0.5);
  const double smallest = *std::min_element(b.r.begin(), b.r.end()), dt = 0.005 * smallest;  // 0.5 % of a radius a step at most
  hgrid::Grid<Exec, 3> grid(Exec{}, b.box), fresh(Exec{});
  hgrid::VerletList list(grid, {.skin = 0.2 * smallest});
  hgrid::Copies copies(hgrid::MissingCopy::skip);
  auto half = fresh.make_list();
  double by_list = 0, by_builds = 0, visit_list = 0, visit_build = 0;
  for (int step = 0; step < steps; ++step) {
    b.step(dt);
    std::int64_t touching = 0, expected = 0;
    add_time(by_list, [&] {
      list.update(hgrid::particles<3>(b.free.data(), b.r.data(), n));
      copies.take(static_cast<hgrid::index_t>(n), b.owner, b.image, b.periods);
    });
    add_time(visit_list, [&] {
      copies.for_each_pair(list.neighbours(), [&](hgrid::index_t i, hgrid::index_t j) { b.count(i, j, touching); });
    });
    add_time(by_builds, [&] {
      auto all = hgrid::particles<3>(b.x.data(), b.r.data(), static_cast<std::int64_t>(b.r.size()));
      all.owned = n;
      fresh.build(all);
      fresh.find(half);
    });
    add_time(visit_build, [&] {
      for (hgrid::index_t i = 0; i < half.lists(); ++i) {
        for (hgrid::offset_t k = half.offsets()[i]; k < half.offsets()[i + 1]; ++k) b.count(i, half.neighbours()[k], expected);
      }
    });
    if (touching != expected) throw std::runtime_error("the list has other pairs");
  }
  const double each = 1e9 / static_cast<double>(n * steps);
  fmt::print("| {} | {} | {:.1f} | {:.0f} | {:.0f} | {:.2f} | {:.0f} | {:.0f} |\n", workload.name, b.owner.size(),
             100.0 * static_cast<double>(list.counters().builds) / steps, each * by_list, each * by_builds, by_list / by_builds,
             each * visit_list, each * visit_build);
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::int64_t n = argc > 1 ? std::stoll(argv[1]) : 100'000;
    const int steps = argc > 2 ? std::stoi(argv[2]) : 200;
    fmt::print(
        "| workload | copies | builds in 100 steps | list and Copies, ns | a build and list each step, ns | ratio | its pairs "
        "with "
        "Copies, ns | without, ns |\n|-|-|-|-|-|-|-|-|\n");
    for (const hgrid::Workload& workload : hgrid::workloads) {
      if (workload.name == "mono" || workload.name == "pl10" || workload.name == "us50") measure(workload, n, steps);
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "copies: {}\n", e.what());
    return 2;
  }
}
