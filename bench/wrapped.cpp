// SPDX-License-Identifier: BSD-3-Clause
// A loop that wraps its positions at each step beside one that does not: builds, contacts that only one of them has, and the
// time of an update that builds nothing, in nanoseconds a particle. A drum that is periodic along its axis, a gas in a tilted
// box, and one in shear. Forces are not computed. wrapped [particles] [steps]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"

namespace {

using Exec = hgrid::OpenMPExec;
using Vec3 = hgrid::Vec<double, 3>;
using hgrid::bench::median;
using hgrid::bench::nanoseconds;

constexpr double skin = 0.1;  // the largest radius is 0.5
constexpr double dt = 0.005;

enum class Kind { drum, tilted, sheared };

struct Loop {
  Kind kind;
  double side;
  int steps = 0;
  std::vector<Vec3> x, unwrapped, v;
  std::vector<double> r;
  std::vector<hgrid::Image> taken;

  Loop(Kind which, std::int64_t n) : kind(which), side(std::cbrt(0.8 * static_cast<double>(n))) {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> place(0, side), component(-1, 1), size(0.25, 0.5);
    const double middle = 0.5 * side;
    for (std::int64_t i = 0; i < n; ++i) {
      Vec3 at;
      do {
        for (int k = 0; k < 3; ++k) at[k] = place(random);
      } while (kind == Kind::drum && std::hypot(at[1] - middle, at[2] - middle) > middle);
      x.push_back(at), v.push_back({component(random), component(random), component(random)}), r.push_back(size(random));
    }
    unwrapped = x, taken.resize(x.size());
  }

  hgrid::Box3 box() const {
    const auto all = hgrid::Box3::periodic({0, 0, 0}, {side, side, side});
    if (kind == Kind::drum) return hgrid::Box3::periodic({0, 0, 0}, {side, 0, 0}, {true, false, false});
    return kind == Kind::tilted ? hgrid::tilted(all, {0.4 * side, -0.3 * side, 1.7 * side})
                                : hgrid::sheared(all, 0.2 * steps * dt * side);
  }

  void move() {
    const hgrid::Box3 before = box();
    ++steps;
    const hgrid::Box3 now = box();
    const auto flow = hgrid::detail::deformation_of(before, now);
    const double turn = 0.02 * dt, middle = 0.5 * side;
    for (std::size_t i = 0; i < x.size(); ++i) {
      Vec3 at = kind == Kind::sheared ? flow(x[i]) : x[i];
      for (int k = 0; k < 3; ++k) at[k] += dt * v[i][k];
      if (kind == Kind::drum) {  // with the drum, whose wall turns them back
        const double y = at[1] - middle, z = at[2] - middle;
        at[1] = middle + y * std::cos(turn) - z * std::sin(turn), at[2] = middle + z * std::cos(turn) + y * std::sin(turn);
        if (y * y + z * z > middle * middle && y * v[i][1] + z * v[i][2] > 0) v[i][1] = -v[i][1], v[i][2] = -v[i][2];
      }
      const hgrid::Image periods = hgrid::wrap(now, at).periods;
      x[i] = hgrid::separation(now, at, Vec3{}, periods);
      for (int k = 0; k < 3; ++k) taken[i][k] += periods[k];
      unwrapped[i] = hgrid::separation(now, x[i], Vec3{}, -taken[i]);
    }
  }
};

using Key = std::array<hgrid::index_t, 5>;

/// Pairs that touch, with the image of positions that nobody wrapped.
std::vector<Key> contacts(const Loop& loop, const hgrid::Box3& box, const std::vector<Vec3>& x, const hgrid::ListView& list,
                          const hgrid::Image* since, const hgrid::Image* taken) {
  std::vector<Key> found;
  for (hgrid::index_t i = 0; i < list.lists; ++i) {
    for (hgrid::offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const hgrid::index_t j = list.neighbour(k);
      const hgrid::Image now = hgrid::image_now(list.image(k), since, i, j), m = hgrid::image_now(now, taken, j, i);
      const auto a = static_cast<std::size_t>(i), b = static_cast<std::size_t>(j);
      const Vec3 d = hgrid::separation(box, x[a], x[b], now);
      const double reach = loop.r[a] + loop.r[b];
      if ((d[0] * d[0] + d[1] * d[1]) + d[2] * d[2] <= reach * reach) found.push_back({i, j, m[0], m[1], m[2]});
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void measure(const char* name, Kind kind, std::int64_t n, int steps) {
  Loop loop(kind, n);
  hgrid::Grid<Exec, 3> grids[2] = {hgrid::Grid<Exec, 3>(Exec{}, loop.box()), hgrid::Grid<Exec, 3>(Exec{}, loop.box())};
  hgrid::VerletList wrapped(grids[0], {.skin = skin, .wrapped = true}), plain(grids[1], {.skin = skin});
  std::vector<double> times[2];
  std::size_t all = 0, differ = 0, leavers = 0;
  int together = 0;
  for (int step = 0; step < steps; ++step, loop.move()) {
    const hgrid::Box3 box = loop.box();
    for (auto& grid : grids) grid.set_box(box);
    bool built[2];
    const double took[2] = {
        nanoseconds([&] { built[0] = wrapped.update(hgrid::particles<3>(loop.x.data()->v, loop.r.data(), n)); }),
        nanoseconds([&] { built[1] = plain.update(hgrid::particles<3>(loop.unwrapped.data()->v, loop.r.data(), n)); })};
    for (int k = 0; k < 2; ++k) {
      if (!built[k]) times[k].push_back(took[k] / static_cast<double>(n));
    }
    together += built[0] && built[1];
    const auto ours = contacts(loop, box, loop.x, hgrid::ListView(wrapped.neighbours()), wrapped.periods(), loop.taken.data());
    const auto theirs = contacts(loop, box, loop.unwrapped, hgrid::ListView(plain.neighbours()), nullptr, nullptr);
    std::vector<Key> only;
    std::set_symmetric_difference(ours.begin(), ours.end(), theirs.begin(), theirs.end(), std::back_inserter(only));
    all += theirs.size(), differ += only.size();
  }
  for (const hgrid::Image& m : loop.taken) leavers += m != hgrid::Image{};
  fmt::print(
      "{:8} {:6} steps: {} builds, unwrapped {}, {} at one step; {} contacts, {} of one loop only; {} particles were wrapped; "
      "update without a build {:.1f} ns a particle, unwrapped {:.1f}\n",
      name, steps, wrapped.counters().builds, plain.counters().builds, together, all, differ, leavers, median(times[0]),
      median(times[1]));
}

}  // namespace

int main(int argc, char** argv) {
  const std::int64_t n = argc > 1 ? std::stoll(argv[1]) : 100000;
  const int steps = argc > 2 ? std::stoi(argv[2]) : 100;
  measure("drum", Kind::drum, n, steps);
  measure("tilted", Kind::tilted, n, steps);
  measure("sheared", Kind::sheared, n, steps);
}
