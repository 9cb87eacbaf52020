// SPDX-License-Identifier: BSD-3-Clause
// Values that follow pairs from list to list.
#pragma once

#include <string>
#include <utility>

#include "hgrid/loop/history.hpp"

namespace hgrid::inline v0_2 {

/// One value per entry of a neighbor list that follows its pairs from list to list: passed to each `update` of a VerletList, or
/// with `follow` to lists of your own. Keeps its capacity; memory is the executor's.
template <class Exec, class T>
class PairArray {
 public:
  using Value = T;

  /// New pairs get the value `fresh`.
  explicit PairArray(const Exec& exec, const T& fresh = {}) : exec_(exec), values_(exec, 0), next_(exec, 0), fresh_(fresh) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return size_; }

  /// Brings the values to the new list of `history`; `mirror` as for History::carry. Throws `size_mismatch` if the values do
  /// not belong to its old list, because the array must follow every list, and `out_of_memory`; it is then unchanged.
  template <class Mirror = detail::SameFromBothSides>
  void follow(const History<Exec>& history, const Mirror& mirror = {}) {
    require_size("history", history.size_before());
    prepare(history, mirror);
    take(history.size(), 0);
  }

  std::size_t bytes() const { return values_.bytes() + next_.bytes(); }

 private:
  template <class E, int D, class Entry>
  friend class VerletList;
  friend struct detail::Access;

  void require_size(const char* argument, offset_t size_before) const {
    if (size_ == size_before) return;
    throw Error(
        ErrorCode::size_mismatch,
        "the array has values of " + detail::counted(size(), "pair") + ", the list before had " + std::to_string(size_before),
        {.argument = argument, .count = size_, .needed = size_before});
  }

  // Throws unless the values belong to that build of a list, or to an unknown list with as many pairs, or there are no values.
  void require_of(std::uint64_t list, offset_t size) const {
    if (of_list_ == 0) return size_ == 0 ? void() : require_size("followers", size);
    if (of_list_ == list) return;
    throw Error(ErrorCode::stale, "the array has values of another build or list; pass it to each update of one list",
                {.argument = "followers"});
  }
  // Begins with a list. If the values are not there yet, all its pairs are new.
  void begin(const History<Exec>& all_new, std::uint64_t list, offset_t size) {
    if (size_ != size) {
      prepare(all_new);
      take(size, list);
    }
    of_list_ = list;
  }

  // Prepares the values of a new list. The array has them from `take` on.
  template <class Mirror = detail::SameFromBothSides>
  void prepare(const History<Exec>& history, const Mirror& mirror = {}) {
    detail::reserve_all(exec_, detail::Need{next_, detail::with_margin(history.size(), next_.size())});
    history.carry(values_.data(), next_.data(), fresh_, mirror);
  }
  void take(offset_t size, std::uint64_t list) {
    std::swap(values_, next_);
    size_ = size, of_list_ = list;
  }

  Exec exec_;
  typename Exec::template Buffer<T> values_, next_;
  T fresh_;
  detail::ClearedByMove<offset_t> size_;
  detail::ClearedByMove<std::uint64_t> of_list_;   // number of the VerletList's build; 0: the list is unknown
  detail::ClearedByMove<std::uint64_t> captured_;  // graph by which it follows, if any
};

}  // namespace hgrid::inline v0_2
