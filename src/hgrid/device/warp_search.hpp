// SPDX-License-Identifier: BSD-3-Clause
// Cooperation of a warp's threads in a search kernel. Each lane collects runs of candidates for a slot of its own. All lanes
// test their candidates in one loop with the single-precision filter, and put the candidates that pass into one list of the
// warp. The lanes share this list evenly when the predicate decides it, and when the contacts are written. Runs and hits are in
// shared memory, and the state that finds the next runs is computed again after the test: the test loop must leave registers
// for many threads.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/core/search.hpp"
#include "hgrid/device/block.hpp"
#include "hgrid/device/search_sinks.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns 16 bits for an image of at most max_images + 1 periods per axis.
template <int D>
HGRID_HD inline std::uint16_t image_code(const Vec<int, D>& m) {
  int code = 0;
  for (int k = 0; k < D; ++k) code |= (m[k] + 16) << (5 * k);
  return static_cast<std::uint16_t>(code);
}

template <int D>
HGRID_HD inline Shift<D> shift_of_code(const Box<D>& box, std::uint16_t code) {
  Vec<int, D> m;
  for (int k = 0; k < D; ++k) m[k] = ((code >> (5 * k)) & 31) - 16;
  return shift_of(box, m);
}

/// The position of a slot's search: the next run of the query to a level under an image.
struct Cursor {
  static constexpr index_t none = -1;
  int level, image;
  index_t run;
};

inline constexpr int most_runs = 6;  ///< most runs that a lane collects at once; two layers of rows have five

/// The search of a warp. Calls `contact(p, q, shift)` once for each partner q of a slot p of the warp; it returns whether to
/// keep the contact. If `Contact::by_any_lane`, any lane may call it, and up to `most_hits` are kept here, in an order that
/// depends on the view only. Otherwise the lane that searches for p calls it.
template <class Block, class View, class Contact>
class WarpSearch {
  static constexpr int D = View::dimension;

 public:
  static constexpr int most_hits = 256;  // per warp: eight per lane
  static constexpr bool can_hold = false;

  static std::size_t shared_bytes(bool has_images) { return has_images ? end_with_images : end_without; }

  HGRID_HD WarpSearch(Block& block, const View& g, const Contact& on_contact) : contact_(on_contact), block_(block), g_(g) {}

  HGRID_HD void set_slot(index_t p) { *slots(block_.thread()) = p; }

  HGRID_HD void start() {
    *left() = 0, counts_ = {};
    if (block_.lane() == 0) *found_in_warp() = 0;
  }

  HGRID_HD bool has_candidates() const { return *left() > 0; }

  /// Collects runs of the query at the cursor, and advances the cursor: at a query's end to the next image, then to the next
  /// level, and after the last one to no run. `once` is for the slot's own level, where each pair is found by one of its two
  /// slots. With `in_place` only this level is searched, under no other image.
  HGRID_HD void collect(Cursor& at, bool once, bool in_place) {
    const index_t p = slot();
    int images = 1;
    const Shift<D> shift = in_place ? Shift<D>{} : image_of_query(g_, p, at.level, false, at.image, images);
    const Query<D> query = make_query(g_, p, at.level, once, shift);
    aim(query);
    collect(at.level, query, at.run, query.runs);
    if (at.run < query.runs) return;
    at.run = 0;
    if (++at.image < images) return;
    at.image = 0;
    if (in_place || ++at.level == g_.level_count) at.run = Cursor::none;
  }

  /// Prepares for the runs of this query, which are collected next.
  HGRID_HD void aim(const Query<D>& query) {
    if (query.runs == 0 || !has_images()) return;
    *centre() = filter_record(g_, query.centre, g_.radius[slot()]);
    counts_.image = image_code<D>(query.shift.m);
  }

  /// Collects runs of a query to level j, from number `run` on up to `end`, or as many as fit, and advances `run`.
  HGRID_HD void collect(int j, const Query<D>& query, index_t& run, index_t end) {
    if (g_.in_rows() && !query.scans_level) {
      RowsOfQuery<View> rows(g_, j, query, run);
      collect(run, end, [&] { return rows.next(); });
    } else {
      index_t hint = 0;
      collect(run, end, [&] { return run_of_query(g_, j, query, run, hint); });
    }
  }

  /// Tests candidates, and decides the ones that pass. All lanes arrive, also lanes without candidates. Some may have
  /// candidates left afterwards.
  HGRID_HD void test() {
    const int kept = test_by_filter();
    if constexpr (Contact::by_any_lane) {
      decide_together(kept);
    } else {
      decide_own();
    }
  }

  HGRID_HD const View& grid() const { return g_; }
  HGRID_HD offset_t found() const { return *found_in_warp(); }  ///< contacts of the warp
  HGRID_HD int kept() const { return counts_.hits; }            ///< contacts kept here; fewer if there was no room
  HGRID_HD void forget_kept() { counts_.hits = 0; }
  HGRID_HD KeptContact<D> kept(int k) const {
    const index_t p = *slots(*owner(k));
    return {p, *hit(k), shift_of(p, has_images() ? *image(k) : std::uint16_t{0})};
  }
  /// Returns the slot, read from shared memory each time: values found by it are then loaded again where they are needed, and
  /// occupy no registers between.
  HGRID_HD index_t slot() const { return *const_cast<const volatile index_t*>(slots(block_.thread())); }

 private:
  // Offsets in a block's memory: the numbers of contacts that its warps have found, runs, slots, hits, their owners; then the
  // parts that only images need.
  static constexpr int warps = Block::threads / 32;
  static constexpr int found_at = block_scratch_bytes + warps * static_cast<int>(sizeof(WarpOfSink));
  static constexpr int runs_at = found_at + warps * static_cast<int>(sizeof(offset_t));
  static constexpr int slots_at = runs_at + Block::threads * most_runs * static_cast<int>(sizeof(SlotRun));
  static constexpr int left_at = slots_at + Block::threads * static_cast<int>(sizeof(index_t));
  static constexpr int hits_at = left_at + Block::threads * static_cast<int>(sizeof(index_t));
  static constexpr int owners_at = hits_at + warps * most_hits * static_cast<int>(sizeof(index_t));
  static constexpr int end_without = owners_at + warps * most_hits;
  static constexpr int images_at = end_without + Block::threads * static_cast<int>(sizeof(FilterRecord));
  static constexpr int end_with_images = images_at + warps * most_hits * static_cast<int>(sizeof(std::uint16_t));

  HGRID_HD offset_t* found_in_warp() const { return block_.template shared<offset_t>(found_at) + block_.warp(); }
  // Run k of all threads is stored together, so that a warp's accesses use different banks.
  HGRID_HD SlotRun* runs(int k) const {
    return block_.template shared<SlotRun>(runs_at) + k * Block::threads + block_.thread();
  }
  HGRID_HD index_t* slots(int thread) const { return block_.template shared<index_t>(slots_at) + thread; }
  /// Candidates of the lane that wait.
  HGRID_HD index_t* left() const { return block_.template shared<index_t>(left_at) + block_.thread(); }
  HGRID_HD index_t* hit(int k) const { return block_.template shared<index_t>(hits_at) + block_.warp() * most_hits + k; }
  /// The thread whose slot the hit is a candidate of. With `decide_own`, the lane's previous hit.
  HGRID_HD std::uint8_t* owner(int k) const {
    return block_.template shared<std::uint8_t>(owners_at) + block_.warp() * most_hits + k;
  }
  HGRID_HD FilterRecord* centre() const { return block_.template shared<FilterRecord>(end_without) + block_.thread(); }
  HGRID_HD std::uint16_t* image(int k) const {
    return block_.template shared<std::uint16_t>(images_at) + block_.warp() * most_hits + k;
  }

  HGRID_HD bool has_images() const { return g_.has_images(); }
  HGRID_HD Shift<D> shift_of(index_t p, std::uint16_t code) const {
    if (!has_images() || code == image_code<D>({})) return {};
    return g_.with_box(g_.world_of(p), [code](const Box<D>& box) { return shift_of_code(box, code); });
  }
  HGRID_HD static int rank(const Block& block, std::uint32_t lanes) { return Block::bits(lanes & ((1u << block.lane()) - 1)); }

  template <class Next>
  HGRID_HD void collect(index_t& run, index_t end, const Next& next) {
    index_t n = 0, candidates = 0;
    HGRID_KEEP_ROLLED
    for (; run < end && n < most_runs; ++run) {
      const SlotRun found = next();
      if (found.begin >= found.end) continue;
      *runs(n++) = found;
      candidates += found.end - found.begin;
    }
    counts_.runs = static_cast<std::uint32_t>(n), *left() = candidates;
  }

  /// Appends candidates that pass the filter to the kept hits, and returns the number of kept hits. Every lane makes the same
  /// number of rounds, without a branch in the loop: diverging lanes would cost more than lanes that have nothing left.
  HGRID_HD int test_by_filter() {
    const index_t own = slot();
    const FilterRecord centre = has_images() ? *this->centre() : block_.load(&g_.filter[own]);
    const int kept =
        counts_.hits > most_hits - 32 ? 0 : static_cast<int>(counts_.hits);  // if full, the writing pass must search again
    int hits = kept, runs_left = counts_.runs;
    index_t left = *this->left();
    SlotRun now{0, 0};
    int rounds = largest(left);
    HGRID_KEEP_ROLLED
    for (; rounds > 0 && hits <= most_hits - 32; --rounds) {
      const bool tests = left > 0;
      if (tests && now.begin >= now.end) now = *runs(--runs_left);
      const bool passes = may_touch(centre, own, tests ? now.begin : own) && tests;
      const std::uint32_t all = block_.ballot(passes);
      if (passes) put(hits + rank(block_, all), now.begin);
      hits += Block::bits(all);
      ++now.begin, --left;
    }
    if (left > 0 && now.begin < now.end) *runs(runs_left++) = now;
    *this->left() = left, counts_.runs = static_cast<std::uint32_t>(runs_left), counts_.hits = static_cast<std::uint32_t>(hits);
    return kept;
  }

  /// Tests by the filter. The filter does not support extents; with extents the predicate decides at once.
  HGRID_HD bool may_touch(const FilterRecord& centre, index_t p, index_t q) const {
    if (!g_.has_extents()) return detail::may_touch(centre, block_.load(&g_.filter[q]), g_.adds_radii());
    return in_contact(g_, p, q, shift_of(p, counts_.image));
  }

  HGRID_HD void put(int k, index_t q) {
    *hit(k) = q;
    if constexpr (Contact::by_any_lane) {
      *owner(k) = static_cast<std::uint8_t>(block_.thread());
    } else {
      *owner(k) = static_cast<std::uint8_t>(own_.last);
      own_.last = static_cast<std::uint32_t>(k), ++own_.number;
    }
  }

  HGRID_HD int largest(int n) const {
    for (int distance = 16; distance > 0; distance /= 2) {
      const int other = block_.shuffle(n, block_.lane() ^ distance);
      n = n < other ? other : n;
    }
    return n;
  }

  /// Decides the hits from `first` on, one per lane, and appends the contacts that stay to the kept ones.
  HGRID_HD void decide_together(int first) {
    const int end = counts_.hits;
    int kept = first, found = 0;
    block_.warp_barrier();  // the hits of all lanes are there
    HGRID_KEEP_ROLLED
    for (; first < end; first += 32) {
      const int k = first + block_.lane();
      const int thread = k < end ? *owner(k) : block_.thread();
      const auto code =
          static_cast<std::uint16_t>(has_images() ? block_.shuffle(static_cast<int>(counts_.image), thread % 32) : 0);
      const index_t p = *slots(thread), q = k < end ? *hit(k) : p;
      const Shift<D> shift = shift_of(p, code);
      const bool touches = k < end && are_partners(p, q, shift, code);
      const bool stays = touches && contact_(p, q, shift);
      found += Block::bits(block_.ballot(touches));
      const std::uint32_t all = block_.ballot(stays);
      block_.warp_barrier();  // all lanes have read their hits
      if (stays) {
        const int to = kept + rank(block_, all);
        *hit(to) = q, *owner(to) = static_cast<std::uint8_t>(thread);
        if (has_images()) *image(to) = code;
      }
      kept += Block::bits(all);
    }
    counts_.hits = static_cast<std::uint32_t>(kept);
    if (block_.lane() == 0) *found_in_warp() += found;
    block_.warp_barrier();  // the kept contacts are written
  }

  /// Lets each lane decide its own hits.
  HGRID_HD void decide_own() {
    const index_t p = slot();
    const Shift<D> shift = shift_of(p, counts_.image);
    HGRID_KEEP_ROLLED
    for (int k = own_.last; own_.number > 0; --own_.number, k = *owner(k)) {
      const index_t q = *hit(k);
      if (are_partners(p, q, shift, counts_.image)) contact_(p, q, shift);
    }
    counts_.hits = 0;
    block_.warp_barrier();  // they may be overwritten
  }

  HGRID_HD bool are_partners(index_t p, index_t q, const Shift<D>& shift, std::uint16_t code) const {
    const bool in_place = !has_images() || code == image_code<D>({});
    if (q == p && in_place) return false;  // a particle is not a partner of itself
    return in_contact(g_, p, q, shift) && reports(g_, p, q, shift);
  }

  /// In one register: waiting runs of the lane; hits of the warp; the image of the lane's candidates.
  struct Counts {
    std::uint32_t runs : 4, hits : 9, image : 16;
  };
  /// Number of the lane's hits since the last decision, and the last of them.
  struct OwnHits {
    std::uint32_t number : 9, last : 8;
  };

  Contact contact_;
  Block& block_;
  const View& g_;
  Counts counts_{};
  OwnHits own_{};
};

}  // namespace hgrid::inline v0_2::detail
