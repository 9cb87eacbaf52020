// SPDX-License-Identifier: BSD-3-Clause
// What the choice of output, order, box, dimension and number of particles costs, warm, in nanoseconds per
// particle: the tables of docs/performance.md. Each case is a step of a time loop, build and result.
// `--benchmark_filter=order` and the like.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>

#include "hgrid/hgrid.hpp"
#include "hgrid/packing/packing.hpp"

namespace {

using Kind = hgrid::SizeDistribution::Kind;
using hgrid::ListKind;
using hgrid::Order;
using Grid3 = hgrid::Grid<hgrid::OpenMPExec, 3>;

constexpr std::int64_t million = 1'000'000;

const std::map<std::string, hgrid::SizeDistribution> sizes = {{"mono", {Kind::mono}}, {"pl10", {Kind::power_law, 10, -3}}};

hgrid::Packing packing(const std::string& workload, std::int64_t n, int dimension = 3) {
  return hgrid::random_packing({sizes.at(workload), n, 0.62, dimension});
}

/// Keeps the packing of the case at hand, and only that.
const hgrid::Packing& kept(const std::string& name, const std::function<hgrid::Packing()>& make) {
  static std::map<std::string, hgrid::Packing> made;
  if (!made.contains(name)) {
    made.clear();
    made[name] = make();
  }
  return made.at(name);
}

void report(benchmark::State& state, double particles, double pairs) {
  state.counters["ns_per_particle"] =
      benchmark::Counter(particles * 1e-9, benchmark::Counter::kIsIterationInvariantRate | benchmark::Counter::kInvert);
  state.counters["pairs"] = pairs / particles;
}

/// Measures `step` after two warm steps; it returns the number of pairs.
template <class Step>
void measure(benchmark::State& state, const hgrid::Packing& p, const Step& step) {
  hgrid::offset_t pairs = 0;
  for (int warm = 0; warm < 2; ++warm) pairs = step();
  for (auto _ : state) benchmark::DoNotOptimize(step());
  report(state, static_cast<double>(p.r.size()), static_cast<double>(pairs));
}

hgrid::Particles<double, 3> view3(const hgrid::Packing& p) {
  return hgrid::particles(p.x.data(), p.y.data(), p.z.data(), p.r.data(), static_cast<std::int64_t>(p.r.size()));
}

hgrid::Box3 open_box(double) { return hgrid::Box3::open(); }
hgrid::Box3 cube(double length) { return hgrid::Box3::periodic({0, 0, 0}, {length, length, length}); }

/// The packing after a shear along x across y, by a share of its length: all of it lies in a tilted cell.
hgrid::Packing sheared_packing(hgrid::Packing p, double share) {
  for (std::size_t i = 0; i < p.x.size(); ++i) p.x[i] += share * p.y[i];
  return p;
}

/// A step with the default list, in a box made for the packing's length, of particles that `make` makes.
void list_step(benchmark::State& state, const std::string& name, int threads, const std::function<hgrid::Box3(double)>& box,
               const std::function<hgrid::Packing()>& make) {
  const hgrid::Packing& p = kept(name, make);
  Grid3 grid{hgrid::OpenMPExec(threads), box(p.length)};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.pairs(pairs);
    return pairs.size();
  });
}

void order_step(benchmark::State& state, const std::string& workload, int threads, Order order) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.pairs(pairs, order);
    return pairs.size();
  });
}

void rows_step(benchmark::State& state, const std::string& workload, int threads, ListKind kind) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto rows = grid.make_list(kind);
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.neighbours(rows);
    return rows.size();
  });
}

/// By another rule, of radii twice as large: where all are alike, the pairs of the default rule. In a gather, a full list.
void rule_step(benchmark::State& state, const std::string& workload, int threads, hgrid::Rule rule) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads), hgrid::Box3::open(), {.rule = rule}};
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list(ListKind::full);
  auto particles = view3(p);
  particles.radius_scale = 2;
  measure(state, p, [&] {
    grid.build(particles);
    if (rule != hgrid::Rule::gather) return grid.pairs(pairs), pairs.size();
    return grid.neighbours(rows), rows.size();
  });
}

/// Two types with cut-offs of the default rule's distances, one of them half as wide between unlike ones.
void cutoffs_step(benchmark::State& state, const std::string& workload, int threads) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  auto particles = view3(p);
  std::vector<hgrid::index_t> type(p.r.size());
  for (std::size_t i = 0; i < type.size(); ++i) type[i] = i % 2;
  const double widest = 2 * *std::min_element(p.r.begin(), p.r.end());
  const std::vector<double> cutoff = {widest, 0.5 * widest, 0.5 * widest, widest};
  particles.cutoffs = {type.data(), cutoff.data(), 2};
  measure(state, p, [&] {
    grid.build(particles);
    grid.pairs(pairs);
    return pairs.size();
  });
}

/// The packing as the cubes of a lattice, each a world: how many there are along an axis, and the number of each particle's.
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
    grid.pairs(pairs);
    return pairs.size();
  });
}

void functor_step(benchmark::State& state, const std::string& workload, int threads, bool gather) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  std::vector<std::int32_t> touched(p.r.size());
  const auto touch = [&](int i, int, hgrid::Image) {
    std::atomic_ref(touched[static_cast<std::size_t>(i)]).store(1, std::memory_order_relaxed);
  };
  measure(state, p, [&] {
    grid.build(view3(p));
    gather ? grid.for_each_partner(touch) : grid.for_each_contact(touch);
    return 0;
  });
}

void flat_step(benchmark::State& state, const std::string& workload, int threads) {
  const hgrid::Packing& p = kept(workload + "/2d", [&] { return packing(workload, million, 2); });
  hgrid::Grid<hgrid::OpenMPExec, 2> grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(hgrid::particles(p.x.data(), p.y.data(), p.r.data(), million));
    grid.pairs(pairs);
    return pairs.size();
  });
}

void float_step(benchmark::State& state, const std::string& workload, int threads) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  std::vector<float> xyz, r(p.r.begin(), p.r.end());
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    for (const auto* column : {&p.x, &p.y, &p.z}) xyz.push_back(static_cast<float>((*column)[i]));
  }
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(hgrid::particles<3>(xyz.data(), r.data(), million));
    grid.pairs(pairs);
    return pairs.size();
  });
}

/// The packing cut into 20 pieces of space, moved apart by a thousand of their lengths.
hgrid::Packing clusters(const std::string& workload) {
  hgrid::Packing p = packing(workload, million);
  std::mt19937_64 random(1);
  double x[20], y[20], z[20];
  for (auto* column : {x, y, z}) {
    for (int c = 0; c < 20; ++c) column[c] = 1000 * p.length * std::ldexp(static_cast<double>(random() >> 11), -53);
  }
  for (std::size_t i = 0; i < p.r.size(); ++i) {
    const int c = static_cast<int>(20 * p.x[i] / p.length);
    p.x[i] += x[c], p.y[i] += y[c], p.z[i] += z[c];
  }
  return p;
}

/// The packing with one particle a million lengths away.
hgrid::Packing outlier(const std::string& workload) {
  hgrid::Packing p = packing(workload, million);
  p.x.front() = 1e6 * p.length;
  return p;
}

template <class F>
void add(const std::string& name, const F& f) {
  benchmark::RegisterBenchmark(name.c_str(), f)->Unit(benchmark::kMillisecond)->UseRealTime();
}

void register_cases(const std::string& w, const std::string& threads_text, int threads) {
  const std::string end = "/" + w + "/threads:" + threads_text;
  for (const auto& [name, order] : {std::pair{"fixed", Order::fixed}, {"sorted", Order::sorted}}) {
    add("order:" + std::string(name) + end, [=](auto& state) { order_step(state, w, threads, order); });
  }
  for (const auto& [name, kind] : {std::pair{"half", ListKind::half}, {"full", ListKind::full}}) {
    add("rows:" + std::string(name) + end, [=](auto& state) { rows_step(state, w, threads, kind); });
  }
  add("rule:max" + end, [=](auto& state) { rule_step(state, w, threads, hgrid::Rule::max); });
  add("rule:gather" + end, [=](auto& state) { rule_step(state, w, threads, hgrid::Rule::gather); });
  add("rule:cutoffs" + end, [=](auto& state) { cutoffs_step(state, w, threads); });
  for (const int along : {2, 22, 46}) {  // worlds of 125,000, 94 and 10 particles
    const std::string number = "-" + std::to_string(along * along * along);
    add("worlds:open" + number + end, [=](auto& state) { worlds_step(state, w, threads, along, WorldKind::open); });
    if (along > 22) continue;  // else some period is too small for the particles
    add("worlds:periodic" + number + end, [=](auto& state) { worlds_step(state, w, threads, along, WorldKind::periodic); });
  }
  add("worlds:mixed-up-10648" + end, [=](auto& state) { worlds_step(state, w, threads, 22, WorldKind::mixed_up); });
  add("functor:contact" + end, [=](auto& state) { functor_step(state, w, threads, false); });
  add("functor:partner" + end, [=](auto& state) { functor_step(state, w, threads, true); });
  add("input:float" + end, [=](auto& state) { float_step(state, w, threads); });
  const auto plain = [=] { return packing(w, million); };
  add("box:periodic" + end, [=](auto& state) { list_step(state, w, threads, cube, plain); });
  for (const auto& [tilt, share] : {std::pair{"0.1", 0.1}, {"0.5", 0.5}, {"3.3", 3.3}}) {
    const std::string sheared = w + "/sheared-" + tilt;
    const auto box = [share](double length) { return hgrid::sheared(cube(length), share * length); };
    add(std::string("box:tilt-") + tilt + end,
        [=](auto& state) { list_step(state, sheared, threads, box, [=] { return sheared_packing(plain(), share); }); });
    add(std::string("box:tilt-") + tilt + "-in-brick" + end, [=](auto& state) { list_step(state, w, threads, box, plain); });
  }
  add("box:clusters" + end,
      [=](auto& state) { list_step(state, w + "/clusters", threads, open_box, [=] { return clusters(w); }); });
  add("box:outlier" + end,
      [=](auto& state) { list_step(state, w + "/outlier", threads, open_box, [=] { return outlier(w); }); });
  add("box:2d" + end, [=](auto& state) { flat_step(state, w, threads); });
  for (const std::int64_t n : {million / 10, million, 10 * million}) {
    const std::string size = std::to_string(n);
    add("particles:" + size + end,
        [=](auto& state) { list_step(state, n == million ? w : w + size, threads, open_box, [=] { return packing(w, n); }); });
  }
}

}  // namespace

int main(int argc, char** argv) {
  for (const char* workload : {"mono", "pl10"}) {
    register_cases(workload, "1", 1);
    register_cases(workload, "2", 2);
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
