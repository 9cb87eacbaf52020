// SPDX-License-Identifier: BSD-3-Clause
// A DEM of bodies of any convex shape on the host. The boxes around them are the grid's particles, and a predicate inside the
// search decides at each step which touch. Forces are computed as between balls. The shape (capsules.hpp, superellipsoids.hpp)
// places these where two bodies touch, and where one touches a wall.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <stdexcept>
#include <utility>
#include <vector>

#include "../vector.hpp"
#include "motion.hpp"
#include "hgrid/loop.hpp"

namespace dem {

inline Vector sum(const Vector& a, double s, const Vector& b) { return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]}; }

/// A sphere in a body, from the body's middle.
struct Ball {
  Vector arm;
  double radius;
};

/// Two bodies that touch do so as these two balls do.
struct Meeting {
  Ball ball[2];
  double overlap;  // of the spring, with the balls' force
};

template <class Shape>
struct Bodies {
  std::vector<Vector> x, v;  // middle, velocity
  std::vector<Shape> shape;
  std::vector<Vector> momentum;  // angular
};

template <class Shape>
struct Touching {
  hgrid::Box3 box;
  const Vector* x;
  const Shape* shape;

  bool operator()(index_t i, index_t j, const hgrid::Image& image) const {
    return touches(shape[i], shape[j], hgrid::separation(box, x[i], x[j], image));
  }
};

template <class Exec, class Shape>
class BodySimulation {
 public:
  BodySimulation(const Exec& exec, const World<3>& world, Bodies<Shape> bodies)
      : exec_(exec), world_(world), b_(std::move(bodies)), inertia_(b_.shape.begin(), b_.shape.end()), grid_(exec, world.box),
        list_(exec, hgrid::ListKind::full), before_(exec, hgrid::ListKind::full), history_(exec), springs_(exec),
        wall_springs_(Shape::tips * b_.x.size()), extents_(b_.x.size()), force_(b_.x.size()), torque_(b_.x.size()) {
    find_contacts(), sum_forces();
  }

  const Bodies<Shape>& bodies() const { return b_; }
  const World<3>& world() const { return world_; }
  const hgrid::NeighbourList<Exec>& list() const { return list_; }
  const hgrid::PairArray<Exec, Vector>& springs() const { return springs_; }
  Touching<Shape> touching() const { return {world_.box, b_.x.data(), b_.shape.data()}; }

  /// Velocity Verlet. Between two kicks angular momentum stays, and the shape turns as a free body does.
  void step() {
    each("dem::kick_drift", [&](std::size_t i) {
      kick(i);
      b_.x[i] = sum(b_.x[i], world_.dt, b_.v[i]);
      b_.shape[i].turn(inertia_[i], b_.momentum[i], world_.dt);
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
        const double overlap = meet(i, list_.neighbours()[k]).overlap;
        if (overlap > 0) e.elastic += 0.5 * stored(world_.material, overlap, springs_.data()[k]), ++e.contacts;
      }
      for_each_tip(i, [&](const Ball& tip, int w, std::size_t number) {
        const double overlap = world_.plane[w].overlap(sum(b_.x[i], 1, tip.arm), tip.radius);
        if (overlap > 0) e.elastic += stored(world_.material, overlap, wall_springs_[number].spring[w]);
      });
    }
    return e;
  }

 private:
  // [docs: contacts]
  /// Makes a list of touching bodies only. Each contact keeps its spring of friction from the list before.
  void find_contacts() {
    each("dem::extents", [&](std::size_t i) { extents_[i] = b_.shape[i].extents(); });
    grid_.build(hgrid::extended_particles<3>(b_.x.data()->v, extents_.data()->v, std::int64_t(b_.x.size())));
    std::swap(before_, list_);
    grid_.find(list_, hgrid::only(touching()));
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

  Vector spin(std::size_t i) const { return b_.shape[i].spin(inertia_[i], b_.momentum[i]); }

  /// Computes the contact from the smaller id, because nearest points may be several, and both sides must take one of them. The
  /// first ball belongs to i.
  Meeting meet(std::size_t i, index_t other) const {
    const auto j = static_cast<std::size_t>(other), a = std::min(i, j), b = std::max(i, j);
    Meeting m = Shape::meet(b_.shape[a], b_.shape[b], sum(b_.x[a], -1, b_.x[b]));
    if (i == b) std::swap(m.ball[0], m.ball[1]);
    return m;
  }

  /// f(tip, wall, which of wall_springs_) for each place where a wall may press.
  template <class F>
  void for_each_tip(std::size_t i, const F& f) const {
    for (std::size_t tip = 0; tip < Shape::tips; ++tip) {
      for (int w = 0; w < world_.planes; ++w) f(b_.shape[i].tip(tip, world_.plane[w].normal), w, Shape::tips * i + tip);
    }
  }

  /// Balls as forces.hpp takes spheres: of one body, or of two.
  struct Spheres {
    Vector x[2], v[2], spin[2];
    double radius[2];

    Particles<3> view() { return {x, v, nullptr, spin, nullptr, radius, nullptr, 2}; }
  };
  void place(Spheres& spheres, int side, std::size_t i, const Ball& ball) const {
    const Vector w = spheres.spin[side] = spin(i);
    spheres.x[side] = sum(b_.x[i], 1, ball.arm), spheres.v[side] = sum(b_.v[i], 1, turned(w, ball.arm));
    spheres.radius[side] = ball.radius;
  }

  void sum_forces() {
    const auto count = static_cast<offset_t>(b_.x.size()), block = offset_t{64};
    exec_.for_each_item("dem::sum_forces", (count + block - 1) / block, [&](offset_t item) {
      for (offset_t i = item * block; i < std::min(count, (item + 1) * block); ++i) sum_forces_on(std::size_t(i));
    });
  }

  /// Each body sums its own forces over its list, in one order for any number of threads.
  void sum_forces_on(std::size_t i) {
    Vector force = sum({}, inertia_[i].mass, world_.gravity), torque{};
    Spheres spheres;
    for (offset_t k = list_.offsets()[i]; k < list_.offsets()[i + 1]; ++k) {
      const Meeting at = meet(i, list_.neighbours()[k]);
      place(spheres, 0, i, at.ball[0]), place(spheres, 1, static_cast<std::size_t>(list_.neighbours()[k]), at.ball[1]);
      const Touch<3> t = touch(world_, spheres.view(), 0, 1, {}, springs_.data()[k]);
      add(t.force, sum(t.arm_i, 1, at.ball[0].arm), force, torque);
    }
    for_each_tip(i, [&](const Ball& tip, int w, std::size_t number) {
      Vector push{};
      place(spheres, 0, i, tip);
      touch_plane(world_, spheres.view(), 0, w, wall_springs_[number].spring[w], push, torque);
      add(push, tip.arm, force, torque);
    });
    force_[i] = force, torque_[i] = torque;
  }

  Exec exec_;
  World<3> world_;
  Bodies<Shape> b_;
  std::vector<typename Shape::Inertia> inertia_;
  hgrid::Grid<Exec, 3> grid_;
  hgrid::NeighbourList<Exec> list_, before_;
  hgrid::History<Exec> history_;
  hgrid::PairArray<Exec, Vector> springs_;
  std::vector<PlaneSprings<3>> wall_springs_;  // springs of each tip
  std::vector<Vector> extents_, force_, torque_;
};

/// A box with a floor and four walls, open above, and layers of bodies that fall into it.
template <class Shape>
struct Heap {
  World<3> world;
  double width;
  Bodies<Shape> bodies;

  /// Draws a heap as wide as the largest body `side` times.
  Heap(std::size_t count, std::size_t side, std::uint64_t seed) : width(Shape::width * double(side)) {
    if (side == 0) throw std::invalid_argument("a box of no width");
    constexpr double pi = 3.14159265358979323846, cell = Shape::width, height = Shape::height;
    for (int k = 0; k < 2; ++k) add_wall(world, k, 0, 1), add_wall(world, k, width, -1);
    add_wall(world, 2, 0, 1);
    world.gravity[2] = -1;
    const double reduced = 0.5 * typename Shape::Inertia(Shape::lightest()).mass, log_e = std::log(0.3);  // restitution
    Material& m = world.material;
    m.stiffness = Shape::stiffness, m.damping = -2 * log_e * std::sqrt(reduced * m.stiffness / (log_e * log_e + pi * pi));
    m.friction = 0.5, m.tangential_stiffness = m.stiffness * 2 / 7, m.tangential_damping = 0.5 * m.damping;
    world.dt = pi * std::sqrt(reduced / m.stiffness) / 50;

    std::mt19937_64 random(seed);
    const auto draw = [&](double lo, double hi) { return std::uniform_real_distribution<double>(lo, hi)(random); };
    const auto vector = [&](double most) {
      const double x = draw(-most, most), y = draw(-most, most), z = draw(-most, most);
      return Vector{x, y, z};
    };
    for (std::size_t i = 0; i < count; ++i) {
      const double place[3] = {double(i % side), double(i / side % side), double(i / (side * side))};
      bodies.shape.push_back(Shape::drawn(draw));
      bodies.x.push_back({cell * (place[0] + 0.5), cell * (place[1] + 0.5), height * (place[2] + 0.5)});
      bodies.v.push_back(vector(1)), bodies.momentum.push_back(vector(Shape::most_momentum));
    }
  }
};

}  // namespace dem
