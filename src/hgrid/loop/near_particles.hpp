// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles that a search has seen so far.
#pragma once

#include <algorithm>
#include <numeric>

#include "hgrid/core/grid_view.hpp"

namespace hgrid::inline v0_2::detail {

/// Columns for the particles that one search has seen, for at most k nearest.
struct NearColumns {
  double* key;
  index_t* slot;
  Image* image;
  index_t* order;

  static offset_t room(index_t k) { return offset_t{k} + std::max(k, 64); }
  NearColumns operator+(offset_t n) const { return {key + n, slot + n, image + n, order + n}; }
};

/// All with keys up to a bound. When there is no more room, those that come after the k-th are dropped, and its key is the
/// bound.
class NearParticles {
 public:
  NearParticles(const index_t* id, index_t k, const NearColumns& memory) : id_(id), room_(NearColumns::room(k)), a_(memory) {}

  /// The k nearest, if they have keys up to `bound`.
  void start(index_t k, double bound) { k_ = k, count_ = 0, bound_ = bound; }

  bool is_enough() const { return count_ >= k_; }
  /// Particles with larger keys are none of them.
  double bound() const { return bound_; }

  static constexpr index_t group = 8;

  /// Adds those of up to eight consecutive slots that have keys within the bound, and, if they are to be `looked_at`, for which
  /// `is_one(slot, key)` is true. There is no branch for each, because nobody can tell before which are near.
  template <class IsOne>
  void add(const double (&keys)[group], index_t begin, index_t count, const Image& image, bool looked_at, const IsOne& is_one) {
    bool is_any = false;
    for (index_t i = 0; i < group; ++i) is_any |= keys[i] <= bound_;
    if (!is_any) return;
    if (count_ + group > room_) tighten();
    double* const key = a_.key;
    index_t* const slot = a_.slot;
    const double bound = bound_;
    index_t end = count_;
    for (index_t i = 0; i < group; ++i) {
      key[end] = keys[i], slot[end] = begin + i;
      end += static_cast<index_t>(keys[i] <= bound) & static_cast<index_t>(i < count);
    }
    if (!looked_at) {
      count_ = end;
      return;
    }
    for (index_t i = count_; i < end; ++i) {
      if (!is_one(slot[i], key[i])) continue;
      key[count_] = key[i], slot[count_] = slot[i], a_.image[count_] = image;
      ++count_;
    }
  }
  /// Lowers the bound once it is worth while.
  void tighten_if_many() {
    if (count_ > k_ + k_ / 8) tighten();
  }

  /// f(place, key, slot, image) for the nearest, at most k, by their places from 0 on. Images are those of slots that were
  /// looked at.
  template <class F>
  void for_each(const F& f) {
    const index_t end = std::min(k_, count_);
    end <= most_inserted ? insert_order(end) : sort_order(end);
    for (index_t place = 0; place < end; ++place) {
      const index_t i = a_.order[place];
      f(place, a_.key[i], a_.slot[i], a_.image[i]);
    }
  }

 private:
  static constexpr index_t most_inserted = 16;

  // The first of all in order, by insertion.
  void insert_order(index_t first) {
    index_t* const order = a_.order;
    index_t there = 0;
    for (index_t i = 0; i < count_; ++i) {
      if (there == first && !comes_before(i, order[first - 1])) continue;
      index_t place = there < first ? there++ : first - 1;
      for (; place > 0 && comes_before(i, order[place - 1]); --place) order[place] = order[place - 1];
      order[place] = i;
    }
  }

  bool comes_before(index_t a, index_t b) const {
    const double key_a = a_.key[a], key_b = a_.key[b];
    return key_a < key_b || (key_a == key_b && id_[a_.slot[a]] < id_[a_.slot[b]]);
  }

  void sort_order(index_t first) {
    index_t* const order = a_.order;
    std::iota(order, order + count_, 0);
    const auto before = [this](index_t a, index_t b) { return comes_before(a, b); };
    if (first < count_) std::nth_element(order, order + first, order + count_, before);
    std::sort(order, order + first, before);
  }

  void tighten() {
    if (count_ <= k_) return;
    index_t* const order = a_.order;
    std::iota(order, order + count_, 0);
    std::nth_element(order, order + (k_ - 1), order + count_, [this](index_t a, index_t b) { return comes_before(a, b); });
    bound_ = a_.key[order[k_ - 1]];
    std::sort(order, order + k_);  // so that none is overwritten before it has moved
    for (index_t to = 0; to < k_; ++to) {
      const index_t from = order[to];
      a_.key[to] = a_.key[from], a_.slot[to] = a_.slot[from], a_.image[to] = a_.image[from];
    }
    count_ = k_;
  }

  const index_t* id_;
  offset_t room_;
  NearColumns a_;
  index_t k_ = 0, count_ = 0;
  double bound_ = 0;
};

}  // namespace hgrid::inline v0_2::detail
