// SPDX-License-Identifier: BSD-3-Clause
// The time loop on ranks. Forces are summed as whole numbers, whose sums do not depend on their order; so particles fly alike,
// to the last bit, on any number of ranks.
#pragma once

#include <hgrid/mpi.hpp>
#include <hgrid/loop.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <cstdio>
#include <string>

#include "motion.hpp"

namespace dem {

/// Numbers in units of 2^-32, up to 2^31 of one.
inline std::int64_t as_whole(double value) { return std::llrint(value * 0x1p32); }
inline double as_real(std::int64_t whole) { return static_cast<double>(whole) * 0x1p-32; }

/// The state that must be equal on any number of ranks.
struct State {
  std::int64_t kinetic = 0, contacts = 0;  // in whole numbers
  std::uint64_t pairs = 0, places = 0;     // sums of hashes: of contacts by global ids, and of positions, to the last bit

  /// Returns the state summed over all ranks.
  State of_all() const {
    State sum;
    MPI_Allreduce(this, &sum, 4, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    return sum;
  }
};

inline std::uint64_t mixed(std::uint64_t hash, std::uint64_t value) {
  hash = (hash ^ value) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

// [docs: pair]
/// What a pair of the list has, and what goes with it from rank to rank: the spring of a contact, or a bond.
template <int D>
struct PairState {
  Vec<double, D> spring{};
  double rest = 0;  // length of a bond without force; 0: there is no bond
};
// [docs: end]

template <int D>
class RanksSimulation {
 public:
  /// `bonds` are of all particles. A pair that leaves the list loses its bond; the list has gaps up to `widest_bond`.
  RanksSimulation(const World<D>& world, const hgrid::VerletOptions& list, const HostBonds& bonds)
      : world_(world), bonds_(bonds), grid_(exec_, world.box, MPI_COMM_WORLD), list_(grid_, list) {}

  static constexpr double widest_bond = 2;

  /// Adds a particle of this rank, in whichever rank's box it lies.
  void add(const Vec<double, D>& x, const Vec<double, D>& v, double radius, double mass, std::int64_t id) {
    for (int k = 0; k < D; ++k) x_.push_back(x[k]), v_.push_back(v[k]);
    radius_.push_back(radius), mass_.push_back(mass), id_.push_back(id);
    reach_.push_back(radius + (bonds_.of.empty() ? 0 : 0.5 * widest_bond));
    force_.insert(force_.end(), D, 0), plane_springs_.insert(plane_springs_.end(), D * most_planes, 0);
    for (auto* turn : {&spin_, &torque_}) turn->insert(turn->end(), spins<D>, 0);
  }

  /// Joins the pairs that have a bond. Call it after the first list.
  void join() {
    if (bonds_.of.empty()) return;
    for (offset_t k = 0; k < list_.size(); ++k) {
      const hgrid::Contact c = list_.contacts()[k];
      for (const auto& [partner, bond] : bonds_.of[static_cast<std::size_t>(grid_.ids()[at(c.i)])]) {
        if (partner == grid_.ids()[at(c.j)] && bond.image == c.image) pairs_[k].rest = bond.rest;
      }
    }
  }

  // [docs: step]
  /// One step of velocity Verlet. Returns whether the list is a new one. While positions of ghosts are under way, pairs of
  /// owned particles are summed.
  bool step() {
    exec_.for_each("dem::kick_drift", count(), Kick<D>{view(), world_.dt, true});
    shear();
    const bool rebuilt =
        with_all([&](auto&&... all) { return list_.update_during([&] { sum_owned_pairs(); }, all...); });
    sum_all_others();
    exec_.for_each("dem::kick", count(), Kick<D>{view(), world_.dt, false});
    return rebuilt;
  }

  /// Cuts space again. All data of particles and pairs move along.
  void rebalance() {
    with_all([&](auto&&... all) { list_.rebalance(all...); });
  }

  template <class Call>
  auto with_all(const Call& call) {
    return call(x_, reach_, id_, radius_, mass_, hgrid::Field{v_, D}, hgrid::Field{spin_, spins<D>}, hgrid::Field{force_, D},
                hgrid::Field{torque_, spins<D>}, hgrid::Field{plane_springs_, D * most_planes}, pairs_);
  }

  void sum_forces() { sum_owned_pairs(), sum_all_others(); }

  void sum_owned_pairs() {
    const auto held = static_cast<std::size_t>(grid_.held());
    whole_force_.assign(D * held, 0), whole_torque_.assign(spins<D> * held, 0);
    sum_pairs(true);
  }

  void sum_pairs(bool owned) {
    const auto add_whole = [](std::int64_t& sum, double value) { std::atomic_ref(sum).fetch_add(as_whole(value)); };
    exec_.for_each("dem::sum_pairs", list_.size(), [&](offset_t k) {
      const hgrid::Contact c = list_.contacts()[k];  // i has the smaller global id, wherever the particles are
      if ((c.i < grid_.owned() && c.j < grid_.owned()) != owned) return;
      PairState<D>& pair = pairs_[k];
      Touch<D> t;
      if (pair.rest > 0)
        t.force = pull(world_, view(), c.i, c.j, {pair.rest, c.image}).force;
      else
        t = touch(world_, view(), c.i, c.j, c.image, pair.spring);
      const Vec<double, spins<D>> turn_i = moment(t.arm_i, t.force), turn_j = moment(t.arm_j, t.force);
      for (int a = 0; a < D; ++a) {
        add_whole(whole_force_[at(c.i, D) + a], t.force[a]), add_whole(whole_force_[at(c.j, D) + a], -t.force[a]);
      }
      for (int a = 0; a < spins<D>; ++a) {
        add_whole(whole_torque_[at(c.i, spins<D>) + a], turn_i[a]);
        add_whole(whole_torque_[at(c.j, spins<D>) + a], -turn_j[a]);
      }
    });
  }

  void sum_all_others() {
    grid_.update(hgrid::Field{v_, D}), grid_.update(hgrid::Field{spin_, spins<D>}), grid_.update(radius_);  // ghosts have x
    sum_pairs(false);
    const auto held = static_cast<std::size_t>(grid_.held());
    force_.resize(D * held), torque_.resize(spins<D> * held);
    grid_.add_back(hgrid::Field{whole_force_, D}), grid_.add_back(hgrid::Field{whole_torque_, spins<D>});
    exec_.for_each("dem::sum_forces", count(), [&](offset_t i) {
      const Particles<D> p = view();
      for (int a = 0; a < D; ++a) p.force[i][a] = as_real(whole_force_[at(i, D) + a]);
      for (int a = 0; a < spins<D>; ++a) p.torque[i][a] = as_real(whole_torque_[at(i, spins<D>) + a]);
      add_world(world_, p, i, reinterpret_cast<Vec<double, D>*>(plane_springs_.data()), p.force[i], p.torque[i]);
    });
  }
  // [docs: end]

  // [docs: shear]
  /// Moves the images across y along x, if an option says so: on all ranks by the same offset.
  void shear() {
    if (world_.shear == 0) return;
    offset_ += world_.shear * world_.box.length(1) * world_.dt;
    world_.box = hgrid::sheared(world_.box, offset_);
    grid_.set_box(world_.box);
  }
  // [docs: end]

  /// Returns the state of this rank: its particles, and the contacts that it reports.
  State state() {
    grid_.update(radius_);  // of ghosts, which may be new
    State s;
    const Particles<D> p = view();
    for (offset_t i = 0; i < count(); ++i) {
      const Vec<double, D> v = world_.beside_flow(p.x[i], p.v[i]);
      s.kinetic += as_whole(0.5 * p.mass[i] * dot(v, v));
      std::uint64_t hash = static_cast<std::uint64_t>(id_[at(i)]);
      for (int k = 0; k < D; ++k) hash = mixed(hash, std::bit_cast<std::uint64_t>(p.x[i][k]));
      s.places += hash;
    }
    for (offset_t k = 0; k < list_.size(); ++k) {
      const hgrid::Contact c = list_.contacts()[k];
      if (pairs_[k].rest > 0 || !touches(c)) continue;
      const hgrid::GlobalContact g = grid_.global(c.i, c.j, c.image);
      std::uint64_t hash = mixed(static_cast<std::uint64_t>(g.i), static_cast<std::uint64_t>(g.j));
      for (int axis = 0; axis < 3; ++axis) hash = mixed(hash, static_cast<std::uint64_t>(std::int64_t{g.image[axis]}));
      ++s.contacts, s.pairs += hash;
    }
    return s;
  }

  /// Writes this rank's discs in the box (x, y, radius), and its bonds and contacts (both ends; 1 for a bond).
  void write(const std::string& name) {
    grid_.update(radius_);
    const Particles<D> p = view();
    std::FILE* const file = std::fopen(name.c_str(), "w");
    if (file == nullptr) throw std::runtime_error(name + " cannot be written");
    const auto inside = [&](offset_t i) { return hgrid::wrap(world_.box, p.x[i]).inside; };
    for (offset_t i = 0; i < count(); ++i) std::fprintf(file, "%.9g,%.9g,%.9g\n", inside(i)[0], inside(i)[1], p.radius[i]);
    for (offset_t k = 0; k < list_.size(); ++k) {
      const hgrid::Contact c = list_.contacts()[k];
      const bool bond = pairs_[k].rest > 0;
      if (!bond && !touches(c)) continue;
      const Vec<double, D> d = hgrid::separation(world_.box, p.x[c.i], p.x[c.j], c.image), from = inside(c.i);
      std::fprintf(file, "%.9g,%.9g,%.9g,%.9g,%d\n", from[0], from[1], from[0] - d[0], from[1] - d[1], bond ? 1 : 0);
    }
    std::fclose(file);
  }

  const hgrid::DistributedGrid<hgrid::OpenMPExec, D>& grid() const { return grid_; }
  const hgrid::DistributedVerletList<hgrid::OpenMPExec, D>& list() const { return list_; }

 private:
  static std::size_t at(offset_t i, int width = 1) { return static_cast<std::size_t>(i * width); }

  bool touches(const hgrid::Contact& c) {
    const Particles<D> p = view();
    const Vec<double, D> d = hgrid::separation(world_.box, p.x[c.i], p.x[c.j], c.image);
    const double reach = p.radius[c.i] + p.radius[c.j];
    return dot(d, d) < reach * reach;
  }
  offset_t count() const { return static_cast<offset_t>(id_.size()); }
  Particles<D> view() {
    const auto vectors = [](auto& v) { return reinterpret_cast<Vec<double, D>*>(v.data()); };
    const auto turns = [](auto& v) { return reinterpret_cast<Vec<double, spins<D>>*>(v.data()); };
    return {vectors(x_), vectors(v_), vectors(force_), turns(spin_), turns(torque_), radius_.data(), mass_.data(), count()};
  }

  hgrid::OpenMPExec exec_;
  World<D> world_;
  HostBonds bonds_;
  double offset_ = 0;  // of the images across y
  hgrid::DistributedGrid<hgrid::OpenMPExec, D> grid_;
  hgrid::DistributedVerletList<hgrid::OpenMPExec, D> list_;
  hgrid::DistributedPairArray<PairState<D>> pairs_;
  std::vector<double> x_, v_, spin_, radius_, reach_, mass_, plane_springs_, force_, torque_;
  std::vector<std::int64_t> id_, whole_force_, whole_torque_;
};

}  // namespace dem
