// SPDX-License-Identifier: BSD-3-Clause
// Ten steps whose instructions counted.py counts: counted_steps [NAME...] prints the instruction set of the search and the name
// of each step that it takes, in their order. Only calls from `counted_region` are counted, so each step is counted alone.
//
// Systems are drawn by whole numbers, products and square roots, which every C library rounds alike.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string_view>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/threads/simd_target.hpp"

/// Valgrind finds the region by its name, so it is neither inlined nor cloned.
extern "C" [[gnu::noipa]] void counted_region(const std::function<void()>& step) {
  step();
  asm volatile("");  // no tail call
}

namespace {

using hgrid::SerialExec;
constexpr std::int64_t particles_of_step = 10000;

class Draw {
 public:
  /// Returns a number in [0, 1).
  double operator()() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<double>(state_ >> 11) * 0x1p-53;
  }

 private:
  std::uint64_t state_ = 20120507;
};

/// Radii from 1 to the ratio, their number falling off as r^-3, anywhere in a cube or square which they fill to 0.62.
template <class Real, int D>
struct System {
  std::vector<Real> x, r;
  double length = 0;

  explicit System(double ratio, std::int64_t n = particles_of_step) {
    Draw draw;
    double volume = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const double radius = 1 / std::sqrt(1 - draw() * (1 - 1 / (ratio * ratio)));
      r.push_back(static_cast<Real>(radius));
      volume += D == 2 ? 3.1416 * radius * radius : 4.1888 * radius * radius * radius;
    }
    while ((D == 2 ? length * length : length * length * length) < volume / 0.62) length += 0.125;
    for (std::int64_t i = 0; i < D * n; ++i) x.push_back(static_cast<Real>(length * draw()));
  }
  hgrid::Box<D> periodic() const {
    hgrid::Box<D> box = hgrid::Box<D>::open();
    for (int k = 0; k < D; ++k) box.lo[k] = 0, box.hi[k] = length, box.wraps[k] = true;
    return box;
  }
};

// Each step sees warm buffers, as in a time loop.
template <class Step>
void warm_then_counted(const Step& step) {
  step(), step(), step();
  counted_region(step);
}

void build() {
  const System<double, 3> s(10);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, s.periodic());
  warm_then_counted([&] { grid.build(s.x, s.r); });
}

// Clusters in a gas: the plan weighs all that there is to weigh.
void first_build() {
  System<double, 3> s(10, 4000);
  for (std::size_t k = 0; k < s.x.size() / 2; ++k) s.x[k] = 0.02 * s.x[k] + 100 * s.length * static_cast<double>(k / 3 % 3);
  counted_region([&] {
    hgrid::Grid<SerialExec, 3> grid(SerialExec{}, hgrid::Box3::open());
    grid.build(s.x, s.r);
  });
}

void pairs_fixed() {
  const System<double, 3> s(1);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, hgrid::Box3::open());
  auto pairs = grid.make_pairs();
  grid.build(s.x, s.r);
  warm_then_counted([&] { grid.find(pairs); });
}

void pairs_sorted() {
  const System<double, 3> s(10);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, s.periodic());
  auto pairs = grid.make_pairs();
  grid.build(s.x, s.r);
  warm_then_counted([&] { grid.find(pairs, {.order = hgrid::Order::sorted}); });
}

void full_lists() {
  const System<double, 3> s(100);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, hgrid::Box3::open());
  auto lists = grid.make_list(hgrid::ListKind::full);
  grid.build(s.x, s.r);
  warm_then_counted([&] { grid.find(lists); });
}

// Builds lists of some 64 neighbors each, under all images.
void dense_lists() {
  System<double, 3> s(1);
  for (double& radius : s.r) radius *= 2.35;
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, s.periodic());
  auto lists = grid.make_list(hgrid::ListKind::full);
  grid.build(s.x, s.r);
  warm_then_counted([&] { grid.find(lists); });
}

// A list that holds is checked.
void check() {
  const System<double, 3> s(3);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, s.periodic());
  hgrid::VerletList list(grid, {.skin = 0.2});
  warm_then_counted([&] { list.update(s.x, s.r); });
}

// Builds the list again because particles have moved, and values of its pairs follow.
void rebuild() {
  System<double, 3> s(3);
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, s.periodic());
  hgrid::VerletList list(grid, {.skin = 0.2});
  hgrid::History history(grid.exec());
  hgrid::PairArray<SerialExec, hgrid::Vec<double, 3>> springs(grid.exec());
  double step = 0.11;
  warm_then_counted([&] {
    for (std::size_t k = 0; k < s.x.size(); k += 2) s.x[k] += step;
    step = -step;
    if (list.update(s.x, s.r)) history.remap(list.before(), list.neighbours()), springs.follow(history);
  });
}

// Builds in a box whose images are tilted, with a third of the particles outside of it.
void tilted() {
  System<double, 3> s(10);
  for (std::size_t k = 0; k < s.x.size(); k += 9) s.x[k] += s.length;
  hgrid::Grid<SerialExec, 3> grid(SerialExec{}, hgrid::tilted(s.periodic(), {0.3 * s.length, 0.1 * s.length, -0.2 * s.length}));
  auto pairs = grid.make_pairs();
  warm_then_counted([&] { grid.build(s.x, s.r), grid.find(pairs); });
}

// Wide sizes in 2-D, of single precision, with a functor of the user's.
void partners_2d() {
  const System<float, 2> s(1000);
  hgrid::Grid<SerialExec, 2> grid(SerialExec{}, hgrid::Box2::open());
  std::vector<int> partners(s.r.size());
  warm_then_counted([&] {
    grid.build(s.x, s.r);
    grid.for_each_partner([&](hgrid::index_t i, hgrid::index_t, hgrid::Image) { ++partners[static_cast<std::size_t>(i)]; });
  });
}

struct Named {
  const char* name;
  void (*run)();
};
constexpr Named steps[] = {
    {"build", build},
    {"first_build", first_build},
    {"pairs_fixed", pairs_fixed},
    {"pairs_sorted", pairs_sorted},
    {"full_lists", full_lists},
    {"dense_lists", dense_lists},
    {"check", check},
    {"rebuild", rebuild},
    {"tilted", tilted},
    {"partners_2d", partners_2d},
};

}  // namespace

int main(int count, char** names) {
  const std::string_view target = hgrid::simd_target();
  std::printf("%.*s\n", static_cast<int>(target.size()), target.data());
  for (const auto& [name, run] : steps) {
    bool taken = count == 1;
    for (int k = 1; k < count; ++k) taken |= std::string_view(names[k]) == name;
    if (taken) std::puts(name), run();
  }
}
