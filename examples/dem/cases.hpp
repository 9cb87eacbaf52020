// SPDX-License-Identifier: BSD-3-Clause
// Three experiments. Lengths in the smallest radius, density 1.
#pragma once

#include <hgrid/packing/relax.hpp>

#include <algorithm>
#include <cmath>
#include <random>

#include "options.hpp"
#include "simulation.hpp"

namespace dem {

/// How an experiment begins.
template <int D>
struct Start {
  World<D> world;
  std::vector<Vec<double, D>> x, v;
  std::vector<double> radius, mass;
  HostBonds bonds;
  Vec<double, D> inflow_lo{}, inflow_hi{};  ///< where particles are let in; nowhere if empty
};

/// Particles with power-law radii (exponent -3), pushed apart until they hardly overlap.
template <int D>
hgrid::Packing packed(const Options& options, std::array<bool, 3> periodic) {
  hgrid::Packing packing = hgrid::random_packing(
      {.sizes = {hgrid::SizeDistribution::Kind::power_law, options.number("ratio"), -3},
       .particles = static_cast<offset_t>(options.number("particles")),
       .fraction = options.number("fraction"),
       .dimension = D,
       .seed = static_cast<std::uint64_t>(options.number("seed"))});
  hgrid::RelaxOptions relax;
  relax.periodic = periodic, relax.mean_overlap = 0.002, relax.max_overlap = 0.02;
  hgrid::relax(packing, relax);
  return packing;
}

template <int D>
void place(const hgrid::Packing& packing, Start<D>& start) {
  for (std::size_t i = 0; i < packing.r.size(); ++i) {
    const double x[3] = {packing.x[i], packing.y[i], packing.z[i]};
    Vec<double, D> at{};
    for (int k = 0; k < D; ++k) at[k] = x[k];
    start.x.push_back(at);
    start.v.push_back({});
    start.radius.push_back(packing.r[i]);
    start.mass.push_back(mass_of<D>(packing.r[i]));
  }
}

/// Velocities of one normal distribution for all.
template <int D>
void shake(Start<D>& start, const Options& options) {
  std::mt19937_64 random(static_cast<std::uint64_t>(options.number("seed")));
  std::normal_distribution<double> velocity;
  for (Vec<double, D>& v : start.v) {
    for (int k = 0; k < D; ++k) v[k] = velocity(random);
  }
}

// [docs: chains]
/// Joins particles in chains of at most `bonds=`, each with a free one that is near, by bonds that have no force now.
template <int D>
void chain(Start<D>& start, const Options& options) {
  const double most = options.number("bonds"), near = 1;  // from surface to surface, in the smallest radius
  if (!(most >= 0)) throw std::invalid_argument("bonds=" + options.text("bonds") + " is no number of particles");
  if (most < 2) return;
  const auto& box = start.world.box;
  hgrid::Grid grid{hgrid::SerialExec{}, box};
  auto list = grid.make_list(hgrid::ListKind::full);
  const auto count = static_cast<offset_t>(start.x.size());
  grid.build(hgrid::particles<D>(start.x.data()->v, start.radius.data(), count), {.skin = near});
  grid.find(list);
  const auto image = [&](offset_t k) { return list.images() == nullptr ? hgrid::Image{} : list.images()[k]; };
  const auto distance = [&](index_t i, offset_t k) {
    const Vec<double, D> d = hgrid::separation(box, start.x[i], start.x[list.neighbours()[k]], image(k));
    return std::sqrt(dot(d, d));
  };
  start.bonds = HostBonds(start.x.size());
  std::vector<bool> taken(start.x.size());
  for (std::size_t first = 0; first < start.x.size(); ++first) {
    if (taken[first]) continue;
    taken[first] = true;
    auto end = static_cast<index_t>(first);
    for (int links = 1; links < most; ++links) {
      double least = near;
      offset_t next = -1;
      for (offset_t k = list.offsets()[end]; k < list.offsets()[end + 1]; ++k) {
        const index_t j = list.neighbours()[k];
        const double gap = distance(end, k) - start.radius[end] - start.radius[j];
        if (!taken[j] && gap < least) least = gap, next = k;
      }
      if (next < 0) break;
      const index_t partner = list.neighbours()[next];
      start.bonds.add(end, partner, {distance(end, next), image(next)});
      taken[partner] = true, end = partner;
    }
  }
  start.bonds.order();
}
// [docs: end]

/// Returns a spring with which collisions of the two lightest particles take 50 steps, and a dashpot with their restitution.
template <int D>
void set_material(World<D>& world, double stiffness, double restitution, const Options& options) {
  constexpr double pi = 3.14159265358979323846;
  const double reduced = 0.5 * mass_of<D>(1), log_e = std::log(restitution);
  world.material.stiffness = stiffness;
  world.material.attraction = options.number("attraction");
  if (!(options.number("attraction") >= 0)) {
    throw std::invalid_argument("attraction=" + options.text("attraction") + " is below 0");
  }
  if (options.is("damping", "yes")) {
    world.material.damping = -2 * log_e * std::sqrt(reduced * stiffness / (log_e * log_e + pi * pi));
  }
  world.dt = options.number("dt") * pi * std::sqrt(reduced / stiffness) / 50;
}

/// Free cooling between solid walls: Krijgsman, Ogarko and Luding (2014), section 5.4.2, in two dimensions. The paper
/// gives sizes, number and packing fraction; material and velocities are ours.
template <int D>
Start<D> cooling(const Options& options) {
  Start<D> start;
  const hgrid::Packing packing = packed<D>(options, {});
  place(packing, start);
  for (int k = 0; k < D; ++k) add_wall(start.world, k, 0, 1), add_wall(start.world, k, packing.length, -1);
  set_material(start.world, 2e4, 0.8, options);
  shake(start, options);
  chain(start, options);
  return start;
}

/// A shaken packing settles with friction onto a floor, periodic sideways.
template <int D>
Start<D> settling(const Options& options) {
  Start<D> start;
  std::array<bool, 3> periodic{true, D == 3, false};
  const hgrid::Packing packing = packed<D>(options, periodic);
  place(packing, start);
  shake(start, options);
  World<D>& world = start.world;
  const double length = packing.length;
  world.box = hgrid::Box<D>::of_axes(hgrid::Box3::periodic({}, {length, length, length}, {periodic[0], periodic[1], false}));
  for (int k = 0; k < D; ++k) start.inflow_hi[k] = length;
  start.inflow_lo[D - 1] = length, start.inflow_hi[D - 1] = 1.25 * length;
  chain(start, options);
  add_wall(world, D - 1, 0, 1);
  world.gravity[D - 1] = -1;
  set_material(world, 2e4, 0.6, options);
  world.material.friction = 0.5;
  world.material.tangential_stiffness = 2e4 * 2 / 7;
  world.material.tangential_damping = 0.5 * world.material.damping;
  return start;
}

/// A periodic box, in shear at a rate: the flow is along x, and the packing shaken beside it.
template <int D>
Start<D> shearing(const Options& options) {
  Start<D> start;
  const hgrid::Packing packing = packed<D>(options, {true, true, D == 3});
  place(packing, start);
  shake(start, options);
  World<D>& world = start.world;
  const double length = packing.length;
  world.box = hgrid::Box<D>::of_axes(hgrid::Box3::periodic({}, {length, length, length}, {true, true, D == 3}));
  chain(start, options);
  world.shear = options.number("shear");
  for (std::size_t i = 0; i < start.x.size(); ++i) start.v[i][0] += world.shear * start.x[i][1];
  set_material(world, 2e4, 0.8, options);
  world.material.friction = 0.5;
  world.material.tangential_stiffness = 2e4 * 2 / 7;
  world.material.tangential_damping = 0.5 * world.material.damping;
  return start;
}

template <int D>
Start<D> start_of(const Options& options) {
  if (options.is("case", "shearing")) return shearing<D>(options);
  options.refuse({"shear"}, "needs case=shearing");
  if (options.is("case", "settling")) return settling<D>(options);
  if (options.is("case", "cooling")) return cooling<D>(options);
  throw std::invalid_argument("case=" + options.text("case") + " is none of cooling, settling, shearing");
}

/// Returns particles at random places of the inflow, with radii of the packing; at each step others, but equal in every run.
template <int D>
std::vector<Grain<D>> inflow(const Start<D>& start, const Options& options, offset_t step) {
  options.refuse({"attraction"}, "not with insert=, which asks by radii");
  if (start.inflow_hi[D - 1] == 0) throw std::invalid_argument("insert= needs case=settling");
  std::mt19937_64 random(static_cast<std::uint64_t>(options.number("seed")) + static_cast<std::uint64_t>(step));
  std::vector<Grain<D>> grains(start.radius.size() / 10);
  for (Grain<D>& grain : grains) {
    for (int k = 0; k < D; ++k) {
      grain.x[k] = std::uniform_real_distribution<double>(start.inflow_lo[k], start.inflow_hi[k])(random);
    }
    grain.radius = start.radius[random() % start.radius.size()];
  }
  return grains;
}

template <class Exec, int D>
void fill(Simulation<Exec, D>& simulation, const Start<D>& start) {
  Storage<Exec, D>& p = simulation.particles();
  p.x.set(start.x), p.v.set(start.v), p.radius.set(start.radius), p.mass.set(start.mass);
  if (!start.bonds.of.empty()) simulation.bonds().set(start.bonds);
  p.force.set(std::vector<Vec<double, D>>(start.x.size()));
  p.spin.set(std::vector<Vec<double, spins<D>>>(start.x.size()));
  p.torque.set(std::vector<Vec<double, spins<D>>>(start.x.size()));
}

/// One level for all particles, cells of the largest one's size: the linked cell that the paper compares with.
inline hgrid::GridOptions grid_options(const Options& options) {
  hgrid::GridOptions grid;
  if (options.is("schedule", "plain")) grid.schedule = hgrid::Schedule::plain;
  const double largest = options.number("ratio");
  if (options.is("levels", "one")) options.refuse({"attraction"}, "not with levels=one");
  if (options.is("levels", "one")) grid.levels = {{largest, {2 * largest, 2 * largest, 2 * largest}}};
  return grid;
}

}  // namespace dem
