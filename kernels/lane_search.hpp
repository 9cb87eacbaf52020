// SPDX-License-Identifier: BSD-3-Clause
// What one thread does in a search kernel: it collects runs of candidates, tests them in one loop with the
// single-precision filter, and decides those that pass by the predicate. Runs and hits lie in shared memory, and what
// finds the next runs is computed anew when they have been tested: the test loop must leave registers for many threads.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/core/query.hpp"
#include "hgrid/kernels/block.hpp"

namespace hgrid {

/// An image of at most max_images + 1 periods an axis in 16 bits.
template <int D>
HGRID_HD inline std::uint16_t image_code(const Vec<int, D>& m) {
  int code = 0;
  for (int k = 0; k < D; ++k) code |= (m[k] + 16) << (5 * k);
  return static_cast<std::uint16_t>(code);
}

template <int D>
HGRID_HD inline Shift<D> shift_of_code(const Box<D>& box, std::uint16_t code) {
  Shift<D> shift{};
  for (int k = 0; k < D; ++k) {
    shift.m[k] = ((code >> (5 * k)) & 31) - 16;
    shift.by[k] = mul_rn(shift.m[k], box.length(k));
  }
  return shift;
}

/// Where a slot's search stands: the next piece of the query to a level under an image.
struct Cursor {
  int level, image;
  index_t piece;
};

/// The search of one thread for the partners of one slot. `contact(p, q, shift)` is called once for each of them, in an
/// order that depends on the view only, and says whether to keep q: of those, the first `most_hits` stay here.
template <class Block, int D, class Contact>
class LaneSearch {
 public:
  static constexpr int most_runs = 6, most_hits = 8;  // of a thread; two layers of rows have five

  static std::size_t shared_bytes(bool periodic) {
    return block_scratch_bytes + Block::threads * (images_at + (periodic ? most_hits * sizeof(std::uint16_t) : 0));
  }

  HGRID_HD LaneSearch(Block& block, const GridView<D>& g, const Contact& on_contact)
      : contact(on_contact), block_(block), g_(g) {}

  HGRID_HD void start(index_t p) {
    p_ = p;
    kept_ = used_ = collected_ = next_ = 0;
    q_ = end_ = 0;
  }

  HGRID_HD bool has_candidates() const { return q_ < end_ || next_ < collected_; }

  /// Collects runs of one query, those of the cursor's place, and moves the cursor on: at a query's end to the next
  /// image, then to the next level.
  template <Visit visit>
  HGRID_HD void collect(Cursor& at) {
    const bool once = visit == Visit::once && at.level == g_.level_of_slot(p_);
    int images;
    const Query<D> query = make_query(g_, p_, at.level, once, at.image, images);
    aim(query);
    collected_ = next_ = 0;
    index_t hint = 0;
    while (at.piece < query.pieces && collected_ < most_runs) add(run_of_piece(g_, at.level, query, at.piece++, hint));
    if (at.piece < query.pieces) return;
    at.piece = 0;
    if (++at.image == images) at.image = 0, ++at.level;
  }

  /// What is added next is of this query.
  HGRID_HD void aim(const Query<D>& query) {
    if (query.pieces == 0) return;
    centre_ = filter_record(g_, query.centre, g_.radius[p_]);
    code_ = image_code<D>(query.shift.m);
  }

  HGRID_HD void add(SlotRun run) {
    if (run.begin < run.end) *runs(collected_++) = run;
  }

  /// Tests the collected runs, as far as there is room for hits. One loop over all runs keeps more lanes of a warp busy
  /// than one loop a run.
  HGRID_HD void test() {
    HGRID_KEEP_ROLLED
    for (;; ++q_) {
      if (q_ >= end_) {
        if (next_ == collected_) return;
        const SlotRun run = *runs(next_++);
        q_ = run.begin, end_ = run.end;
      }
      if (!may_touch(centre_, block_.load(&g_.filter[q_]))) continue;
      if (used_ == most_hits) return;  // this one comes again
      *hits(used_++) = q_;
    }
  }

  /// Decides the hits. If all stay and there is no room for more, none is kept.
  HGRID_HD void settle() {
    const Shift<D> shift = shift_of(code_);
    const bool in_place = code_ == image_code<D>({});
    const int used = used_;
    HGRID_KEEP_ROLLED
    for (int k = used_ = kept_; k < used; ++k) {
      const index_t q = *hits(k);
      if (q == p_ && in_place) continue;  // a particle is no partner of itself
      if (!in_contact(g_, p_, q, shift) || !may_pair(g_, p_, q) || !contact(p_, q, shift)) continue;
      *hits(used_) = q;
      if (periodic()) *images(used_) = code_;
      ++used_;
    }
    if (used_ == most_hits && has_candidates()) used_ = 0;
    kept_ = used_;
  }

  HGRID_HD int kept() const { return kept_; }
  HGRID_HD index_t slot() const { return p_; }
  HGRID_HD index_t hit_slot(int k) const { return *hits(k); }
  HGRID_HD Shift<D> hit_shift(int k) const { return shift_of(periodic() ? *images(k) : code_); }

  Contact contact;

 private:
  // Bytes a thread before its hits, and before their images.
  static constexpr int hits_at = most_runs * static_cast<int>(sizeof(SlotRun));
  static constexpr int images_at = hits_at + most_hits * static_cast<int>(sizeof(index_t));

  // Element k of all threads lies together, so that a warp's accesses meet different banks.
  template <class T>
  HGRID_HD T* mine(int bytes_before, int k) const {
    return block_.template shared<T>(block_scratch_bytes + Block::threads * bytes_before) + k * Block::threads +
           block_.thread();
  }
  HGRID_HD SlotRun* runs(int k) const { return mine<SlotRun>(0, k); }
  HGRID_HD index_t* hits(int k) const { return mine<index_t>(hits_at, k); }
  HGRID_HD std::uint16_t* images(int k) const { return mine<std::uint16_t>(images_at, k); }

  HGRID_HD bool periodic() const { return g_.periodic; }
  HGRID_HD Shift<D> shift_of(std::uint16_t code) const {
    return periodic() ? shift_of_code(g_.box, code) : Shift<D>{};
  }

  Block& block_;
  const GridView<D>& g_;
  FilterRecord centre_{};
  index_t p_ = 0, q_ = 0, end_ = 0;  // the slot; its next candidate and that run's end
  int kept_ = 0, used_ = 0;          // hits: those that are contacts, and with those not decided
  int collected_ = 0, next_ = 0;     // runs
  std::uint16_t code_ = 0;
};

}  // namespace hgrid
