// SPDX-License-Identifier: BSD-3-Clause
// The answer by all pairs, written from the contract and from nothing else: it shares no line with the
// library.
#pragma once

#include <algorithm>
#include <cmath>

#include "support/oracle_system.hpp"

namespace oracle {

struct Wrapped {
  double inside, count;
};

// Returns a coordinate inside bit for bit. Otherwise returns the double nearest to x - k L, where x lies in period k; a result
// that rounds onto the upper face is the lower face of the next period.
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

/// A position along the axes of the box, each sum from the left, and one in the user's frame from there.
inline std::array<double, 3> along_axes(const Domain& s, const double* x) {
  std::array<double, 3> y{};
  for (int k = 0; k < s.dimension; ++k) {
    const double flat = s.axes[k][0] * x[0] + s.axes[k][1] * x[1];
    y[static_cast<std::size_t>(k)] = s.dimension == 2 ? flat : flat + s.axes[k][2] * x[2];
  }
  return y;
}

inline std::array<double, 3> from_axes(const Domain& s, const double* y) {
  std::array<double, 3> x{};
  for (int j = 0; j < s.dimension; ++j) {
    for (int k = 0; k < s.dimension; ++k) x[static_cast<std::size_t>(j)] += s.axes[k][j] * y[k];
  }
  return x;
}

inline const Domain& domain_of(const System& s, const Particle& p) {
  return s.boxes.empty() ? s : s.boxes[static_cast<std::size_t>(p.world)];
}

inline bool takes_part(const System& s, const Particle& p) {
  if (!p.active) return false;
  bool finite = (s.extended || std::isfinite(p.radius)) && std::isfinite(p.extra);
  for (int k = 0; k < s.dimension; ++k) finite = finite && std::isfinite(p.x[k]) && (!s.extended || std::isfinite(p.extent[k]));
  return finite || !s.skip_nonfinite;
}

namespace detail {

/// The vectors of the box with tilts of at most half a period: component k of vector j is at[j][k]. Vector j as it was given is
/// this one and `more[j][k]` of each vector k before it.
struct Lattice {
  const Domain* domain;
  double at[3][3] = {};
  std::int64_t more[3][3] = {};
};

inline Lattice lattice(const Domain& s) {
  Lattice l{.domain = &s};
  const int place[3][3] = {{}, {0}, {1, 2}};
  for (int j = 0; j < s.dimension; ++j) {
    if (!s.periodic[j]) continue;
    l.at[j][j] = s.hi[j] - s.lo[j];
    for (int k = 0; k < j; ++k) l.at[j][k] = s.tilt[place[j][k]];
    for (int k = j - 1; k >= 0; --k) {
      if (!s.periodic[k]) continue;
      const double n = std::nearbyint(l.at[j][k] / l.at[k][k]);
      for (int i = k; i >= 0; --i) l.at[j][i] = std::fma(-n, l.at[k][i], l.at[j][i]);
      l.more[j][k] = static_cast<std::int64_t>(n);
    }
  }
  return l;
}

/// Returns the numbers of the vectors as they were given, from the numbers of the other vectors.
inline std::array<std::int64_t, 3> as_given(const Lattice& l, std::array<std::int64_t, 3> m) {
  m[1] -= l.more[2][1] * m[2];
  m[0] -= l.more[1][0] * m[1] + l.more[2][0] * m[2];
  return m;
}

struct Stored {
  double x[3] = {0, 0, 0}, a = 0;                 // a: scaled radius plus extra
  double h[3] = {0, 0, 0};                        // sum of half extents
  std::array<std::int64_t, 3> wraps = {0, 0, 0};  // for the vectors with small tilts
  bool in = false;
};

inline Stored store(const System& s, const Lattice& l, const Particle& p) {
  Stored q;
  q.in = takes_part(s, p);
  if (!q.in) return q;
  q.a = s.radius_scale * p.radius + p.extra;
  for (int k = 0; k < s.dimension; ++k) q.h[k] = s.radius_scale * p.extent[k] + p.extra;
  const Domain& box = *l.domain;
  for (int k = 0; k < s.dimension; ++k) q.x[k] = p.x[k];
  if (box.turned && (box.periodic[0] || box.periodic[1] || box.periodic[2])) std::ranges::copy(along_axes(box, p.x), q.x);
  for (int j = s.dimension - 1; j >= 0; --j) {
    if (!box.periodic[j]) continue;
    const Wrapped w = wrap(q.x[j], box.lo[j], box.hi[j]);
    q.x[j] = w.inside;
    q.wraps[j] = static_cast<std::int64_t>(w.count);
    for (int k = 0; k < j && w.count != 0; ++k) q.x[k] = std::fma(-w.count, l.at[j][k], q.x[k]);
  }
  return q;
}

inline bool may_pair(const System& s, std::size_t i, std::size_t j) {
  const std::int64_t owned = s.owned < 0 ? static_cast<std::int64_t>(s.particles.size()) : s.owned;
  const auto a = static_cast<std::int64_t>(i), b = static_cast<std::int64_t>(j);
  if (a >= owned && b >= owned) return false;
  if (s.worlds > 0 && s.particles[i].world != s.particles[j].world) return false;
  if (s.excluded.contains({a, b}) || s.excluded.contains({b, a})) return false;
  const int gi = s.particles[i].group, gj = s.particles[j].group;
  return gi < 0 || gi != gj;
}

}  // namespace detail

namespace detail {

/// The lattice of each world, or one for all.
class Lattices {
 public:
  explicit Lattices(const System& s) : s_(s), shared_(lattice(s)) {
    for (const Domain& box : s.boxes) each_.push_back(lattice(box));
  }
  const Lattice& of(const Particle& p) const { return each_.empty() ? shared_ : each_[static_cast<std::size_t>(p.world)]; }
  std::vector<Stored> store_all() const {
    std::vector<Stored> stored;
    for (const Particle& p : s_.particles) stored.push_back(store(s_, of(p), p));
    return stored;
  }

 private:
  const System& s_;
  Lattice shared_;
  std::vector<Lattice> each_;
};

/// The distance at which i and j are in contact, a being their interaction distances: in a gather from either side; negative
/// where they never are.
inline double contact_distance(const System& s, const Particle& i, const Particle& j, double a_i, double a_j) {
  if (s.types > 0) {
    const double cutoff = s.cutoffs[static_cast<std::size_t>(i.type * s.types + j.type)];
    return cutoff > 0 ? cutoff + s.skin : -1;
  }
  return (s.rule == Rule::sum ? a_i + a_j : a_i < a_j ? a_j : a_i) + s.skin;
}

/// Adds the images of particles i and j within a distance; if i = j, one of each two. A sum of squares is rounded upwards of
/// each of its terms, so an axis whose square alone exceeds R^2 settles the pair: this is the one short cut. Boxes are judged
/// axis by axis.
inline void append_within(const System& s, const Lattice& l, const std::vector<Stored>& stored, std::size_t i, std::size_t j,
                          double distance, std::vector<Contact>& found) {
  if (!stored[i].in || !stored[j].in || !may_pair(s, i, j)) return;
  const Stored &p = stored[i], &q = stored[j];
  const double limit = distance * distance;
  const auto reach = [&](int k) { return s.extended ? (p.h[k] + q.h[k]) + s.skin : distance; };
  const auto is_beyond = [&](int k, double gap) { return s.extended ? std::fabs(gap) > reach(k) : gap * gap > limit; };
  // A vector moves an image along its own axis and earlier ones, so the last axis comes first. Terms are added in the order of
  // the vectors.
  const auto gap = [&](int k, const std::array<std::int64_t, 3>& m) {
    double by = m[k] * l.at[k][k];
    for (int v = k + 1; v < s.dimension; ++v) by += m[v] * l.at[v][k];
    return (p.x[k] - q.x[k]) - by;
  };
  std::array<std::int64_t, 3> first = {0, 0, 0}, last = {0, 0, 0}, m = {0, 0, 0};
  const auto find_span = [&](int k) {  // a superset of the images in reach
    m[k] = 0;
    if (!l.domain->periodic[k]) return;
    const double apart = gap(k, m), period = l.at[k][k];
    first[k] = static_cast<std::int64_t>(std::floor((apart - reach(k)) / period)) - 1;
    last[k] = static_cast<std::int64_t>(std::ceil((apart + reach(k)) / period)) + 1;
  };
  find_span(2);
  for (std::int64_t mz = first[2]; mz <= last[2]; ++mz) {
    m[2] = mz;
    const double z = s.dimension == 3 ? gap(2, m) : 0, zz = z * z;
    if (s.dimension == 3 && is_beyond(2, z)) continue;
    find_span(1);
    for (std::int64_t my = first[1]; my <= last[1]; ++my) {
      m[1] = my;
      const double y = gap(1, m), yy = y * y;
      if (is_beyond(1, y)) continue;
      find_span(0);
      for (std::int64_t mx = first[0]; mx <= last[0]; ++mx) {
        m[0] = mx;
        const double x = gap(0, m), flat = x * x + yy;
        if (s.extended ? is_beyond(0, x) : (s.dimension == 3 ? flat + zz : flat) > limit) continue;
        const std::array<std::int64_t, 3> image =
            as_given(l, {mx + p.wraps[0] - q.wraps[0], my + p.wraps[1] - q.wraps[1], mz + p.wraps[2] - q.wraps[2]});
        if (i == j && image <= std::array<std::int64_t, 3>{0, 0, 0}) continue;
        found.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), image});
      }
    }
  }
}

inline void append_contacts(const System& s, const Lattices& l, const std::vector<Stored>& stored, std::size_t i, std::size_t j,
                            std::vector<Contact>& found) {
  const double distance = contact_distance(s, s.particles[i], s.particles[j], stored[i].a, stored[j].a);
  if (distance >= 0) append_within(s, l.of(s.particles[i]), stored, i, j, distance, found);
}

}  // namespace detail

/// All contacts, sorted.
inline std::vector<Contact> contacts(const System& s) {
  const detail::Lattices lattices(s);
  const std::vector<detail::Stored> stored = lattices.store_all();
  std::vector<Contact> found;
  for (std::size_t i = 0; i < stored.size(); ++i) {
    for (std::size_t j = i; stored[i].in && j < stored.size(); ++j) detail::append_contacts(s, lattices, stored, i, j, found);
  }
  std::sort(found.begin(), found.end());
  return found;
}

/// Returns the contacts of a few particles, sorted, for systems that are too large for all pairs. No id twice.
inline std::vector<Contact> contacts_of(const System& s, const std::vector<std::size_t>& ids) {
  const detail::Lattices lattices(s);
  const std::vector<detail::Stored> stored = lattices.store_all();
  std::vector<Contact> found;
  for (const std::size_t i : ids) {
    for (std::size_t j = 0; j < stored.size(); ++j)
      detail::append_contacts(s, lattices, stored, std::min(i, j), std::max(i, j), found);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

/// Returns each contact from both sides, sorted: the contents of a full list.
inline std::vector<Contact> from_both_sides(const std::vector<Contact>& contacts) {
  std::vector<Contact> both = contacts;
  for (const Contact& c : contacts) both.push_back({c.j, c.i, {-c.m[0], -c.m[1], -c.m[2]}});
  std::sort(both.begin(), both.end());
  return both;
}

/// Returns the neighbors of all particles, sorted: j as a neighbor of i.
inline std::vector<Contact> neighbours(const System& s) {
  if (s.rule != Rule::gather) return from_both_sides(contacts(s));
  const detail::Lattices lattices(s);
  const std::vector<detail::Stored> stored = lattices.store_all();
  std::vector<Contact> found, own;  // own: images of one particle, from one side
  for (std::size_t i = 0; i < stored.size(); ++i) {
    const double distance = stored[i].a + s.skin;
    for (std::size_t j = 0; j < stored.size(); ++j) {
      detail::append_within(s, lattices.of(s.particles[i]), stored, i, j, distance, i == j ? own : found);
    }
  }
  own = from_both_sides(own);
  found.insert(found.end(), own.begin(), own.end());
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace oracle
