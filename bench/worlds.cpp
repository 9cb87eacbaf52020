// SPDX-License-Identifier: BSD-3-Clause
// The cost of searching a packing as many systems (worlds), warm, in nanoseconds per particle, against the packing as one: the
// table of docs/guide.md.
#include <algorithm>
#include <numeric>
#include <vector>

#include "steps.hpp"

namespace {

using namespace hgrid::bench;

/// Divides the packing into the cubes of a lattice, each a world: their number along an axis, and the number of each particle's
/// cube.
struct Cubes {
  int along;
  double side;

  hgrid::index_t of(const hgrid::Packing& p, std::size_t i) const {
    const auto cell = [&](double x) { return std::clamp(static_cast<int>(x / side), 0, along - 1); };
    return (cell(p.z[i]) * along + cell(p.y[i])) * along + cell(p.x[i]);
  }
  hgrid::index_t count() const { return along * along * along; }
};

/// The packing with its particles in the order of the worlds, as users have them.
hgrid::Packing in_worlds(const hgrid::Packing& p, const Cubes& cubes) {
  std::vector<std::size_t> order(p.r.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return cubes.of(p, i); });
  hgrid::Packing sorted = p;
  for (std::size_t i = 0; i < order.size(); ++i) {
    sorted.x[i] = p.x[order[i]], sorted.y[i] = p.y[order[i]], sorted.z[i] = p.z[order[i]], sorted.r[i] = p.r[order[i]];
  }
  return sorted;
}

enum class WorldKind { open, mixed_up, periodic };

/// A step of the packing cut into worlds; `mixed_up`: particles are in no order; `periodic`: each world has a box of its own.
void worlds_step(benchmark::State& state, const std::string& workload, int threads, int along, WorldKind kind) {
  const auto cubes_of = [along](const hgrid::Packing& p) { return Cubes{along, p.length / along}; };
  const bool sorts = kind != WorldKind::mixed_up;
  const hgrid::Packing& p = kept(workload + "/worlds" + (sorts ? std::to_string(along) : "-mixed-up"), [&] {
    const hgrid::Packing made = packing(workload, million);
    return sorts ? in_worlds(made, cubes_of(made)) : made;
  });
  const Cubes cubes = cubes_of(p);
  std::vector<hgrid::index_t> world(p.r.size());
  for (std::size_t i = 0; i < world.size(); ++i) world[i] = cubes.of(p, i);
  std::vector<hgrid::Box3> boxes;
  for (hgrid::index_t w = 0; kind == WorldKind::periodic && w < cubes.count(); ++w) {
    hgrid::Vec<double, 3> lo, hi;
    for (int k = 0, cell = w; k < 3; ++k, cell /= along) lo[k] = cell % along * cubes.side, hi[k] = lo[k] + cubes.side;
    boxes.push_back(hgrid::Box3::periodic(lo, hi));
  }
  Grid3 grid{hgrid::OpenMPExec(threads)};
  grid.set_boxes(boxes);
  auto pairs = grid.make_pairs();
  auto particles = view3(p);
  particles.worlds = {world.data(), cubes.count()};
  measure(state, p, [&] {
    grid.build(particles);
    grid.find(pairs);
    return pairs.size();
  });
}

void one_world_step(benchmark::State& state, const std::string& workload, int threads, bool periodic) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  const hgrid::Vec<double, 3> lo{}, hi{p.length, p.length, p.length};
  Grid3 grid{hgrid::OpenMPExec(threads), periodic ? hgrid::Box3::periodic(lo, hi) : hgrid::Box3::open()};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.find(pairs);
    return pairs.size();
  });
}

void register_cases(const std::string& w, const std::string& threads_text, int threads) {
  const std::string end = "/" + w + "/threads:" + threads_text;
  add("one:open" + end, [=](auto& state) { one_world_step(state, w, threads, false); });
  add("one:periodic" + end, [=](auto& state) { one_world_step(state, w, threads, true); });
  for (const int along : {2, 22, 46}) {  // worlds of 125,000, 94 and 10 particles
    const std::string number = "-" + std::to_string(along * along * along);
    add("worlds:open" + number + end, [=](auto& state) { worlds_step(state, w, threads, along, WorldKind::open); });
    if (along > 22) continue;  // else some period is too small for the particles
    add("worlds:periodic" + number + end, [=](auto& state) { worlds_step(state, w, threads, along, WorldKind::periodic); });
  }
  add("worlds:mixed-up-10648" + end, [=](auto& state) { worlds_step(state, w, threads, 22, WorldKind::mixed_up); });
}

}  // namespace

int main(int argc, char** argv) { return run_cases(argc, argv, register_cases); }
