// SPDX-License-Identifier: BSD-3-Clause
// Operations between two steps of a time loop: validity, regions, VerletLists.
#pragma once

#include "support/region_cases.hpp"
#include "support/state_machine/list_operations.hpp"

namespace support::machine {

/// Returns whether each contact of the particles as they are, without a skin, is in this list.
inline bool holds_contacts_of(oracle::System now, const Contacts& listed, bool full) {
  if (now.particles.size() > 400) return true;  // too many for all pairs
  now.skin = 0;
  const Contacts contacts = full ? oracle::from_both_sides(oracle::contacts(now)) : oracle::contacts(now);
  return std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end());
}

inline bool same_particles(const oracle::System& a, const oracle::System& b) {
  return std::equal(a.particles.begin(), a.particles.end(), b.particles.begin(), b.particles.end(),
                    [](const oracle::Particle& p, const oracle::Particle& q) {
                      return std::equal(p.x, p.x + 3, q.x) && p.radius == q.radius && p.extra == q.extra &&
                             p.group == q.group && p.active == q.active && p.world == q.world;
                    });
}

/// Returns whether place and particles are unchanged, so that a list must be called valid.
inline bool nothing_changed(const oracle::System& then, const oracle::System& now) {
  return same_place(then, now) && same_particles(then, now) && then.radius_scale == now.radius_scale &&
         then.owned == now.owned && then.worlds == now.worlds;
}

template <class M>
void validity(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  const oracle::System now = m.system_of(op, g.place, 0);
  with_view<M::dimension>(now, op[kind], [&](const auto& view) {
    bool holds = false;
    if (!m.settle(attempt(op[refuse], [&] { holds = g.grid.valid(view); }), unless_built(g.held))) return;
    if (!holds && nothing_changed(g.held->system(), now)) m.blame("called stale without a reason\n");
    if (holds && g.held->knows_all() && !holds_contacts_of(now, g.held->contacts(), false))
      m.blame("called valid, but misses a contact\n");
  });
}

template <int D>
std::vector<hgrid::Region<D>> regions_for(const oracle::System& s, std::uint64_t seed) {
  Random random(seed);
  if (s.particles.empty()) return {hgrid::Region<D>::sphere({}, 0.01)};
  return draw_regions<D>(s, random);
}

template <class M>
void query(M& m, const Operation& op) {
  constexpr int D = M::dimension;
  auto& g = m.grid_of(op);
  const auto take = (op[kind] & 1) == 0 ? hgrid::Take::touching : hgrid::Take::centres;
  const auto regions = regions_for<D>(g.held ? g.held->system() : oracle::System{}, op.seed_of());
  const auto n = static_cast<hgrid::offset_t>(regions.size());
  const hgrid::Regions asker{regions.data(), n, take};
  const Contacts expected = g.held ? in_regions<D>(g.held->system(), regions, take) : Contacts{};
  if ((op[kind] & 2) == 0) {
    const Attempt a = attempt(op[refuse], [&] { g.grid.find(g.listed, asker); });
    if (m.settle(a, unless_built(g.held))) m.blame(difference("regions listed", as_listed(g.listed), expected));
    return;
  }
  Taken taken(expected.size() + 16);
  const auto visit = [&](hgrid::index_t q, hgrid::index_t i, const hgrid::Image& image) { taken(q, i, image); };
  const Attempt a = attempt(op[refuse], [&] { g.grid.for_each_partner(visit, asker); });
  if (m.settle(a, unless_built(g.held))) m.blame(difference("regions visited", sorted(taken.contacts()), expected));
}

template <class M>
void bad_query(M& m, const Operation& op) {
  using hgrid::ErrorCode;
  constexpr int D = M::dimension;
  auto& g = m.grid_of(op);
  if (!g.held) return;
  hgrid::Region<D> regions[3] = {hgrid::Region<D>::point({}), hgrid::Region<D>::point({}), hgrid::Region<D>::point({})};
  const hgrid::Region<D>* given = regions;
  hgrid::offset_t n = 3;
  ErrorCode expected = ErrorCode::invalid_argument;
  const int which = op[kind] / 2 % 6;
  if (which == 0) regions[1].radius = -1;
  if (which == 1) regions[1].lo[0] = std::numeric_limits<double>::quiet_NaN(), expected = ErrorCode::nonfinite;
  if (which == 2) regions[1].hi[1] = -1;
  if (which == 3) regions[1].radius = 1e16, expected = ErrorCode::range_error;
  if (which == 4) n = -3, expected = ErrorCode::size_mismatch;
  if (which == 5) given = nullptr, n = 2;
  const auto nothing = [](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {};
  m.settle(attempt(0,
                   [&] {
                     if ((op[kind] & 1) == 0) {
                       g.grid.find(g.listed, hgrid::Regions<D>{given, n});
                     } else {
                       g.grid.for_each_partner(nothing, hgrid::Regions<D>{given, n}), g.grid.check();
                     }
                   }),
           expected);
}

/// Expects a build by the list: of the particles in the box of the grid, under the skin that the list reports. If it failed,
/// the grid may have been built, without a skin too, and only the list not; `generation` is the grid's earlier one.
template <class M, class V, class G>
void settle_list_build(M& m, const Attempt& a, V& v, G& g, oracle::System s, std::uint64_t generation) {
  const bool built_in_vain = a.out_of_memory() && g.grid.generation() != generation;
  s.skin = built_in_vain ? g.grid.view().skin : v.list.skin();
  if (a.done || built_in_vain) m.took(g, s);
  v.built = a.done;
  if (a.done) {
    v.before = std::exchange(v.held, g.held);
    v.stamp = g.stamp, v.good_skin = s.skin, ++v.builds;
    return;
  }
  if (v.list.before().size() == 0) v.before = nullptr;
  s.skin = v.good_skin;
  m.settle(a, refusal(s));
}

template <class M>
void update(M& m, const Operation& op) {
  using hgrid::ErrorCode;
  auto& v = *m.at(m.verlets, op[verlet]);
  auto& g = *m.at(m.grids, v.spec.grid);
  const oracle::System now = m.system_of(op, g.place, 0);
  oracle::System widened = now;
  if ((op[kind] & 8) != 0) {
    for (oracle::Particle& p : widened.particles) p.extra += op.field[by];
    if ((op[kind] & 1) != 0) widened = rounded(widened);
  }
  const bool overtaken = v.built && v.stamp != g.stamp, twice = overtaken && v.overtaken;
  v.overtaken = overtaken, ++v.steps;
  with_view<M::dimension>(now, op[kind], [&](const auto& view) {
    UserArrays<std::decay_t<decltype(*view.radius)>, M::dimension> margins(widened);
    // takes its scratch memory now, so that a refused allocation belongs to the build
    if (op[refuse] > 0 && g.held) g.grid.valid(view);
    bool rebuilt = false;
    const std::uint64_t generation = g.grid.generation();
    const Attempt a = attempt(op[refuse], [&] { rebuilt = v.list.update(view, margins.view()); });
    const bool may_be_stale = v.built && !v.spec.rebuild;
    if (twice || (overtaken && !v.spec.rebuild)) return void(m.settle(a, ErrorCode::stale));
    if (may_be_stale && a.refused && !a.done && !a.code) return;  // no memory for the message
    if (may_be_stale && a.failed_with(ErrorCode::stale)) {
      if (nothing_changed(v.held->system(), now)) m.blame("called stale without a reason\n");
      return;
    }
    if (a.done && !rebuilt) {
      if (!v.built || overtaken) return m.blame("the list is not built anew\n");
      const Contacts listed = as_listed(v.list.neighbours());
      if (v.spec.check_every == 1 && !holds_contacts_of(now, listed, v.spec.full)) m.blame("the list misses a contact\n");
      return;
    }
    if (v.spec.check_every == 1 && a.done && v.built && !overtaken && nothing_changed(v.held->system(), now)) {
      m.blame("built anew without a reason\n");
    }
    settle_list_build(m, a, v, g, widened, generation);
  });
}

template <class M>
void force(M& m, const Operation& op) {
  auto& v = *m.at(m.verlets, op[verlet]);
  auto& g = *m.at(m.grids, v.spec.grid);
  const oracle::System s = m.system_of(op, g.place, 0);
  with_view<M::dimension>(s, op[kind], [&](const auto& view) {
    const std::uint64_t generation = g.grid.generation();
    const Attempt a = attempt(op[refuse], [&] { v.list.build(view); });
    settle_list_build(m, a, v, g, s, generation);
  });
}

}  // namespace support::machine
