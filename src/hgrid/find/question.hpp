// SPDX-License-Identifier: BSD-3-Clause
// Results of a query, all read from lists.
#pragma once

#include "hgrid/find/asked_grid.hpp"
#include "hgrid/find/list_entries.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/generation.hpp"

namespace hgrid::inline v0_2::detail {

/// `Asking` fills lists and visits contacts (find/askers.hpp).
template <class Exec, int D, class Asking>
class Question {
  using Lists = NeighbourArrays<typename Exec::Memory>;

 public:
  /// Throws `reentrancy` inside a functor of the grid if the query is another grid.
  template <class Asker>
  Question(Grid<Exec, D>& grid, Asker& asker, typename Spare<AskedMemory<Exec, D>>::Taken memory, const char* called)
      : grid_(grid),
        visiting_(Access::visitors(grid), Exec::on_host && Asking::within_functors ? nullptr : called),
        taken_(std::move(memory)),
        memory_(*taken_),
        asking_(grid, asker, memory_.asking) {}

  template <class Touches>
  Lists& lists(Lists& out, const Touches& touches) {
    out.enqueued = 0;
    asking_.fill(touches, out);
    out.confirmed = is_predicate<Touches>;
    return out;
  }
  template <class Touches>
  void lists(NeighbourArrays<typename Exec::Memory, PackedNeighbour>& out, const Touches& touches) {
    const Lists& found = lists(memory_.lists, touches);
    reserve_all(exec(), Need{memory_.asking.check, 2});
    pack_lists(exec(), found, memory_.asking.check.data(), out);
    out.confirmed = is_predicate<Touches>;
  }
  template <class Touches>
  void pairs(PairArrays<typename Exec::Memory>& out, const Touches& touches) {
    const Lists& found = lists(memory_.lists, touches);
    out.make_room(exec(), found.has_images, found.size);
    out.enqueued = 0;
    write_sorted_pairs(exec(), found, out.first_columns(found.size));
    out.size = offset_t{found.size}, out.confirmed = is_predicate<Touches>;
  }
  template <class Integer, class Touches>
  offset_t columns(const PairColumns<Integer>& out, const Touches& touches) {
    return fill_columns(exec(), lists(memory_.lists, touches), out);
  }
  template <class Integer, class Touches>
  offset_t matrix(const NeighbourMatrix<Integer>& out, const Touches& touches) {
    require_lines(out, asking_.lists());
    const Lists& found = lists(memory_.lists, touches);
    reserve_all(exec(), Need{memory_.longest, 1});
    exec().reduce("hgrid::longest_list", found.lists, MeasureList{found.offsets.data()}, LongestList{}, memory_.longest.data());
    return fill_matrix(exec(), found, exec().read_back(memory_.longest.data()).entries, out);
  }
  template <class Touches>
  offset_t count(const Touches& touches) {
    return asking_.count(touches, memory_.lists);
  }
  template <class F>
  void visit(const F& f) {
    asking_.visit(f);
  }

  template <class Touches>
  void enqueue(Lists& out, const Touches& touches) {
    notice_capture(exec());
    const auto call = static_cast<offset_t>(next_generation());
    asking_.enqueue(touches, call, out);
    out.enqueued = static_cast<std::uint64_t>(call), out.confirmed = is_predicate<Touches>;
  }
  template <class Touches>
  void wait(Lists& out, const Touches& touches) {
    const auto call = static_cast<offset_t>(std::uint64_t{out.enqueued});
    const bool as_before = out.confirmed == is_predicate<Touches>;
    out.expect_wait(is_predicate<Touches>);
    asking_.check();
    if (call == 0 && as_before && (out.of_regions || out.lists == 0)) return;  // filled by a `find`, or empty
    offset_t found[2] = {};
    if (out.of_regions && as_before) exec().copy_out(found, static_cast<const offset_t*>(out.found.data()), 2);
    if (call != 0 && found[1] == call && found[0] >= 0 && found[0] <= out.room(out.has_images)) {
      out.size = found[0];
    } else {
      asking_.fill(touches, out);
      out.confirmed = is_predicate<Touches>;
      out.enqueued = static_cast<std::uint64_t>(call);  // a graph of that call stays usable as long as nothing grows
    }
  }

 private:
  template <class Touches>
  static constexpr bool is_predicate = !std::is_same_v<Touches, AllTouch>;

  const Exec& exec() const { return grid_.exec(); }

  Grid<Exec, D>& grid_;
  Visitors::Running visiting_;
  typename Spare<AskedMemory<Exec, D>>::Taken taken_;
  AskedMemory<Exec, D>& memory_;
  Asking asking_;
};

}  // namespace hgrid::inline v0_2::detail
