// SPDX-License-Identifier: BSD-3-Clause
// A random system of particles from the values chosen on the axes.
#pragma once

#include <algorithm>
#include <limits>

#include "support/axes.hpp"
#include "support/drawn_crowds.hpp"
#include "support/drawn_cutoffs.hpp"
#include "support/drawn_extents.hpp"
#include "support/drawn_worlds.hpp"
#include "support/turned.hpp"

namespace support {

class SystemGenerator {
 public:
  SystemGenerator(const Choice& choice, Random& random) : choice_(choice), random_(random) {}

  oracle::System make() {
    s_.dimension = choice_[dimension] + 2;
    s_.extended = choice_[shape] == values::cubes || choice_[shape] == values::long_and_flat;  // they touch by the sum
    if (choice_[rule] != values::cutoffs && !s_.extended) s_.rule = static_cast<oracle::Rule>(choice_[rule]);
    s_.radius_scale = choice_[scale] == 0 ? 1 : (choice_[scale] == 1 ? 0.5 : 2);
    draw_count();
    if (choice_[worlds] != values::one_world) draw_worlds(s_, random_);
    draw_sizes();
    draw_length();
    draw_box();
    limit_contacts();
    if (s_.extended) draw_extents(s_, choice_[shape] == values::long_and_flat, random_);
    place();
    plant_neighbours();
    if (count() > 60 && count() <= 150 && !s_.extended) draw_crowd(s_, random_, [this](double v) { return rounded(v); });
    leave_the_box();
    if (choice_[tilt] == values::turned && !s_.extended) turn();
    if (choice_[worlds] == values::together) {
      std::ranges::stable_sort(s_.particles, {}, [](const oracle::Particle& p) { return p.world; });
    }
    if (choice_[worlds] == values::own_boxes) draw_boxes_of_worlds(s_, random_);
    is_float() ? bring_back<float>(s_) : bring_back<double>(s_);
    mark_particles();
    for (oracle::Particle& p : s_.particles) {
      p.radius = rounded(p.radius / s_.radius_scale);
      for (double& h : p.extent) h = rounded(h / s_.radius_scale);
    }
    return s_;
  }

 private:
  bool is_float() const { return choice_[real] == 1; }
  double rounded(double v) const { return is_float() ? as_stored<float>(v) : v; }
  double reach(const oracle::Particle& p) const { return p.radius + p.extra; }

  void draw_count() {
    const double kind = random_.real();
    int n = kind < 0.04 ? random_.integer(2, 9) : (kind < 0.7 ? random_.integer(10, 60) : random_.integer(61, 150));
    // Now and then enough particles for several threads in every stage; where few images keep all pairs cheap.
    const bool same_sizes = choice_[sizes] == values::mono || choice_[sizes] == values::points;
    if (random_.chance(0.03) && choice_[box] != values::tiny && same_sizes) {
      crowd_ = choice_[neighbours] == values::thousands && choice_[rule] != values::cutoffs;
      n = crowd_ ? static_cast<int>(random_.log_real(1000, 10001)) : random_.integer(1100, 2600);
    }
    s_.particles.resize(static_cast<std::size_t>(n));
  }

  void draw_sizes() {
    const double r = random_.log_real(1e-3, 1e3), ratio = random_.log_real(2, 100);
    for (oracle::Particle& p : s_.particles) {
      switch (choice_[sizes]) {
        case values::bidisperse:
          p.radius = random_.chance(0.15) ? r * ratio : r;
          break;
        case values::power_law:
          p.radius = r * std::pow(1 - random_.real() * (1 - 1e-4), -0.5);
          break;
        case values::mono:
        case values::giant:
          p.radius = r;
          break;
        case values::wide:
          p.radius = random_.log_real(r * 1e-9, r);
          break;
        default:
          p.radius = random_.chance(0.6) ? 0 : r * random_.real(0.5, 1);
      }
      if (choice_[extra] == 1 && random_.chance(0.5)) p.extra = rounded(random_.real(0, 0.3) * r);
    }
    if (choice_[sizes] == values::giant) s_.particles[random_.integer(0, count() - 1)].radius = r * ratio;
    if (choice_[rule] == values::cutoffs && !s_.extended)
      draw_cutoffs(
          s_, r, [this](double v) { return rounded(v); }, random_);
    for (const oracle::Particle& p : s_.particles) largest_ = std::fmax(largest_, reach(p));
    if (largest_ == 0 && s_.types == 0) s_.particles[0].radius = largest_ = r;
    typical_ = choice_[sizes] == values::wide ? 0.3 * largest_ : std::fmin(largest_, r);
    if (choice_[skin] != values::none) s_.skin = typical_ * (choice_[skin] == values::small ? 0.1 : 2);
  }

  // Draws lengths by how many particles lie in a cell as wide as two typical ones reach.
  void draw_length() {
    const double a_cell =
        choice_[neighbours] == values::many ? random_.log_real(0.3, s_.extended ? 6 : 30) : 1 / random_.log_real(3, 30);
    const double cells = std::fmax(1, count() / a_cell);
    const double apart = s_.rule == oracle::Rule::sum ? 2 * typical_ : typical_;  // at which two typical ones touch
    compact_ = length_ = apart * std::pow(cells, 1.0 / s_.dimension);
    if (choice_[positions] == values::far_clusters) length_ = std::fmin(1e13, length_ * random_.log_real(1e2, 1e12));
    if (crowd_) s_.particles.back().radius = largest_ = rounded(std::fmin(compact_, 1e13) * random_.real(0.3, 1));
  }

  void draw_box() {
    double far = 0;
    if (choice_[origin] == values::near) far = compact_ * random_.log_real(1, 1e3);
    if (choice_[origin] == values::far) far = is_float() ? compact_ * random_.log_real(1e3, 1e5) : random_.log_real(1e3, 1e9);
    const int kind = choice_[box], one_open = random_.integer(0, s_.dimension - 1);
    for (int k = 0; k < s_.dimension; ++k) {
      const bool mixed_wraps = k != one_open && (k == (one_open + 1) % s_.dimension || random_.chance(0.5));
      s_.periodic[k] = kind == values::periodic || kind == values::tiny || (kind == values::mixed && mixed_wraps);
      double period = length_ * random_.real(0.8, 1.2);
      const double widest = 2 * largest_ + s_.skin;
      if (kind == values::tiny && random_.chance(s_.extended ? 0.1 : 0.7))
        period = widest / random_.real(0.4, random_.chance(0.5) ? 2.5 : 6.8);
      period = std::fmax(period, widest / (choice_[tilt] == values::upright ? 6.9 : 4.9));
      // Around zero coordinates are finer than distances, which takes other rounding than far from it.
      const bool around_zero = choice_[origin] == values::zero && random_.chance(0.6);
      corner_[k] = around_zero ? -period * random_.real(0, 1) : far * random_.real(0.5, 1) * random_.sign();
      if (s_.periodic[k] && corner_[k] + period == corner_[k]) corner_[k] = 0;  // there, a period would vanish
      s_.lo[k] = corner_[k], s_.hi[k] = corner_[k] + period;
      extent_[k] = s_.periodic[k] ? s_.hi[k] - s_.lo[k] : length_;
    }
    draw_tilts();
  }

  // Also some of just half a period, which rounding takes to either side.
  void draw_tilts() {
    for (int j = 1, t = 0; j < s_.dimension; ++j) {
      for (int k = 0; k < j; ++k, ++t) {
        const bool none = choice_[tilt] == values::upright || !s_.periodic[j] || random_.chance(0.2);
        const bool few = choice_[tilt] == values::half || choice_[tilt] == values::turned || !s_.periodic[k];
        const double most = choice_[tilt] == values::slight ? 0.05 : few ? 0.5 : random_.log_real(1, 100);
        const double share = random_.chance(0.2) ? random_.sign() : random_.real(-1, 1);
        s_.tilt[t] = none ? 0 : std::clamp(share * most * (s_.hi[k] - s_.lo[k]), -9e14, 9e14);
      }
    }
  }

  // Several images a pair are many contacts: fewer particles then. Many particles that are spread have few.
  void limit_contacts() {
    double images = 1;
    for (int k = 0; k < s_.dimension; ++k) {
      if (s_.periodic[k]) images *= 1 + (2 * std::fmax(typical_, 0.3 * largest_) + s_.skin) / extent_[k];
    }
    const bool spread = choice_[positions] == values::random || choice_[positions] == values::lattice;
    const double most = std::fmax(6, std::sqrt((spread && count() > 1000 ? 1e8 : 4e4) / images));
    if (count() > most) s_.particles.resize(static_cast<std::size_t>(most));
    if (choice_[sizes] == values::giant || crowd_) s_.particles.back() = {.radius = largest_};
  }

  void place() {
    const int sites = random_.chance(0.9) ? random_.integer(2, 6) : 1;
    const int per_side = static_cast<int>(std::ceil(std::pow(count(), 1.0 / s_.dimension)));
    const double direction[3] = {random_.real(-1, 1), random_.chance(0.5) ? 0 : random_.real(-1, 1), random_.real(-1, 1)};
    const bool gather = count() <= 150 && random_.chance(0.2);  // in a part of a periodic box, often at both of its ends
    const double part = gather ? random_.log_real(0.01, 0.8) : 1;
    const double begin[3] = {random_.real(), random_.real(), random_.real()};
    double site[6][3];
    for (auto& at : site) {
      for (int k = 0; k < 3; ++k) at[k] = random_.real();
    }
    for (int i = 0; i < count(); ++i) {
      double u[3] = {random_.real(), random_.real(), random_.real()};
      const double t = random_.real(), narrow = random_.log_real(1e-6, 0.1);
      const int cluster = random_.integer(0, sites - 1);
      for (int k = 0, cell = i; k < s_.dimension; ++k, cell /= per_side) {
        switch (choice_[positions]) {
          case values::lattice:
            u[k] = (cell % per_side) / static_cast<double>(per_side);
            break;
          case values::coincident:
            u[k] = site[cluster][k];
            break;
          case values::collinear:
            u[k] = 0.5 + 0.5 * direction[k] * t;
            break;
          case values::coplanar:
            u[k] = k == 0 ? 0.5 : u[k];
            break;
          case values::clustered:
            u[k] = site[cluster][k] + narrow * (u[k] - 0.5);
            break;
          case values::far_clusters:
            u[k] = site[cluster][k] + 0.5 * compact_ / length_ * (u[k] - 0.5);
            break;
          default:
            break;
        }
        if (gather && s_.periodic[k]) u[k] = std::fmod(begin[k] + part * u[k] + 1, 1.0);
        s_.particles[i].x[k] = rounded(corner_[k] + u[k] * extent_[k]);
      }
    }
    if (choice_[positions] == values::outlier) {
      const int k = random_.integer(0, s_.dimension - 1);
      double& x = s_.particles[random_.integer(0, count() - 1)].x[k];
      const double periods = choice_[tilt] == values::many_periods ? 1e3 : 1e8;  // keeps the image number in range
      const double furthest = std::fmin(1e12, periods * extent_[k] / typical_);
      x = rounded(x + random_.sign() * typical_ * random_.log_real(1e2, std::fmax(1e3, furthest)));
    }
  }

  // Most systems would hold few contacts otherwise.
  void plant_neighbours() {
    const int kind = choice_[positions];
    if (!s_.extended && kind != values::random && kind != values::clustered && kind != values::outlier &&
        kind != values::far_clusters) {
      return;
    }
    for (int i = 1; i < count(); ++i) {
      if (i > 2 && !random_.chance(0.3)) continue;
      const oracle::Particle& p = s_.particles[random_.integer(0, i - 1)];
      oracle::Particle& q = s_.particles[i];
      const double distance =
          oracle::detail::contact_distance(s_, p, q, reach(p), reach(q)) * random_.real(0, i == 1 ? 1 : 1.1);
      const int axis = random_.integer(0, s_.dimension - 1);
      if (random_.chance(0.9)) q.world = p.world;
      if (s_.extended) {
        plant_beside(s_, p, q, axis, random_);
        for (double& x : q.x) x = rounded(x);
        continue;
      }
      for (int k = 0; k < s_.dimension; ++k) q.x[k] = p.x[k];
      q.x[axis] = rounded(p.x[axis] + random_.sign() * distance);
    }
  }

  // Faces of periodic axes, coordinates an ulp away from them, and particles some periods outside.
  void leave_the_box() {
    const double furthest = choice_[tilt] == values::many_periods ? 1e3 : 1e6;  // keeps the image number in range
    for (oracle::Particle& p : s_.particles) {
      for (int k = 0; k < s_.dimension; ++k) {
        if (!s_.periodic[k] || !random_.chance(0.15)) continue;
        const double period = s_.hi[k] - s_.lo[k];
        switch (random_.integer(0, 5)) {
          case 0:
            p.x[k] = s_.lo[k];
            break;
          case 1:
            p.x[k] = s_.hi[k];
            break;
          case 2:
            p.x[k] = ulps_away(s_.hi[k], -1);
            break;
          case 3:
            p.x[k] = s_.lo[k] == 0 ? -5e-17 * period : ulps_away(s_.lo[k], -1);
            break;
          case 4:
            p.x[k] += random_.integer(-3, 3) * period;
            break;
          default:
            p.x[k] += random_.sign() * random_.integer(1, static_cast<int>(std::clamp(3e14 / period, 1.0, furthest))) * period;
        }
        p.x[k] = rounded(p.x[k]);
      }
    }
  }

  // Half of the time by right angles, which round nothing.
  void turn() {
    s_.turned = true;
    draw_axes(s_, random_);
    for (oracle::Particle& p : s_.particles) {
      const std::array<double, 3> x = oracle::from_axes(s_, p.x);
      for (int k = 0; k < s_.dimension; ++k) p.x[k] = rounded(x[k]);
    }
  }

  void mark_particles() {
    const int group_count = random_.integer(2, 2 + count() / 2);
    if (choice_[ghosts] == 1) s_.owned = random_.integer((count() + 1) / 2, count());
    s_.skip_nonfinite = choice_[bad_rows] == 1;
    for (oracle::Particle& p : s_.particles) {
      if (choice_[groups] == 1 && random_.chance(0.6)) p.group = random_.integer(0, group_count);
      if (choice_[mask] == 1) p.active = !random_.chance(0.15);
      if (choice_[bad_rows] == 0 || !random_.chance(0.08)) continue;
      const double bad = random_.chance(0.5) ? std::numeric_limits<double>::quiet_NaN() : random_.sign() * HUGE_VAL;
      const int where = random_.integer(0, s_.dimension);
      double& size = s_.extended ? p.extent[random_.integer(0, s_.dimension - 1)] : p.radius;
      (where < s_.dimension ? p.x[where] : size) = bad;
    }
  }

  int count() const { return static_cast<int>(s_.particles.size()); }

  const Choice& choice_;
  Random& random_;
  oracle::System s_;
  bool crowd_ = false;  // one reaches thousands
  double largest_ = 0, typical_ = 0, length_ = 0, compact_ = 0, corner_[3] = {0, 0, 0}, extent_[3] = {0, 0, 0};
};

}  // namespace support
