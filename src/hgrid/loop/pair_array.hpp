// SPDX-License-Identifier: BSD-3-Clause
// Values that follow pairs from list to list.
#pragma once

#include <string>
#include <utility>

#include "hgrid/loop/history.hpp"

namespace hgrid::inline v0_2 {

/// One value per entry of a neighbour list, that follows its pairs from list to list: passed to each `update` of a
/// VerletList, or by `follow` to lists of your own. It keeps its capacity; memory is the executor's.
template <class Exec, class T>
class PairArray {
 public:
  using Value = T;

  /// Pairs that are new get the value `fresh`.
  explicit PairArray(const Exec& exec, const T& fresh = {}) : exec_(exec), values_(exec, 0), next_(exec, 0), fresh_(fresh) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return size_; }

  /// Brings the values to the new list of `history`; `mirror` as for History::carry. Throws `size_mismatch` if they are not
  /// those of its old list, because the array must follow every list, and `out_of_memory`; it is then unchanged.
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
  friend struct detail::Checkpoints;
  friend struct detail::CapturedLoop;

  void require_size(const char* argument, offset_t size_before) const {
    if (size_ == size_before) return;
    throw Error(
        ErrorCode::size_mismatch,
        "the array has values of " + detail::counted(size(), "pair") + ", the list before had " + std::to_string(size_before),
        {.argument = argument, .count = size_, .needed = size_before});
  }

  // Throws unless the values are of that build of a list, or of as many pairs of a list that is not known, or there are none.
  void require_of(std::uint64_t list, offset_t size) const {
    if (of_list_ == 0) return size_ == 0 ? void() : require_size("followers", size);
    if (of_list_ == list) return;
    throw Error(ErrorCode::stale, "the array has values of another build or list; pass it to each update of one list",
                {.argument = "followers"});
  }
  // For a list all of whose pairs are new, unless the values are there.
  void begin(const History<Exec>& all_new, std::uint64_t list, offset_t size) {
    if (size_ != size) {
      prepare(all_new);
      take(size, list);
    }
    of_list_ = list;
  }

  // The values of a list to come, which the array has from `take` on.
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
  detail::ClearedByMove<std::uint64_t> of_list_;   // the number of the build of a VerletList; 0: of a list that is not known
  detail::ClearedByMove<std::uint64_t> captured_;  // the graph by which it follows, if any
};

}  // namespace hgrid::inline v0_2
