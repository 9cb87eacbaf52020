// SPDX-License-Identifier: BSD-3-Clause
// Systems that attack the planner along every axis, each written as numbers from 0 to 1. A search draws them and changes the
// most expensive ones (bench/regret/worst.cpp), and any_system.cpp keeps its findings.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "hgrid/packing/recipe.hpp"
#include "hgrid/packing/repeatable.hpp"

namespace support {

/// One to four populations of particles. The function beside a number's name explains it.
struct Mixture {
  enum Shared { dimension, box, count, with_skin, skin, shared };
  enum Each { share, radius, spread, width, parts, nesting, form, heaped, heap, each };
  static constexpr std::size_t most_populations = 4, numbers = shared + most_populations * each;
  std::array<double, numbers> number{};

  double& of(std::size_t population, Each what) { return number[shared + population * each + what]; }
  double of(std::size_t population, Each what) const { return number[shared + population * each + what]; }
};

/// Whole at both ends: lo at 0, hi at 1.
inline double log_scaled(double number, double lo, double hi) {
  return hgrid::two_to(hgrid::log_two(lo) + number * (hgrid::log_two(hi) - hgrid::log_two(lo)));
}

/// A population in the units of its numbers. Radii are in units of the mean distance of neighbors in a cluster.
struct MixedPopulation {
  enum class Form { cube, cusp, shell, plane, line };
  double share, radius, spread, width;
  std::size_t parts, heap;
  int nesting;
  Form form;
  double heaped;  ///< share that lies in heaps

  MixedPopulation(const Mixture& m, std::size_t p) {
    const auto number = [&](Mixture::Each what) { return m.of(p, what); };
    const auto above = [&](Mixture::Each what, double none) { return std::max(0.0, (number(what) - none) / (1 - none)); };
    share = log_scaled(number(Mixture::share), 1e-3, 1);
    radius = number(Mixture::radius) < 0.15 ? 0 : log_scaled(above(Mixture::radius, 0.15), 1e-6, 0.6);
    spread = log_scaled(above(Mixture::spread, 0.5), 1, 1000);
    parts = static_cast<std::size_t>(log_scaled(number(Mixture::parts), 1, 300));
    nesting = number(Mixture::nesting) < 0.7 ? 1 : number(Mixture::nesting) < 0.9 ? 2 : 3;
    width = log_scaled(above(Mixture::width, 0.2), 1, 1e-8);
    if (nesting > 1) width = std::sqrt(width);  // else below the last bit of coordinates
    form = number(Mixture::form) < 0.5 ? Form::cube
                                       : static_cast<Form>(1 + static_cast<int>(7.99 * (number(Mixture::form) - 0.5)));
    heaped = above(Mixture::heaped, 0.8);
    heap = static_cast<std::size_t>(log_scaled(number(Mixture::heap), 2, 1000));
  }
};

class MixedPlaces {
 public:
  using Place = std::array<double, 3>;

  MixedPlaces(const MixedPopulation& p, int dimension, hgrid::RepeatableRandom& random)
      : p_(p), dimension_(dimension), random_(random) {
    const bool spread = p.parts > 1 || p.width < 1;
    for (std::size_t c = 0; c < p.parts * static_cast<std::size_t>(p.nesting); ++c) {
      centres_.push_back(spread ? in_cube() : Place{});
    }
  }

  /// Draws clusters of clusters of particles, each narrower than its parent by one factor.
  Place next() {
    Place place{};
    double side = 1;
    for (int depth = 0; depth < p_.nesting; ++depth) {
      place = added(place, centres_[random_.below(p_.parts) + p_.parts * static_cast<std::size_t>(depth)], side);
      side *= p_.width;
    }
    return added(place, in_form(), side);
  }

 private:
  using Form = MixedPopulation::Form;

  static Place added(Place a, const Place& b, double factor) {
    for (std::size_t k = 0; k < 3; ++k) a[k] += factor * b[k];
    return a;
  }

  Place in_cube() {
    Place place{};
    for (int k = 0; k < dimension_; ++k) place[static_cast<std::size_t>(k)] = random_.below_one();
    return place;
  }

  Place in_form() {
    Place at = in_cube();
    if (p_.form == Form::plane) at[static_cast<std::size_t>(dimension_ - 1)] = 0.5;
    if (p_.form == Form::line) at = {at[0], at[0], dimension_ == 3 ? at[0] : 0};
    if (p_.form != Form::cusp && p_.form != Form::shell) return at;
    Place direction{};
    double square = 0;
    do {
      direction = in_cube(), square = 0;
      for (int k = 0; k < dimension_; ++k) {
        double& x = direction[static_cast<std::size_t>(k)];
        x = 2 * x - 1, square += x * x;
      }
    } while (square > 1 || square < 1e-4);
    // A shell, or a density that falls as r^-dimension over eight decades.
    const double far = p_.form == Form::shell ? 0.5 : 0.5 * log_scaled(random_.below_one(), 1e-8, 1);
    return added(added({}, {0.5, 0.5, dimension_ == 3 ? 0.5 : 0}, 1), direction, far / std::sqrt(square));
  }

  const MixedPopulation& p_;
  int dimension_;
  hgrid::RepeatableRandom& random_;
  std::vector<Place> centres_;
};

struct MixedSystem {
  hgrid::PackedSystem particles;
  double skin = 0;
};

inline MixedSystem system_of(const Mixture& m, std::int64_t n) {
  hgrid::RepeatableRandom random(1);
  MixedSystem result;
  hgrid::PackedSystem& s = result.particles;
  s.dimension = m.number[Mixture::dimension] < 0.3 ? 2 : 3;
  const double box = m.number[Mixture::box];
  for (int k = 0; k < s.dimension; ++k) s.length[k] = 1, s.periodic[k] = box > (k == 0 ? 0.4 : 0.6);
  std::vector<MixedPopulation> populations;
  double shares = 0;
  for (std::size_t p = 0; p < 1 + static_cast<std::size_t>(3.99 * m.number[Mixture::count]); ++p) {
    shares += populations.emplace_back(m, p).share;
  }
  const auto mean_distance = [&](double particles, double dimensions) {
    return hgrid::two_to(-hgrid::log_two(particles) / dimensions);
  };
  for (const MixedPopulation& p : populations) {
    const auto members = std::max<std::int64_t>(1, static_cast<std::int64_t>(p.share / shares * static_cast<double>(n)));
    double side = 1, held = static_cast<double>(members);
    for (int depth = 0; depth < p.nesting; ++depth) side *= p.width, held = std::max(1.0, held / static_cast<double>(p.parts));
    const double flat = p.form == MixedPopulation::Form::line    ? s.dimension - 1
                        : p.form >= MixedPopulation::Form::shell ? 1
                                                                 : 0;
    const double unit = side * mean_distance(held, s.dimension - flat);
    MixedPlaces places(p, s.dimension, random);
    MixedPlaces::Place at{};
    const auto heaps_end = static_cast<std::int64_t>(p.heaped * static_cast<double>(members));
    for (std::int64_t i = 0; i < members && static_cast<std::int64_t>(s.r.size()) < n; ++i) {
      if (i >= heaps_end || static_cast<std::size_t>(i) % p.heap == 0) at = places.next();
      for (int k = 0; k < 3; ++k) {
        const double x = at[static_cast<std::size_t>(k)];
        s.axis(k).push_back(s.periodic[k] ? x - std::floor(x) : x);
      }
      const double radius = p.radius * unit * log_scaled(random.below_one(), 1, p.spread);
      s.r.push_back(p.radius > 0 ? std::clamp(radius, 1e-15, 0.4) : 0);
    }
    if (&p == &populations.front() && m.number[Mixture::with_skin] > 0.7) {
      result.skin = unit * log_scaled(m.number[Mixture::skin], 1e-6, 0.5);
    }
  }
  return result;
}

inline Mixture drawn_mixture(hgrid::RepeatableRandom& random) {
  Mixture m;
  for (double& number : m.number) number = random.below_one();
  return m;
}

/// Returns the mixture with one to four numbers changed, a little or wholly.
inline Mixture changed(Mixture m, hgrid::RepeatableRandom& random) {
  for (std::size_t left = 1 + random.below(4); left > 0; --left) {
    double& number = m.number[random.below(Mixture::numbers)];
    number = random.chance(0.5) ? random.below_one() : std::clamp(number + random.between(-0.1, 0.1), 0.0, 1.0);
  }
  return m;
}

}  // namespace support
