// SPDX-License-Identifier: BSD-3-Clause
// Contacts as a list whose bytes do not depend on the number of threads: the ordered commit of the SIMD path.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>

#include "hgrid/memory/reserve.hpp"
#include "hgrid/options.hpp"
#include "hgrid/threads/buffer.hpp"
#include "host/search/sinks.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns how many contacts each worker may hold back: fewer in small systems, which must not pay for many threads.
inline index_t pairs_pending(offset_t slots, offset_t workers) {
  return static_cast<index_t>(std::clamp<offset_t>(slots / (2 * workers), 32, 32768));
}

/// Memory of list filling, kept between searches: a buffer for each worker, and the counts of all items.
struct ListScratch {
  HostBuffer<Pair> pairs;
  HostBuffer<Image> images;
  HostBuffer<offset_t> counts;

  template <class Exec>
  void reserve(const Exec& exec, offset_t pending, offset_t items, bool with_images) {
    reserve_all(exec, Need{pairs, pending}, Need{images, with_images ? pending : 0},
                Need{counts, with_margin(items, counts.size())});
  }
  std::size_t bytes() const { return pairs.bytes() + images.bytes() + counts.bytes(); }
};

/// The list being filled, shared by all workers. The contacts of an item go after the contacts of all earlier items, so the
/// bytes do not depend on which worker found them. Counts are -1 until an item is done.
struct OrderedList {
  Pair* pairs;
  Image* images;  // or null
  offset_t capacity;
  offset_t* counts;
  offset_t items;
  index_t pending;  // contacts that a worker may hold back
};

/// Fills an OrderedList ("ordered commit"). A finished item waits in its worker's buffer until the counts of all earlier items
/// are known, then moves to its place. If the buffer is full, the worker waits. Items are taken in order, so the worker of the
/// first unfinished one never waits, and all make progress.
template <int D>
class ListSink final : public HitSink<D> {
 public:
  /// `pairs` and, if the list has images, `images`: this worker's buffers of `list.pending`.
  ListSink(const GridView<D>& grid, const OrderedList& list, const Watch& watch, Pair* pairs, Image* images)
      : g_(grid), list_(list), watch_(watch), pairs_(pairs), images_(list.images == nullptr ? nullptr : images) {}

  void begin(offset_t item) override { item_ = item; }

  /// Returns ids, if nothing else is needed.
  const index_t* names() const override { return is_plain(g_) ? g_.id : nullptr; }

  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool shifted) override {
    if (is_plain(g_) && g_.is_selective()) drop_unreported(g_.pair_filter, hits, shifted);
    for (index_t from = 0; from < hits.count;) {
      if (used_ == list_.pending) make_room();
      const index_t n = std::min(hits.count - from, list_.pending - used_);
      if (is_plain(g_)) {
        if (shifted) {
          write_images();
          write_shifted(hits, from, n, images);
        } else {
          write_pairs(hits, from, n, pairs_ + used_);
          if (has_images_) std::fill_n(images_ + used_, n, Image{});
        }
        used_ += n;
      } else {
        append(hits, from, n, shifts, shifted);
      }
      from += n;
    }
  }

  void end(offset_t item) override {
    if (waiting_ == max_waiting) make_room();
    std::atomic_ref(list_.counts[item]).store(written_ + (used_ - item_begin_), std::memory_order_release);
    waiting_items_[waiting_++] = {item, item_begin_, used_, written_, has_images_};
    item_begin_ = used_;
    written_ = 0;
    has_images_ = false;
    commit();
  }

  void finish() {
    while (waiting_ > 0) {
      wait_a_little();
      commit();
    }
  }

 private:
  static constexpr int max_waiting = 512;
  struct Waiting {
    offset_t item;
    index_t begin, end;  // in the buffer
    offset_t written;    // contacts of the item that already left the buffer
    bool has_images;     // false: all are in place
  };

  // Begins to write images of the current item. Most items have none, and their zeros are not buffered.
  void write_images() {
    if (has_images_ || images_ == nullptr) return;
    std::fill_n(images_ + item_begin_, used_ - item_begin_, Image{});
    has_images_ = true;
  }

  // Writes hits named by ids, under shifts.
  void write_shifted(const HitList& hits, index_t from, index_t n, const Image* images) {
    for (index_t k = 0; k < n; ++k) {
      const index_t i = hits.p[from + k], j = hits.q[from + k];
      const Image image = images[hits.shift[from + k]];
      const bool in_order = is_oriented(i, j, image);
      pairs_[used_ + k] = in_order ? Pair{i, j} : Pair{j, i};
      images_[used_ + k] = in_order ? image : -image;
    }
  }

  void append(const HitList& hits, index_t from, index_t n, const Shift<D>* shifts, bool shifted) {
    write_images();
    const bool all = !g_.is_selective() && !g_.is_one_sided();
    if (all && !shifted && g_.wraps != nullptr) return append_wrapped(hits, from, n);
    for (index_t k = from; k < from + n; ++k) {
      const index_t p = hits.p[k], q = hits.q[k];
      const Shift<D>& shift = shifts[shifted ? hits.shift[k] : 0];
      report_listed(g_, p, q, shift, [&](index_t i, index_t j, const Image& image) {
        pairs_[used_] = {i, j};
        if (images_ != nullptr) images_[used_] = image;
      });
      used_ += reports(g_, p, q, shift);
    }
  }

  // Appends hits under no shift of particles outside the box, without branches.
  void append_wrapped(const HitList& hits, index_t from, index_t n) {
    Pair* const pairs = pairs_ + used_;
    Image* const images = images_ + used_;
    for (index_t k = 0; k < n; ++k) {
      const index_t p = hits.p[from + k], q = hits.q[from + k], i = g_.id[p], j = g_.id[q];
      const int sign = i < j ? 1 : -1;
      pairs[k] = {std::min(i, j), std::max(i, j)};
      for (int axis = 0; axis < 3; ++axis) images[k][axis] = sign * (g_.wraps[p][axis] - g_.wraps[q][axis]);
    }
    used_ += n;
  }

  // Waits. A worker that has stopped will not finish its item, so a worker that waits for it must stop, too.
  void wait_a_little() const {
    watch_.ask();
    std::this_thread::yield();
  }

  // Moves the contacts whose place is known from the buffer to the list.
  void commit() {
    while (next_ < list_.items) {
      const offset_t n = std::atomic_ref(list_.counts[next_]).load(std::memory_order_acquire);
      if (n < 0) break;
      if (committed_ < waiting_ && waiting_items_[committed_].item == next_) {
        const Waiting& w = waiting_items_[committed_++];
        place(w.begin, w.end, offset_ + w.written, w.has_images);
      }
      offset_ += n;
      ++next_;
    }
    if (committed_ == waiting_ && item_begin_ == used_) used_ = item_begin_ = 0;
    if (committed_ == waiting_) committed_ = waiting_ = 0;
  }

  // Called when the buffer is full: waits until everything before the current item is placed, then places the buffered part of
  // the item.
  void make_room() {
    while (commit(), next_ < item_) wait_a_little();
    place(item_begin_, used_, offset_ + written_, has_images_);
    written_ += used_ - item_begin_;
    used_ = item_begin_ = 0;
  }

  void place(index_t begin, index_t end, offset_t to, bool has_images) {
    const offset_t n = std::min<offset_t>(end - begin, list_.capacity - to);
    if (n <= 0) return;
    std::copy_n(pairs_ + begin, n, list_.pairs + to);
    if (has_images) {
      std::copy_n(images_ + begin, n, list_.images + to);
    } else if (images_ != nullptr) {
      std::memset(static_cast<void*>(list_.images + to), 0, static_cast<std::size_t>(n) * sizeof(Image));
    }
  }

  const GridView<D>& g_;
  OrderedList list_;
  const Watch& watch_;
  Pair* pairs_;
  Image* images_;
  index_t used_ = 0, item_begin_ = 0;
  offset_t item_ = 0, written_ = 0;
  bool has_images_ = false;         // of the current item, in the buffer
  offset_t next_ = 0, offset_ = 0;  // items before next_ hold offset_ contacts
  int waiting_ = 0, committed_ = 0;
  Waiting waiting_items_[max_waiting];
};

}  // namespace hgrid::inline v0_2::detail
