// SPDX-License-Identifier: BSD-3-Clause
// The cost of the choice of output, order, box, dimension and number of particles, warm, in nanoseconds per particle: the
// tables of docs/performance.md. Each case is a step of a time loop, build and result. `--benchmark_filter=order` and the like.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <functional>
#include <map>
#include <random>
#include <string>

#include "steps.hpp"

namespace {

using hgrid::ListKind;
using hgrid::Order;
using namespace hgrid::bench;

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
    grid.find(pairs);
    return pairs.size();
  });
}

void order_step(benchmark::State& state, const std::string& workload, int threads, Order order) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto pairs = grid.make_pairs();
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.find(pairs, {.order = order});
    return pairs.size();
  });
}

void rows_step(benchmark::State& state, const std::string& workload, int threads, ListKind kind) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads)};
  auto rows = grid.make_list(kind);
  measure(state, p, [&] {
    grid.build(view3(p));
    grid.find(rows);
    return rows.size();
  });
}

/// Runs a step by another rule, with radii twice as large: where all are alike, it has the pairs of the default rule. In a
/// one-sided (gather) search it makes a full list.
void rule_step(benchmark::State& state, const std::string& workload, int threads, hgrid::Rule rule) {
  const hgrid::Packing& p = kept(workload, [&] { return packing(workload, million); });
  Grid3 grid{hgrid::OpenMPExec(threads), hgrid::Box3::open(), {.rule = rule}};
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list(ListKind::full);
  auto particles = view3(p);
  particles.radius_scale = 2;
  measure(state, p, [&] {
    grid.build(particles);
    if (rule != hgrid::Rule::gather) return grid.find(pairs), pairs.size();
    return grid.find(rows), rows.size();
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
    grid.find(pairs);
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
    grid.find(pairs);
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
    grid.find(pairs);
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

int main(int argc, char** argv) { return run_cases(argc, argv, register_cases); }
