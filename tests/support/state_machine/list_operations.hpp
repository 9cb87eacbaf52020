// SPDX-License-Identifier: BSD-3-Clause
// Operations that query a grid for its contacts, into lists that grids share, into memory, or by functors.
#pragma once

#include <atomic>

#include "support/state_machine/machine.hpp"

namespace support::machine {

inline std::optional<hgrid::ErrorCode> unless_built(const Held& held) {
  return held ? std::nullopt : std::optional(hgrid::ErrorCode::not_built);
}

/// Checks a list that should have been filled: it holds the contacts of `held`. After lack of memory it holds nothing or its
/// earlier contacts.
template <class M, class State>
void settle_list(M& m, const Attempt& a, State& state, const Held& held) {
  if (m.settle(a, unless_built(held))) {
    state.held = held;
  } else if (state.list.size() == 0 && a.out_of_memory()) {
    state.held = nullptr;
  }
}

template <class M>
void pairs(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  auto& state = m.at(m.pairs, op[list]);
  const auto order = static_cast<hgrid::Order>(op[kind] % 3);
  const Attempt a = attempt(op[refuse], [&] { g.grid.find(state.list, {.order = order}); });
  settle_list(m, a, state, g.held);
  if (!a.done || order != hgrid::Order::sorted) return;
  const Contacts listed = as_listed(state.list);
  if (!std::is_sorted(listed.begin(), listed.end())) m.blame("a sorted list is not\n");
}

/// Enqueues a list, which is there after a wait; until then it is empty.
template <class M>
void enqueue(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  auto& state = m.at(m.pairs, op[list]);
  const Attempt a = attempt(op[refuse], [&] { g.grid.enqueue(state.list); });
  if (m.settle(a, unless_built(g.held)) || state.list.size() == 0) state.held = nullptr;
}

/// Fills a list after any enqueued work: it is then the list of the grid as it is.
template <class M>
void wait(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  auto& state = m.at(m.pairs, op[list]);
  settle_list(m, attempt(op[refuse], [&] { g.grid.wait(state.list); }), state, g.held);
}

template <class M>
void neighbours(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  auto& state = m.at(m.rows, op[rows]);
  settle_list(m, attempt(op[refuse], [&] { g.grid.find(state.list); }), state, g.held);
}

template <class M>
void count_contacts(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  hgrid::offset_t n = 0;
  if (m.settle(attempt(op[refuse], [&] { n = g.grid.count(); }), unless_built(g.held))) {
    m.blame(g.held->judge_count("count", static_cast<std::size_t>(n)));
  }
}

/// The user's own memory: enough, too little, or none.
template <class M>
void into(M& m, const Operation& op) {
  using hgrid::ErrorCode;
  auto& g = m.grid_of(op);
  const std::size_t n = g.held ? static_cast<std::size_t>(g.grid.count()) : 0;
  const bool too_little = op[kind] % 4 == 2 && n > 0, none = op[kind] % 4 == 3 && n > 0;
  std::vector<std::uint32_t> ids(2 * n + 2, 77u);
  std::vector<hgrid::Image> images(n + 1, hgrid::Image{{77, 77, 77}});
  hgrid::PairColumns<std::uint32_t> out{ids.data(), ids.data() + 1, 2, images.data(), static_cast<hgrid::offset_t>(n)};
  if (too_little) out.size = static_cast<hgrid::offset_t>(n) - 1;
  if (none) out.second = nullptr;
  const Attempt a = attempt(op[refuse], [&] { g.grid.find(out); });
  std::optional<ErrorCode> expected = unless_built(g.held);
  if (too_little) expected = ErrorCode::capacity;
  if (none) expected = ErrorCode::invalid_argument;
  const bool done = m.settle(a, expected);
  if (ids[2 * n] != 77 || images[n].m[0] != 77 || (!a.done && ids[0] != 77)) m.blame("it wrote where it may not\n");
  if (!done) return;
  Contacts got;
  for (std::size_t k = 0; k < n; ++k) got.push_back(contact(ids[2 * k], ids[2 * k + 1], &images[k]));
  m.blame(g.held->judge("into own memory", got));
}

/// Takes contacts from any thread, into memory that is there before.
struct Taken {
  Contacts room;
  std::atomic<std::size_t> n{0};

  explicit Taken(std::size_t most) : room(most) {}
  void operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) {
    const std::size_t k = n++;
    if (k < room.size()) room[k] = contact(i, j, &image);
  }
  Contacts contacts() const {
    Contacts taken(room.begin(), room.begin() + static_cast<std::ptrdiff_t>(std::min(n.load(), room.size())));
    if (n > room.size()) taken.resize(n, {-1, -1, {0, 0, 0}});
    return taken;
  }
};

/// Visits contacts by a functor: once each, or from both sides.
template <class M, class State>
void visit_grid(M& m, State& g, bool both, int refused) {
  const std::size_t n = !g.held               ? 0
                        : g.held->knows_all() ? g.held->contacts().size()
                                              : static_cast<std::size_t>(g.grid.count());
  Taken taken(2 * n + 16);
  const auto take = [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image& image) { taken(i, j, image); };
  const Attempt a = attempt(refused, [&] {
    if (both) {
      std::as_const(g.grid).for_each_partner(take);
    } else {
      std::as_const(g.grid).for_each_contact(take);
    }
  });
  if (m.settle(a, unless_built(g.held))) m.blame(g.held->judge("functor", taken.contacts(), both));
}

template <class M>
void visit(M& m, const Operation& op) {
  visit_grid(m, m.grid_of(op), (op[kind] & 1) != 0, op[refuse]);
}

/// A functor that throws at its n-th call: just that comes out, if there are so many.
template <class M>
void throwing(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  if (!g.held) return;
  std::atomic<int> calls{0}, thrown{0};
  const auto f = [&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {
    if (calls++ == op[place] % 8) ++thrown, throw std::runtime_error("planted");
  };
  const Attempt a = attempt(0, [&] {
    if ((op[kind] & 1) != 0) {
      g.grid.for_each_partner(f);
    } else {
      g.grid.for_each_contact(f);
    }
  });
  if (a.done != (thrown == 0) || (!a.done && a.what != "planted"))
    m.blame("what a functor threw did not arrive: " + a.what + "\n");
}

/// A functor that builds the grid that calls it.
template <class M>
void reentrant(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  if (!g.held) return;
  const oracle::System s = m.system_of(op, g.place, 0);
  with_view<M::dimension>(s, op[kind], [&](const auto& view) {
    std::atomic<int> calls{0};
    const auto f = [&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++calls, g.grid.build(view); };
    const Attempt a = attempt(0, [&] { g.grid.for_each_contact(f); });
    m.settle(a, calls > 0 ? std::optional(hgrid::ErrorCode::reentrancy) : std::nullopt);
  });
}

/// A list that has moved away is empty, and may be filled again.
template <class M, class States>
void move_state(M& m, States& states, int to, int from) {
  auto &target = m.at(states, to), &source = m.at(states, from);
  if (&target == &source) return;
  target.list = std::move(source.list);
  target.held = std::exchange(source.held, nullptr);
}

template <class M>
void move_list(M& m, const Operation& op) {
  move_state(m, m.pairs, op[list], op[other]);
}

/// Only among lists of one kind.
template <class M>
void move_rows(M& m, const Operation& op) {
  move_state(m, m.rows, op[rows], (op[rows] + 2) % row_lists);
}

}  // namespace support::machine
