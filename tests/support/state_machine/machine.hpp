// SPDX-License-Identifier: BSD-3-Clause
// The objects of a sequence, and for each its expected contents.
#pragma once

#include <memory>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/caller_clock.hpp"
#include "support/state_machine/attempt.hpp"
#include "support/state_machine/built.hpp"
#include "support/state_machine/places.hpp"
#include "support/state_machine/sequence.hpp"

namespace support::machine {

/// A grid stays where it is, because VerletLists keep references to it.
template <class Exec, int D>
struct GridState {
  hgrid::Grid<Exec, D> grid;
  hgrid::NeighbourList<Exec> listed;  ///< of regions
  Place place;                        ///< of the next build
  Held held;
  std::uint64_t stamp = 0;  ///< number of its last build, that no other build has; 0: none

  GridState(const Exec& exec, const Place& where, const hgrid::GridOptions& options)
      : grid(exec, box_of<D>(where.box), options), listed(exec, hgrid::ListKind::full), place(where) {}
  GridState(const GridState&) = delete;
};

template <class List>
struct ListState {
  List list;
  Held held;  ///< null: nothing
};

template <class Exec, int D>
struct VerletState {
  VerletSpec spec;
  hgrid::VerletList<Exec, D> list;
  Held held, before;
  std::uint64_t stamp = 0;                ///< of the build that the list was made from
  double good_skin;                       ///< that served last
  bool built = false, overtaken = false;  ///< overtaken: at the last update
  int steps = 0, builds = 0;

  VerletState(const VerletSpec& s, hgrid::Grid<Exec, D>& grid, const hgrid::VerletOptions& options)
      : spec(s), list(grid, options), good_skin(s.skin) {}
};

template <class Exec>
struct HistoryState {
  hgrid::History<Exec> history;
  hgrid::PairArray<Exec, double> array;
  std::vector<hgrid::offset_t> from;
  hgrid::offset_t size_before = 0;
  std::vector<double> values;

  explicit HistoryState(const Exec& exec) : history(exec), array(exec, -1.0) {}
};

inline hgrid::GridOptions options_of(const GridSpec& g, int dimension) {
  hgrid::GridOptions options;
  options.rule = static_cast<hgrid::Rule>(g.rule);
  options.keys = static_cast<hgrid::KeyOrder>(g.keys);
  options.schedule = static_cast<hgrid::Schedule>(g.schedule);
  options.direction = static_cast<hgrid::Direction>(g.direction);
  if (g.table > 0) options.table = g.table == 1 ? hgrid::TableKind::dense : hgrid::TableKind::compacted;
  if (g.sort > 0) options.sort = g.sort == 1 ? hgrid::SortKind::radix : hgrid::SortKind::counting;
  for (int h = 0; h < g.levels; ++h) {
    hgrid::LevelSpec level{0.02 * std::pow(3.0, h), {}};
    for (int k = 0; k < dimension; ++k) level.cell_size[k] = 2 * level.radius_max;
    options.levels.push_back(level);
  }
  return options;
}

inline hgrid::VerletOptions options_of(const VerletSpec& v) {
  return {.kind = v.full ? hgrid::ListKind::full : hgrid::ListKind::half,
          .skin = v.skin,
          .choose_skin = v.choose,
          .rebuild = v.rebuild,
          .check_every = v.check_every,
          .clock = CallerClock::seconds};
}

template <class Exec, int D>
struct Machine {
  static constexpr int dimension = D;

  Exec exec;
  std::vector<std::unique_ptr<GridState<Exec, D>>> grids;
  std::vector<ListState<hgrid::PairList<Exec>>> pairs;
  std::vector<ListState<hgrid::NeighbourList<Exec>>> rows;
  std::vector<std::unique_ptr<VerletState<Exec, D>>> verlets;
  std::vector<HistoryState<Exec>> histories;
  hgrid::Reordering<Exec> reordering;
  std::vector<World> worlds;
  std::string fault;  ///< the fault; empty: none
  std::uint64_t stamps = 0;

  Machine(const Exec& e, const Sequence& s) : exec(e), reordering(e) {
    for (const GridSpec& g : s.grids) {
      const Place place{numbered_box(D, g.box), {}, static_cast<oracle::Rule>(g.rule)};
      grids.push_back(std::make_unique<GridState<Exec, D>>(exec, place, options_of(g, D)));
    }
    for (int n = 0; n < pair_lists; ++n) pairs.push_back({grids[0]->grid.make_pairs(), nullptr}), histories.emplace_back(exec);
    for (int n = 0; n < row_lists; ++n) {
      rows.push_back({grids[0]->grid.make_list(n % 2 == 0 ? hgrid::ListKind::half : hgrid::ListKind::full), nullptr});
    }
    for (const VerletSpec& v : s.verlets) {
      verlets.push_back(std::make_unique<VerletState<Exec, D>>(v, at(grids, v.grid)->grid, options_of(v)));
    }
    for (const WorldSpec& w : s.worlds) worlds.emplace_back(w);
  }

  template <class States>
  static auto& at(States& states, int n) {
    return states[static_cast<std::size_t>(n) % states.size()];
  }
  GridState<Exec, D>& grid_of(const Operation& op) { return *at(grids, op[grid]); }

  void blame(const std::string& what) { fault += what; }

  /// Returns whether the attempt succeeded; blames it if its end was not expected.
  bool settle(const Attempt& a, std::optional<hgrid::ErrorCode> expected = {}) {
    blame(judge(a, expected));
    return a.done;
  }

  /// The grid holds this from now on.
  void took(GridState<Exec, D>& g, oracle::System s) { g.held = std::make_shared<Built>(std::move(s)), g.stamp = ++stamps; }

  /// The world's particles where a grid's next build has them, as arrays of `Real` hold them.
  oracle::System system_of(const Operation& op, const Place& place, double with_skin) const {
    const oracle::System s = in_place(at(worlds, op[world]).system(), place, with_skin);
    return reads_float(op) ? rounded(s) : s;
  }

  static bool reads_float(const Operation& op) { return (op[kind] & 1) != 0; }
};

/// Calls f with the particles as a view of float or double, in one of the layouts.
template <int D, class F>
void with_view(const oracle::System& s, int way, const F& f) {
  const int layout = way / 2 % 3, form = values::half_lists + way % 3;
  if ((way & 1) != 0) {
    f(UserArrays<float, D>(s, layout, form).view());
  } else {
    f(UserArrays<double, D>(s, layout, form).view());
  }
}

}  // namespace support::machine
