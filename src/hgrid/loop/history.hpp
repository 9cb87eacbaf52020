// SPDX-License-Identifier: BSD-3-Clause
// Contact history: where each pair of a new list stood in the old one, so that what a client keeps per contact, such as
// the tangential spring, survives a rebuild. Lists are sorted, so one merge per list finds it; there is no hash table.
#pragma once

#include "hgrid/core/entry_order.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_1 {

/// How ids and coordinates of the particles changed between two lists; null: they did not. Both [particles of the new list],
/// in the executor's memory.
struct Renumbering {
  const index_t* old_id = nullptr;  ///< of each particle, -1 for one that is new; no two are alike
  const Image* periods = nullptr;   ///< that the user took off each particle's coordinates since: x_old = x_new + p L
};

namespace detail {

inline constexpr offset_t lists_per_item = 64;

/// Ids as before: both lists ascend, so one walk along them finds the partners.
template <class View>
struct MergeLists {
  View before, now;
  offset_t* from;

  HGRID_HD void operator()(offset_t item) const {
    const offset_t end = (item + 1) * lists_per_item;
    for (offset_t list = item * lists_per_item; list < (end < now.lists ? end : now.lists); ++list) merge(list);
  }

 private:
  HGRID_HD void merge(offset_t number) const {
    const auto list = static_cast<index_t>(number);
    offset_t old = list < before.lists ? before.offsets[list] : 0;
    const offset_t old_end = list < before.lists ? before.offsets[list + 1] : 0;
    for (offset_t k = now.offsets[list]; k < now.offsets[list + 1]; ++k) {
      int order = 1;
      const auto image = [&] { return now.image(list, k); };
      while (old < old_end && (order = compare(before, list, old, now.neighbour(k), image)) < 0) ++old;
      from[k] = old < old_end && order == 0 ? old++ : -1;
    }
  }
};

/// Ids renumbered: each entry is sought in the old list that must hold it, which for a half list is that of the smaller
/// old id; the pair is then seen from the other side.
template <class View>
struct SeekInLists {
  View before, now;
  Renumbering renumbering;
  bool half;
  offset_t* from;
  std::uint8_t* mirrored;

  HGRID_HD void operator()(offset_t item) const {
    const offset_t end = (item + 1) * lists_per_item;
    for (offset_t list = item * lists_per_item; list < (end < now.lists ? end : now.lists); ++list) {
      for (offset_t k = now.offsets[list]; k < now.offsets[list + 1]; ++k) seek(static_cast<index_t>(list), k);
    }
  }

 private:
  // Numbers of images that no box has, as a checkpoint may bring them, overflow into others: they find nothing.
  HGRID_HD static std::int32_t sum(std::int64_t a, std::int64_t b, std::int64_t c) {
    return static_cast<std::int32_t>(a + b + c);
  }

  HGRID_HD index_t old_id(index_t i) const { return renumbering.old_id == nullptr ? i : renumbering.old_id[i]; }

  HGRID_HD void seek(index_t i, offset_t k) const {
    const index_t j = now.neighbour(k);
    index_t a = now.of_regions ? i : old_id(i), b = old_id(j);
    Image m = now.image(i, k);
    for (int axis = 0; axis < 3 && renumbering.periods != nullptr; ++axis) {
      m[axis] = sum(m[axis], (now.of_regions ? 0 : renumbering.periods[i][axis]), -std::int64_t{renumbering.periods[j][axis]});
    }
    const bool other_side = half && !is_oriented(a, b, m);
    if (other_side) {
      const index_t smaller = b;
      b = a, a = smaller;
      for (std::int32_t& number : m.m) number = sum(0, 0, -std::int64_t{number});
    }
    from[k] = a < 0 || b < 0 || a >= before.lists ? -1 : find(a, b, m);
    mirrored[k] = other_side;
  }

  HGRID_HD offset_t find(index_t list, index_t neighbour, const Image& m) const {
    return find_sorted(before.offsets[list], before.offsets[list + 1],
                       [&](offset_t k) { return compare(before, list, k, neighbour, [&] { return m; }); });
  }
};

/// Carries values per pair over: those of pairs that are new are `fresh`.
template <class T, class Mirror>
struct CarryPairs {
  const offset_t* from;
  const std::uint8_t* mirrored;  // or null
  const T* before;
  T* now;
  T fresh;
  Mirror mirror;

  HGRID_HD void operator()(offset_t k) const {
    const offset_t old = from[k];
    now[k] = old < 0 ? fresh : mirrored != nullptr && mirrored[k] ? mirror(before[old]) : before[old];
  }
};

struct SameFromBothSides {
  template <class T>
  HGRID_HD const T& operator()(const T& value) const {
    return value;
  }
};

}  // namespace detail

/// Where the pairs of a new list stood in the old one. It keeps its capacity; memory is the executor's.
template <class Exec>
class History {
 public:
  explicit History(const Exec& exec) : exec_(exec), from_(exec, 0), mirrored_(exec, 0) {}

  /// Lists of the same kind, as `Grid::neighbours` fills them, or both of `Queries`, whose regions keep their numbers. Throws
  /// `invalid_argument` or `out_of_memory`; does not wait.
  template <class Entry>
  void remap(const NeighbourList<Exec, Entry>& before, const NeighbourList<Exec, Entry>& now,
             const Renumbering& renumbering = {}) {
    const auto old_view = detail::view_of(before), view = detail::view_of(now);
    using View = std::decay_t<decltype(view)>;
    if (before.kind() != now.kind()) {
      throw Error(ErrorCode::invalid_argument, "a half and a full list have no entries in common", {.argument = "before"});
    }
    if (before.size() > 0 && now.size() > 0 && old_view.of_regions != view.of_regions) {
      throw Error(ErrorCode::invalid_argument, "a list of regions and one of particles have no entries in common",
                  {.argument = "before"});
    }
    const bool renumbered = renumbering.old_id != nullptr || renumbering.periods != nullptr;
    const offset_t room = detail::with_margin(now.size(), from_.size());
    detail::reserve_all(exec_, detail::Need{from_, room}, detail::Need{mirrored_, renumbered ? room : 0});
    size_ = now.size(), size_before_ = before.size(), renumbered_ = renumbered;
    if (!renumbered) return enqueue(before, now);
    exec_.for_each_item(
        "hgrid::seek_in_lists", items_of(now),
        detail::SeekInLists<View>{old_view, view, renumbering, now.kind() == ListKind::half, from_.data(), mirrored_.data()});
  }

  offset_t size() const { return size_; }
  /// Of the old list.
  offset_t size_before() const { return size_before_; }
  /// Per entry of the new list: where it stood in the old one, or -1. [size]
  const offset_t* from() const { return from_.data(); }
  /// 1 where renumbering swapped the sides of a half list's pair; null where none can have been. [size]
  const std::uint8_t* mirrored() const { return renumbered_ ? mirrored_.data() : nullptr; }

  /// now[k] = before[from[k]], or `fresh` for a pair that is new. A value that depends on the side that it is seen from,
  /// such as a force on i, is passed through `mirror` where the sides were swapped. T is any trivially copyable type;
  /// `before` is [size_before], `now` is [size].
  template <class T, class Mirror = detail::SameFromBothSides>
  void carry(const T* before, T* now, const T& fresh = {}, const Mirror& mirror = {}) const {
    exec_.for_each("hgrid::carry_pairs", size_, detail::CarryPairs<T, Mirror>{from(), mirrored(), before, now, fresh, mirror});
  }

  std::size_t bytes() const { return from_.bytes() + mirrored_.bytes(); }

 private:
  friend struct detail::CapturedLoop;

  template <class List>
  static offset_t items_of(const List& list) {
    return (list.lists() + detail::lists_per_item - 1) / detail::lists_per_item;
  }

  // For lists of which the device alone may know how long they are; there is room.
  template <class Entry>
  void enqueue(const NeighbourList<Exec, Entry>& before, const NeighbourList<Exec, Entry>& now) {
    const auto old_view = detail::view_of(before), view = detail::view_of(now);
    using View = std::decay_t<decltype(view)>;
    exec_.for_each_item("hgrid::merge_lists", items_of(now), detail::MergeLists<View>{old_view, view, from_.data()});
  }

  Exec exec_;
  typename Exec::template Buffer<offset_t> from_;
  typename Exec::template Buffer<std::uint8_t> mirrored_;
  detail::ClearedByMove<offset_t> size_, size_before_;
  bool renumbered_ = false;
};

}  // namespace hgrid::inline v0_1
