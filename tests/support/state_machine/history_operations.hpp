// SPDX-License-Identifier: BSD-3-Clause
// Operations on data that follow pairs and particles from list to list: histories, arrays, orders.
#pragma once

#include <map>
#include <numeric>

#include "hgrid/loop.hpp"
#include "support/state_machine/list_operations.hpp"

namespace support::machine {

/// Returns where each contact of `now` stands in `before`, -1 for a new one: by a map.
inline std::vector<hgrid::offset_t> where_they_stood(const Contacts& before, const Contacts& now) {
  std::map<oracle::Contact, hgrid::offset_t> places;
  for (const oracle::Contact& c : before) places.emplace(c, static_cast<hgrid::offset_t>(places.size()));
  std::vector<hgrid::offset_t> from;
  for (const oracle::Contact& c : now) {
    const auto at = places.find(c);
    from.push_back(at == places.end() ? -1 : at->second);
  }
  return from;
}

template <class M, class List>
void remap_lists(M& m, const Operation& op, const List& before, const List& now) {
  auto& h = m.at(m.histories, op[list]);
  const bool alike = before.kind() == now.kind();
  const Attempt a = attempt(op[refuse], [&] { h.history.remap(before, now); });
  if (!m.settle(a, alike ? std::nullopt : std::optional(hgrid::ErrorCode::invalid_argument))) return;
  h.from = where_they_stood(as_listed(before), as_listed(now));
  h.size_before = before.size();
}

/// Between the lists of a VerletList, or any two.
template <class M>
void remap(M& m, const Operation& op) {
  if (op[kind] % 2 == 0) {
    const auto& v = *m.at(m.verlets, op[verlet]);
    remap_lists(m, op, v.list.before(), v.list.neighbours());
  } else {
    remap_lists(m, op, m.at(m.rows, op[rows]).list, m.at(m.rows, op[other]).list);
  }
}

/// An array takes the step of its history, if it has the values of the list before; then each pair gets another value.
template <class M>
void follow(M& m, const Operation& op) {
  auto& h = m.at(m.histories, op[list]);
  const bool fits = static_cast<hgrid::offset_t>(h.values.size()) == h.size_before;
  const Attempt a = attempt(op[refuse], [&] { h.array.follow(h.history); });
  if (!m.settle(a, fits ? std::nullopt : std::optional(hgrid::ErrorCode::size_mismatch))) return;
  std::vector<double> carried;
  for (const hgrid::offset_t k : h.from) carried.push_back(k < 0 ? -1 : h.values[static_cast<std::size_t>(k)]);
  h.values = carried;
  if (!std::equal(carried.begin(), carried.end(), h.array.data())) m.blame("values did not follow their pairs\n");
  for (std::size_t k = 0; k < carried.size(); ++k) h.values[k] = h.array.data()[k] = static_cast<double>(++m.stamps);
}

/// Checks the order of a grid: each id once, and ids with a slot first.
template <class M, class G>
bool check_order(M& m, const G& g) {
  const auto& order = m.reordering;
  std::vector<hgrid::index_t> ids(order.old_id(), order.old_id() + order.size());
  for (std::size_t k = 0; k < ids.size(); ++k) {
    const bool inside = ids[k] >= 0 && ids[k] < order.size();
    if (!inside || order.new_id()[ids[k]] != static_cast<hgrid::index_t>(k)) return m.blame("no permutation\n"), false;
  }
  if (order.size() != g.grid.particle_count()) return m.blame("an order of another number of particles\n"), false;
  for (hgrid::index_t slot = 0; slot < g.grid.view().slots(); ++slot) {
    if (order.old_id()[slot] != g.grid.order()[slot]) return m.blame("not the order of the slots\n"), false;
  }
  return true;
}

/// A list, the order, a build of the particles in that order, another list: no pair is lost, and history finds each.
template <class M>
void reorder(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  const hgrid::offset_t size = m.reordering.size();
  const Attempt taken = attempt(op[refuse], [&] { m.reordering.take(g.grid); });
  if (!m.settle(taken, unless_built(g.held))) {
    if (m.reordering.size() != 0 && m.reordering.size() != size) m.blame("an order that was not taken has another size\n");
    return;
  }
  if (!check_order(m, g)) return;
  const oracle::System old = g.held->system();
  oracle::System s = in_place(old, g.place, old.skin);
  if (old.owned >= 0 || !same_place(old, s)) return;  // ghosts have to stay after the others; images of another box differ
  auto before = g.grid.make_list(), after = g.grid.make_list();
  g.grid.find(before);
  m.reordering.apply(old.particles.data(), s.particles.data());
  s.excluded = oracle::renumbered(old.excluded, [&](std::int64_t id) { return m.reordering.new_id()[id]; });
  with_view<M::dimension>(s, 0, [&](const auto& view) { g.grid.build(view, {.skin = s.skin}); });
  m.took(g, s);
  g.grid.find(after);
  m.blame(g.held->judge("after reordering", as_listed(after)));
  hgrid::History<std::decay_t<decltype(m.exec)>> history(m.exec);
  history.remap(before, after, {m.reordering.old_id()});
  std::vector<bool> met(static_cast<std::size_t>(before.size()));
  for (hgrid::offset_t k = 0; k < after.size(); ++k) {
    if (history.from()[k] >= 0) met[static_cast<std::size_t>(history.from()[k])] = true;
  }
  if (std::count(met.begin(), met.end(), false) > 0) m.blame("reordering lost pairs\n");
}

}  // namespace support::machine
