// SPDX-License-Identifier: BSD-3-Clause
// The search, written once: for one particle the runs of candidates on each level and image, the candidates that are partners,
// and which partners make each pair appear once. All code that lists, counts or visits contacts is a loop over slots around
// these functions; users' kernels may call the last two.
#pragma once

#include "hgrid/core/contact.hpp"
#include "hgrid/core/near_runs.hpp"
#include "hgrid/core/query.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Calls f(begin, end, shift) for the runs of slots on level j that a query covers; runs may be empty. If boxes over slots cost
/// less than many runs, all slots of the level are one run.
template <int D, class Certain, class F>
HGRID_HD void for_each_run_of_query(const GridView<D, Certain>& g, int j, const Query<D>& query, F&& f) {
  if constexpr (takes_items_in_turn()) {  // on hosts
    if (g.boxes.heights > 0) {
      const SlotRun there = g.slots_on(j, query.world);
      const bool level = query.scans_level || query.runs > runs_worth_asking(g, there.end - there.begin);
      if (level) return f(query.from > there.begin ? query.from : there.begin, there.end, query.shift);
    }
  }
  index_t hint = 0;
  for (index_t i = 0; i < query.runs; ++i) {
    const SlotRun run = run_of_query(g, j, query, i, hint);
    f(run.begin, run.end, query.shift);
  }
}

/// Calls f(begin, end, shift) for each run of slots on level j that may hold partners of slot p. With Visit::once, runs are cut
/// so that every unordered pair is a candidate of one side only. A run may be empty (begin >= end): it still counts as a row.
template <Visit visit, int D, class Certain, class F>
HGRID_HD void for_each_run(const GridView<D, Certain>& g, index_t p, int own_level, int j, F&& f) {
  for_each_query<visit>(g, p, own_level, j, [&](const Query<D>& query) {
    if constexpr (takes_items_in_turn()) {
      if (g.boxes.heights > 0) return for_each_run_of_query(g, j, query, NearRuns<D, Certain, F>{g, g, p, f});
    }
    for_each_run_of_query(g, j, query, f);
  });
}

/// Calls f(begin, end, shift) for the candidate runs of slot p on every level that the visit and the grid's direction call for.
/// Once, Top-Down: own level and finer ones; once, Bottom-Up: own and coarser ones.
template <Visit visit, int D, class Certain, class F>
HGRID_HD void for_each_candidate_run(const GridView<D, Certain>& g, index_t p, F&& f) {
  const int own = g.level_of_slot(p);
  const bool down = visit == Visit::all || g.direction == Direction::top_down;
  const bool up = visit == Visit::all || g.direction == Direction::bottom_up;
  for (int j = down ? 0 : own; j < (up ? g.level_count : own + 1); ++j) for_each_run<visit>(g, p, own, j, f);
}

/// Calls f(q, shift) for the partners of slot p; q is a slot.
template <Visit visit, int D, class Certain, class F>
HGRID_HD void for_each_partner_slot(const GridView<D, Certain>& g, index_t p, F&& f) {
  for_each_candidate_run<visit>(g, p, [&](index_t begin, index_t end, const Shift<D>& shift) {
    const bool in_place = lexicographic_sign(shift.m) == 0;
    for (index_t q = begin; q < end; ++q) {
      if (q == p && in_place) continue;  // a particle is not a partner of itself
      if (in_contact(g, p, q, shift) && reports(g, p, q, shift)) f(q, shift);
    }
  });
}

/// Calls f(i, j, image) for touching slots p and q, in the orientation of contract C3.
template <int D, class Certain, class F>
HGRID_HD void report_contact(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift, F&& f) {
  const index_t i = g.id[p], j = g.id[q];
  const Image image = user_image(g, p, q, shift);
  const bool in_order = is_oriented(i, j, image);  // f is called in one place, because its copies would be inlined
  f(in_order ? i : j, in_order ? j : i, in_order ? image : -image);
}

/// Calls f(i, j, image) for the slot q that touches p, if particle i of slot p has it as a neighbor.
template <int D, class Certain, class F>
HGRID_HD void report_partner(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift, F&& f) {
  if (has_neighbour(g, p, q, shift)) f(g.id[p], g.id[q], user_image(g, p, q, shift));
}

/// Calls f(i, j, image) like `report_contact`, for pairs from which lists are made. If i is not a neighbor of j, f gets j
/// marked (core/contact.hpp), and either id may be the smaller.
template <int D, class Certain, class F>
HGRID_HD void report_listed(const GridView<D, Certain>& g, index_t p, index_t q, const Shift<D>& shift, F&& f) {
  const double a = g.radius[p], b = g.radius[q];
  if (!g.is_one_sided() || are_within(g, p, q, shift, add_rn(a < b ? a : b, g.skin))) return report_contact(g, p, q, shift, f);
  const Image image = user_image(g, p, q, shift);
  if (a < b) {
    f(g.id[q], marked(g.id[p]), -image);
  } else {
    f(g.id[p], marked(g.id[q]), image);
  }
}

}  // namespace detail

/// Calls f(i, j, image) for every contact that the search of slot p finds. Over all slots each contact appears once, with i <
/// j, or i == j and a lexicographically positive image (contract C3). Under `Rule::gather` these are the pairs in which at
/// least one is a neighbor of the other.
template <int D, class Certain, class F>
HGRID_HD void for_each_contact(const GridView<D, Certain>& g, index_t p, F&& f) {
  detail::for_each_partner_slot<detail::Visit::once>(
      g, p, [&](index_t q, const detail::Shift<D>& shift) { detail::report_contact(g, p, q, shift, f); });
}

/// Calls f(j, image) for all partners of the particle in slot p, whose id is g.id[p]; under `Rule::gather` for its neighbors.
/// For forces that one thread per particle sums in a fixed order.
template <int D, class Certain, class F>
HGRID_HD void for_each_partner(const GridView<D, Certain>& g, index_t p, F&& f) {
  detail::for_each_partner_slot<detail::Visit::all>(g, p, [&](index_t q, const detail::Shift<D>& shift) {
    detail::report_partner(g, p, q, shift, [&](index_t, index_t j, const Image& image) { f(j, image); });
  });
}

}  // namespace hgrid::inline v0_2
