// SPDX-License-Identifier: BSD-3-Clause
// A case of the random suite from a fuzzer's bytes, and whether the contract (docs/contract.md, C0 and the
// limits) accepts it, written from that page.
#pragma once

#include "bytes.hpp"
#include "support/random_case.hpp"

namespace fuzz {

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
    if (c_.choice[support::skin] != 0) s.skin = length();
    if (c_.choice[support::levels] != 0) decode_levels();
    const int ghosts = bytes_.below(4);
    while (!bytes_.empty() && s.particles.size() < 24) s.particles.push_back(particle());
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
      const int kind = bytes_.below(4);
      s.periodic[k] = kind != 0;
      if (kind == 0) continue;
      s.lo[k] = kind == 1 ? 0 : unit_ * bytes_.take<std::int16_t>();
      s.hi[k] = kind == 3 ? bytes_.take<double>() : s.lo[k] + unit_ * bytes_.take<std::uint16_t>() / 16;
    }
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
    const double reach = s.radius_scale * p.radius + p.extra + (s.radius_scale * q.radius + q.extra) + s.skin;
    const double x = p.x[k] + (kind == 1 ? -reach : reach) + period;
    return std::isfinite(x) ? support::ulps_away(x, bytes_.below(9) - 4) : x;
  }

  static oracle::System first_half(oracle::System s) {
    s.particles.resize(s.particles.size() / 2);
    s.owned = -1;
    return s;
  }

  Bytes bytes_;
  support::Case c_;
  double unit_ = 1;
};

inline support::Case decode_case(Input input) { return CaseDecoder(input).decode(); }

inline bool is_length(double v) { return v >= 0 && v <= 1e15; }

template <int D>
bool is_valid_particle(const oracle::System& s, const oracle::Particle& p) {
  const double r = s.radius_scale * p.radius, most_periods = 0x1p30 - 16;
  if (!is_length(r) || (r > 0 && r < 1e-15) || !is_length(p.extra)) return false;
  for (int k = 0; k < D; ++k) {
    if (!(std::fabs(p.x[k]) <= 1e15)) return false;
    if (!s.periodic[k]) continue;
    if (2 * (r + p.extra) + s.skin > 7 * (s.hi[k] - s.lo[k])) return false;
    if (std::fabs(oracle::wrap(p.x[k], s.lo[k], s.hi[k]).count) > most_periods) return false;
  }
  return true;
}

template <int D>
bool is_valid(const support::Case& c) {
  const oracle::System& s = c.system;
  for (int k = 0; k < D; ++k) {
    if (!s.periodic[k]) continue;
    const double period = s.hi[k] - s.lo[k];
    if (!(std::fabs(s.lo[k]) <= 1e15 && std::fabs(s.hi[k]) <= 1e15 && period >= 1e-15 && period <= 1e15)) return false;
  }
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
