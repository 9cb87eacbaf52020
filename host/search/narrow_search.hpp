// SPDX-License-Identifier: BSD-3-Clause
// The search for contacts that a client's predicate confirms. Batches of contacts go to the predicate as they are found, and
// each worker keeps the confirmed ones. So the predicate is called once for each, and no list changes before all calls are
// done.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "hgrid/find/pair_filler.hpp"
#include "host/search/host_search.hpp"

namespace hgrid::inline v0_2::detail {

/// The pairs for lists that one worker keeps.
class alignas(64) KeptPairs {
 public:
  void begin(bool with_images) { size_ = 0, with_images_ = with_images; }
  offset_t size() const { return size_; }
  std::size_t bytes() const { return pairs_.bytes() + images_.bytes(); }

  /// Adds the contacts of n for which `touch` is true.
  void add(const HostExec& exec, const Contact* contact, const bool* touch, index_t n) {
    if (size_ + n > room()) grow(exec, std::max<offset_t>(2 * size_, 1024));
    Pair* const pairs = pairs_.data();
    Image* const images = images_.data();
    for (index_t k = 0; k < n; ++k) {  // without a branch: whether a contact touches is hard to predict
      pairs[size_] = {contact[k].i, contact[k].j};
      if (with_images_) images[size_] = contact[k].image;
      size_ += touch[k];
    }
  }

  void copy(offset_t begin, offset_t end, Pair* pairs, Image* images) const {
    if (begin == end) return;  // there may be no memory
    std::copy(pairs_.data() + begin, pairs_.data() + end, pairs);
    if (with_images_) std::copy(images_.data() + begin, images_.data() + end, images);
  }

 private:
  offset_t room() const { return with_images_ ? std::min(pairs_.size(), images_.size()) : pairs_.size(); }

  void grow(const HostExec& exec, offset_t room) {
    HostBuffer<Pair> pairs(exec, room);
    HostBuffer<Image> images(exec, with_images_ ? room : 0);
    copy(0, size_, pairs.data(), images.data());
    pairs_ = std::move(pairs);
    if (with_images_) images_ = std::move(images);
  }

  HostBuffer<Pair> pairs_;
  HostBuffer<Image> images_;
  offset_t size_ = 0;
  bool with_images_ = false;
};

/// Where the contacts of an item are: in the memory of a worker, and later in the list.
struct KeptItem {
  offset_t worker, begin, end, to;
};

/// Calls the predicate, and keeps the confirmed contacts. `listed` is the grid with the images of the list: without wraps, if
/// the list is packed. The predicate gets images of positions as the user passed them.
template <int D>
class NarrowSink final : public HitSink<D> {
 public:
  NarrowSink(const HostExec& exec, const GridView<D>& grid, const GridView<D>& listed, TouchBatch touches, offset_t worker,
             KeptPairs& kept, KeptItem* items)
      : exec_(exec), g_(grid), listed_(listed), touches_(touches), worker_(worker), kept_(kept), items_(items) {}

  void begin(offset_t item) override { items_[item] = {worker_, kept_.size(), 0, 0}; }
  void end(offset_t item) override {
    ask();
    items_[item].end = kept_.size();
  }
  void finish() {}

  void take(HitList& hits, const Shift<D>* shifts, const Image*, bool shifted) override {
    for (index_t k = 0; k < hits.count; ++k) take(hits.p[k], hits.q[k], shifts[shifted ? hits.shift[k] : 0]);
  }

  /// Takes slots that touch under a shift.
  void take(index_t p, index_t q, const Shift<D>& shift) {
    if (!reports(g_, p, q, shift)) return;
    if (count_ == contacts_per_batch) ask();
    report_contact(g_, p, q, shift, [&](index_t i, index_t j, const Image& image) { asked_[count_] = {i, j, image}; });
    if (differ_) {
      report_listed(listed_, p, q, shift, [&](index_t i, index_t j, const Image& image) { kept_as_[count_] = {i, j, image}; });
    }
    ++count_;
  }

 private:
  void ask() {
    const index_t n = std::exchange(count_, 0);
    if (n == 0) return;
    bool touch[contacts_per_batch];
    touches_(asked_, n, touch);
    kept_.add(exec_, differ_ ? kept_as_ : asked_, touch, n);
  }

  const HostExec& exec_;
  const GridView<D>&g_, &listed_;
  TouchBatch touches_;
  const offset_t worker_;
  KeptPairs& kept_;
  KeptItem* const items_;
  // whether lists hold other pairs than the predicate gets: marked ones, or other images
  const bool differ_ = g_.is_one_sided() || g_.wraps != listed_.wraps;
  index_t count_ = 0;
  Contact asked_[contacts_per_batch], kept_as_[contacts_per_batch];
};

/// Keeps its memory for the next search.
template <int D>
class NarrowSearch {
 public:
  /// Finds the confirmed contacts and returns their number.
  offset_t find(const HostExec& exec, HostSearch<D>& search, const GridView<D>& g, const GridView<D>& listed, offset_t slots,
                TouchBatch touches) {
    const auto workers = static_cast<std::size_t>(exec.concurrency());
    if (kept_.size() < workers) kept_.resize(workers);
    for (KeptPairs& kept : kept_) kept.begin(g.periodic);
    const auto begin = [&](offset_t items) {
      reserve_all(exec, Need{items_, with_margin(items, items_.size())});
      count_ = items;
    };
    search.search_once(exec, g, slots, begin, [&](offset_t worker) {
      return NarrowSink<D>(exec, g, listed, touches, worker, kept_[static_cast<std::size_t>(worker)], items_.data());
    });
    offset_t total = 0;
    for (KeptItem* item = items_.data(); item < items_.data() + count_; ++item) {
      item->to = std::exchange(total, total + item->end - item->begin);
    }
    return total;
  }

  /// Writes the n confirmed contacts in the order of the search, which does not depend on threads. `images` may be null in an
  /// open box.
  void write(const HostExec& exec, offset_t n, Pair* pairs, Image* images) const {
    const offset_t parts = exec.parts_of(n);
    exec.run_parts("hgrid::write_kept", parts, [&](offset_t part) {
      for (offset_t k = count_ * part / parts; k < count_ * (part + 1) / parts; ++k) {
        const KeptItem& item = items_.data()[k];
        kept_[static_cast<std::size_t>(item.worker)].copy(item.begin, item.end, pairs + item.to,
                                                          images == nullptr ? nullptr : images + item.to);
      }
    });
  }

  std::size_t bytes() const {
    std::size_t bytes = items_.bytes();
    for (const KeptPairs& kept : kept_) bytes += kept.bytes();
    return bytes;
  }

 private:
  std::vector<KeptPairs> kept_;  // of workers
  HostBuffer<KeptItem> items_;
  offset_t count_ = 0;  // of items
};

/// Finds pairs for lists, like PairFiller.
template <int D>
struct NarrowFiller {
  static constexpr bool in_order = true;

  NarrowSearch<D>& narrow;
  HostSearch<D>& search;
  GridView<D> grid;
  TouchBatch touches;

  /// `seen` is the grid with the images of the list. The list stays unchanged until all contacts are found.
  template <class Check>
  void pairs(const HostExec& exec, const GridView<D>& seen, offset_t slots, PairArrays<HostExec>& list, const Check&) {
    const offset_t n = narrow.find(exec, search, grid, seen, slots, touches);
    list.make_room(exec, grid.periodic, n);
    list.enqueued = 0;
    narrow.write(exec, n, list.entries.data(), grid.periodic ? list.images.data() : nullptr);
    list.size = n;
  }
};

}  // namespace hgrid::inline v0_2::detail
