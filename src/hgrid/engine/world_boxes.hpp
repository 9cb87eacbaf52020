// SPDX-License-Identifier: BSD-3-Clause
// The boxes of worlds that have one each: those of the grid as it is, and those of the builds that follow.
#pragma once

#include <utility>
#include <vector>

#include "hgrid/engine/generation.hpp"
#include "hgrid/engine/reserve.hpp"
#include "hgrid/engine/validity.hpp"

namespace hgrid::inline v0_1::detail {

template <class Exec, int D>
class WorldBoxes {
 public:
  using List = std::vector<Box<D>>;

  /// On the host; none if all worlds share one box.
  const List& now() const { return now_.boxes; }
  const List& next() const { return pending_ ? next_.boxes : now_.boxes; }

  void set_next(List boxes) {
    pending_ = boxes != now_.boxes;
    next_.boxes = std::move(boxes), next_.uploaded = false;
  }

  /// Whether `next` are others than `now`.
  bool pending() const { return pending_; }

  /// Makes the next ones those of now, and the reverse: for a build, and once more if it fails.
  void exchange() { std::swap(now_, next_); }
  /// The build was made.
  void settle() { pending_ = false; }

  /// Copies those of now into the executor's memory, where they are not there yet; that waits.
  void upload(const Exec& exec) { upload(exec, now_); }
  /// They, once uploaded; or null.
  const Box<D>* data() const { return data(now_); }

  /// How each has changed from now to next, in the executor's memory; null if worlds have no boxes of their own.
  const ChangedBox<D>* changes(const Exec& exec) {
    if (now_.boxes.empty()) return nullptr;
    if (pending_) upload(exec, next_);
    const auto n = static_cast<offset_t>(now_.boxes.size());
    reserve_all(exec, Need{changes_, n});
    exec.for_each("hgrid::compare_boxes", n, CompareBoxes<D>{data(now_), data(pending_ ? next_ : now_), changes_.data()});
    return changes_.data();
  }

  std::size_t bytes() const { return now_.memory.bytes() + next_.memory.bytes() + changes_.bytes(); }

 private:
  struct Set {
    List boxes;
    typename Exec::template Buffer<Box<D>> memory;
    ClearedByMove<bool> uploaded;
  };

  static void upload(const Exec& exec, Set& set) {
    if (set.boxes.empty() || set.uploaded) return;
    const auto n = static_cast<offset_t>(set.boxes.size());
    reserve_all(exec, Need{set.memory, n});
    exec.copy_in(set.memory.data(), set.boxes.data(), n);
    set.uploaded = true;
  }
  static const Box<D>* data(const Set& set) { return set.boxes.empty() ? nullptr : set.memory.data(); }

  Set now_, next_;
  typename Exec::template Buffer<ChangedBox<D>> changes_;
  bool pending_ = false;
};

}  // namespace hgrid::inline v0_1::detail
