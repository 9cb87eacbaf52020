// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists on hosts. Where there are many neighbours, the search finds whole lists; else it puts entries into buckets of
// lists, and these are sorted.
#pragma once

#include "hgrid/lists/lists_of_pairs.hpp"
#include "host/neighbours/brick_search.hpp"
#include "host/neighbours/measured_rows.hpp"
#include "host/neighbours/sort_buckets.hpp"
#include "host/search/host_search.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class HostLists {
  using Filler = PairFiller<HostExec, HostSearch<D>>;
  using State = GridState<HostExec, D>;

 public:
  explicit HostLists(const HostExec& exec) : by_pairs_(exec) {}

  template <class Entry, class Check>
  void fill(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec, Entry>& list, ListKind kind,
            const Check& check) {
    list.enqueued = 0;
    if (!collect_all(exec, filler, grid, kind)) return by_pairs_.fill(exec, filler, grid, list, kind, check);
    fill_collected(exec, grid, list);
  }

  template <class Entry>
  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec, Entry>& list, ListKind kind) {
    const bool images = grid.view().periodic;
    const auto lists = static_cast<index_t>(grid.count);
    if (!collect(exec, filler, grid, kind, false)) return by_pairs_.enqueue(exec, filler, grid, list, kind);
    reserve_all(exec, Need{list.offsets, offset_t{lists} + 1}, Need{list.found, 1});
    list.size = 0;
    if (admit(exec, grid, list.room(images), list.found.data())) {
      if (note_periods(exec, grid, list)) return write(exec, grid, list);
      *list.found.data() = -1;
    }
    std::fill_n(list.offsets.data(), offset_t{lists} + 1, 0);
    list.lists = lists;
    list.has_images = images;
  }

  /// Pairs by i, j, image.
  template <class Check>
  void fill(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
            PairArrays<HostExec>& list, const Check& check) {
    if (!collect_all(exec, filler, grid, ListKind::half)) return by_pairs_.fill(exec, filler, grid, scratch, list, check);
    const offset_t n = entries();
    filler.make_room(exec, grid.view().periodic, list, n);
    write(exec, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
    list.size = n;
  }

  void enqueue(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
               PairArrays<HostExec>& list) {
    if (!collect(exec, filler, grid, ListKind::half, false)) return by_pairs_.enqueue(exec, filler, grid, scratch, list);
    const offset_t n = entries();
    if (!admit(exec, grid, list.room(list.has_images), list.found.data())) return;
    write(exec, ToPairs(list.first_columns(n)), wraps_of_ids(exec, grid));
  }

  /// Measured entries. Rows are measured as they were found; where entries are sorted, lists are made of them in `scratch`.
  template <class Real, class Check>
  offset_t write_entries(const HostExec& exec, Filler& filler, const State& grid, NeighbourArrays<HostExec>& scratch,
                         ListKind kind, const WantedEntries<Real, D>& wanted, const EntryOutput& out, const Check& check) {
    scratch.enqueued = 0;
    if (!collect_all(exec, filler, grid, kind)) {
      by_pairs_.fill(exec, filler, grid, scratch, kind, check);
    } else if (by_rows_) {
      rows_.settle(exec);
      const bool by_slots = grid.count >= least_by_slots && grid.slots == grid.count;
      const RowsAsFound rows{rows_, wraps_of_ids(exec, grid), by_slots ? grid.view().id : nullptr};
      return write_measured(exec, rows, wanted, out);
    } else {
      fill_collected(exec, grid, scratch);
    }
    return write_measured(exec, RowsOfLists{ListView(scratch)}, wanted, out);
  }

  /// Those that are made of pairs.
  ListsOfPairs<HostExec>& of_pairs() { return by_pairs_; }

  std::size_t bytes() const {
    return rows_.bytes() + room_.bytes() + buckets_.bytes() + sort_.bytes() + wraps_.bytes() + by_pairs_.bytes();
  }

 private:
  // From so many partners of a particle on, whole lists are found faster than entries are sorted: full ones, and half ones,
  // which have half of the entries but need as many candidates. Several levels cost each particle rows of each.
  static constexpr double least_for_full = 32, least_for_half = 48, least_on_levels = 3;
  // Of the largest particles of levels. If they differ more, the surroundings of the coarse ones are a burden to the fine ones.
  static constexpr double most_unlike = 4;
  // Entries of a particle before any were counted: if there are more, they are searched for twice.
  static constexpr double most_guessed = 64;
  // From this number of particles on, whose positions no cache holds, rows are measured in the order of slots: particles that
  // follow each other have neighbours in common. Of fewer, it takes longer to write entries here and there.
  static constexpr offset_t least_by_slots = 1 << 18;

  // Whether lists of so many partners are found by bricks.
  static bool suits_bricks(const GridView<D>& g, bool half, double partners) {
    if (half && g.is_one_sided()) return false;  // half lists have pairs then that only one has as a neighbour
    double finest = HUGE_VAL, coarsest = 0;
    int levels = 0;
    for (int h = 0; h < g.level_count; ++h) {
      if (g.level_begin[h] == g.level_begin[h + 1]) continue;
      finest = std::min(finest, g.radius_max[h]), coarsest = std::max(coarsest, g.radius_max[h]);
      ++levels;
    }
    const double least = (half ? least_for_half : least_for_full) * (levels > 1 ? least_on_levels : 1);
    return partners >= least && coarsest <= most_unlike * finest;
  }

  // Finds all entries, as far as there is room. False if some image has no code.
  bool collect(const HostExec& exec, Filler& filler, const State& grid, ListKind kind, bool may_grow) {
    GridView<D> g = grid.view();
    g.wraps = nullptr;
    const bool half = kind == ListKind::half, known = known_count_ / 2 < grid.count && grid.count / 2 < known_count_;
    const double partners = known ? known_partners_ : expected_partners(g);
    by_rows_ = filler.search.schedule() == Schedule::fast && (may_grow || room_.size() >= exec.concurrency()) &&
               suits_bricks(g, half, partners);
    const double each = known ? (half ? 0.5 : 1) * partners : by_rows_ ? std::min(partners, most_guessed) : 8;
    const auto guess = static_cast<offset_t>(each * static_cast<double>(grid.count));
    std::atomic<bool> no_code{false};
    if (by_rows_) {
      rows_.begin(exec, grid.count, grid.slots < grid.count, guess, g.periodic, may_grow);
      reserve_all(exec, Need{room_, exec.concurrency()});
      find_rows(exec, g, kind, filler.search.watch(), rows_, room_.data(), no_code);
    } else {
      buckets_.begin(exec, static_cast<index_t>(grid.count), guess, may_grow);
      const auto make_writer = [&](offset_t worker) { return ListBuckets::Writer(buckets_, worker); };
      filler.search.entries(exec, g, grid.slots, kind, make_writer, no_code);
    }
    known_count_ = grid.count;
    known_partners_ =
        (half ? 2.0 : 1.0) * static_cast<double>(entries()) / static_cast<double>(std::max<offset_t>(grid.count, 1));
    return !no_code;
  }

  offset_t entries() const { return by_rows_ ? rows_.entries() : buckets_.entries(); }
  bool has_all() const { return by_rows_ ? rows_.has_all() : buckets_.has_all(); }

  // The same of all of them, with all memory that their output needs.
  bool collect_all(const HostExec& exec, Filler& filler, const State& grid, ListKind kind) {
    do {
      if (!collect(exec, filler, grid, kind, true)) return false;
    } while (!has_all());
    if (!by_rows_) {
      buckets_.settle();
      sort_.reserve(exec, buckets_);
    }
    reserve_all(exec, Need{wraps_, grid.view().has_wraps() ? grid.count : 0});
    return true;
  }

  // Whether the entries, of which *found receives the number, fit into `room` and can be put out without more memory; if only
  // the latter is missing, -1.
  bool admit(const HostExec& exec, const State& grid, offset_t room, offset_t* found) {
    *found = entries();
    if (*found > room) return false;
    if (has_all()) {
      if (!by_rows_) buckets_.settle();
      const bool sorts = by_rows_ || sort_.has_room(exec, buckets_);
      if (sorts && (!grid.view().has_wraps() || wraps_.size() >= grid.count)) return true;
    }
    *found = -1;
    return false;
  }

  template <class Entry>
  void fill_collected(const HostExec& exec, const State& grid, NeighbourArrays<HostExec, Entry>& list) {
    const offset_t n = entries();
    list.make_room(exec, static_cast<index_t>(grid.count), n, grid.view().periodic, grid.view().has_wraps());
    note_periods(exec, grid, list);
    write(exec, grid, list);
    list.size = n;
  }

  template <class Entry>
  void write(const HostExec& exec, const State& grid, NeighbourArrays<HostExec, Entry>& list) {
    const bool images = grid.view().periodic;
    const ListArrays out{list.offsets.data(), list.to_fill(images)};
    if constexpr (std::is_same_v<Entry, PackedNeighbour>) {
      write(exec, ToPackedLists(out, images), nullptr);
    } else {
      write(exec, ToLists(out), wraps_of_ids(exec, grid));
    }
    out.offsets[grid.count] = entries();
    list.lists = static_cast<index_t>(grid.count);
    list.has_images = images;
  }

  template <class Out>
  void write(const HostExec& exec, const Out& out, const Image* wraps) {
    if (!by_rows_) return sort_.run(exec, buckets_, out, wraps);
    rows_.settle(exec);
    exec.for_each_part("hgrid::write_lists", rows_.size(), [&](offset_t from, offset_t to) {
      rows_.for_each(from, to, nullptr,
                     [&](index_t list, offset_t k, const index_t* ids, const FoundRows::Code* codes, index_t n) {
                       out.put_all(k, list, ids, codes, n);
                       out.begin(list, k);
                       add_periods(out, wraps, list, k, k + n);
                     });
    });
  }

  // How many partners a particle of the level with most of them has, if they are spread evenly over its cells.
  static double expected_partners(const GridView<D>& g) {
    int h = 0;
    for (int level = 1; level < g.level_count; ++level) {
      if (g.level_begin[level + 1] - g.level_begin[level] > g.level_begin[h + 1] - g.level_begin[h]) h = level;
    }
    const index_t first = g.level_begin[h], n = g.level_begin[h + 1] - first, samples = std::min<index_t>(n, 64);
    double volume = g.has_worlds() ? g.worlds : 1, around = 0;
    for (int k = 0; k < D; ++k) {
      const bool wraps = !g.has_worlds() && g.box.wraps[k];  // cells may reach far beyond a box that is smaller than a few
      volume *= wraps ? g.box.length(k) : g.level[h].cells[k] * g.level[h].cell_size[k];
    }
    for (index_t s = 0; s < samples; ++s) {
      const double a = g.radius[first + static_cast<index_t>(offset_t{n} * s / samples)],
                   distance = listing_distance_in(g, a, a);
      around += (D == 3 ? 4.19 : 3.14) * std::pow(distance, D) / samples;
    }
    const double partners = n / volume * around;
    return g.has_images() ? partners : std::min(partners, static_cast<double>(n));
  }

  // The periods by which each particle was wrapped, or null.
  const Image* wraps_of_ids(const HostExec& exec, const State& grid) {
    const GridView<D> g = grid.view();
    if (!g.has_wraps()) return nullptr;
    exec.for_each("hgrid::wraps_of_ids", g.slots(), PeriodsOfIds<D>{g, wraps_.data()});
    return wraps_.data();
  }

  bool by_rows_ = false;       // which of both has the entries
  double known_partners_ = 0;  // of a particle, as the last lists had
  offset_t known_count_ = 0;   // of particles then
  FoundRows rows_;
  HostBuffer<BrickRoom<D>> room_;  // of workers
  ListBuckets buckets_;
  SortBuckets sort_;
  HostBuffer<Image> wraps_;          // of ids
  ListsOfPairs<HostExec> by_pairs_;  // of boxes whose images have no codes, and of a client's predicate
};

}  // namespace hgrid::inline v0_1::detail
