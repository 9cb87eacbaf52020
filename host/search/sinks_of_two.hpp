// SPDX-License-Identifier: BSD-3-Clause
// Sinks for contacts between two grids: they make an entry for each contact, or call a client's functor.
#pragma once

#include <atomic>
#include <utility>

#include "hgrid/core/image_code.hpp"
#include "hgrid/core/two_grids.hpp"
#include "hgrid/threads/host_engine.hpp"
#include "host/search/sinks.hpp"

namespace hgrid::inline v0_2::detail {

/// Two grids; a client's predicate that confirms their contacts, or null; and whether the filter columns of the target grid are
/// valid for them.
template <int D>
struct AskedBy : TwoGrids<D> {
  const TouchBatch* touches;
  bool columns;

  AskedBy(const TwoGrids<D>& grids, const TouchBatch* confirm, bool columns_hold)
      : TwoGrids<D>(grids), touches(confirm), columns(columns_hold) {}

  /// Returns whether columns that include the skin of one grid are valid for two. Parts of the skin add up if radii do.
  static bool columns_hold(const TwoGrids<D>& grids) {
    return grids.asked.adds_radii() || grids.asking.skin == grids.asked.skin;
  }
};

/// Collects hits as contacts, and calls batch(contacts, hits, n) for some of them at a time: `hits` are their numbers.
template <int D, class Batch>
void in_batches(const TwoGrids<D>& grids, const HitList& hits, const Shift<D>* shifts, const Image* images,
                const Batch& batch) {
  const bool selective = grids.is_selective(), moved = grids.asking.wraps != nullptr || grids.asked.wraps != nullptr;
  const index_t *const id = grids.asking.id, *const id_of_asked = grids.asked.id;
  Contact contact[contacts_per_batch];
  index_t hit[contacts_per_batch], n = 0;
  for (index_t k = 0; k < hits.count; ++k) {
    const index_t p = hits.p[k], q = hits.q[k], shift = hits.shift[k];
    if (selective && !grids.reports(p, q, shifts[shift])) continue;
    if (n == contacts_per_batch) batch(contact, hit, std::exchange(n, 0));
    contact[n] = {id[p], id_of_asked[q], moved ? grids.image(p, q, shifts[shift]) : images[shift]}, hit[n++] = k;
  }
  if (n > 0) batch(contact, hit, n);
}

/// For `Writer` and `no_code` see EntrySink.
template <int D, class Writer>
class EntrySinkOfTwo final : public HitSink<D> {
 public:
  EntrySinkOfTwo(const AskedBy<D>& grids, const Writer& writer, std::atomic<bool>& no_code)
      : grids_(grids), writer_(writer), no_code_(no_code) {}

  void finish() { writer_.finish(added_); }

  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool) override {
    if (grids_.touches != nullptr) return take_touching(hits, shifts, images);
    for (index_t k = 0; k < hits.count; ++k) {
      const index_t p = hits.p[k], q = hits.q[k], s = hits.shift[k];
      if (grids_.reports(p, q, shifts[s])) add(grids_.asking.id[p], grids_.asked.id[q], images[s]);
    }
  }

  /// Takes slots that touch under a shift, and are reported.
  void take(index_t p, index_t q, const Shift<D>& shift) {
    const Contact contact{grids_.asking.id[p], grids_.asked.id[q], grids_.image(p, q, shift)};
    bool touch = true;
    if (grids_.touches != nullptr) (*grids_.touches)(&contact, 1, &touch);
    if (touch) add(contact.i, contact.j, image_of(grids_.asked.box_of(grids_.world_of(p)), shift));
  }

 private:
  void take_touching(const HitList& hits, const Shift<D>* shifts, const Image* images) {
    in_batches<D>(grids_, hits, shifts, images, [&](const Contact* contact, const index_t* hit, index_t n) {
      bool touch[contacts_per_batch];
      (*grids_.touches)(contact, n, touch);
      for (index_t k = 0; k < n; ++k) {
        if (touch[k]) add(contact[k].i, contact[k].j, images[hits.shift[hit[k]]]);
      }
    });
  }

  // Adds an entry. Images are between particles inside the box.
  [[gnu::always_inline]] void add(index_t i, index_t j, const Image& image) {
    if (!has_code(image)) no_code_ = true;
    writer_.add(i, j, image_code(image));
    ++added_;
  }

  const AskedBy<D>& grids_;
  Writer writer_;
  std::atomic<bool>& no_code_;
  offset_t added_ = 0;
};

/// Counts contacts; for `no_code` see EntrySink.
template <int D>
class CountSinkOfTwo final : public HitSink<D> {
 public:
  CountSinkOfTwo(const TwoGrids<D>& grids, std::atomic<offset_t>& total, std::atomic<bool>& no_code)
      : grids_(grids), total_(total), no_code_(no_code) {}
  void finish() { total_ += count_; }
  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool) override {
    for (index_t k = 0; k < hits.count; ++k) {
      if (grids_.reports(hits.p[k], hits.q[k], shifts[hits.shift[k]])) add(images[hits.shift[k]]);
    }
  }
  void take(index_t p, index_t, const Shift<D>& shift) { add(image_of(grids_.asked.box_of(grids_.world_of(p)), shift)); }

 private:
  void add(const Image& image) {
    if (!has_code(image)) no_code_ = true;
    ++count_;
  }

  const TwoGrids<D>& grids_;
  std::atomic<offset_t>& total_;
  std::atomic<bool>& no_code_;
  offset_t count_ = 0;
};

/// Passes contacts on in batches, with the query particle as i.
template <int D>
class BatchSinkOfTwo final : public HitSink<D> {
 public:
  BatchSinkOfTwo(const AskedBy<D>& grids, const ContactBatch& batch) : grids_(grids), batch_(batch) {}
  void finish() {}
  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool) override {
    in_batches<D>(grids_, hits, shifts, images, [&](const Contact* contact, const index_t*, index_t n) { batch_(contact, n); });
  }
  void take(index_t p, index_t q, const Shift<D>& shift) {
    const Contact contact{grids_.asking.id[p], grids_.asked.id[q], grids_.image(p, q, shift)};
    batch_(&contact, 1);
  }

 private:
  const AskedBy<D>& grids_;
  const ContactBatch& batch_;
};

}  // namespace hgrid::inline v0_2::detail
