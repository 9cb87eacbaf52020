// SPDX-License-Identifier: BSD-3-Clause
// Collects the entries of neighbor lists of one grid, or between two grids. If there are many neighbors, the search finds whole
// lists; otherwise it puts entries into buckets of lists, which are sorted later.
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
  /// Finds all entries of this number of lists, with targets whose ids are below `ids`, as far as there is room. `Grids` is
  /// AskedBy, or OneGrid without wraps: images are between particles inside the box. Returns false if some image has no code;
  /// the entries are then invalid.
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

  /// Finds all entries, and reserves the memory for writing them.
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

  /// Reserves memory for the periods of particles that have lists, and of others.
  void reserve_wraps(const HostExec& exec, offset_t lists, offset_t ids = 0) {
    reserve_all(exec, Need{wraps_[0], lists}, Need{wraps_[1], ids});
  }
  /// Returns the periods by which the particles of a grid were wrapped, or null.
  const Image* wraps_of_lists(const HostExec& exec, const GridView<D>& g) { return periods_of(exec, g, wraps_[0]); }
  const Image* wraps_of_others(const HostExec& exec, const GridView<D>& g) { return periods_of(exec, g, wraps_[1]); }

  /// Announces the number of the lists that are collected next, and an upper bound for their entries.
  void expect(offset_t lists, offset_t entries) {
    known_count_ = lists;
    known_partners_ = static_cast<double>(entries + 1) / static_cast<double>(std::max<offset_t>(lists, 1));
  }

  offset_t entries() const { return by_rows_ ? rows_.entries() : buckets_.entries(); }

  /// Returns whether the entries fit into `room` and can be written without more memory, including memory for the periods of
  /// `wrapped` lists. *found receives their number, or -1 if only memory for writing them is missing.
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

  /// Writes the entries, sorted (list_outputs.hpp).
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

  /// Returns whether whole lists were found. The next function returns them.
  bool by_rows() const { return by_rows_; }
  FoundRows& rows() { return rows_; }

  std::size_t bytes() const {
    return rows_.bytes() + room_.bytes() + buckets_.bytes() + sort_.bytes() + wraps_[0].bytes() + wraps_[1].bytes();
  }

 private:
  // From this number of partners on, finding whole lists is faster than sorting entries. A half list has half of the entries
  // but needs as many candidates as a full one. With several levels each particle pays for the rows of each level.
  static constexpr double least_for_full = 32, least_for_half = 48, least_on_levels = 3;
  // The limit for full lists of few particles in an open box, or in each of many, with wide vectors: there are no images, and
  // the nearest cache holds all particles.
  static constexpr double least_of_few = 20;
  static constexpr index_t few = 4096;
  static bool are_few(const GridView<D>& g) {
    const offset_t worlds = g.has_worlds() ? g.worlds : 1;
    return g.slots() <= few * worlds && !g.has_images() && candidates_at_once(true) >= 8;
  }
  // Ratio of the largest particles of levels. If they differ more, the surroundings of the coarse particles slow down the fine
  // ones.
  static constexpr double most_unlike = 4;
  // Guessed entries per particle before any were counted. If there are more, the search runs twice.
  static constexpr double most_guessed = 64;

  // Returns whether a client's predicate confirms contacts. Bricks do not call predicates.
  static bool is_confirmed(const OneGrid<D>&) { return false; }
  static bool is_confirmed(const AskedBy<D>& grids) { return grids.touches != nullptr; }

  // Returns whether bricks should find lists of this many partners.
  static bool suits_bricks(const GridView<D>& g, bool half, double partners) {
    if (half && g.is_one_sided()) return false;  // pairs may be neighbors one way only
    if (g.has_extents()) return false;           // bricks gather the slots within a radius
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

  // Estimates how many partners a query particle has on the level with most particles, if these are spread evenly over the
  // level's cells.
  static double expected_partners(const GridView<D>& asking, const GridView<D>& g) {
    const int h = fullest_level(g);
    const bool same = &asking == &g;
    const index_t first = g.level_begin[h], n = g.level_begin[h + 1] - first, samples = std::min<index_t>(n, 64);
    if (n == 0 || asking.slots() == 0) return 0;
    double volume = g.has_worlds() ? g.worlds : 1, around = 0;
    if (g.has_extents()) return 8;  // sizes say less for extents; a wrong guess costs a search
    for (int k = 0; k < D; ++k) {
      const bool wraps = !g.has_worlds() && g.box.wraps[k];  // cells may extend far beyond a box that is only a few cells wide
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
  double known_partners_ = 0;  // per particle, in the last lists
  offset_t known_count_ = 0;   // number of particles then
  FoundRows rows_;
  HostBuffer<BrickRoom<D>> room_;  // of workers
  ListBuckets buckets_;
  SortBuckets sort_;
  HostBuffer<Image> wraps_[2];  // by id: of particles with lists, and of another grid's particles
};

}  // namespace hgrid::inline v0_2::detail
