// SPDX-License-Identifier: BSD-3-Clause
// The search for neighbor lists if there are many neighbors. A brick's candidates are sorted once, then each of its slots
// sweeps them: so each list is found in one go and in order, and need not be sorted. A half list takes the candidates after the
// particle.
#pragma once

#include <algorithm>
#include <atomic>

#include "hgrid/core/two_grids.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/options.hpp"
#include "host/neighbours/brick_gatherer.hpp"
#include "host/neighbours/found_rows.hpp"
#include "host/search/work_items.hpp"

namespace hgrid::inline v0_2::detail {

/// The memory of a worker. Small bricks touch little of it.
template <int D>
struct BrickRoom {
  Brick<D> brick;
  GatherRoom<D> gather;
  std::uint32_t shift_of_hit[Brick<D>::columns];
  index_t ids[Brick<D>::columns];  // of hits that are merged into a row later
  FoundRows::Code codes[Brick<D>::columns];
};

/// Finds rows with bricks. `Grids` is OneGrid or TwoGrids.
template <int D, class Grids>
class BrickSearch {
  using B = Brick<D>;

 public:
  /// Fills one row per query particle, with targets whose ids are below `ids`. Views must have no wraps: images are between
  /// particles inside the box. `no_code` becomes true if an image has no code; the rows are then invalid.
  BrickSearch(const Grids& grids, offset_t ids, ListKind kind, FoundRows& rows, BrickRoom<D>& room, std::atomic<bool>& no_code)
      : grids_(grids),
        asking_(grids.asking),
        g_(grids.asked),
        rows_(rows),
        room_(room),
        gatherer_(asking_, g_, ids, room.gather),
        no_code_(no_code),
        half_(kind == ListKind::half),
        selects_(grids.is_selective()),
        asks_slots_(selects_ && !grids.knows_by_ids()),
        usual_(g_.radius_max[fullest_level(g_)]) {}

  void search(const WorkItem& item) {
    for (index_t p = item.first; p < item.last;) {
      const index_t count = gather_shared(item.own, p, item.last);
      for (const index_t end = p + count; p < end; ++p) {
        begin_row();
        count > 1 ? add_hits(p) : search_alone(p);
        end_row(asking_.id[p]);
      }
    }
  }
  void finish() { rows_.add(entries_); }

 private:
  // Width of a brick in listing distances of its level, or, with two grids, from there to the level with most particles. The
  // first `few` slots may use the listing distance to the largest particles; without these few, gathering costs each slot more
  // than its sweep.
  static constexpr double brick_width = 2;
  static constexpr index_t few = 16;

  // Makes a brick of slots from p on and returns their number. If it is 1, no brick was made.
  index_t gather_shared(int own, index_t p, index_t last) {
    const double radius = asking_.radius_max[own], coarsest = *std::max_element(g_.radius_max, g_.radius_max + g_.level_count);
    const double width = brick_width * listing_distance_in(g_, radius, grids_.is_one() ? radius : usual_);
    const double width_of_few = brick_width * listing_distance_in(g_, radius, coarsest);
    for (index_t count = std::min(last - p, most_slots_); count > 1; count /= 2, most_slots_ = count) {
      const NearSlots<D> slots(asking_, p, p + count, width, few, width_of_few);
      if (slots.count == 1) return 1;
      count = slots.count;
      if (!gatherer_.gather(room_.brick, slots, [] { return false; })) continue;
      gatherer_.arrange(room_.brick);
      if (room_.brick.candidates < B::room / 3) most_slots_ = B::most_slots;
      return count;
    }
    most_slots_ = 2;
    return 1;
  }

  // Adds the partners of slot p. If there is no room for all candidates, adds them piece by piece.
  void search_alone(index_t p) {
    const auto add = [&] {
      gatherer_.arrange(room_.brick);
      add_hits(p);
      return true;
    };
    gatherer_.gather(room_.brick, NearSlots<D>(asking_, p, p + 1, 0), add);
    add();
  }

  // Adds the candidates of the brick that touch its slot p to the row of p.
  void add_hits(index_t p) {
    B& b = room_.brick;
    const index_t place = b.place[p - b.first], from = half_ ? first_after(b, p, place) : 0;
    if (from >= b.candidates) return;
    const bool numbered = !b.in_place || asks_slots_, in_row = place >= 0 && !half_;
    const bool there = row_ == 0 && b.candidates + vector_room <= block_.size;  // the row has room for all candidates
    index_t* const ids = there ? block_.ids : room_.ids;
    FoundRows::Code* const codes = there ? block_.codes : room_.codes;
    const float kept = in_row ? b.leave_out(place) : 0;
    index_t n = sweep_brick(g_, b, asker(asking_, p), from, asks_slots_ ? b.slot : b.id, ids, numbered ? b.shift : nullptr,
                            room_.shift_of_hit);
    if (in_row) b.put_back(place, kept);
    if (selects_) n = select(b, p, ids, n);
    entries_ += n;
    make_room(row_ + n);
    if (lost_) return;
    if (block_.codes != nullptr) find_codes(b, codes, n);
    if (!there) merge(n);
    row_ += n;
  }

  // Returns the first candidate after the particle itself, for a half list.
  index_t first_after(const B& b, index_t p, index_t place) const {
    if (place >= 0) return place + 1;
    const index_t id = g_.id[p];
    auto from = static_cast<index_t>(std::lower_bound(b.id, b.id + b.candidates, id) - b.id);
    while (from < b.candidates && b.id[from] == id && static_cast<index_t>(b.shift[from]) < b.positive) ++from;
    return from;
  }

  // Keeps the hits that are reported. Hits are slots if the filter needs them, and become ids.
  index_t select(const B& b, index_t p, index_t* hits, index_t n) {
    std::uint32_t* const shift = room_.shift_of_hit;
    index_t kept = 0;
    for (index_t k = 0; k < n; ++k) {
      const index_t q = hits[k], s = shift[k];
      if (asks_slots_) {
        hits[kept] = g_.id[q], shift[kept] = s;
        kept += grids_.reports(p, q, b.by[s]);
      } else {
        hits[kept] = q, shift[kept] = s;
        kept += grids_.reports_ids(asking_.id[p], q);
      }
    }
    return kept;
  }

  // Fills the codes of n hits, if the row needs codes: as soon as one of its entries is under another image, all entries have
  // codes.
  void find_codes(const B& b, FoundRows::Code* codes, index_t n) {
    if (!b.in_place) {
      if (!coded_) std::fill_n(block_.codes, row_, static_cast<FoundRows::Code>(code_of_no_image));
      coded_ = true;
      bool all = true;
      for (index_t k = 0; k < n; ++k) {
        const std::uint32_t code = b.code[room_.shift_of_hit[k]];
        codes[k] = static_cast<FoundRows::Code>(code);
        all &= code != B::no_code;
      }
      if (!all) no_code_ = true;
    } else if (coded_) {
      std::fill_n(codes, n, static_cast<FoundRows::Code>(code_of_no_image));
    }
  }

  // Merges n hits of the room into the row, the last ones first.
  void merge(index_t n) {
    index_t* const ids = block_.ids;
    FoundRows::Code* const codes = block_.codes;
    for (index_t a = row_ - 1, b = n - 1, to = row_ + n - 1; b >= 0; --to) {
      const bool of_row = a >= 0 && (ids[a] > room_.ids[b] || (coded_ && ids[a] == room_.ids[b] && codes[a] > room_.codes[b]));
      ids[to] = of_row ? ids[a] : room_.ids[b];
      if (coded_) codes[to] = of_row ? codes[a] : room_.codes[b];
      of_row ? --a : --b;
    }
  }

  void begin_row() { row_ = 0, coded_ = false; }

  // Makes room for n entries from the row's begin.
  void make_room(offset_t n) {
    if (lost_ || n <= block_.size) return;
    const FoundRows::Block more = rows_.another_block(n);
    if (more.ids == nullptr) return void(lost_ = true);
    std::copy_n(block_.ids, row_, more.ids);
    if (coded_) std::copy_n(block_.codes, row_, more.codes);
    block_ = more;
  }

  void end_row(index_t id) {
    if (lost_) return;
    if (block_.ids == nullptr) make_room(1);  // the row has no entry, and is the first
    if (lost_) return;
    rows_.put(id, block_, row_, coded_);
    block_.ids += row_, block_.size -= row_;
    if (block_.codes != nullptr) block_.codes += row_;
  }

  const Grids& grids_;
  const GridView<D>&asking_, &g_;
  FoundRows& rows_;
  BrickRoom<D>& room_;
  BrickGatherer<D> gatherer_;
  std::atomic<bool>& no_code_;
  const bool half_, selects_, asks_slots_;
  const double usual_;                  // radius of the largest particle on the level with most particles
  index_t most_slots_ = B::most_slots;  // limit of slots in a brick, reduced while candidates do not fit

  FoundRows::Block block_;  // from the begin of the current row
  index_t row_ = 0;         // entries of the current row
  bool coded_ = false;      // the entries have codes
  bool lost_ = false;       // there is no memory: from here on entries are only counted
  offset_t entries_ = 0;
};

/// Finds the rows of all query particles, with memory for each worker of the executor. Throws `stopped` if the watch says so.
template <int D, class Grids>
void find_rows(const HostExec& exec, const Grids& grids, offset_t ids, ListKind kind, const Watch& watch, FoundRows& rows,
               BrickRoom<D>* room, std::atomic<bool>& no_code) {
  constexpr double work_of_item = 1 << 19;  // the work of several bricks
  const offset_t share = grids.asking.slots() / (8 * exec.concurrency());
  const auto most = static_cast<index_t>(std::clamp<offset_t>(share, Brick<D>::most_slots, slots_per_item));
  const WorkItems<D> items(grids.asking, grids.asked, Visit::all, work_of_item, most);
  std::atomic<offset_t> next{0};
  watch.ask();
  exec.for_each_worker("hgrid::find_rows", items.size(), [&](offset_t worker) {
    BrickSearch<D, Grids> search(grids, ids, kind, rows, room[worker], no_code);
    for (offset_t item; (item = next.fetch_add(1, std::memory_order_relaxed)) < items.size();) {
      watch.ask();
      search.search(items[item]);
      if (worker == 0) watch.tell(static_cast<double>(item + 1) / static_cast<double>(items.size()));
    }
    search.finish();
  });
}

}  // namespace hgrid::inline v0_2::detail
