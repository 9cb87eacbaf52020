// SPDX-License-Identifier: BSD-3-Clause
// Runs one case on one executor and returns the difference from the oracle.
#pragma once

#include <algorithm>
#include <set>

#include "support/case.hpp"
#include "support/results.hpp"
#include "support/user_arrays.hpp"

namespace support {

struct Outcome {
  std::string difference;  ///< empty: equal to the oracle
  std::size_t contacts = 0;
  std::size_t occupied_cells = 0;
  double work_each = 0;  ///< rows and candidates for each particle and each contact
};

inline std::string difference(const std::string& what, const Contacts& got, const Contacts& expected) {
  if (got == expected) return {};
  std::string text = what + ": " + std::to_string(got.size()) + " contacts, " + std::to_string(expected.size()) + " expected";
  const auto show = [&](const char* why, const Contacts& a, const Contacts& b) {
    int shown = 0;
    std::multiset<oracle::Contact> rest(b.begin(), b.end());
    for (const oracle::Contact& c : a) {
      const auto found = rest.find(c);
      if (found != rest.end()) {
        rest.erase(found);
      } else if (++shown <= 4) {
        text += std::string("\n    ") + why + " (" + std::to_string(c.i) + ", " + std::to_string(c.j) + ") image " +
                std::to_string(c.m[0]) + " " + std::to_string(c.m[1]) + " " + std::to_string(c.m[2]);
      }
    }
  };
  show("missing", expected, got);
  show("too many", got, expected);
  return text + "\n";
}

template <class Memory, int D>
std::size_t occupied_cells(const Memory& memory, hgrid::GridView<D> g) {
  const auto level = copied(memory, g.level, g.level_count);
  const auto level_begin = copied(memory, g.level_begin, g.level_count + 1);
  hgrid::index_t islands = 0;
  for (const auto& l : level) {
    for (int k = 0; k < D; ++k) islands = std::max(islands, l.islands[k] > 0 ? l.first_island[k] + l.islands[k] + 1 : 0);
  }
  const auto island = copied(memory, g.islands, g.islands == nullptr ? 0 : islands);
  g.level = level.data(), g.level_begin = level_begin.data();
  if (g.islands != nullptr) g.islands = island.data();
  std::vector<double> x[D];
  for (int k = 0; k < D; ++k) x[k] = copied(memory, g.x[k], g.slots());
  const auto world = copied(memory, g.world, g.slots());
  const auto origin = copied(memory, g.world_origin, g.worlds);
  if (g.world != nullptr) g.world = world.data(), g.world_origin = origin.data();
  std::set<std::array<hgrid::index_t, 4>> cells;
  for (hgrid::index_t slot = 0; slot < g.slots(); ++slot) {
    std::array<hgrid::index_t, 4> cell = {g.level_of_slot(slot), 0, 0, 0};
    for (int k = 0; k < D; ++k) cell[k + 1] = g.cell_of(level[cell[0]], g.world_of(slot), k, x[k][slot]);
    cells.insert(cell);
  }
  return cells.size();
}

/// Whether an executor can call code compiled for the host, and write to its memory.
template <class Exec>
inline constexpr bool is_host_code = Exec::on_host || requires {
  requires Exec::is_host_code;
};

/// Checks packed lists, filled or enqueued, or that they are refused in a box whose images may have too large numbers.
template <class Exec, int D>
std::string check_packed(hgrid::Grid<Exec, D>& grid, hgrid::ListKind kind, bool enqueued, const Contacts& expected) {
  const bool fits = hgrid::detail::fits_packed(grid.box(), grid.boxes());
  try {
    auto list = grid.make_packed_list(kind);
    for (int step = 0; step < (enqueued ? 2 : 1); ++step) {
      enqueued ? (grid.enqueue(list), grid.wait(list)) : grid.find(list);
    }
    return fits ? difference("packed rows", as_listed(grid.exec(), list), expected) : "images may not fit a packed list\n";
  } catch (const hgrid::Error& e) {
    return !fits && e.code() == hgrid::ErrorCode::unsupported ? "" : e.what();
  }
}

template <class Exec, int D>
std::string check_enqueued_gather(hgrid::Grid<Exec, D>& grid, const Contacts& expected) {
  auto full = grid.make_list(hgrid::ListKind::full);
  std::string text;
  for (int step = 0; step < 2; ++step) {
    grid.enqueue(full);
    grid.wait(full);
    text += difference("full rows enqueued", as_listed(grid.exec(), full), expected);
    if (full.size() != static_cast<hgrid::offset_t>(expected.size())) text += "another number of entries enqueued\n";
  }
  return text;
}

/// Expects that a one-sided (gather) search has full lists and partners, and refuses all calls for pairs.
template <class Exec, int D>
std::string check_gather(hgrid::Grid<Exec, D>& grid, int kind, const Contacts& expected) {
  if constexpr (is_host_code<Exec>) {
    if (kind == values::partner_functor) return difference("gather", visited_partners(grid), expected);
  }
  if (kind == values::full_rows) return difference("full rows", rows_of(grid, hgrid::ListKind::full), expected);
  if (kind == values::packed) return check_packed(grid, hgrid::ListKind::full, false, expected);
  if (kind == values::enqueued) return check_enqueued_gather(grid, expected);
  try {
    auto pairs = grid.make_pairs();
    auto half = grid.make_list(hgrid::ListKind::half);
    if (kind == values::half_rows) {
      grid.find(half);
    } else if (kind == values::pairs) {
      grid.find(pairs);
    } else {
      grid.count();
    }
    return "a gather has pairs\n";
  } catch (const hgrid::Error& e) {
    return e.code() == hgrid::ErrorCode::unsupported ? "" : e.what();
  }
}

template <class Exec, int D>
std::string check_route(hgrid::Grid<Exec, D>& grid, int kind, const Contacts& expected) {
  if constexpr (is_host_code<Exec>) {
    switch (kind) {
      case values::into_int32:
        return difference("int32", pairs_into_own_memory<std::int32_t>(grid), expected);
      case values::into_uint32:
        return difference("uint32", pairs_into_own_memory<std::uint32_t>(grid), expected);
      case values::contact_functor:
        return difference("functor", visited_contacts(grid), expected);
      case values::partner_functor:
        return difference("gather", visited_partners(grid), oracle::from_both_sides(expected));
      default:
        break;
    }
  }
  switch (kind) {
    case values::pairs:
      return difference("pairs", sorted(pairs_of(grid)), expected);
    case values::half_rows:
      return difference("half rows", rows_of(grid, hgrid::ListKind::half), expected);
    case values::full_rows:
      return difference("full rows", rows_of(grid, hgrid::ListKind::full), oracle::from_both_sides(expected));
    case values::packed:
      return check_packed(grid, hgrid::ListKind::half, false, expected) +
             check_packed(grid, hgrid::ListKind::full, false, oracle::from_both_sides(expected));
    case values::enqueued: {
      auto list = grid.make_pairs(), in_order = grid.make_pairs();
      auto half = grid.make_list(hgrid::ListKind::half), full = grid.make_list(hgrid::ListKind::full);
      std::string text;
      for (int step = 0; step < 2; ++step) {  // into no memory, then into enough
        grid.enqueue(list);
        grid.enqueue(in_order, {.order = hgrid::Order::sorted});
        grid.enqueue(half);
        grid.enqueue(full);
        grid.wait(list), grid.wait(in_order), grid.wait(half), grid.wait(full);
        text += difference("enqueued", sorted(as_listed(grid.exec(), list)), expected);
        text += difference("enqueued in order", as_listed(grid.exec(), in_order), expected);
        text += difference("half rows enqueued", as_listed(grid.exec(), half), expected);
        text += difference("full rows enqueued", as_listed(grid.exec(), full), oracle::from_both_sides(expected));
      }
      return text + check_packed(grid, hgrid::ListKind::half, true, expected);
    }
    default: {
      const auto n = static_cast<std::size_t>(grid.count());
      return n == expected.size() ? "" : "count: " + std::to_string(n) + ", not " + std::to_string(expected.size()) + "\n";
    }
  }
}

/// The user's particles where the executor can read them: on hosts, where they are.
template <class Real, int D>
struct InPlace {
  const hgrid::Particles<Real, D>& particles;
  const hgrid::Particles<Real, D>& view() const { return particles; }
};
template <class Exec, class Real, int D>
InPlace<Real, D> placed(const Exec&, const hgrid::Particles<Real, D>& p) {
  return {p};
}

template <class Real, int D, class Exec>
Outcome run_case(const Exec& exec, const Case& c) {
  const bool gathers = c.system.rule == oracle::Rule::gather;
  const Contacts expected = listed_in(c.system);
  auto grid = grid_in<hgrid::Grid<Exec, D>>(exec, c.system, options_of(c));
  const hgrid::BuildOptions build{.skin = c.system.skin};
  const UserArrays<Real, D> warm_up(c.warm_up), arrays(c.system, c.choice[layout], c.choice[exclusions]);
  const auto first = placed(exec, warm_up.view()), second = placed(exec, arrays.view());
  if (!c.warm_up.particles.empty()) grid.build(first.view(), build);
  grid.build(second.view(), build);
  if constexpr (!Exec::on_host) {  // it keeps the plan of the first build until a check; each has half of the cases
    grid.check();
    if (c.seed % 2 == 0) grid.build(second.view(), build);
    grid.check();
  }

  Outcome outcome;
  try {
    grid.require_valid(second.view());
  } catch (const hgrid::Error& e) {
    outcome.difference += std::string("the particles of the build are not valid: ") + e.what() + "\n";
  }
  outcome.contacts = expected.size();
  outcome.occupied_cells = occupied_cells(exec, grid.view());
  const hgrid::WorkCount work = grid.work();
  outcome.work_each =
      static_cast<double>(work.rows + work.candidates) / static_cast<double>(c.system.particles.size() + expected.size());
  if (gathers) {
    outcome.difference += difference("full rows", listed_of(grid), expected) + check_gather(grid, c.choice[route], expected);
    return outcome;
  }
  const auto how = static_cast<hgrid::Order>(c.choice[order]);
  const Contacts listed = pairs_of(grid, how);
  outcome.difference += difference("pairs", how == hgrid::Order::sorted ? listed : sorted(listed), expected) +
                        check_route(grid, c.choice[route], expected);
  return outcome;
}

template <class Exec>
Outcome run_case(const Exec& exec, const Case& c) {
  try {
    if (c.choice[dimension] == 0) {
      return c.choice[real] == 0 ? run_case<double, 2>(exec, c) : run_case<float, 2>(exec, c);
    }
    return c.choice[real] == 0 ? run_case<double, 3>(exec, c) : run_case<float, 3>(exec, c);
  } catch (const hgrid::Error& e) {
    return {std::string("unexpected error: ") + e.what() + "\n"};
  }
}

}  // namespace support
