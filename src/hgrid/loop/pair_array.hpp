// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <string>
#include <utility>

#include "hgrid/loop/history.hpp"

namespace hgrid::inline v0_1 {

/// One value per entry of a neighbour list, that follows its pairs from list to list. It keeps its capacity; memory is the
/// executor's.
template <class Exec, class T>
class PairArray {
 public:
  explicit PairArray(const Exec& exec, const T& fresh = {}) : exec_(exec), values_(exec, 0), next_(exec, 0), fresh_(fresh) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  offset_t size() const { return size_; }

  /// Brings the values to the new list of `history`; `mirror` as for History::carry. Throws `size_mismatch` if they are not
  /// those of its old list, because the array must follow every list, and `out_of_memory`; it is then unchanged.
  template <class Mirror = detail::SameFromBothSides>
  void follow(const History<Exec>& history, const Mirror& mirror = {}) {
    if (size_ != history.size_before()) {
      throw Error(ErrorCode::size_mismatch,
                  "the array has values of " + detail::counted(size(), "pair") + ", the list before had " +
                      std::to_string(history.size_before()),
                  {.argument = "history", .count = size_, .needed = history.size_before()});
    }
    const offset_t n = history.size(), room = detail::with_margin(n, next_.size());
    detail::reserve_all(exec_, detail::Need{next_, room});
    history.carry(values_.data(), next_.data(), fresh_, mirror);
    std::swap(values_, next_);
    size_ = n;
  }

  std::size_t bytes() const { return values_.bytes() + next_.bytes(); }

 private:
  friend struct detail::Checkpoints;

  Exec exec_;
  typename Exec::template Buffer<T> values_, next_;
  T fresh_;
  detail::ClearedByMove<offset_t> size_;
};

}  // namespace hgrid::inline v0_1
