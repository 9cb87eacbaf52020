// SPDX-License-Identifier: BSD-3-Clause
// The exclusions between two sets of particles, kept from call to call.
#pragma once

#include "hgrid/core/error.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/exclusion_stages.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/inputs/reachable.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Lists of the query grid's particles, with ids of target particles.
template <class Exec, int D>
class ExcludedBetween {
 public:
  explicit ExcludedBetween(const Exec& exec) : summary_(exec, 1), listed_(exec, 0), begin_(exec, 0), ids_(exec, 0) {}

  /// Copies the exclusions, and waits. After an error the earlier exclusions hold.
  void keep(const Exec& exec, const Exclusions& e, const Grid<Exec, D>& from, offset_t asking, offset_t asked) {
    check_exclusions(e);
    if (e.size == 0) return void(size_ = 0);
    for (const void* array :
         {static_cast<const void*>(e.begin), static_cast<const void*>(e.ids), static_cast<const void*>(e.pairs)})
      require_reachable(exec, "exclusions", array);
    const InspectExclusions<D> each{e, asking, asked};
    exec.reduce("hgrid::inspect_exclusions", each.items(), each, InputSummary<D>::identity(), summary_.data());
    throw_if_bad(exec.read_back(static_cast<const InputSummary<D>*>(summary_.data())), Box<D>{}, 0);
    reserve_all(exec, Need{listed_, words_of_ids(asking)}, Need{begin_, asking + 1}, Need{ids_, e.size});
    exec.for_each("hgrid::begin_exclusions", words_of_ids(asking),
                  BeginExclusions{e, asking, &summary_.data()->bad, listed_.data(), begin_.data()});
    exec.for_each("hgrid::copy_exclusions", e.size, CopyExclusion{e, ids_.data()});
    exec.wait();
    from_ = &from, asking_ = asking, asked_ = asked, size_ = e.size;
  }

  /// Returns the table for the grid `from` that was given to `keep`, and an empty one for any other grid. Throws
  /// `size_mismatch` if either set now has another number of particles.
  ExclusionTable table_for(const Grid<Exec, D>& from, offset_t asking, offset_t asked) const {
    if (size_ == 0 || from_ != &from) return {};
    require(asking, asking_, "that ask");
    require(asked, asked_, "that are asked");
    return {listed_.data(), begin_.data(), ids_.data()};
  }

 private:
  static void require(offset_t now, offset_t then, const char* who) {
    if (now == then) return;
    throw Error(
        ErrorCode::size_mismatch,
        "exclusions were given for " + counted(then, "particle") + " " + who + ", and now there are " + std::to_string(now),
        {.argument = "exclusions", .count = now, .needed = then});
  }

  typename Exec::template Buffer<InputSummary<D>> summary_;
  typename Exec::template Buffer<ListedIds> listed_;
  typename Exec::template Buffer<offset_t> begin_;
  typename Exec::template Buffer<index_t> ids_;
  const Grid<Exec, D>* from_ = nullptr;
  offset_t asking_ = 0, asked_ = 0, size_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
