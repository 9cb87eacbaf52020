// SPDX-License-Identifier: BSD-3-Clause
// The entries of neighbour lists as a search collects them, of one grid or of those that ask another one. Where there are many
// neighbours, the search finds whole lists; else it puts entries into buckets of lists, and these are sorted.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>

#include "hgrid/cells/stages.hpp"
#include "hgrid/find/packed_lists.hpp"
#include "host/neighbours/brick_search.hpp"
#include "host/neighbours/sort_buckets.hpp"
#include "host/search/host_search.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
class CollectedLists {
 public:
  /// Finds all entries, of this number of lists of particles whose ids are below `ids`, as far as there is room; `Grids` is
  /// AskedBy, or OneGrid without wraps: images are those between particles inside the box. False if some image has no code: the
  /// entries are worth nothing then.
  template <class Grids>
  bool collect(const HostExec& exec, HostSearch<D>& search, const Grids& grids, offset_t lists, offset_t ids, ListKind kind,
               bool may_grow) {
    const bool half = kind == ListKind::half, known = known_count_ / 2 < lists && lists / 2 < known_count_;
    const double partners = known ? known_partners_ : expected_partners(grids.asking, grids.asked);
    by_rows_ = search.schedule() == Schedule::fast && (may_grow || room_.size() >= exec.concurrency()) &&
               !is_confirmed(grids) && suits_bricks(grids.asked, half, partners);
    const double each = known ? (half ? 0.5 : 1) * partners : by_rows_ ? std::min(partners, most_guessed) : 8;
    const auto guess = static_cast<offset_t>(each * static_cast<double>(lists));
    std::atomic<bool> no_code{false};
    if (by_rows_) {
      rows_.begin(exec, lists, grids.asking.slots() < lists, guess, grids.asked.periodic, may_grow);
      reserve_all(exec, Need{room_, exec.concurrency()});
      find_rows<D>(exec, grids, ids, kind, search.watch(), rows_, room_.data(), no_code);
    } else {
      buckets_.begin(exec, static_cast<index_t>(lists), static_cast<index_t>(ids), guess, may_grow);
      const auto make_writer = [&](offset_t worker) { return ListBuckets::Writer(buckets_, worker); };
      search.entries(exec, grids, kind, make_writer, no_code);
    }
    known_count_ = lists;
    known_partners_ = (half ? 2.0 : 1.0) * static_cast<double>(entries()) / static_cast<double>(std::max<offset_t>(lists, 1));
    return !no_code;
  }

  /// The same of all of them, with all memory that their output needs.
  template <class Grids>
  bool collect_all(const HostExec& exec, HostSearch<D>& search, const Grids& grids, offset_t lists, offset_t ids,
                   ListKind kind) {
    do {
      if (!collect(exec, search, grids, lists, ids, kind, true)) return false;
    } while (!has_all());
    if (!by_rows_) {
      buckets_.settle();
      sort_.reserve(exec, buckets_);
    }
    return true;
  }

  /// Memory for the periods of particles that have lists, and of others.
  void reserve_wraps(const HostExec& exec, offset_t lists, offset_t ids = 0) {
    reserve_all(exec, Need{wraps_[0], lists}, Need{wraps_[1], ids});
  }
  /// Those by which the particles of a grid were wrapped, or null.
  const Image* wraps_of_lists(const HostExec& exec, const GridView<D>& g) { return periods_of(exec, g, wraps_[0]); }
  const Image* wraps_of_others(const HostExec& exec, const GridView<D>& g) { return periods_of(exec, g, wraps_[1]); }

  /// The lists that are collected next, of this number, will have at most this number of entries.
  void expect(offset_t lists, offset_t entries) {
    known_count_ = lists;
    known_partners_ = static_cast<double>(entries + 1) / static_cast<double>(std::max<offset_t>(lists, 1));
  }

  offset_t entries() const { return by_rows_ ? rows_.entries() : buckets_.entries(); }

  /// Whether the entries, of which *found receives the number, fit into `room` and can be put out without more memory, that of
  /// the periods of `wrapped` lists included; if only the latter is missing, -1.
  bool admit(const HostExec& exec, offset_t room, offset_t wrapped, offset_t* found) {
    *found = entries();
    if (*found > room) return false;
    if (has_all()) {
      if (!by_rows_) buckets_.settle();
      if ((by_rows_ || sort_.has_room(exec, buckets_)) && wraps_[0].size() >= wrapped) return true;
    }
    *found = -1;
    return false;
  }

  /// Puts them out, sorted (list_outputs.hpp).
  template <class Out>
  void write(const HostExec& exec, const Out& out, const Wraps& wraps) {
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

  /// Whether whole lists were found, and these.
  bool by_rows() const { return by_rows_; }
  FoundRows& rows() { return rows_; }

  std::size_t bytes() const {
    return rows_.bytes() + room_.bytes() + buckets_.bytes() + sort_.bytes() + wraps_[0].bytes() + wraps_[1].bytes();
  }

 private:
  // From so many partners of a particle on, whole lists are found faster than entries are sorted: full ones, and half ones,
  // which have half of the entries but need as many candidates. Several levels cost each particle rows of each.
  static constexpr double least_for_full = 32, least_for_half = 48, least_on_levels = 3;
  // Full ones of few particles in an open box, or in each of many, by wide vectors: they have no images, and the nearest cache
  // holds them.
  static constexpr double least_of_few = 20;
  static constexpr index_t few = 4096;
  static bool are_few(const GridView<D>& g) {
    const offset_t worlds = g.has_worlds() ? g.worlds : 1;
    return g.slots() <= few * worlds && !g.has_images() && candidates_at_once(true) >= 8;
  }
  // Of the largest particles of levels. If they differ more, the surroundings of the coarse ones are a burden to the fine ones.
  static constexpr double most_unlike = 4;
  // Entries of a particle before any were counted: if there are more, they are searched for twice.
  static constexpr double most_guessed = 64;

  // Whether a client's predicate confirms contacts, which bricks do not ask.
  static bool is_confirmed(const OneGrid<D>&) { return false; }
  static bool is_confirmed(const AskedBy<D>& grids) { return grids.touches != nullptr; }

  // Whether lists of so many partners are found by bricks.
  static bool suits_bricks(const GridView<D>& g, bool half, double partners) {
    if (half && g.is_one_sided()) return false;  // half lists have pairs then that only one has as a neighbour
    if (g.has_extents()) return false;           // bricks gather what is within a radius
    if (g.boxes.heights > 0) return false;       // and all slots of a cell
    double finest = HUGE_VAL, coarsest = 0;
    int levels = 0;
    for (int h = 0; h < g.level_count; ++h) {
      if (g.level_begin[h] == g.level_begin[h + 1]) continue;
      finest = std::min(finest, g.radius_max[h]), coarsest = std::max(coarsest, g.radius_max[h]);
      ++levels;
    }
    const double of_one = half ? least_for_half : are_few(g) ? least_of_few : least_for_full;
    return partners >= of_one * (levels > 1 ? least_on_levels : 1) && coarsest <= most_unlike * finest;
  }

  // How many partners among the particles of the level with most of them one that asks has, if they are spread evenly over the
  // level's cells.
  static double expected_partners(const GridView<D>& asking, const GridView<D>& g) {
    const int h = fullest_level(g);
    const bool same = &asking == &g;
    const index_t first = g.level_begin[h], n = g.level_begin[h + 1] - first, samples = std::min<index_t>(n, 64);
    if (n == 0 || asking.slots() == 0) return 0;
    double volume = g.has_worlds() ? g.worlds : 1, around = 0;
    if (g.has_extents()) return 8;  // sizes say less then; a wrong guess costs a search
    for (int k = 0; k < D; ++k) {
      const bool wraps = !g.has_worlds() && g.box.wraps[k];  // cells may reach far beyond a box that is smaller than a few
      volume *= wraps ? g.box.length(k) : g.level[h].cells[k] * g.level[h].cell_size[k];
    }
    for (index_t s = 0; s < samples; ++s) {
      const double a = g.radius[first + static_cast<index_t>(offset_t{n} * s / samples)];
      const double own = same ? a : asking.radius[offset_t{asking.slots()} * s / samples];
      around += (D == 3 ? 4.19 : 3.14) * std::pow(listing_distance_in(g, own, a), D) / samples;
    }
    const double partners = n / volume * around;
    return g.has_images() ? partners : std::min(partners, static_cast<double>(n));
  }

  static const Image* periods_of(const HostExec& exec, const GridView<D>& g, HostBuffer<Image>& periods) {
    if (!g.has_wraps()) return nullptr;
    exec.for_each("hgrid::wraps_of_ids", g.slots(), PeriodsOfIds<D>{g, periods.data()});
    return periods.data();
  }

  bool has_all() const { return by_rows_ ? rows_.has_all() : buckets_.has_all(); }

  bool by_rows_ = false;       // which of both has the entries
  double known_partners_ = 0;  // of a particle, as the last lists had
  offset_t known_count_ = 0;   // of particles then
  FoundRows rows_;
  HostBuffer<BrickRoom<D>> room_;  // of workers
  ListBuckets buckets_;
  SortBuckets sort_;
  HostBuffer<Image> wraps_[2];  // of ids: of those who have lists, and of another grid's
};

}  // namespace hgrid::inline v0_2::detail
