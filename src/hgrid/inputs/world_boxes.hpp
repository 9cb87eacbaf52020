// SPDX-License-Identifier: BSD-3-Clause
// The boxes of worlds that have one each: the current boxes of the grid, and the boxes of later builds.
#pragma once

#include <utility>
#include <vector>

#include "hgrid/core/world_kinds.hpp"
#include "hgrid/inputs/validity.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, int D>
class WorldBoxes {
 public:
  using List = std::vector<Box<D>>;

  /// Returns the boxes on the host. Empty if all worlds share one box.
  const List& now() const { return now_.boxes; }
  const List& next() const { return pending_ ? next_.boxes : now_.boxes; }

  void set_next(List boxes) {
    pending_ = boxes != now_.boxes;
    next_.boxes = std::move(boxes), next_.uploaded = false;
    next_.periodic = false, next_.open = {};
    for (const Box<D>& box : next_.boxes) {
      next_.periodic = next_.periodic || box.any_periodic();
      for (int k = 0; k < D; ++k) next_.open[k] = next_.open[k] || !box.wraps[k];
    }
  }

  /// Returns whether some axis of some current box wraps. The next function returns whether this axis is open in some current
  /// box.
  bool any_periodic() const { return now_.periodic; }
  bool any_open_along(int k) const { return now_.open[k]; }

  /// Returns whether the next boxes differ from the current ones.
  bool pending() const { return pending_; }

  /// Makes the next boxes current, for a build.
  void take_next() {
    if (!pending_) set_next(now_.boxes);
    std::swap(now_, next_);
    compared_ = false;
  }
  /// Call after the build has succeeded.
  void keep() { pending_ = false; }
  /// Call after the build has failed: restores the state before `take_next`.
  void undo() {
    std::swap(now_, next_);
    compared_ = false;
  }

  /// Copies the current boxes, or the shared box, into the executor's memory if they are not there yet. Copying waits.
  void upload(const Exec& exec, const Box<D>& shared) { upload(exec, now_, shared); }
  /// Returns the uploaded boxes.
  BoxesOfWorlds<D> data() const { return {now_.memory.data(), now_.boxes.empty() ? 0 : 1}; }

  /// Returns how each box changes from now to next, in the executor's memory, or null if worlds have no boxes of their own. The
  /// result without changes has its own memory, because graphs that were captured before `set_next` read it.
  const ChangedBox<D>* changes(const Exec& exec) {
    if (now_.boxes.empty()) return nullptr;
    if (!pending_ && compared_) return none_.data();
    if (pending_) upload(exec, next_, {});
    const auto n = static_cast<offset_t>(now_.boxes.size());
    auto& changes = pending_ ? changes_ : none_;
    reserve_all(exec, Need{changes, n});
    const Box<D>* const next = pending_ ? next_.memory.data() : now_.memory.data();
    exec.for_each("hgrid::compare_boxes", n, CompareBoxes<D>{now_.memory.data(), next, changes.data()});
    if (!pending_) compared_ = true;
    return changes.data();
  }

  std::size_t bytes() const { return now_.memory.bytes() + next_.memory.bytes() + changes_.bytes() + none_.bytes(); }

 private:
  struct Set {
    List boxes;
    typename Exec::template Buffer<Box<D>> memory;
    bool periodic = false;
    Vec<bool, D> open{};
    Box<D> uploaded_shared{};  // used if `boxes` is empty
    ClearedByMove<bool> uploaded;
  };

  static void upload(const Exec& exec, Set& set, const Box<D>& shared) {
    const bool own = !set.boxes.empty();
    if (set.uploaded && (own || set.uploaded_shared == shared)) return;
    const auto n = own ? static_cast<offset_t>(set.boxes.size()) : 1;
    reserve_all(exec, Need{set.memory, n});
    exec.copy_in(set.memory.data(), own ? set.boxes.data() : &shared, n);
    set.uploaded_shared = shared, set.uploaded = true;
  }

  Set now_, next_;
  typename Exec::template Buffer<ChangedBox<D>> changes_, none_;
  bool pending_ = false;
  ClearedByMove<bool> compared_;  // none_ belongs to the current boxes
};

}  // namespace hgrid::inline v0_2::detail
