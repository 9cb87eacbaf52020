// SPDX-License-Identifier: BSD-3-Clause
// What one thread does in a search kernel: it collects runs of candidates, tests them in one loop with the
// single-precision filter, and decides those that pass by the predicate. Runs and hits lie in shared memory, and what
// finds the next runs is computed anew when they have been tested: the test loop must leave registers for many threads.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/core/search.hpp"
#include "hgrid/device/block.hpp"

namespace hgrid::inline v0_1::detail {

/// An image of at most max_images + 1 periods an axis in 16 bits.
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

/// Where a slot's search stands: the next run of the query to a level under an image.
struct Cursor {
  static constexpr index_t none = -1;
  int level, image;
  index_t run;
};

/// The search of one thread for the partners of one slot. `contact(p, q, shift)` is called once for each of them, in an
/// order that depends on the view only, and says whether to keep q: of those, the first `most_hits` stay here.
template <class Block, class View, class Contact>
class LaneSearch {
  static constexpr int D = View::dimension;

 public:
  static constexpr int most_runs = 6, most_hits = 8;  // of a thread; two layers of rows have five

  static std::size_t shared_bytes(bool periodic) { return lanes_at + Block::threads * (periodic ? images_end : hits_end); }

  HGRID_HD LaneSearch(Block& block, const View& g, const Contact& on_contact) : contact(on_contact), block_(block), g_(g) {}

  HGRID_HD void set_slot(index_t p) { *state() = {p, 0}; }

  HGRID_HD void start() {
    counts_ = {};
    state()->found = 0;
  }

  HGRID_HD bool has_candidates() const { return counts_.runs > 0; }

  /// Collects runs of one query, those of the cursor's place, and moves the cursor on: at a query's end to the next
  /// image, then to the next level, and beyond the last one to no run. `once` on the slot's own level, where the
  /// search for the other has half of the pairs.
  HGRID_HD void collect(Cursor& at, bool once, bool only_level) {
    const index_t p = slot();
    int images;
    const Query<D> query = make_query(g_, p, at.level, once, at.image, images);
    aim(query);
    index_t hint = 0;
    while (at.run < query.runs && counts_.runs < most_runs) add(run_of_query(g_, at.level, query, at.run++, hint));
    if (at.run < query.runs) return;
    at.run = 0;
    if (++at.image < images) return;
    at.image = 0;
    if (only_level || ++at.level == g_.level_count) at.run = Cursor::none;
  }

  /// The runs that are added next are of this query.
  HGRID_HD void aim(const Query<D>& query) {
    if (query.runs == 0 || !has_images()) return;
    *centre() = filter_record(g_, query.centre, g_.radius[slot()]);
    counts_.image = image_code<D>(query.shift.m);
  }

  HGRID_HD void add(SlotRun run) {
    if (run.begin < run.end) *runs(counts_.runs++) = run;
  }

  /// Tests the collected runs, as far as there is room for hits. One loop over all runs keeps more lanes of a warp busy
  /// than one loop a run.
  HGRID_HD void test() {
    const FilterRecord centre = has_images() ? *this->centre() : block_.load(&g_.filter[slot()]);
    SlotRun now{0, 0};
    HGRID_KEEP_ROLLED
    for (;; ++now.begin) {
      if (now.begin >= now.end) {
        if (counts_.runs == 0) return;
        now = *runs(--counts_.runs);
      }
      if (!may_touch(centre, block_.load(&g_.filter[now.begin]), g_.adds_radii())) continue;
      if (counts_.hits == most_hits) return add(now);  // this one comes again
      *hits(counts_.hits++) = now.begin;
    }
  }

  /// Decides the hits. If all stay and there is no room for more, none is kept.
  HGRID_HD void settle() {
    const Shift<D> shift = shift_of(counts_.image);
    const bool in_place = !has_images() || counts_.image == image_code<D>({});
    const int hits_now = counts_.hits;
    counts_.hits = counts_.kept;
    HGRID_KEEP_ROLLED
    for (int k = counts_.kept; k < hits_now; ++k) {
      const index_t q = *hits(k), p = slot();
      if (q == p && in_place) continue;  // a particle is no partner of itself
      if (!in_contact(g_, p, q, shift) || !reports(g_, p, q, shift)) continue;
      ++state()->found;
      if (!contact(p, q, shift)) continue;
      *hits(counts_.hits) = q;
      if (has_images()) *images(counts_.hits) = counts_.image;
      ++counts_.hits;
    }
    if (counts_.hits == most_hits && has_candidates()) counts_.hits = 0;
    counts_.kept = counts_.hits;
  }

  HGRID_HD index_t found() const { return state()->found; }
  HGRID_HD int kept() const { return counts_.kept; }
  /// From shared memory, each time: values found by it are loaded again where they are needed, and take no registers between.
  HGRID_HD index_t slot() const { return const_cast<const volatile State*>(state())->slot; }
  HGRID_HD index_t hit_slot(int k) const { return *hits(k); }
  HGRID_HD Shift<D> hit_shift(int k) const { return shift_of(has_images() ? *images(k) : std::uint16_t{0}); }

  Contact contact;

 private:
  struct State {
    index_t slot, found;  // that many contacts
  };

  // Bytes a thread before its hits, and before and after what only images need.
  static constexpr int hits_at = most_runs * static_cast<int>(sizeof(SlotRun));
  static constexpr int state_at = hits_at + most_hits * static_cast<int>(sizeof(index_t));
  static constexpr int hits_end = state_at + static_cast<int>(sizeof(State));
  static constexpr int images_at = hits_end + static_cast<int>(sizeof(FilterRecord));
  static constexpr int images_end = images_at + most_hits * static_cast<int>(sizeof(std::uint16_t));
  static constexpr int lanes_at = block_scratch_bytes + Block::threads * static_cast<int>(sizeof(offset_t));

  // Element k of all threads lies together, so that a warp's accesses meet different banks.
  template <class T>
  HGRID_HD T* mine(int bytes_before, int k) const {
    return block_.template shared<T>(lanes_at + Block::threads * bytes_before) + k * Block::threads + block_.thread();
  }
  HGRID_HD State* state() const { return mine<State>(state_at, 0); }
  HGRID_HD SlotRun* runs(int k) const { return mine<SlotRun>(0, k); }
  HGRID_HD index_t* hits(int k) const { return mine<index_t>(hits_at, k); }
  HGRID_HD FilterRecord* centre() const { return mine<FilterRecord>(hits_end, 0); }
  HGRID_HD std::uint16_t* images(int k) const { return mine<std::uint16_t>(images_at, k); }

  HGRID_HD bool has_images() const { return g_.has_images(); }
  HGRID_HD Shift<D> shift_of(std::uint16_t code) const { return has_images() ? shift_of_code(g_.box_of(g_.world_of(slot())), code) : Shift<D>{}; }

  /// In one register: runs that wait; hits, and those of them that are contacts; the image they are sought under.
  struct Counts {
    std::uint32_t runs : 4, hits : 4, kept : 4, image : 16;
  };

  Block& block_;
  const View& g_;
  Counts counts_{};
};

}  // namespace hgrid::inline v0_1::detail
