// SPDX-License-Identifier: BSD-3-Clause
// The calls of a time loop, on random systems, against results that share no code with the library.
#pragma once

#include <map>
#include <numeric>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "support/random_case.hpp"
#include "support/run_case.hpp"

namespace support {

/// Runs f<Real, D>() of the case's real type and dimension.
template <class F>
std::string in_types_of(const Case& c, const F& f) {
  const bool is_float = c.choice[real] == 1;
  if (c.choice[dimension] == 0) return is_float ? f.template operator()<float, 2>() : f.template operator()<double, 2>();
  return is_float ? f.template operator()<float, 3>() : f.template operator()<double, 3>();
}

/// A random case and the system some steps later.
struct Later {
  Case c;
  oracle::System now;
  bool comparable = true;  ///< equal particles, groups, worlds and periodic axes
};

inline void round_to_real(const Case& c, oracle::System& s) {
  if (c.choice[real] == 0) return;
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x = static_cast<float>(x);
    for (double& h : p.extent) h = static_cast<float>(h);
    p.radius = static_cast<float>(p.radius), p.extra = static_cast<float>(p.extra);
  }
}

/// Brings the two particles that are closest to being listed, and are not, into contact: each moves half the way.
inline void meet_halfway(oracle::System& s, Random& random) {
  double nearest = HUGE_VAL, unit[3] = {0, 0, 0};
  oracle::Particle *a = nullptr, *b = nullptr;
  for (int tries = 0; tries < 300; ++tries) {
    const int n = static_cast<int>(s.particles.size());
    oracle::Particle &p = s.particles[random.integer(0, n - 1)], &q = s.particles[random.integer(0, n - 1)];
    double d[3] = {0, 0, 0}, length = 0;
    for (int k = 0; k < s.dimension; ++k) d[k] = p.x[k] - q.x[k], length += d[k] * d[k];
    length = std::sqrt(length);
    if (p.world != q.world) continue;
    const double gap = length - (s.radius_scale * (p.radius + q.radius) + p.extra + q.extra);
    if (!(gap > s.skin) || gap > nearest || !std::isfinite(gap)) continue;
    nearest = gap, a = &p, b = &q;
    for (int k = 0; k < 3; ++k) unit[k] = d[k] / length;
  }
  if (a == nullptr) return;
  const double step = 0.5 * nearest * (1 + 1e-15);
  for (int k = 0; k < s.dimension; ++k) a->x[k] -= step * unit[k], b->x[k] += step * unit[k];
}

inline Later make_later(std::uint64_t seed) {
  Later later{make_case(seed), {}, true};
  Random random(seed + 1000003);
  oracle::System& s = later.now = later.c.system;
  const int kind = random.integer(0, 7);
  const double step = 0.5 * s.skin * (kind == 0 ? 0 : random.chance(0.5) ? 0.999 : random.real(0, 1.3));
  for (oracle::Particle& p : s.particles) {
    if (kind == 1) p.x[random.integer(0, s.dimension - 1)] += random.sign() * step;
    if (kind == 2) {
      for (double& h : p.extent) h += random.real(0, 0.5) * step / s.radius_scale;
    }
    if (kind == 2) p.radius += random.real(0, 0.5) * step / s.radius_scale, p.x[0] += random.real(-0.5, 0.5) * step;
    if (kind == 3) p.extra = std::fmax(0, p.extra - 0.1 * step), p.x[1] += step;
  }
  const int who = random.integer(0, static_cast<int>(s.particles.size()) - 1), axis = random.integer(0, s.dimension - 1);
  if (kind == 4) meet_halfway(s, random);
  oracle::Domain& box = s.boxes.empty() ? s : s.boxes[static_cast<std::size_t>(s.particles[who].world)];
  if (kind == 5 && box.periodic[axis]) {
    if (random.chance(0.3)) {
      move_along(box, axis, box.hi[axis] - box.lo[axis], s.particles[who].x);
    } else if (random.chance(0.5) && box.periodic[1]) {
      box.tilt[0] += random.sign() * random.real(0, 0.6) * s.skin;
    } else {
      box.hi[axis] -= std::fmin(0.2 * (box.hi[axis] - box.lo[axis]), random.real(0, 1.5) * s.skin);
    }
  }
  if (kind == 6) {
    s.particles[who].active = !s.particles[who].active;
    later.comparable = oracle::takes_part(s, s.particles[who]) == oracle::takes_part(s, later.c.system.particles[who]);
  }
  if (kind == 7 && s.particles[who].group >= 0) {
    s.particles[who].group += 1000000;
    later.comparable = !oracle::takes_part(s, s.particles[who]);
  } else if (kind == 7 && s.worlds > 1) {
    s.particles[who].world = (s.particles[who].world + 1) % s.worlds;
    later.comparable = !oracle::takes_part(s, s.particles[who]);
  }
  round_to_real(later.c, s);
  return later;
}

/// The largest distance moved plus growth, of particles in use, by other arithmetic; user-wrapped coordinates count.
inline long double excess_of(const oracle::System& then, const oracle::System& now) {
  long double worst = -HUGE_VALL;
  for (std::size_t i = 0; i < then.particles.size(); ++i) {
    const oracle::Particle &p = then.particles[i], &q = now.particles[i];
    if (!oracle::takes_part(then, p)) continue;
    long double squared = 0;
    for (int k = 0; k < then.dimension; ++k) squared += ((long double)q.x[k] - p.x[k]) * ((long double)q.x[k] - p.x[k]);
    long double larger = then.extended ? -HUGE_VALL : (long double)q.radius - p.radius;
    for (int k = 0; k < then.dimension && then.extended; ++k) larger = std::max(larger, (long double)q.extent[k] - p.extent[k]);
    long double grown = (long double)then.radius_scale * larger + q.extra - p.extra;
    if ((then.rule != oracle::Rule::sum || then.types > 0) && squared > 0) grown = std::max(grown, 0.0L);
    worst = std::max(worst, std::sqrt(squared) + grown);
  }
  return worst;
}

inline bool same_verdict(const hgrid::Validity& a, const hgrid::Validity& b) {
  return a.excess == b.excess && a.dirty == b.dirty && a.changed == b.changed && a.present == b.present && a.first == b.first &&
         a.value == b.value && a.expected == b.expected && a.comparable == b.comparable && a.holds() == b.holds();
}

/// Expects that valid lists hold all later contacts, judged by the slots of the build or by ids, and that lists are called
/// invalid only for a reason. Returns the fault.
template <class Real, int D, class Exec>
std::string check_validity(const Exec& exec, const Later& later, int& valid_ones) {
  const oracle::System& then = later.c.system;
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, then, options_of(later.c));
  const UserArrays<Real, D> first(then, later.c.choice[layout]), second(later.now);
  grid.build(first.view(), {.skin = then.skin});
  const Contacts listed = listed_of(grid);
  hgrid::detail::RememberedBuild<Exec, D> kept(exec);
  kept.reserve(first.view(), grid.view());
  kept.take(first.view(), grid.view());
  grid.set_box(box_of<D>(later.now));
  grid.set_boxes(boxes_of<D>(later.now));
  const hgrid::Validity validity = grid.validity(second.view());
  if (!same_verdict(validity, grid.validity(second.view(), kept.particles()))) return "judged otherwise by ids\n";
  oracle::System touching = later.now;
  touching.skin = 0;
  const Contacts contacts = listed_in(touching);
  if (validity.holds()) {
    ++valid_ones;
    const bool all = std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end());
    return all && later.comparable ? "" : "called valid, but a contact is not listed\n";
  }
  double coordinates = 0, largest = 0;
  bool same_box = grid.boxes() == boxes_of<D>(then);
  for (int k = 0; k < D; ++k) same_box = same_box && then.hi[k] == later.now.hi[k] && then.tilt[k] == later.now.tilt[k];
  for (const oracle::Particle& p : then.particles) {
    if (!oracle::takes_part(then, p)) continue;
    largest = std::fmax(largest, then.radius_scale * p.radius + p.extra);
    const oracle::Domain& box = oracle::domain_of(then, p);
    for (int k = 0; k < D; ++k)
      coordinates = std::fmax(coordinates, std::fabs(p.x[k]) + std::fabs(box.lo[k]) + std::fabs(box.hi[k]));
  }
  const double slack = (coordinates + largest + then.skin) * 1e-12 + 1e-140;
  const long double excess = excess_of(then, later.now);
  const bool harmless = later.comparable && same_box && (excess <= 0.5 * then.skin - slack);
  return harmless ? "called stale without a reason\n" : "";
}

/// The place of each pair of a list, by identity.
template <class List>
std::map<oracle::Contact, hgrid::offset_t> places(const List& list) {
  std::map<oracle::Contact, hgrid::offset_t> map;
  for (const oracle::Contact& c : as_listed(list)) map.emplace(c, static_cast<hgrid::offset_t>(map.size()));
  return map;  // rows are sorted, so the map has the order of the list
}

/// A later system: some of the old particles in another order, some wrapped, and new ones.
struct Renumbered {
  oracle::System system;
  std::vector<hgrid::index_t> old_id;
  std::vector<hgrid::Image> periods;
};

inline Renumbered renumber(const oracle::System& s, Random& random, bool shuffle) {
  Renumbered r{s, {}, {}};
  std::vector<hgrid::index_t> ids(s.particles.size());
  std::iota(ids.begin(), ids.end(), 0);
  for (std::size_t i = ids.size(); shuffle && i > 1; --i)
    std::swap(ids[i - 1], ids[random.integer(0, static_cast<int>(i) - 1)]);
  r.system.particles.clear();
  r.system.owned = -1;
  for (const hgrid::index_t old : ids) {
    if (random.chance(0.1)) continue;
    oracle::Particle p = s.particles[old];
    hgrid::Image periods{};
    const oracle::Domain& box = oracle::domain_of(s, p);
    for (int k = 0; k < s.dimension; ++k) {
      if (!box.periodic[k] || !random.chance(0.3)) continue;
      periods.m[k] = random.integer(-2, 2);
      move_along(box, k, -periods.m[k] * (box.hi[k] - box.lo[k]), p.x);
    }
    r.system.particles.push_back(p), r.old_id.push_back(old), r.periods.push_back(periods);
    if (!random.chance(0.1)) continue;
    p.x[0] += random.real(-1, 1) * p.radius;
    r.system.particles.push_back(p), r.old_id.push_back(-1), r.periods.push_back({});
  }
  std::vector<hgrid::index_t> new_id(s.particles.size(), -1);
  for (std::size_t i = 0; i < r.old_id.size(); ++i) {
    if (r.old_id[i] >= 0) new_id[static_cast<std::size_t>(r.old_id[i])] = static_cast<hgrid::index_t>(i);
  }
  r.system.excluded = oracle::renumbered(s.excluded, [&](std::int64_t id) { return new_id[static_cast<std::size_t>(id)]; });
  return r;
}

/// Runs f<Entry>() for lists of some kind of entries, packed ones where images fit.
template <int D, class F>
std::string with_some_entries(const Case& c, const F& f) {
  const bool fits = hgrid::detail::fits_packed(box_of<D>(c.system), boxes_of<D>(c.system));
  if (fits && c.seed % 3 == 0) return f.template operator()<hgrid::PackedNeighbour>();
  return f.template operator()<hgrid::index_t>();
}

/// History against a map by identity.
template <int D, class Entry, class Exec>
std::string check_history(const Exec& exec, const Case& c, bool shuffle) {
  Random random(c.seed + 77);
  const Renumbered later = renumber(c.system, random, shuffle);
  const bool half = random.chance(0.5) && c.system.rule != oracle::Rule::gather;
  const auto kind = half ? hgrid::ListKind::half : hgrid::ListKind::full;
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  hgrid::NeighbourList<Exec, Entry> before(exec, kind), now(exec, kind);
  grid.build(UserArrays<double, D>(c.system).view(), {.skin = c.system.skin});
  grid.find(before);
  grid.build(UserArrays<double, D>(later.system).view(), {.skin = c.system.skin});
  grid.find(now);
  hgrid::History<Exec> history(exec);
  history.remap(before, now, {later.old_id.data(), later.periods.data()});
  const auto places_before = places(before);
  hgrid::offset_t k = 0;
  for (const oracle::Contact& pair : as_listed(now)) {
    const std::int64_t i = later.old_id[pair.i], j = later.old_id[pair.j];
    oracle::Contact old{i, j, pair.m};
    for (int a = 0; a < 3; ++a) old.m[a] += later.periods[pair.i].m[a] - later.periods[pair.j].m[a];
    const bool mirror = kind == hgrid::ListKind::half && i > j;
    if (mirror) old = {j, i, {-old.m[0], -old.m[1], -old.m[2]}};
    const auto at = i < 0 || j < 0 ? places_before.end() : places_before.find(old);
    const hgrid::offset_t expected = at == places_before.end() ? -1 : at->second;
    if (history.from()[k] != expected) return "pair " + std::to_string(k) + " is not where a map finds it\n";
    if (expected >= 0 && history.mirrored()[k] != mirror) return "pair " + std::to_string(k) + " is on the wrong side\n";
    ++k;
  }
  return history.size() == k ? "" : "history is of another size\n";
}

template <int D, class Exec>
std::string check_history(const Exec& exec, const Case& c, bool shuffle) {
  return with_some_entries<D>(c, [&]<class Entry>() { return check_history<D, Entry>(exec, c, shuffle); });
}

/// Merges two lists with unchanged ids, of two skins of one set of particles.
template <int D, class Entry, class Exec>
std::string check_merge(const Exec& exec, const Case& c) {
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  const auto kind = c.system.rule == oracle::Rule::gather ? hgrid::ListKind::full : hgrid::ListKind::half;
  hgrid::NeighbourList<Exec, Entry> before(exec, kind), now(exec, kind);
  const UserArrays<double, D> arrays(c.system);
  oracle::System moved = c.system;
  Random random(c.seed + 5);
  for (oracle::Particle& p : moved.particles) p.x[0] += random.real(-0.5, 0.5) * p.radius;
  grid.build(arrays.view(), {.skin = c.system.skin});
  grid.find(before);
  grid.build(UserArrays<double, D>(moved).view());
  grid.find(now);
  hgrid::History<Exec> history(exec);
  history.remap(before, now);
  const auto places_before = places(before);
  hgrid::offset_t k = 0;
  for (const oracle::Contact& pair : as_listed(now)) {
    const auto at = places_before.find(pair);
    if (history.from()[k++] != (at == places_before.end() ? -1 : at->second)) return "the merge lost a pair\n";
  }
  return history.mirrored() == nullptr && history.size() == k ? "" : "history is of another size\n";
}

template <int D, class Exec>
std::string check_merge(const Exec& exec, const Case& c) {
  return with_some_entries<D>(c, [&]<class Entry>() { return check_merge<D, Entry>(exec, c); });
}

}  // namespace support
