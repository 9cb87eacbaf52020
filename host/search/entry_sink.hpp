// SPDX-License-Identifier: BSD-3-Clause
// A sink of the search that makes entries of neighbor lists: it passes on an entry for each list that has the contact.
#pragma once

#include <atomic>

#include "hgrid/core/image_code.hpp"
#include "hgrid/core/search.hpp"
#include "hgrid/lists.hpp"
#include "host/search/sinks.hpp"

namespace hgrid::inline v0_2::detail {

/// `Writer` takes entries by add(list, neighbour, image code). `no_code` becomes true if an image has none; the entries are
/// then invalid. The view has no wraps, so images are between particles inside the box.
template <int D, class Writer>
class EntrySink final : public HitSink<D> {
 public:
  EntrySink(const GridView<D>& grid, ListKind kind, const Writer& writer, std::atomic<bool>& no_code)
      : g_(grid), writer_(writer), no_code_(no_code), full_(kind == ListKind::full) {}

  void finish() { writer_.finish(added_); }
  const index_t* names() const override { return plain() ? g_.id : nullptr; }

  void take(HitList& hits, const Shift<D>* shifts, const Image* images, bool shifted) override {
    if (!plain()) {
      for (index_t k = 0; k < hits.count; ++k) take(hits.p[k], hits.q[k], shifts[shifted ? hits.shift[k] : 0]);
      return;
    }
    if (g_.is_selective()) drop_unreported(g_.pair_filter, hits, shifted);
    if (!shifted) return add_all(hits, [](index_t) { return code_of_no_image; });
    std::uint32_t code[shifts_per_batch];
    for (index_t s = 0; s < shifts_per_batch; ++s) code[s] = image_code(images[s]);
    bool coded = true;
    for (index_t k = 0; k < hits.count; ++k) coded = coded && has_code(images[hits.shift[k]]);
    if (!coded) no_code_ = true;
    add_all(hits, [&](index_t k) { return code[hits.shift[k]]; });
  }

  /// Takes slots that touch under a shift.
  void take(index_t p, index_t q, const Shift<D>& shift) {
    if (!reports(g_, p, q, shift)) return;
    report_listed(g_, p, q, shift, [&](index_t i, index_t j, const Image& image) {
      if (!has_code(image)) no_code_ = true;
      if (j < 0) {
        writer_.add(i, marked(j), image_code(image));
        ++added_;
      } else {
        added_ += add(writer_, i, j, image_code(image), full_);
      }
    });
  }

 private:
  bool plain() const { return !g_.is_one_sided() && (!g_.is_selective() || selects_by_ids(g_)); }

  template <class CodeOf>
  void add_all(const HitList& hits, const CodeOf& code_of) {
    const index_t n = hits.count;
    Writer writer = writer_;
    if (full_) {
      for (index_t k = 0; k < n; ++k) add(writer, hits.p[k], hits.q[k], code_of(k), true);
    } else {
      for (index_t k = 0; k < n; ++k) add(writer, hits.p[k], hits.q[k], code_of(k), false);
    }
    added_ += full_ ? 2 * n : n;
  }

  // Adds the entry in the order of `is_oriented`, or both entries.
  [[gnu::always_inline]] static int add(Writer& writer, index_t i, index_t j, std::uint32_t code, bool full) {
    const std::uint32_t mirrored = mirrored_code(code);
    if (full) {
      writer.add(i, j, code), writer.add(j, i, mirrored);
      return 2;
    }
    const bool in_order = i < j || (i == j && code > code_of_no_image);
    writer.add(in_order ? i : j, in_order ? j : i, in_order ? code : mirrored);
    return 1;
  }

  const GridView<D>& g_;
  Writer writer_;
  std::atomic<bool>& no_code_;
  const bool full_;
  offset_t added_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
