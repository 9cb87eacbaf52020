// SPDX-License-Identifier: BSD-3-Clause
// The answer by all pairs, written from the contract and from nothing else: it shares no line with the
// library.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <compare>
#include <cstdint>
#include <vector>

namespace oracle {

struct Particle {
  double x[3] = {0, 0, 0};  // as the user passes it
  double radius = 0;        // before the radius scale
  double extra = 0;
  int group = -1;
  bool active = true;
};

struct System {
  int dimension = 3;
  bool periodic[3] = {false, false, false};
  double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
  double radius_scale = 1, skin = 0;
  std::int64_t owned = -1;  // ids from here on are ghosts; -1: none
  bool skip_nonfinite = false;
  std::vector<Particle> particles;
};

struct Contact {
  std::int64_t i = 0, j = 0;
  std::array<std::int64_t, 3> m = {0, 0, 0};
  friend auto operator<=>(const Contact&, const Contact&) = default;
  friend bool operator==(const Contact&, const Contact&) = default;  // nvcc does not see the one implied
};

struct Wrapped {
  double inside, count;
};

// Inside stays bit for bit. Else the double nearest to x - k L, k being the period that x lies in; what
// rounds onto the upper face is the lower face of the next period.
inline Wrapped wrap(double x, double lo, double hi) {
  if (lo <= x && x < hi) return {x, 0};
  const double length = hi - lo;
  const auto taken_off = [&](double k) { return std::fma(-k, length, x); };
  double k = std::floor((x - lo) / length);
  if (taken_off(k) < lo) k -= 1;
  if (taken_off(k) >= hi) k += 1;
  const double inside = taken_off(k);
  return {lo <= inside && inside < hi ? inside : lo, k};
}

inline bool takes_part(const System& s, const Particle& p) {
  if (!p.active) return false;
  bool finite = std::isfinite(p.radius) && std::isfinite(p.extra);
  for (int k = 0; k < s.dimension; ++k) finite = finite && std::isfinite(p.x[k]);
  return finite || !s.skip_nonfinite;
}

namespace detail {

struct Stored {
  double x[3] = {0, 0, 0}, a = 0;  // a: scaled radius plus extra
  std::int64_t wraps[3] = {0, 0, 0};
  bool in = false;
};

inline Stored store(const System& s, const Particle& p) {
  Stored q;
  q.in = takes_part(s, p);
  if (!q.in) return q;
  q.a = s.radius_scale * p.radius + p.extra;
  for (int k = 0; k < s.dimension; ++k) {
    q.x[k] = p.x[k];
    if (!s.periodic[k]) continue;
    const Wrapped w = wrap(p.x[k], s.lo[k], s.hi[k]);
    q.x[k] = w.inside;
    q.wraps[k] = static_cast<std::int64_t>(w.count);
  }
  return q;
}

inline bool may_pair(const System& s, std::size_t i, std::size_t j) {
  const std::int64_t owned = s.owned < 0 ? static_cast<std::int64_t>(s.particles.size()) : s.owned;
  if (static_cast<std::int64_t>(i) >= owned && static_cast<std::int64_t>(j) >= owned) return false;
  const int gi = s.particles[i].group, gj = s.particles[j].group;
  return gi < 0 || gi != gj;
}

}  // namespace detail

namespace detail {

inline std::vector<Stored> store(const System& s) {
  std::vector<Stored> stored;
  for (const Particle& p : s.particles) stored.push_back(store(s, p));
  return stored;
}

/// Adds the contacts of particles i <= j. A sum of squares is rounded upwards of each of its terms, so an axis whose square
/// alone exceeds R^2 settles the pair: that is the one short cut.
inline void append_contacts(const System& s, const std::vector<Stored>& stored, std::size_t i, std::size_t j,
                            std::vector<Contact>& found) {
  if (!stored[i].in || !stored[j].in || !may_pair(s, i, j)) return;
  const Stored &p = stored[i], &q = stored[j];
  const double distance = (p.a + q.a) + s.skin, limit = distance * distance;
  int most[3] = {0, 0, 0};
  double length[3] = {0, 0, 0};
  for (int k = 0; k < s.dimension; ++k) {
    if (!s.periodic[k]) continue;
    length[k] = s.hi[k] - s.lo[k];
    most[k] = static_cast<int>(distance / length[k]) + 2;
  }
  const auto gap = [&](int k, int m) { return (p.x[k] - q.x[k]) - m * length[k]; };
  for (int mx = -most[0]; mx <= most[0]; ++mx) {
    const double xx = gap(0, mx) * gap(0, mx);
    if (xx > limit) continue;
    for (int my = -most[1]; my <= most[1]; ++my) {
      const double yy = xx + gap(1, my) * gap(1, my);
      if (yy > limit) continue;
      for (int mz = -most[2]; mz <= most[2]; ++mz) {
        const double zz = s.dimension == 3 ? yy + gap(2, mz) * gap(2, mz) : yy;
        if (zz > limit) continue;
        const std::array<std::int64_t, 3> m = {mx + p.wraps[0] - q.wraps[0], my + p.wraps[1] - q.wraps[1],
                                               mz + p.wraps[2] - q.wraps[2]};
        if (i == j && m <= std::array<std::int64_t, 3>{0, 0, 0}) continue;
        found.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), m});
      }
    }
  }
}

}  // namespace detail

/// All contacts, sorted.
inline std::vector<Contact> contacts(const System& s) {
  const std::vector<detail::Stored> stored = detail::store(s);
  std::vector<Contact> found;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    for (std::size_t j = i; stored[i].in && j < stored.size(); ++j) detail::append_contacts(s, stored, i, j, found);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Those of a few particles, sorted, for systems that are too large for all pairs. No id twice.
inline std::vector<Contact> contacts_of(const System& s, const std::vector<std::size_t>& ids) {
  const std::vector<detail::Stored> stored = detail::store(s);
  std::vector<Contact> found;
  for (const std::size_t i : ids) {
    for (std::size_t j = 0; j < stored.size(); ++j) detail::append_contacts(s, stored, std::min(i, j), std::max(i, j), found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Each contact from both sides, sorted: what a full list and a gather hold.
inline std::vector<Contact> from_both_sides(const std::vector<Contact>& contacts) {
  std::vector<Contact> both = contacts;
  for (const Contact& c : contacts) both.push_back({c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}});
  std::sort(both.begin(), both.end());
  return both;
}

}  // namespace oracle
