// SPDX-License-Identifier: BSD-3-Clause
// Sinks of the search that count contacts or call a functor. list_sink.hpp lists contacts.
#pragma once

#include <algorithm>
#include <atomic>
#include <utility>

#include "hgrid/core/search.hpp"
#include "hgrid/threads/host_engine.hpp"
#include "host/search/hit_sink.hpp"

namespace hgrid::inline v0_2::detail {

/// Returns whether hits may be named by ids, and selected by ids.
template <int D>
bool selects_by_ids(const GridView<D>& g) {
  return g.is_selective() && g.pair_filter.knows_by_ids();
}

/// Returns whether ids decide which hits are contacts, and their images are the shifts of the search.
template <int D>
bool is_plain(const GridView<D>& g) {
  return g.wraps == nullptr && !g.is_one_sided() && (!g.is_selective() || selects_by_ids(g));
}

/// Drops hits, named by ids, that are not reported.
inline void drop_unreported(const PairFilter filter, HitList& hits, bool shifted) {
  index_t kept = 0;
  for (index_t k = 0; k < hits.count; ++k) {
    const index_t i = hits.p[k], j = hits.q[k];
    hits.p[kept] = i, hits.q[kept] = j;
    if (shifted) hits.shift[kept] = hits.shift[k];
    kept += filter.reports_ids(i, j);
  }
  hits.count = kept;
}

template <int D>
class CountSink final : public HitSink<D> {
 public:
  CountSink(const GridView<D>& grid, std::atomic<offset_t>& total) : g_(grid), total_(total) {}
  void finish() { total_ += count_; }
  const index_t* names() const override { return selects_by_ids(g_) ? g_.id : nullptr; }
  void take(HitList& hits, const Shift<D>* shifts, const Image*, bool shifted) override {
    if (selects_by_ids(g_)) drop_unreported(g_.pair_filter, hits, false);
    if (!g_.is_selective() || selects_by_ids(g_)) {
      count_ += hits.count;
      return;
    }
    for (index_t k = 0; k < hits.count; ++k) {
      count_ += reports(g_, hits.p[k], hits.q[k], shifts[shifted ? hits.shift[k] : 0]);
    }
  }

 private:
  const GridView<D>& g_;
  std::atomic<offset_t>& total_;
  offset_t count_ = 0;
};

/// Passes contacts on in batches: each once, or with Visit::all as pairs in which i is the searching particle.
template <int D, Visit visit>
class BatchSink final : public HitSink<D> {
 public:
  BatchSink(const GridView<D>& grid, const ContactBatch& batch) : g_(grid), batch_(batch) {}
  void finish() {}
  const index_t* names() const override { return is_plain(g_) ? g_.id : nullptr; }
  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool shifted) override {
    if (!is_plain(g_)) return take_slots(hits, shifts, shifted);
    if (g_.is_selective()) drop_unreported(g_.pair_filter, hits, shifted);
    Contact contact[contacts_per_batch];
    for (index_t from = 0; from < hits.count; from += contacts_per_batch) {
      index_t n = 0;
      for (index_t k = from; k < std::min(hits.count, from + contacts_per_batch); ++k) {
        const index_t i = hits.p[k], j = hits.q[k], shift = shifted ? hits.shift[k] : 0;
        const bool in_order = visit == Visit::all || is_oriented(i, j, images[shift]);
        contact[n] = {in_order ? i : j, in_order ? j : i, in_order ? images[shift] : -images[shift]};
        n += i != j || shift != 0;  // a particle is not a partner of itself
      }
      if (n > 0) batch_(contact, n);
    }
  }

 private:
  void take_slots(const HitList& hits, const Shift<D>* shifts, bool shifted) {
    Contact contact[contacts_per_batch];
    index_t n = 0;
    for (index_t k = 0; k < hits.count; ++k) {
      const index_t p = hits.p[k], q = hits.q[k];
      const std::int32_t shift = shifted ? hits.shift[k] : 0;
      if (q == p && shift == 0) continue;  // a particle is not a partner of itself
      if (!reports(g_, p, q, shifts[shift])) continue;
      if (n == contacts_per_batch) batch_(contact, std::exchange(n, 0));
      if constexpr (visit == Visit::once) {
        report_contact(g_, p, q, shifts[shift], [&](index_t i, index_t j, const Image& image) {
          contact[n++] = {i, j, image};
        });
      } else {
        report_partner(g_, p, q, shifts[shift], [&](index_t i, index_t j, const Image& image) {
          contact[n++] = {i, j, image};
        });
      }
    }
    if (n > 0) batch_(contact, n);
  }

  const GridView<D>& g_;
  const ContactBatch& batch_;
};

}  // namespace hgrid::inline v0_2::detail
