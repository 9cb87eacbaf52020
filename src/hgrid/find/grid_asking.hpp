// SPDX-License-Identifier: BSD-3-Clause
// The particles of another grid as queries.
#pragma once

#include <type_traits>

#include "hgrid/find/asked_grid.hpp"
#include "hgrid/find/asked_lists.hpp"
#include "hgrid/find/two_sets.hpp"
#include "hgrid/memory/visitors.hpp"

namespace hgrid::inline v0_2::detail {

/// Finds the contacts of another grid's particles. Gaps up to the mean of both grids' skins count.
template <class Exec, int D>
class GridAsking {
 public:
  static constexpr bool within_functors = false;

  GridAsking(Grid<Exec, D>& grid, Grid<Exec, D>& asker, AskingMemory<Exec, D>& memory, const ExclusionTable& excluded = {})
      : grid_(grid), asker_(asker), visiting_(Access::visitors(asker)), memory_(memory), excluded_(excluded) {}

  index_t lists() const { return static_cast<index_t>(asker_.particle_count()); }

  void check() { Access::engine(asker_).check(asker_.exec()), Access::engine(grid_).check(grid_.exec()); }

  template <class Touches, class Lists>
  void fill(const Touches& touches, Lists& out) {
    check();
    if constexpr (Exec::on_host) {
      fill_on_host(touches, out);
    } else {
      fill_asked(grid_.exec(), stages(), lists(), touches, grid_.view().periodic, out);
    }
  }

  template <class Touches, class Lists>
  offset_t count(const Touches& touches, Lists& memory) {
    check();
    if constexpr (Exec::on_host) return Access::engine(grid_).count(grid_.exec(), stages().grids, touches);
    return counted(grid_.exec(), stages(), lists(), touches, memory);
  }

  /// Calls f(i, j, image) for each contact. Does not wait on a device; there a grid built from bad input (contract C7) has no
  /// contacts.
  template <class F>
  void visit(const F& f) {
    const AskingSlots<D> slots = stages();
    if constexpr (Exec::on_host) {
      Access::engine(grid_).visit(grid_.exec(), slots.grids, f);
    } else {
      visit_asked(grid_.exec(), slots, lists(), f);
    }
  }

  template <class Touches, class Lists>
  void enqueue(const Touches& touches, offset_t call, Lists& out) {
    if constexpr (Exec::on_host) {
      reserve_all(grid_.exec(), Need{out.found, 2});
      fill_on_host(touches, out);
      out.found.data()[0] = out.size, out.found.data()[1] = call;
    } else {
      enqueue_asked(grid_.exec(), stages(), lists(), touches, nullptr, grid_.view().periodic, call, out);
    }
  }

 private:
  template <class Touches, class Lists>
  void fill_on_host(const Touches& touches, Lists& out) {
    auto& engine = Access::engine(grid_);
    if constexpr (std::is_same_v<Touches, AllTouch>) {
      engine.lists_of(grid_.exec(), memory_.engine, stages().grids, lists(), out);
    } else {
      engine.lists_of(grid_.exec(), memory_.engine, stages().grids, lists(), touches, out);
    }
  }

  AskingSlots<D> stages() {
    require_comparable(asker_, grid_);
    AskingSlots<D> slots{{asker_.view(), grid_.view(), excluded_}};
    slots.grids.asked.skin = 0.5 * slots.grids.asking.skin + 0.5 * slots.grids.asked.skin;
    return slots;
  }

  Grid<Exec, D>&grid_, &asker_;
  Visitors::Running visiting_;
  AskingMemory<Exec, D>& memory_;
  ExclusionTable excluded_;
};

}  // namespace hgrid::inline v0_2::detail
