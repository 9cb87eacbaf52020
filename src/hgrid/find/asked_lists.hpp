// SPDX-License-Identifier: BSD-3-Clause
// Full lists for queries from outside a grid: regions, or the particles of another grid. Counts, scans, writes and sorts; on
// devices in stream order. Or calls a functor for each contact.
#pragma once

#include <bit>
#include <type_traits>

#include "hgrid/cells/stages.hpp"
#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/two_grids.hpp"
#include "hgrid/find/lists_have_room.hpp"
#include "hgrid/memory/list_arrays.hpp"
#include "hgrid/memory/reserve.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

/// The particles of another grid as queries. Items are slots of that grid (at most as many as ids); lists are numbered by id.
template <int D, class Certain = AnyGrid>
struct AskingSlots {
  static constexpr bool skips_lists = true;  ///< particles that take no part have no item, only a list
  TwoGrids<D, Certain> grids;

  template <class F>
  void by_kind(const F& f) const {
    const bool one = grids.asked.world == nullptr;
    if (grids.asked.has_extents()) return one ? f(of<ExtendedGrid>()) : f(of<ExtendedWorlds>());
    one ? f(of<OneWorld>()) : f(of<ManyWorlds>());
  }

  template <class F>
  HGRID_HD void for_each(offset_t p, F&& f) const {
    const index_t list = list_of(p);
    grids.for_each_partner(static_cast<index_t>(p), [&](index_t q, const Shift<D>& shift) {
      f(list, grids.asked.id[q], grids.image(static_cast<index_t>(p), q, shift));
    });
  }
  HGRID_HD index_t list_of(offset_t p) const { return grids.asking.id[p]; }
  HGRID_HD bool asks(offset_t p) const { return p < grids.asking.slots(); }

 private:
  template <class Known>
  AskingSlots<D, Known> of() const {
    return {std::bit_cast<TwoGrids<D, Known>>(grids)};  // both types have equal members
  }
};

/// Returns the predicate. On hosts all predicates of regions and meshes get one type, so that their search is compiled once.
template <class Exec, class Touches>
decltype(auto) in_one_type(const Touches& touches) {
  if constexpr (Exec::on_host && !std::is_same_v<Touches, AllTouch>) {
    return FunctionRef<bool(index_t, index_t, const Image&)>(touches);
  } else {
    return (touches);
  }
}

template <class Asking, class Touches>
struct CountAsked {
  Asking asking;
  Touches touches;
  offset_t* counts;

  HGRID_HD void operator()(offset_t item) const {
    if (!asking.asks(item)) return;
    offset_t n = 0;
    asking.for_each(item, [&](index_t list, index_t id, const Image& image) { n += touches(list, id, image); });
    counts[asking.list_of(item)] = n;
  }
};

/// Keeps the number of all entries, or -1 if some queries are bad, and the number of the call.
struct KeepFound {
  const offset_t* bad;  // number of bad queries, or null
  const offset_t* total;
  offset_t call;
  offset_t* found;  // [2]

  HGRID_HD void operator()(offset_t) const {
    found[0] = bad != nullptr && *bad > 0 ? -1 : *total;
    found[1] = call;
  }
};

template <class Asking, class Touches>
struct WriteAsked {
  Asking asking;
  Touches touches;
  const offset_t* offsets;
  ListEntries out;
  ListsHaveRoom have_room = {};

  HGRID_HD void operator()(offset_t item) const {
    if (!have_room() || !asking.asks(item)) return;
    offset_t to = offsets[asking.list_of(item)];
    asking.for_each(item, [&](index_t list, index_t id, const Image& image) {
      if (touches(list, id, image)) out.set(to++, {id, image});
    });
  }
};

template <class Asking, class F>
struct VisitAsked {
  Asking asking;
  F f;

  HGRID_HD void operator()(offset_t item) const {
    if (asking.asks(item)) asking.for_each(item, f);
  }
};

template <class Exec, class Asking, class F>
void visit_asked(const Exec& exec, const Asking& asking, offset_t items, const F& f) {
  asking.by_kind([&](const auto& of_kind) {
    exec.for_each_item("hgrid::visit_asked", items, VisitAsked<std::decay_t<decltype(of_kind)>, F>{of_kind, f});
  });
}

/// Counts the entries of each list, and computes the offsets of the lists.
template <class Exec, class Asking, class Touches>
void count_asked(const Exec& exec, const Asking& asking, index_t lists, const Touches& touches, offset_t* offsets) {
  if (asking.skips_lists) exec.for_each("hgrid::clear_counts", lists, Fill<offset_t>{offsets, 0});
  asking.by_kind([&](const auto& of_kind) {
    using Count = CountAsked<std::decay_t<decltype(of_kind)>, Touches>;
    exec.for_each_item("hgrid::count_asked", lists, Count{of_kind, touches, offsets});
  });
  exec.exclusive_scan("hgrid::scan_asked", offsets, lists);
}

template <class Exec, class Asking, class Touches>
void write_asked(const Exec& exec, const Asking& asking, index_t lists, const Touches& touches, const offset_t* offsets,
                 const ListEntries& out, const ListsHaveRoom& have_room) {
  asking.by_kind([&](const auto& of_kind) {
    using Write = WriteAsked<std::decay_t<decltype(of_kind)>, Touches>;
    exec.for_each_item("hgrid::write_asked", lists, Write{of_kind, touches, offsets, out, have_room});
  });
}

/// Counts the contacts for which `touches` is true, with the offsets of `out` as scratch. Waits.
template <class Exec, class Asking, class Touches>
offset_t counted(const Exec& exec, const Asking& asking, index_t lists, const Touches& touches,
                 NeighbourArrays<typename Exec::Memory>& out) {
  out.size = 0, out.lists = 0;
  reserve_all(exec, Need{out.offsets, offset_t{lists} + 1});
  exec.template reserve_scan<offset_t>(lists);
  count_asked(exec, asking, lists, touches, out.offsets.data());
  return exec.read_back(static_cast<const offset_t*>(out.offsets.data() + lists));
}

/// Fills `out` with the contacts for which `touches` is true: one list for each query. Waits. Throws `capacity` and
/// `out_of_memory`; `out` then has no lists.
template <class Exec, class Asking, class Touches>
void fill_asked(const Exec& exec, const Asking& asking, index_t lists, const Touches& touches, bool images,
                NeighbourArrays<typename Exec::Memory>& out) {
  out.of_regions = true;
  const offset_t n = counted(exec, asking, lists, touches, out);
  if (n > out.room(images)) require_room(exec, n, sizeof(index_t), images);
  const offset_t room = with_margin(n, out.entries.size());
  reserve_all(exec, Need{out.entries, room}, Need{out.images, images ? room : 0},
              Need{out.found, out.places(n > out.room(images))});
  exec.reserve_lists(lists, n);
  write_asked(exec, asking, lists, touches, out.offsets.data(), out.to_fill(images), {});
  exec.sort_lists(lists, out.offsets.data(), out.to_fill(images), n);
  exec.wait();
  out.lists = lists, out.size = n, out.has_images = images;
}

/// Fills `out` without waiting, into its present room. `bad` is the number of bad queries, or null. `call` is stored beside the
/// number of entries, because a graph of another call may run later.
template <class Exec, class Asking, class Touches>
void enqueue_asked(const Exec& exec, const Asking& asking, index_t lists, const Touches& touches, const offset_t* bad,
                   bool images, offset_t call, NeighbourArrays<typename Exec::Memory>& out) {
  const offset_t room = out.room(images);
  reserve_all(exec, Need{out.offsets, offset_t{lists} + 1}, Need{out.found, 2});
  exec.template reserve_scan<offset_t>(lists);
  exec.reserve_lists(lists, room);
  offset_t* const offsets = out.offsets.data();
  count_asked(exec, asking, lists, touches, offsets);
  exec.for_each("hgrid::keep_found", 1, KeepFound{bad, offsets + lists, call, out.found.data()});
  const ListsHaveRoom have_room{out.found.data(), room};
  exec.for_each("hgrid::empty_lists", offset_t{lists} + 1, EmptyLists{have_room, offsets});
  write_asked(exec, asking, lists, touches, offsets, out.to_fill(images), have_room);
  exec.sort_lists(lists, offsets, out.to_fill(images), room);
  out.lists = lists, out.size = 0, out.has_images = images, out.of_regions = true;
}

}  // namespace hgrid::inline v0_2::detail
