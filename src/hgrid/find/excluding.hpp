// SPDX-License-Identifier: BSD-3-Clause
// Another grid as a query, less excluded pairs.
#pragma once

#include <string>

#include "hgrid/find/grid_asking.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/inputs/reachable.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2 {

/// Another grid as a query with excluded pairs, such as bonds, that are never reported: `Excluding bonds(grid, asking,
/// between)`, then `grid.find(lists, bonds)`. i is an id of `asking`, and j an id of `grid`. `between` is laid out like
/// `Particles::exclusions`, in the executor's memory; the constructor copies it, and waits. Exclusions given to a build hold
/// only within its own set. Errors: the errors of exclusions in a build, with the index of the list or pair; `not_built`; in
/// `find`, `size_mismatch` once either grid has another number of particles. `asking` must outlive this object.
template <class Exec, int D>
class Excluding {
 public:
  Excluding(Grid<Exec, D>& grid, Grid<Exec, D>& asking, const Exclusions& between)
      : asking_(asking), summary_(grid.exec(), 1), listed_(grid.exec(), 0), begin_(grid.exec(), 0), ids_(grid.exec(), 0) {
    detail::Access::engine(asking).check(asking.exec()), detail::Access::engine(grid).check(grid.exec());
    detail::require_comparable(asking, grid);
    keep(grid.exec(), between, asking.particle_count(), grid.particle_count());
  }

 private:
  template <class E, int Dimension, class Asker>
  friend struct detail::AskingOf;
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  void keep(const Exec& exec, const Exclusions& e, offset_t askers, offset_t asked) {
    detail::check_exclusions(e);
    if (e.size == 0) return;
    for (const void* array :
         {static_cast<const void*>(e.begin), static_cast<const void*>(e.ids), static_cast<const void*>(e.pairs)})
      detail::require_reachable(exec, "exclusions", array);
    const detail::InspectExclusions<D> each{e, askers, asked};
    exec.reduce("hgrid::inspect_exclusions", each.items(), each, detail::InputSummary<D>::identity(), summary_.data());
    detail::throw_if_bad(exec.read_back(static_cast<const detail::InputSummary<D>*>(summary_.data())), Box<D>{}, 0);
    detail::reserve_all(exec, detail::Need{listed_, detail::words_of_ids(askers)}, detail::Need{begin_, askers + 1},
                        detail::Need{ids_, e.size});
    exec.for_each("hgrid::begin_exclusions", detail::words_of_ids(askers),
                  detail::BeginExclusions{e, askers, &summary_.data()->bad, listed_.data(), begin_.data()});
    exec.for_each("hgrid::copy_exclusions", e.size, detail::CopyExclusion{e, ids_.data()});
    exec.wait();
    askers_ = askers, asked_ = asked, size_ = e.size;
  }

  // Throws `size_mismatch` if either set has another number of particles now.
  detail::ExclusionTable table_for(offset_t asked) const {
    if (size_ == 0) return {};
    require(asking_.particle_count(), askers_, "that ask"), require(asked, asked_, "that are asked");
    return {listed_.data(), begin_.data(), ids_.data()};
  }
  static void require(offset_t now, offset_t then, const char* who) {
    if (now == then) return;
    throw Error(ErrorCode::size_mismatch,
                "exclusions were given for " + detail::counted(then, "particle") + " " + who + ", and now there are " +
                    std::to_string(now),
                {.argument = "exclusions", .count = now, .needed = then});
  }

  Grid<Exec, D>& asking_;
  Buffer<detail::InputSummary<D>> summary_;
  Buffer<detail::ListedIds> listed_;  // of particles that ask, with ids of particles that are asked
  Buffer<offset_t> begin_;
  Buffer<index_t> ids_;
  offset_t askers_ = 0, asked_ = 0, size_ = 0;
};

namespace detail {

template <class Exec, int D>
struct AskingOf<Exec, D, Excluding<Exec, D>> {
  struct type : GridAsking<Exec, D> {
    type(Grid<Exec, D>& grid, const Excluding<Exec, D>& asker, AskingMemory<Exec, D>& memory)
        : GridAsking<Exec, D>(grid, asker.asking_, memory, asker.table_for(grid.particle_count())) {}
  };
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
