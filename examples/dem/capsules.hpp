// SPDX-License-Identifier: BSD-3-Clause
// A DEM of capsules on the host. The boxes around them are the grid's particles, and a predicate inside the search says at each
// step which touch. Forces are those of spheres: of two at the nearest points of segments, and of those at the ends on walls.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../capsule.hpp"
#include "motion.hpp"

namespace dem {

/// Of a capsule of density 1, which is a cylinder, and half of a sphere at each end.
struct Inertia {
  double mass, along, across;  // moments of inertia about the axis, and about any line across its middle

  Inertia(double r, double half) {
    const double rod = 2 * half * mass_of<2>(r), caps = mass_of<3>(r);
    mass = rod + caps;
    along = (0.5 * rod + 0.4 * caps) * r * r;
    across = rod * (0.25 * r * r + half * half / 3) + caps * (0.4 * r * r + 0.75 * half * r + half * half);
  }
};

struct Bodies {
  std::vector<Vector> x, v, half, momentum;  // middle, velocity, from the middle to an end (not null), angular momentum
  std::vector<double> radius;
};

inline Vector sum(const Vector& a, double s, const Vector& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

/// `a` turned about the axis `turn`, by its length in radians (Rodrigues).
inline Vector rotated(const Vector& a, const Vector& turn) {
  const double angle = std::sqrt(dot(turn, turn));
  if (angle == 0) return a;
  const double c = std::cos(angle), s = std::sin(angle) / angle, along = (1 - c) * dot(turn, a) / (angle * angle);
  return sum(sum(sum({}, c, a), s, turned(turn, a)), along, turn);
}

template <class Exec>
class CapsuleSimulation {
 public:
  CapsuleSimulation(const Exec& exec, const World<3>& world, Bodies bodies)
      : exec_(exec), world_(world), b_(std::move(bodies)), grid_(exec, world.box), list_(exec, hgrid::ListKind::full),
        before_(exec, hgrid::ListKind::full), history_(exec), springs_(exec), wall_springs_(2 * b_.x.size()),
        extents_(3 * b_.x.size()), force_(b_.x.size()), torque_(b_.x.size()) {
    for (std::size_t i = 0; i < b_.x.size(); ++i) inertia_.emplace_back(b_.radius[i], std::sqrt(dot(b_.half[i], b_.half[i])));
    find_contacts(), sum_forces();
  }

  const Bodies& bodies() const { return b_; }
  const World<3>& world() const { return world_; }
  const hgrid::NeighbourList<Exec>& list() const { return list_; }
  const hgrid::PairArray<Exec, Vector>& springs() const { return springs_; }
  Capsules touches() const { return {world_.box, b_.x.data()->v, b_.half.data(), b_.radius.data()}; }

  /// Velocity Verlet. Between two kicks angular momentum stays, and the axis turns around it at a constant rate: that is how a
  /// free body moves that is alike around its axis, so no quaternion is needed.
  void step() {
    const double dt = world_.dt;
    each("dem::kick_drift", [&](std::size_t i) {
      kick(i);
      b_.x[i] = sum(b_.x[i], dt, b_.v[i]);
      b_.half[i] = rotated(b_.half[i], sum({}, dt / inertia_[i].across, b_.momentum[i]));
    });
    find_contacts(), sum_forces();
    each("dem::kick", [&](std::size_t i) { kick(i); });
  }

  Energy energy() const {
    Energy e;
    for (std::size_t i = 0; i < b_.x.size(); ++i) {
      e.kinetic += 0.5 * inertia_[i].mass * dot(b_.v[i], b_.v[i]);
      e.rotation += 0.5 * dot(spin(i), b_.momentum[i]);
      e.height -= inertia_[i].mass * dot(world_.gravity, b_.x[i]);
      for (offset_t k = list_.offsets()[i]; k < list_.offsets()[i + 1]; ++k) {
        const auto j = static_cast<std::size_t>(list_.neighbours()[k]);
        const double distance = std::sqrt(squared_distance(sum(b_.x[i], -1, b_.x[j]), b_.half[i], b_.half[j]));
        e.elastic += 0.5 * stored(world_.material, b_.radius[i] + b_.radius[j] - distance, springs_.data()[k]);
        ++e.contacts;
      }
      for (std::size_t end = 0; end < 2; ++end) {
        for (int w = 0; w < world_.planes; ++w) {
          const double overlap = world_.plane[w].overlap(sum(b_.x[i], end == 0 ? -1 : 1, b_.half[i]), b_.radius[i]);
          if (overlap > 0) e.elastic += stored(world_.material, overlap, wall_springs_[2 * i + end].spring[w]);
        }
      }
    }
    return e;
  }

 private:
  // [docs: contacts]
  /// A list of those that touch, and of no others. Each contact keeps its spring of friction from the list before.
  void find_contacts() {
    each("dem::extents", [&](std::size_t i) {
      for (int k = 0; k < 3; ++k) extents_[3 * i + std::size_t(k)] = (std::abs(b_.half[i][k]) + b_.radius[i]) * (1 + 1e-15);
    });
    grid_.build(hgrid::extended_particles<3>(b_.x.data()->v, extents_.data(), std::int64_t(b_.x.size())));
    std::swap(before_, list_);
    grid_.neighbours(list_, touches());
    history_.remap(before_, list_);
    springs_.follow(history_);
  }
  // [docs: end]

  template <class F>
  void each(const char* name, const F& f) {
    exec_.for_each(name, std::int64_t(b_.x.size()), [&](offset_t i) { f(std::size_t(i)); });
  }

  void kick(std::size_t i) {
    b_.v[i] = sum(b_.v[i], 0.5 * world_.dt / inertia_[i].mass, force_[i]);
    b_.momentum[i] = sum(b_.momentum[i], 0.5 * world_.dt, torque_[i]);
  }

  /// Angular velocity: the momentum along the axis meets another inertia than that across.
  Vector spin(std::size_t i) const {
    const Vector &h = b_.half[i], &l = b_.momentum[i];
    const double across = 1 / inertia_[i].across, along = 1 / inertia_[i].along;
    return sum(sum({}, across, l), (along - across) * dot(l, h) / dot(h, h), h);
  }

  /// Spheres around points of segments, as forces.hpp takes them.
  struct Spheres {
    Vector arm[2], x[2], v[2], spin[2];  // arm: from the middle
    double radius[2];

    Particles<3> view() { return {x, v, nullptr, spin, nullptr, radius, nullptr, 2}; }
  };
  /// One around middle + s half.
  void place(Spheres& spheres, int side, std::size_t i, double s) const {
    const Vector arm = spheres.arm[side] = sum({}, s, b_.half[i]), w = spheres.spin[side] = spin(i);
    spheres.x[side] = sum(b_.x[i], 1, arm), spheres.v[side] = sum(b_.v[i], 1, turned(w, arm)), spheres.radius[side] = b_.radius[i];
  }

  void sum_forces() {
    const auto count = static_cast<offset_t>(b_.x.size()), block = offset_t{64};
    exec_.for_each_item("dem::sum_forces", (count + block - 1) / block, [&](offset_t item) {
      for (offset_t i = item * block; i < std::min(count, (item + 1) * block); ++i) sum_forces_on(std::size_t(i));
    });
  }

  /// Each sums its own over its list, in one order whatever the threads. Which points are nearest is asked from the smaller id,
  /// because parallel ones have several, and both sides must take the same.
  void sum_forces_on(std::size_t i) {
    Vector force = sum({}, inertia_[i].mass, world_.gravity), torque{};
    Spheres spheres;
    for (offset_t k = list_.offsets()[i]; k < list_.offsets()[i + 1]; ++k) {
      const auto j = static_cast<std::size_t>(list_.neighbours()[k]), a = std::min(i, j), b = std::max(i, j);
      const Nearest at = nearest_points(sum(b_.x[a], -1, b_.x[b]), b_.half[a], b_.half[b]);
      place(spheres, 0, i, i == a ? at.s : at.t), place(spheres, 1, j, i == a ? at.t : at.s);
      const Touch<3> t = touch(world_, spheres.view(), 0, 1, {}, springs_.data()[k]);
      add(t.force, sum(t.arm_i, 1, spheres.arm[0]), force, torque);
    }
    for (std::size_t end = 0; end < 2; ++end) {
      Vector push{};
      place(spheres, 0, i, end == 0 ? -1 : 1);
      for (int w = 0; w < world_.planes; ++w) {
        touch_plane(world_, spheres.view(), 0, w, wall_springs_[2 * i + end].spring[w], push, torque);
      }
      add(push, spheres.arm[0], force, torque);
    }
    force_[i] = force, torque_[i] = torque;
  }

  Exec exec_;
  World<3> world_;
  Bodies b_;
  std::vector<Inertia> inertia_;
  hgrid::Grid<Exec, 3> grid_;
  hgrid::NeighbourList<Exec> list_, before_;
  hgrid::History<Exec> history_;
  hgrid::PairArray<Exec, Vector> springs_;
  std::vector<PlaneSprings<3>> wall_springs_;  // of each end
  std::vector<double> extents_;
  std::vector<Vector> force_, torque_;
};

/// A box with a floor and four walls, open above, and layers of capsules that fall into it, each in any horizontal direction.
struct Heap {
  World<3> world;
  Bodies bodies;

  /// As wide as the longest `side` times.
  Heap(std::size_t count, std::size_t side, std::uint64_t seed) {
    if (side == 0) throw std::invalid_argument("a box of no width");
    constexpr double pi = 3.14159265358979323846, least = 0.7, shortest = 1.5, longest = 3;  // radius; half a segment, in radii
    const double cell = 2 * (1 + longest), width = cell * double(side);
    for (int k = 0; k < 2; ++k) add_wall(world, k, 0, 1), add_wall(world, k, width, -1);
    add_wall(world, 2, 0, 1);
    world.gravity[2] = -1;
    const double reduced = 0.5 * Inertia(least, shortest * least).mass, log_e = std::log(0.3);  // of the lightest; restitution
    Material& m = world.material;
    m.stiffness = 1e5, m.damping = -2 * log_e * std::sqrt(reduced * m.stiffness / (log_e * log_e + pi * pi));
    m.friction = 0.5, m.tangential_stiffness = m.stiffness * 2 / 7, m.tangential_damping = 0.5 * m.damping;
    world.dt = pi * std::sqrt(reduced / m.stiffness) / 50;

    std::mt19937_64 random(seed);
    const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
    for (std::size_t i = 0; i < count; ++i) {
      const double place[3] = {double(i % side), double(i / side % side), double(i / (side * side))};
      const double r = draw(least, 1), half = r * draw(shortest, longest), angle = draw(0, pi);
      bodies.x.push_back({cell * (place[0] + 0.5), cell * (place[1] + 0.5), 2 * place[2] + 1});
      bodies.half.push_back({half * std::cos(angle), half * std::sin(angle), 0});
      bodies.v.push_back({draw(-1, 1), draw(-1, 1), draw(-1, 1)});
      bodies.momentum.push_back({draw(-10, 10), draw(-10, 10), draw(-10, 10)});
      bodies.radius.push_back(r);
    }
  }
};

}  // namespace dem
