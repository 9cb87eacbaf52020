// SPDX-License-Identifier: BSD-3-Clause
// Few particles, on one thread: random points with 60 neighbors each in a periodic cube, or in an open one, where points near
// its faces have fewer. A new grid, its first build and its first full list; then both again, for points that moved a little.
// Prints the table of docs/notes.md, the least of all turns in microseconds: few [turns of ten points].
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/stopwatch.hpp"
#include "hgrid/hgrid.hpp"

namespace {

using hgrid::bench::nanoseconds;
using Grid = hgrid::Grid<hgrid::SerialExec, 3>;

/// Keeps the least value that it was given.
class Least {
 public:
  void add(double ns) { least_ = std::min(least_, ns); }
  double us() const { return least_ * 1e-3; }

 private:
  double least_ = std::numeric_limits<double>::infinity();
};

void measure(std::int64_t n, bool periodic, std::int64_t turns) {
  constexpr double neighbours = 60, cutoff = 1;
  const double side = std::cbrt(static_cast<double>(n) * 4 / 3 * std::numbers::pi / neighbours) * cutoff;
  const hgrid::Box3 box = periodic ? hgrid::Box3::periodic({0, 0, 0}, {side, side, side}) : hgrid::Box3::open();
  std::mt19937_64 engine(7);
  std::uniform_real_distribution<double> within(0, side);
  std::vector<hgrid::Vec<double, 3>> now(static_cast<std::size_t>(n)), then;
  for (auto& x : now) x = {within(engine), within(engine), within(engine)};
  then = now;
  for (auto& x : then) x[0] = std::min(x[0] + 1e-3 * cutoff, std::nextafter(side, 0));
  const std::vector<double> r(now.size(), cutoff / 2);

  Least grid_made, built, listed, all, built_again, listed_again;
  hgrid::offset_t entries = 0;
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    all.add(nanoseconds([&] {
      Grid grid{hgrid::SerialExec{}, box};
      grid.build(now, r);
      auto list = grid.make_list(hgrid::ListKind::full);
      grid.find(list);
      entries = list.size();
    }));
    std::optional<Grid> grid;
    grid_made.add(nanoseconds([&] { grid.emplace(hgrid::SerialExec{}, box); }));
    built.add(nanoseconds([&] { grid->build(now, r); }));
    auto list = grid->make_list(hgrid::ListKind::full);
    listed.add(nanoseconds([&] { grid->find(list); }));
    if (list.size() != entries) throw std::runtime_error("two lists of the same points have different entries");
    built_again.add(nanoseconds([&] { grid->build(then, r); }));
    listed_again.add(nanoseconds([&] { grid->find(list); }));
  }
  fmt::print("| {} | {}, {} entries | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} | {:.1f} |\n", n,
             periodic ? "periodic" : "open", entries, grid_made.us(), built.us(), listed.us(), all.us(), built_again.us(),
             listed_again.us());
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char* argv[]) {
  try {
    const std::int64_t turns = argc > 1 ? std::stoll(argv[1]) : 20'000;
    fmt::print(
        "| points | box | a grid | first build | first list | all three | build again | list again |\n|-|-|-|-|-|-|-|-|\n");
    for (const std::int64_t n : {10, 100, 1000}) {
      for (const bool periodic : {false, true}) measure(n, periodic, std::max<std::int64_t>(3, 10 * turns / n));
    }
    return 0;
  } catch (const std::exception& e) {
    fmt::print(stderr, "few: {}\n", e.what());
    return 2;
  }
}
