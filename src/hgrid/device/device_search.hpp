// SPDX-License-Identifier: BSD-3-Clause
// The schedule of the search on devices: slots in place, then the queue of strips across levels and faces. It allocates only if
// a search is larger than all earlier ones, and waits only to read a number back.
#pragma once

#include <algorithm>
#include <mutex>
#include <utility>

#include "hgrid/cells/stages.hpp"
#include "hgrid/device/grid_kinds.hpp"
#include "hgrid/device/lists_in_place.hpp"
#include "hgrid/device/search_in_place.hpp"
#include "hgrid/device/search_kernels.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Numbers on the device that the kernels of one search share.
struct SearchCounters {
  word_t slot_tile, queue_tile, strip_tile, counted_slot_tile, counted_strip_tile;  // next tiles to hand out
  word_t counted_warps, filled_warps;                                               // next warps of slots to hand out
  offset_t contacts, contacts_with_strips, queued_strips;
};

/// Prepares a search: clears tiles, states and counts, and computes the levels for the search in place.
template <int D>
struct PrepareSearch {
  GridView<D> grid;
  word_t* words;
  offset_t count;
  offset_t* found;
  LevelInPlace<D>* levels;

  HGRID_HD void operator()(offset_t k) const {
    if (k < count) words[k] = 0;
    if (k == 0 && found != nullptr) *found = 0;
    if (k < grid.level_count) levels[k] = level_in_place(grid, static_cast<int>(k));
  }
};

/// Combines both parts of the result. If there are too few states for all tiles of strips, the strips were not searched, and
/// the number of contacts becomes -1: unknown.
struct FinishStrips {
  const SearchCounters* counters;
  offset_t* found;
  offset_t most_queued_strips;

  HGRID_HD void operator()(offset_t) const {
    const offset_t contacts = counters->contacts_with_strips > 0 ? counters->contacts_with_strips : counters->contacts;
    *found = counters->queued_strips > most_queued_strips ? -1 : contacts;
  }
};

/// The contacts that a search leaves out.
enum class Leaves { nothing, in_place };

/// Has the interface of PlainSearch, for executors with `launch`. Every search on the executor's stream reuses the scratch, so
/// host threads take turns.
template <class Exec, int D>
class DeviceSearch {
 public:
  offset_t count(const Exec& exec, const GridView<D>& g, offset_t slots) { return list(exec, g, slots, nullptr, nullptr, 0); }

  /// Lists all contacts and returns their number. Contacts that do not fit are counted, not written. Waits.
  template <Leaves leaves = Leaves::nothing>
  offset_t list(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity) {
    for (offset_t strip_tiles = 0;;) {
      search<leaves>(exec, g, slots, pairs, images, capacity, nullptr, strip_tiles);
      if (leaves == Leaves::in_place && !queues_strips(g)) return 0;
      const SearchCounters now = exec.read_back(static_cast<const SearchCounters*>(counters()));
      if (now.contacts >= 0) return now.contacts;
      strip_tiles = tiles(now.queued_strips) + tiles(now.queued_strips) / 4;
    }
  }

  /// Enqueues the search without waiting. `*found` receives the number, or -1 if the strip queue was larger than ever before;
  /// then call `list` once, which makes room.
  template <Leaves leaves = Leaves::nothing>
  void enqueue(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
               offset_t* found) {
    search<leaves>(exec, g, slots, pairs, images, capacity, found, 0);
  }

  /// Returns whether the search writes neighbor lists itself for partners in place. Predicted, not measured: on one level this
  /// saves little at 2 neighbors, and half of the time at 16. With several levels most particles have few partners on their own
  /// level, and the two extra searches take longer than the atomics that they save. The host knows the plan, so a captured
  /// graph stays valid.
  static bool lists_in_place(const GridView<D>& g) { return is_common(g) && g.level_count == 1; }
  /// The search for all other contacts.
  struct Across {
    DeviceSearch& of;
    offset_t list(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity) {
      return of.list<Leaves::in_place>(exec, g, slots, pairs, images, capacity);
    }
    void enqueue(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
                 offset_t* found) {
      of.enqueue<Leaves::in_place>(exec, g, slots, pairs, images, capacity, found);
    }
  };

  /// Call after the search across: counts the partners of each particle in place, and then writes them at the beginning of its
  /// list. `ends` receives where each list continues.
  void count_in_place(const Exec& exec, const GridView<D>& g, offset_t* counts) const {
    for_kind_in_place(g, [&](const auto& view) {
      using View = std::decay_t<decltype(view)>;
      launch(exec, "hgrid::count_in_place", CountInPlace<View>{view, levels_.data(), &counters()->counted_warps, counts});
    });
  }
  template <class Entries>
  void fill_in_place(const Exec& exec, const GridView<D>& g, const ListArrays<Entries>& lists, offset_t* ends,
                     const ListsHaveRoom& have_room) const {
    for_kind_in_place(g, [&](const auto& view) {
      using Fill = FillInPlace<std::decay_t<decltype(view)>, Entries>;
      launch(exec, "hgrid::fill_in_place",
             Fill{view, levels_.data(), &counters()->filled_warps, lists.offsets, ends, lists.entries, have_room});
    });
  }

  /// Calls f(i, j, image) once for each contact, on the device. Does not wait.
  template <class F>
  void contacts(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    const std::lock_guard turn(turn_.mutex);
    prepare(exec, g, slots, queues_strips(g));
    for_kind<of_one_world<F>>(g, [&](const auto& view) {
      using Sink = DeviceFunctorSink<Visit::once, F>;
      launch(exec, "hgrid::for_each_contact", search_of_slots(in_place(view), Sink{f}));
      if (!queues_strips(g)) return;
      queue_strips(exec, view, slots);
      launch(exec, "hgrid::for_each_contact_queued",
             SearchStrips<std::decay_t<decltype(view)>, Sink>{view, {f}, queue(), &counters()->strip_tile});
    });
  }

  /// Calls f(i, j, image) for all partners j of every i, on the device. Does not wait.
  template <class F>
  void partners(const Exec& exec, const GridView<D>& g, offset_t slots, const F& f) const {
    const std::lock_guard turn(turn_.mutex);
    prepare(exec, g, slots, false);
    for_kind(g, [&](const auto& view) {
      using Sink = DeviceFunctorSink<Visit::all, F>;
      launch(exec, "hgrid::for_each_partner",
             SearchSlots<std::decay_t<decltype(view)>, Visit::all, Sink>{view, {f}, &counters()->slot_tile});
    });
  }

  std::size_t bytes() const { return words_.bytes() + begin_.bytes() + levels_.bytes(); }

 private:
  using Block = typename Exec::Block;

  // True for functors that meet one world only, such as the functors of ranks; then no kernels for many worlds are needed.
  template <class F>
  static constexpr bool of_one_world = requires {
    F::of_one_world;
  };

  template <class F>
  static void for_kind_in_place(const GridView<D>& g, const F& f) {
    for_kind(g, [&](const auto& view) {
      if constexpr (std::decay_t<decltype(in_place(view))>::Known::in_place) f(in_place(view));
    });
  }

  // `found`, if not null, receives the number instead of the counters.
  template <Leaves leaves>
  void search(const Exec& exec, const GridView<D>& g, offset_t slots, Pair* pairs, Image* images, offset_t capacity,
              offset_t* found, offset_t strip_tiles) {
    prepare(exec, g, slots, queues_strips(g), found, strip_tiles);
    offset_t* const own = &counters()->contacts;
    if (found == nullptr) found = own;
    const DeviceListOutput out{pairs, images, capacity, slot_states(), tiles(slots), nullptr, queues_strips(g) ? own : found};
    for_kind(g, [&](const auto& view) { search<leaves>(exec, view, slots, out, found); });
  }

  template <Leaves leaves, class View>
  void search(const Exec& exec, const View& g, offset_t slots, DeviceListOutput out, offset_t* found) {
    if (leaves == Leaves::nothing) {
      make_list(exec, "hgrid::search_slots",
                search_of_slots(in_place(g), DeviceListSink{out}, hits_of_warp(out.capacity, slots)),
                &counters()->counted_slot_tile);
    }
    if (!queues_strips(g)) return;
    queue_strips(exec, g, slots);
    out.states = strip_states(slots);
    out.most_tiles = strip_tiles_;
    out.base = out.total;
    out.total = &counters()->contacts_with_strips;
    make_list(exec, "hgrid::search_strips", SearchStrips<View, DeviceListSink>{g, {out}, queue(), &counters()->strip_tile},
              &counters()->counted_strip_tile);
    exec.for_each("hgrid::finish_strips", 1, FinishStrips{counters(), found, strip_tiles_ * offset_t{Block::threads}});
  }

  /// Returns the room of a warp's list of hits: twice what a warp finds on average, so that most warps keep their contacts
  /// while they search the next tile. It is larger if that saves the second search, and small again if every warp must search
  /// twice anyway.
  static int hits_of_warp(offset_t contacts, offset_t slots) {
    const double mean = 32.0 * static_cast<double>(contacts) / static_cast<double>(slots);  // NaN without slots
    return mean > 200 && mean < 1100 ? 1024 : 512;
  }

  template <class View, class Sink>
  auto search_of_slots(const View& g, const Sink& sink, int most_hits = 256) const {
    if constexpr (View::Known::in_place) {
      return SearchInPlace<View, Sink>{g, sink, levels_.data(), &counters()->slot_tile, most_hits};
    } else {
      return SearchSlots<View, Visit::once, Sink>{g, sink, &counters()->slot_tile};
    }
  }

  /// Launches the kernel once, or, to count first, twice with a scan between. `counted` is the counter of tiles for the
  /// counting launch.
  template <class Body>
  static void make_list(const Exec& exec, const char* name, Body body, word_t* counted) {
    DeviceListOutput& out = body.sink.out;
    if (exec.list_mode() == ListMode::count_scan_fill && out.capacity > 0) {  // without capacity there is nothing to fill
      word_t* const filled = std::exchange(body.next, counted);
      out.pass = ListPass::count;
      launch(exec, name, body);
      exec.exclusive_scan("hgrid::scan_tiles", reinterpret_cast<offset_t*>(out.states), out.most_tiles);
      out.pass = ListPass::fill;
      body.next = filled;
    }
    launch(exec, name, body);
  }

  static constexpr offset_t counter_words = sizeof(SearchCounters) / sizeof(word_t);

  static offset_t tiles(offset_t n) { return tiles_of<Block>(n); }
  template <class View>
  static bool queues_strips(const View& g) {
    return g.is_top_down() && (g.level_count > 1 || g.has_images());
  }
  StripQueue queue() const { return {begin_.data(), &counters()->queued_strips}; }
  SearchCounters* counters() const { return reinterpret_cast<SearchCounters*>(words_.data()); }
  // One more state than tiles, for the total of a scan, or for the claim of the adding block.
  word_t* slot_states() const { return words_.data() + counter_words; }
  word_t* queue_states(offset_t slots) const { return slot_states() + tiles(slots) + 1; }
  word_t* strip_states(offset_t slots) const { return queue_states(slots) + tiles(slots) + 1; }

  // Reserves room for at least that number of tiles of strips. If it cannot be allocated, the next search does not try again.
  void prepare(const Exec& exec, const GridView<D>& g, offset_t slots, bool strips, offset_t* found = nullptr,
               offset_t least_strip_tiles = 0) const {
    const offset_t strip_tiles = std::max({strip_tiles_, tiles(16 * slots), least_strip_tiles});
    const offset_t words = counter_words + tiles(slots) + 1 + (strips ? tiles(slots) + strip_tiles + 2 : 0);
    reserve_all(exec, Need{words_, words}, Need{begin_, strips ? slots + 1 : 0}, Need{levels_, max_levels});
    exec.template reserve_scan<offset_t>(strips && strip_tiles > tiles(slots) ? strip_tiles : tiles(slots));
    strip_tiles_ = strip_tiles;
    exec.for_each("hgrid::prepare_search", std::max<offset_t>(words, g.level_count),
                  PrepareSearch<D>{g, words_.data(), words, found, levels_.data()});
  }

  template <class View>
  void queue_strips(const Exec& exec, const View& g, offset_t slots) const {
    exec.launch("hgrid::queue_strips", QueueStrips<View>::template shared_bytes<Block>(),
                QueueStrips<View>{g, queue_states(slots), queue(), &counters()->queue_tile});
  }

  template <class Body>
  static void launch(const Exec& exec, const char* name, const Body& body) {
    exec.launch(name, body.template shared_bytes<Block>(), body);
  }

  struct Turn {  // not moved with a search
    Turn() = default;
    Turn(Turn&&) noexcept {}
    Turn& operator=(Turn&&) noexcept { return *this; }
    std::mutex mutex;
  };

  mutable Turn turn_;
  mutable typename Exec::template Buffer<word_t> words_;            // counters, then states of tiles
  mutable typename Exec::template Buffer<offset_t> begin_;          // the strip queue
  mutable typename Exec::template Buffer<LevelInPlace<D>> levels_;  // [max_levels]
  mutable offset_t strip_tiles_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
