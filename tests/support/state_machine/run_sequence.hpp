// SPDX-License-Identifier: BSD-3-Clause
// Runs a sequence, and looks at everything after each operation.
#pragma once

#include "hgrid/loop.hpp"
#include "support/state_machine/grid_operations.hpp"
#include "support/state_machine/history_operations.hpp"
#include "support/state_machine/list_operations.hpp"
#include "support/state_machine/loop_operations.hpp"
#include "support/state_machine/sequence_file.hpp"

namespace support::machine {

template <class M>
void apply(M& m, const Operation& op) {
  using Apply = void (*)(M&, const Operation&);
  static constexpr Apply table[] = {// in the order of Kind
                                    build<M>,    bad_build<M>, set_box<M>,    set_boxes<M>, bad_box<M>,        plan_again<M>,
                                    resize<M>,   move<M>,      grow<M>,       mark<M>,      migrate<M>,        pairs<M>,
                                    enqueue<M>,  wait<M>,      neighbours<M>, into<M>,      count_contacts<M>, visit<M>,
                                    throwing<M>, reentrant<M>, inspect<M>,    validity<M>,  query<M>,          bad_query<M>,
                                    update<M>,   force<M>,     remap<M>,      follow<M>,    reorder<M>,        move_grid<M>,
                                    renew<M>,    move_list<M>, move_rows<M>};
  table[static_cast<std::size_t>(op.what)](m, op);
}

template <class List>
std::string judge_list(const std::string& what, const List& list, const Held& held, bool full) {
  if (!held)
    return list.size() == 0 ? "" : what + ": it should be empty, and has " + std::to_string(list.size()) + " entries\n";
  return held->judge(what, as_listed(list), full);
}

template <class Exec>
std::string judge_rows(const std::string& what, const hgrid::NeighbourList<Exec>& list, const Held& held) {
  if (held && list.lists() != static_cast<hgrid::index_t>(held->system().particles.size()))
    return what + ": another number of rows\n";
  if (held && (list.offsets()[0] != 0 || list.offsets()[list.lists()] != list.size())) return what + ": rows have gaps\n";
  const Contacts listed = as_listed(list);
  if (!std::is_sorted(listed.begin(), listed.end())) return what + ": rows are not sorted\n";
  return judge_list(what, list, held, list.kind() == hgrid::ListKind::full);
}

/// Checks many particles only if `thorough`.
template <class M>
void look_at_everything(M& m, bool thorough) {
  const auto looks_at = [&](const Held& held) { return thorough || !held || held->knows_all(); };
  for (auto& g : m.grids) {
    if (looks_at(g->held)) visit_grid(m, *g, false, 0);
  }
  for (auto& p : m.pairs) {
    if (looks_at(p.held)) m.blame(judge_list("pairs", p.list, p.held, false));
  }
  for (auto& r : m.rows) {
    if (looks_at(r.held)) m.blame(judge_rows("rows", r.list, r.held));
  }
  for (auto& v : m.verlets) {
    if (!looks_at(v->held) || !looks_at(v->before)) continue;
    m.blame(judge_rows("Verlet list", v->list.neighbours(), v->held) +
            judge_rows("the one before", v->list.before(), v->before));
    const hgrid::VerletCounters& counters = v->list.counters();
    if (counters.steps != v->steps || counters.builds != v->builds) m.blame("a Verlet list has counted otherwise\n");
  }
  for (auto& h : m.histories) {
    const bool same = h.history.size() == static_cast<hgrid::offset_t>(h.from.size()) &&
                      h.history.size_before() == h.size_before && std::equal(h.from.begin(), h.from.end(), h.history.from());
    if (!same) m.blame("a history is not what a map says\n");
    if (h.array.size() != static_cast<hgrid::offset_t>(h.values.size()) ||
        !std::equal(h.values.begin(), h.values.end(), h.array.data()))
      m.blame("an array has other values\n");
  }
}

/// Empty if all is well.
template <int D, class Exec>
std::string run_sequence(const Exec& exec, const Sequence& s) {
  CallerClock::set(s.memory);
  Allocations::get().fill = s.memory;
  Machine<Exec, D> m(exec, s);
  std::string fault;
  for (std::size_t k = 0; k < s.operations.size() && fault.empty(); ++k) {
    try {
      apply(m, s.operations[k]);
      if (m.fault.empty()) look_at_everything(m, k % 5 == 0 || k + 1 == s.operations.size());
    } catch (const std::exception& e) {
      m.blame(std::string("unexpected: ") + e.what() + "\n");
    }
    if (!m.fault.empty()) fault = "operation " + std::to_string(k) + ", " + to_text(s.operations[k]) + m.fault;
  }
  Allocations::get().fill = 0;
  return fault;
}

template <class Exec>
std::string run_sequence(const Exec& exec, const Sequence& s) {
  return s.dimension == 2 ? run_sequence<2>(exec, s) : run_sequence<3>(exec, s);
}

}  // namespace support::machine
