// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles that a search has found so far.
#pragma once

#include <algorithm>

#include "hgrid/core/near_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Keeps all particles with keys up to a bound. When the memory is full, it drops particles after the k-th, and the key of the
/// k-th becomes the bound.
template <bool surfaces, int D>
class NearParticles {
 public:
  NearParticles(const GridView<D>& g, index_t k, const NearColumns& memory) : g_(g), room_(NearColumns::room(k)), a_(memory) {}

  /// Starts a search for the k nearest particles of a point with keys up to `bound`, except the slot `itself`.
  void start(const Vec<double, D>& x, index_t itself, index_t k, double bound) {
    asker_ = {x, {}, itself, bound}, k_ = k, count_ = 0;
  }

  /// Adds a particle with a key within the bound.
  void add(double key, index_t slot, const Image& image) {
    a_.key[count_] = key, a_.slot[count_] = slot, a_.image[count_] = image;
    ++count_;
  }

  bool is_enough() const { return count_ >= k_; }
  /// Returns the bound: particles with larger keys are not among the nearest.
  double bound() const { return asker_.bound; }

  /// Adds the particles of pieces [from, end) under a shift whose keys are within the bound.
  void add(const NearPiece* pieces, index_t from, index_t end, const Vec<double, D>& by) {
    asker_.by = by;
    while ((from = add_near<surfaces>(g_, asker_, pieces, from, end, a_, count_, room_)) < end) tighten();
  }

  /// Adds the particles of pieces [from, end) under an image, if their keys are within the bound and `is_one(slot, key)` is
  /// true.
  template <class IsOne>
  void add(const NearPiece* pieces, index_t from, index_t end, const Vec<double, D>& by, const Image& image,
           const IsOne& is_one) {
    asker_.by = by;
    while (from < end) {
      if (count_ + NearPiece::most > room_) tighten();
      index_t i = count_;
      from = add_near<surfaces>(g_, asker_, pieces, from, end, a_, count_, room_);
      const index_t added = count_;
      for (count_ = i; i < added; ++i) {
        if (!is_one(a_.slot[i], a_.key[i])) continue;
        a_.key[count_] = a_.key[i], a_.slot[count_] = a_.slot[i], a_.image[count_] = image;
        ++count_;
      }
    }
  }

  /// Lowers the bound once it is worth the time.
  void tighten_if_many() {
    if (count_ > k_ + k_ / 8) tighten();
  }

  /// Calls f(place, key, slot, image) for the nearest particles, at most k, in order from place 0. An image is valid only for
  /// slots that were added with one.
  template <class F>
  void for_each(const F& f) {
    const index_t end = std::min(k_, count_);
    if (count_ == 1 && end == 1) return f(0, a_.key[0], a_.slot[0], a_.image[0]);
    order_near(a_, count_, end, g_.id);
    for (index_t place = 0; place < end; ++place) {
      const index_t i = a_.order[place];
      f(place, a_.key[i], a_.slot[i], a_.image[i]);
    }
  }

 private:
  void tighten() {
    if (count_ <= k_) return;
    order_near(a_, count_, k_, g_.id);
    index_t* const order = a_.order;
    asker_.bound = a_.key[order[k_ - 1]];
    std::sort(order, order + k_);  // so that no entry is overwritten before it has moved
    for (index_t to = 0; to < k_; ++to) {
      const index_t from = order[to];
      a_.key[to] = a_.key[from], a_.slot[to] = a_.slot[from], a_.image[to] = a_.image[from];
    }
    count_ = k_;
  }

  const GridView<D>& g_;
  offset_t room_;
  NearColumns a_;
  NearAsker<D> asker_{};
  index_t k_ = 0, count_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
