// SPDX-License-Identifier: BSD-3-Clause
// A case of the random suite from a fuzzer's bytes, and whether the contract (docs/contract.md, C0 and the
// limits) accepts it, written from that page.
#pragma once

#include "bytes.hpp"
#include "support/random_case.hpp"

namespace fuzz {

inline bool is_length(double v) { return v >= 0 && v <= 1e15; }

inline bool is_valid_box(const oracle::Domain& box) {
  for (int k = 0; k < box.dimension; ++k) {
    if (!box.periodic[k]) continue;
    const double period = box.hi[k] - box.lo[k];
    if (!(std::fabs(box.lo[k]) <= 1e15 && std::fabs(box.hi[k]) <= 1e15 && period >= 1e-15 && period <= 1e15)) return false;
  }
  return true;
}

inline bool is_tilted(const oracle::Domain& box) {
  return std::any_of(box.tilt, box.tilt + 3, [](double tilt) { return tilt != 0; });
}

class CaseDecoder {
 public:
  explicit CaseDecoder(Input input) : bytes_(input) {}

  support::Case decode() {
    for (int a = 0; a < support::axis_count; ++a) {
      const bool drawn = a == support::dimension || a >= support::real;
      if (drawn) c_.choice[a] = bytes_.below(static_cast<int>(support::axes()[a].value.size()));
    }
    oracle::System& s = c_.system;
    s.dimension = c_.choice[support::dimension] + 2;
    s.radius_scale = c_.choice[support::scale] == 0 ? 1 : (c_.choice[support::scale] == 1 ? 0.5 : 2);
    s.skip_nonfinite = c_.choice[support::bad_rows] == 1;
    unit_ = std::ldexp(1.0, bytes_.take<std::int8_t>() / 4);
    decode_box();
    decode_rule_and_worlds();
    if (c_.choice[support::skin] != 0) s.skin = length();
    if (c_.choice[support::levels] != 0) decode_levels();
    const int ghosts = bytes_.below(4);
    while (!bytes_.empty() && s.particles.size() < 24) s.particles.push_back(particle());
    finish_rule_and_worlds();
    if (c_.choice[support::ghosts] == 1) s.owned = std::max<int>(0, static_cast<int>(s.particles.size()) - ghosts);
    if (c_.choice[support::order] == 1) c_.warm_up = first_half(s);
    return c_;
  }

 private:
  double rounded(double v) const { return c_.choice[support::real] == 1 ? static_cast<double>(static_cast<float>(v)) : v; }

  /// A length as users have them, or any double at all.
  double length() {
    switch (bytes_.below(8)) {
      case 0:
        return bytes_.take<double>();
      case 1:
        return 0;
      case 2:
        return std::ldexp(unit_, bytes_.take<std::int8_t>());
      default:
        return unit_ * bytes_.take<std::uint8_t>() / 8;
    }
  }

  void decode_box() {
    oracle::System& s = c_.system;
    for (int k = 0; k < s.dimension; ++k) {
      const int which = bytes_.take<std::uint8_t>(), kind = which % 4;
      s.periodic[k] = kind != 0;
      if (kind == 0) continue;
      s.lo[k] = kind == 1 ? 0 : unit_ * bytes_.take<std::int16_t>();
      s.hi[k] = kind == 3 ? bytes_.take<double>() : s.lo[k] + unit_ * bytes_.take<std::uint16_t>() / 16;
      if (is_valid_box(s)) decode_tilts(k, which);
    }
    if (!is_valid_box(s)) s.turned = false, std::fill(s.tilt, s.tilt + 3, 0.0);
  }

  // Decodes tilts from bits of a byte that the box leaves unused. Tilts are up to two periods, often just half of one.
  void decode_tilts(int j, int which) {
    oracle::System& s = c_.system;
    for (int k = 0; k < j && (which / 4) % 4 == 3; ++k) {
      const double period = s.periodic[k] ? s.hi[k] - s.lo[k] : s.hi[j] - s.lo[j];
      s.tilt[j + k - 1] = period * bytes_.take<std::int8_t>() / 64;
    }
    if (j > 0 || which / 16 != 15) return;
    s.turned = true;
    support::Random axes(bytes_.take<std::uint8_t>());
    support::draw_axes(s, axes);
  }

  void decode_rule_and_worlds() {
    oracle::System& s = c_.system;
    const int rule = c_.choice[support::rule];
    if (rule == support::values::cutoffs) {
      s.types = 1 + bytes_.below(3);
    } else {
      s.rule = static_cast<oracle::Rule>(rule);
    }
    if (c_.choice[support::worlds] != support::values::one_world) s.worlds = 1 + bytes_.below(4);
    if (c_.choice[support::worlds] == support::values::own_boxes && is_valid_box(s)) {
      support::Random boxes(bytes_.take<std::uint16_t>());
      support::draw_boxes_of_worlds(s, boxes);
    }
    for (int n = c_.choice[support::exclusions] == 0 ? 0 : bytes_.below(12); n > 0; --n) {
      const int i = bytes_.below(24);
      s.excluded.insert({i, bytes_.below(24)});
    }
  }

  // Decodes choices that depend on all particles: their pairs; cut-offs that their radii reach; positions that every build
  // takes, in boxes where the contract counts periods along other vectors than coordinates.
  void finish_rule_and_worlds() {
    oracle::System& s = c_.system;
    const auto n = static_cast<std::int64_t>(s.particles.size());
    s.excluded = oracle::renumbered(s.excluded, [n](std::int64_t id) { return id < n ? id : -1; });
    std::vector<double> reach(static_cast<std::size_t>(s.types), 1e15);
    for (const oracle::Particle& p : s.particles) {
      if (s.types == 0 || !oracle::takes_part(s, p)) continue;
      double& least = reach[static_cast<std::size_t>(p.type)];
      least = std::fmin(least, std::fmax(0, 2 * s.radius_scale * p.radius));
    }
    for (int a = 0; a < s.types; ++a) {
      for (int b = 0; b < s.types; ++b) {
        const double most = std::fmin(reach[static_cast<std::size_t>(a)], reach[static_cast<std::size_t>(b)]);
        s.cutoffs.push_back((a + b) % 3 == 2 ? 0 : (a + b) % 3 == 1 ? 0.5 * most : most);
      }
    }
    const auto is_other = [](const oracle::Domain& box) { return box.turned || is_tilted(box); };
    if (!is_other(s) && std::none_of(s.boxes.begin(), s.boxes.end(), is_other)) return;
    c_.choice[support::real] == 1 ? support::bring_back<float>(s) : support::bring_back<double>(s);
  }

  void decode_levels() {
    for (int h = bytes_.below(6); h >= 0; --h) {
      hgrid::LevelSpec level{length(), {}};
      for (double& size : level.cell_size) size = length();
      c_.levels.push_back(level);
    }
  }

  oracle::Particle particle() {
    oracle::Particle p;
    const std::vector<oracle::Particle>& before = c_.system.particles;
    p.radius = before.empty() || bytes_.flag() ? rounded(length()) : before.back().radius;
    if (c_.choice[support::extra] == 1) p.extra = rounded(length());
    if (c_.choice[support::groups] == 1) p.group = bytes_.below(4) - 1;
    if (c_.choice[support::mask] == 1) p.active = bytes_.below(4) != 0;
    if (c_.system.types > 0) p.type = bytes_.below(c_.system.types);
    if (c_.system.worlds > 0) p.world = bytes_.below(c_.system.worlds);
    const int partner = before.empty() ? -1 : bytes_.below(static_cast<int>(before.size()));
    const int axis = bytes_.below(c_.system.dimension);
    for (int k = 0; k < c_.system.dimension; ++k) {
      p.x[k] = rounded(partner >= 0 ? beside(before[partner], p, k, k == axis) : anywhere(k));
    }
    return p;
  }

  double anywhere(int k) {
    switch (bytes_.below(8)) {
      case 0:
        return bytes_.take<double>();
      case 1:
        return support::ulps_away(c_.system.lo[k], bytes_.below(5) - 2);
      case 2:
        return support::ulps_away(c_.system.hi[k], bytes_.below(5) - 2);
      default:
        return c_.system.lo[k] + unit_ * bytes_.take<std::int16_t>() / 16;
    }
  }

  // Along one axis at the distance of touching, give or take some ulp and periods; anywhere along the others,
  // or level.
  double beside(const oracle::Particle& p, const oracle::Particle& q, int k, bool touching) {
    const oracle::System& s = c_.system;
    const int kind = bytes_.below(4);
    if (kind == 0) return anywhere(k);
    const double period = s.periodic[k] ? (bytes_.below(5) - 2) * (s.hi[k] - s.lo[k]) : 0;
    if (!touching) return p.x[k] + period;
    const double a_p = s.radius_scale * p.radius + p.extra, a_q = s.radius_scale * q.radius + q.extra;
    const double reach = (s.rule == oracle::Rule::sum ? a_p + a_q : std::fmax(a_p, a_q)) + s.skin;
    const double x = p.x[k] + (kind == 1 ? -reach : reach) + period;
    return std::isfinite(x) ? support::ulps_away(x, bytes_.below(9) - 4) : x;
  }

  static oracle::System first_half(oracle::System s) {
    const auto half = static_cast<std::int64_t>(s.particles.size() / 2);
    s.particles.resize(static_cast<std::size_t>(half));
    s.excluded = oracle::renumbered(s.excluded, [half](std::int64_t id) { return id < half ? id : -1; });
    s.owned = -1;
    return s;
  }

  Bytes bytes_;
  support::Case c_;
  double unit_ = 1;
};

inline support::Case decode_case(Input input) { return CaseDecoder(input).decode(); }

template <int D>
bool is_valid_particle(const oracle::System& s, const oracle::Particle& p) {
  const oracle::Domain& box = oracle::domain_of(s, p);
  const double r = s.radius_scale * p.radius, most_periods = 0x1p30 - 16;
  if (!is_length(r) || (r > 0 && r < 1e-15) || !is_length(p.extra)) return false;
  for (int k = 0; k < D; ++k) {
    if (!(std::fabs(p.x[k]) <= 1e15)) return false;
    if (!box.periodic[k]) continue;
    if (2 * (r + p.extra) + s.skin > (is_tilted(box) ? 5 : 7) * (box.hi[k] - box.lo[k])) return false;
    if (is_tilted(box) || box.turned) continue;  // the decoder keeps such particles near the box
    if (std::fabs(oracle::wrap(p.x[k], box.lo[k], box.hi[k]).count) > most_periods) return false;
  }
  return true;
}

template <int D>
bool is_valid(const support::Case& c) {
  const oracle::System& s = c.system;
  if (!is_valid_box(s) || !std::ranges::all_of(s.boxes, is_valid_box)) return false;
  for (std::size_t h = 0; h < c.levels.size(); ++h) {
    if (!is_length(c.levels[h].radius_max)) return false;
    if (h > 0 && !(c.levels[h].radius_max > c.levels[h - 1].radius_max)) return false;
    for (int k = 0; k < D; ++k) {
      if (!(c.levels[h].cell_size[k] >= 1e-15 && c.levels[h].cell_size[k] <= 1e15)) return false;
    }
  }
  if (!is_length(s.skin)) return false;
  for (const oracle::Particle& p : s.particles) {
    if (oracle::takes_part(s, p) && !is_valid_particle<D>(s, p)) return false;
  }
  return true;
}

}  // namespace fuzz
