// SPDX-License-Identifier: BSD-3-Clause
// Systems whose particles lie on shapes that no recipe has: curves, fractals, surfaces, jets, heaps and layers.
#pragma once

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "hgrid/packing/recipe.hpp"
#include "hgrid/packing/repeatable.hpp"

namespace support::shapes {

using hgrid::RepeatableRandom;
using Point = std::array<double, 3>;
using Place = hgrid::PopulationPlace::Kind;
using Law = hgrid::PopulationSizes::Law;

inline constexpr double most_partners = 6;

inline Point in_cube(RepeatableRandom& random) { return {random.below_one(), random.below_one(), random.below_one()}; }

inline Point on_sphere(RepeatableRandom& random) {
  for (;;) {
    Point p = in_cube(random);
    double square = 0;
    for (double& x : p) x = 2 * x - 1, square += x * x;
    if (square > 1 || square < 0.01) continue;
    for (double& x : p) x /= std::sqrt(square);
    return p;
  }
}

inline Point added(Point a, const Point& b, double factor) {
  for (std::size_t k = 0; k < 3; ++k) a[k] += factor * b[k];
  return a;
}

/// The places of a shape, of the order of one.
class Shape3 {
 public:
  Shape3(const std::string& name, std::uint64_t seed) : name_(name), random_(seed) {
    for (int part = 0; part < 20; ++part) from_.push_back(in_cube(random_)), to_.push_back(in_cube(random_));
  }

  Point place() {
    const std::size_t part = random_.below(from_.size());
    const Point &from = from_[part], &to = to_[part];
    if (name_ == "filaments") return added(along(from, to, random_.below_one()), on_sphere(random_), 1e-3);
    if (name_ == "shells") return added(from, on_sphere(random_), 0.05 + 0.25 * to[0]);
    if (name_ == "fractal") return flight();
    if (name_ == "pile-with-halo") return random_.below(10) == 0 ? halo() : heap({}, 0.5);
    if (name_ == "jet-in-gas") return random_.below(2) == 0 ? in_cube(random_) : jet(from_[0], to_[0]);
    if (name_ == "aggregates") return added(from, in_ball(), 0.01 * to[0]);
    if (name_ == "slanted-layers") return layer(part);
    if (name_ == "heaps-on-belt") return random_.below(4) == 0 ? belt() : heap({static_cast<double>(part), 0, 0}, 0.5 * to[0]);
    return jet(from, to);
  }

 private:
  // A jet widens from its nozzle.
  Point jet(const Point& from, const Point& to) {
    const double far = random_.below_one();
    return added(along(from, to, far), on_sphere(random_), 0.1 * far * random_.below_one());
  }

  Point in_ball() { return added({}, on_sphere(random_), std::cbrt(random_.below_one())); }

  // Returns a place in a cone on the floor, twice as wide as it is high.
  Point heap(const Point& foot, double height) {
    for (;;) {
      const Point p = in_cube(random_);
      const double x = 2 * p[0] - 1, y = 2 * p[1] - 1;
      if (std::sqrt(x * x + y * y) + p[2] < 1) return added(foot, {x, y, p[2]}, height);
    }
  }

  // Returns a place above the floor, ever more rarely the farther it is from the pile.
  Point halo() {
    Point p = added({}, on_sphere(random_), 0.5 / (1.01 - random_.below_one()));
    p[2] = std::fabs(p[2]);
    return p;
  }

  Point belt() { return {20 * random_.below_one(), random_.below_one() - 0.5, 0}; }

  // Returns a place in one of ten sheets that are slanted along two axes.
  Point layer(std::size_t part) {
    Point p = in_cube(random_);
    p[2] = 0.1 * static_cast<double>(part % 10) + 0.5 * p[0] + 0.3 * p[1] + 0.01 * p[2];
    return p;
  }

  static Point along(const Point& from, const Point& to, double share) { return added(added({}, from, 1 - share), to, share); }

  // Returns the end of steps in any direction whose lengths have a power law: ends lie on a fractal of dimension 1.5.
  Point flight() {
    const double step = std::fmin(1e-5 / std::pow(1 - random_.below_one(), 1 / 1.5), 1.0);
    return at_ = added(at_, on_sphere(random_), step);
  }

  std::string name_;
  RepeatableRandom random_;
  std::vector<Point> from_, to_;
  Point at_{};
};

// The radii of a homogeneous system, moved to the places of a shape, which is then made larger until few touch.
inline hgrid::PackedSystem on_shape(const std::string& name, const hgrid::PopulationSizes& sizes, std::int64_t n,
                                    std::uint64_t seed) {
  hgrid::PackedSystem s = hgrid::make_system({.populations = {{.sizes = sizes}}}, n, seed);
  Shape3 shape(name, seed);
  Point least{HUGE_VAL, HUGE_VAL, HUGE_VAL}, most{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (std::size_t i = 0; i < s.r.size(); ++i) {
    const Point p = shape.place();
    for (int k = 0; k < 3; ++k) {
      const auto axis = static_cast<std::size_t>(k);
      s.axis(k)[i] = p[axis], least[axis] = std::fmin(least[axis], p[axis]), most[axis] = std::fmax(most[axis], p[axis]);
    }
  }
  double scale = s.length[0];
  const auto scaled = [&](double factor) {
    for (int k = 0; k < 3; ++k) {
      for (double& x : s.axis(k)) x *= factor;
    }
    scale *= factor;
  };
  for (int k = 0; k < 3; ++k) {
    for (double& x : s.axis(k)) x -= least[static_cast<std::size_t>(k)];
  }
  scaled(scale), scale = s.length[0];
  while (hgrid::estimated_contacts(s) > most_partners) scaled(1.25);
  for (int k = 0; k < 3; ++k) {
    const auto axis = static_cast<std::size_t>(k);
    s.length[k] = 1.001 * scale * (most[axis] - least[axis]);
  }
  return s;
}

struct Shaped {
  std::string name, text;
  hgrid::PackedSystem system;
};

/// Filaments, fractals, shells, jets, a pile with a halo, a jet in a gas, aggregates in empty space, slanted layers, and heaps
/// along a belt: each of one size, of a power law and of log-normal sizes. Also clumps of log-normal sizes, and two blobs of
/// sizes 1:1000. All in an open cube, with some six partners a particle at most.
inline std::vector<Shaped> shaped_systems(std::int64_t n, std::uint64_t seed) {
  const hgrid::PopulationSizes wide{.ratio = 100, .law = Law::log_normal};
  std::vector<Shaped> result;
  const auto add = [&](const std::string& name, const hgrid::Recipe& recipe) {
    result.push_back({name, to_text(recipe), make_system(recipe, n, seed)});
  };
  add("clumps-log-normal",
      {.fraction = 0.01,
       .most_contacts = most_partners,
       .populations = {{.sizes = wide, .place = {.kind = Place::clustered, .parts = 200, .share = 0.02}}}});
  add("blobs-1-1000", {.fraction = 0.05,
                       .most_contacts = most_partners,
                       .populations = {{.place = {.kind = Place::clustered, .share = 1e-10}},
                                       {.sizes = {.least = 1000}, .place = {.kind = Place::clustered, .share = 0.1}}}});
  for (const char* const shape : {"filaments", "fractal", "shells", "jets", "pile-with-halo", "jet-in-gas", "aggregates",
                                  "slanted-layers", "heaps-on-belt"}) {
    const std::pair<const char*, hgrid::PopulationSizes> laws[] = {
        {"one-size", {}}, {"power-law", {.ratio = 10, .exponent = 3}}, {"log-normal", wide}};
    for (const auto& [law, sizes] : laws) {
      const std::string name = std::string(shape) + "-" + law;
      result.push_back({name, name, on_shape(shape, sizes, n, seed)});
    }
  }
  return result;
}

}  // namespace support::shapes
