// SPDX-License-Identifier: BSD-3-Clause
// Contact history: where each pair of a new list was in the old one, so that values that a client keeps per contact, such as
// the tangential spring, survive a rebuild. Lists are sorted, so one merge per list finds it without a hash table.
#pragma once

#include "hgrid/core/entry_order.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/core/mesh_view.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2 {

/// How ids and coordinates of the particles changed between two lists; null: they did not. Both are [particles of the new
/// list], in the executor's memory.
struct Renumbering {
  const index_t* old_id = nullptr;  ///< old id of each particle, -1 for a new one; all differ
  const Image* periods = nullptr;   ///< periods that the user subtracted from each particle's coordinates since: x_old = x_new
                                    ///< + p L
};

namespace detail {

inline constexpr offset_t lists_per_item = 64;

/// Finds old entries if ids are unchanged: both lists are sorted, so one pass over both finds the partners.
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

/// The partner of an entry, in the ids and images of the old list.
struct EntryBefore {
  index_t id;
  Image image;
};

// Adds periods. Images that no box has, as in a forged checkpoint, overflow into others, and find nothing.
HGRID_HD inline std::int32_t sum_of_periods(std::int64_t a, std::int64_t b, std::int64_t c) {
  return static_cast<std::int32_t>(a + b + c);
}

/// Returns the old partner of entry (i, j, m), where i is a region or a particle.
HGRID_HD inline EntryBefore entry_before(const Renumbering& r, bool of_regions, index_t i, index_t j, Image m) {
  for (int axis = 0; axis < 3 && r.periods != nullptr; ++axis)
    m[axis] = sum_of_periods(m[axis], of_regions ? 0 : r.periods[i][axis], -std::int64_t{r.periods[j][axis]});
  return {r.old_id == nullptr ? j : r.old_id[j], m};
}

template <class View>
HGRID_HD offset_t find_entry(const View& list, index_t row, index_t id, const Image& m) {
  if (id < 0 || row >= list.lists) return -1;
  return find_sorted(list.offsets[row], list.offsets[row + 1],
                     [&](offset_t k) { return compare(list, row, k, id, [&] { return m; }); });
}

/// Finds old entries if ids were renumbered. Each entry is searched in the old list that must hold it. For a half list this is
/// the list of the smaller old id; the pair may then be seen from the other side.
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
  HGRID_HD void seek(index_t i, offset_t k) const {
    index_t a = now.of_regions || renumbering.old_id == nullptr ? i : renumbering.old_id[i];
    EntryBefore b = entry_before(renumbering, now.of_regions, i, now.neighbour(k), now.image(i, k));
    const bool other_side = half && !is_oriented(a, b.id, b.image);
    if (other_side) {
      const index_t smaller = b.id;
      b.id = a, a = smaller;
      for (std::int32_t& number : b.image.m) number = sum_of_periods(0, 0, -std::int64_t{number});
    }
    from[k] = a < 0 ? -1 : find_entry(before, a, b.id, b.image);
    mirrored[k] = other_side;
  }
};

struct NoneContinued {
  std::uint8_t* continued;
  HGRID_HD void operator()(offset_t k) const { continued[k] = 0; }
};

/// Marks the old entries that continue.
struct MarkContinued {
  const offset_t* from;
  std::uint8_t* continued;

  HGRID_HD void operator()(offset_t k) const {
    if (from[k] >= 0) continued[from[k]] = 1;
  }
};

/// Finds for each new contact with a mesh an ended contact of its ball on a triangle around, the closest by kinship. -1 if
/// there is none, or if another new contact is closer to it.
struct SeekAround {
  ListView before, now;
  Renumbering renumbering;
  MeshView mesh;
  const offset_t* from;
  const std::uint8_t* continued;
  offset_t* ended;

  HGRID_HD void operator()(offset_t row) const {
    const auto triangle = static_cast<index_t>(row);
    for (offset_t k = now.offsets[triangle]; k < now.offsets[triangle + 1]; ++k)
      ended[k] = from[k] < 0 ? seek(triangle, k) : -1;
  }

 private:
  HGRID_HD offset_t seek(index_t triangle, offset_t k) const {
    const index_t ball = now.neighbour(k);
    const Image image = now.image(k);
    const EntryBefore sought = entry_before(renumbering, true, triangle, ball, image);
    offset_t found = -1;
    Kinship best{};
    mesh.for_each_around(triangle, [&](index_t other, const Image& shift) {
      const offset_t old = find_entry(before, other, sought.id, sum_of(sought.image, shift));
      if (old < 0 || continued[old] != 0) return;
      const Kinship kinship = mesh.kinship(triangle, other, shift);
      if (found >= 0 && !kinship.exceeds(best) && (best.exceeds(kinship) || found <= old)) return;
      bool is_first = true;
      mesh.for_each_around(other, [&](index_t rival, const Image& further) {
        const Image away = sum_of(shift, further);
        const offset_t entry = is_first ? find_entry(now, rival, ball, sum_of(image, away)) : -1;
        if (entry < 0 || from[entry] >= 0) return;
        const Kinship its = mesh.kinship(rival, other, -further);
        is_first = !its.exceeds(kinship) && (kinship.exceeds(its) || mesh_order(rival, triangle, away) >= 0);
      });
      if (is_first) found = old, best = kinship;
    });
    return found;
  }
};

struct TakeEnded {
  const offset_t* ended;
  offset_t* from;

  HGRID_HD void operator()(offset_t k) const {
    if (ended[k] >= 0) from[k] = ended[k];
  }
};

/// Carries values per pair over. New pairs get `fresh`.
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

/// Finds where the pairs of a new list were in the old one. Keeps its capacity; memory is the executor's.
template <class Exec>
class History {
 public:
  explicit History(const Exec& exec) : exec_(exec), from_(exec, 0), ended_(exec, 0), mirrored_(exec, 0), continued_(exec, 0) {}

  /// Compares two lists of one kind, both of the grid's own particles, or both of a query whose regions keep their numbers.
  /// Throws `invalid_argument` or `out_of_memory`; does not wait.
  template <class Entry>
  void remap(const NeighbourList<Exec, Entry>& before, const NeighbourList<Exec, Entry>& now,
             const Renumbering& renumbering = {}) {
    const auto old_view = detail::view_of(before), view = detail::view_of(now);
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
    enqueue(before, now, renumbering);
  }

  /// Compares contacts with a mesh, as a grid lists them (`OnMesh`), like `remap` above. A ball that rolls to another triangle
  /// keeps its values: a new contact continues a contact of this ball that has ended on a triangle that shares a vertex. If
  /// there are several, triangles that share an edge come first, then the pair nearest to one plane. `invalid_argument` for a
  /// mesh of another size.
  void remap(const NeighbourList<Exec>& before, const NeighbourList<Exec>& now, const MeshView& mesh,
             const Renumbering& renumbering = {}) {
    const offset_t n = now.size(), n_before = before.size();
    if (n > 0 && now.lists() != mesh.size) {
      throw Error(ErrorCode::invalid_argument, "the list has other triangles than the mesh",
                  {.argument = "mesh", .count = now.lists(), .needed = mesh.size});
    }
    remap(before, now, renumbering);
    if (n == 0 || n_before == 0) return;
    detail::reserve_all(exec_, detail::Need{ended_, detail::with_margin(n, ended_.size())},
                        detail::Need{continued_, detail::with_margin(n_before, continued_.size())});
    exec_.for_each("hgrid::none_continued", n_before, detail::NoneContinued{continued_.data()});
    for (int round = 0; round < 2; ++round) {  // the second round is for the few that the first has left
      exec_.for_each("hgrid::mark_continued", n, detail::MarkContinued{from(), continued_.data()});
      exec_.for_each_item("hgrid::seek_around", now.lists(),
                          detail::SeekAround{detail::view_of(before), detail::view_of(now), renumbering, mesh, from(),
                                             continued_.data(), ended_.data()});
      exec_.for_each("hgrid::take_ended", n, detail::TakeEnded{ended_.data(), from_.data()});
    }
  }

  offset_t size() const { return size_; }
  /// Returns the number of entries of the old list.
  offset_t size_before() const { return size_before_; }
  /// Returns for each entry of the new list its place in the old one, or -1. [size]
  const offset_t* from() const { return from_.data(); }
  /// Returns 1 where renumbering swapped the sides of a half list's pair; null if none can be swapped. [size]
  const std::uint8_t* mirrored() const { return renumbered_ ? mirrored_.data() : nullptr; }

  /// Sets now[k] = before[from[k]], or `fresh` for a new pair. If the sides were swapped, the value is passed through `mirror`,
  /// for values that depend on the side, such as a force on i. T is any trivially copyable type; `before` is [size_before],
  /// `now` is [size].
  template <class T, class Mirror = detail::SameFromBothSides>
  void carry(const T* before, T* now, const T& fresh = {}, const Mirror& mirror = {}) const {
    exec_.for_each("hgrid::carry_pairs", size_, detail::CarryPairs<T, Mirror>{from(), mirrored(), before, now, fresh, mirror});
  }

  std::size_t bytes() const { return from_.bytes() + mirrored_.bytes() + ended_.bytes() + continued_.bytes(); }

 private:
  friend struct detail::Access;

  template <class List>
  static offset_t items_of(const List& list) {
    return (list.lists() + detail::lists_per_item - 1) / detail::lists_per_item;
  }

  // Compares lists whose lengths may be known only to the device. There is room.
  template <class Entry>
  void enqueue(const NeighbourList<Exec, Entry>& before, const NeighbourList<Exec, Entry>& now, const Renumbering& r) {
    const auto old_view = detail::view_of(before), view = detail::view_of(now);
    using View = std::decay_t<decltype(view)>;
    if (r.old_id == nullptr && r.periods == nullptr) {
      exec_.for_each_item("hgrid::merge_lists", items_of(now), detail::MergeLists<View>{old_view, view, from_.data()});
    } else {
      exec_.for_each_item(
          "hgrid::seek_in_lists", items_of(now),
          detail::SeekInLists<View>{old_view, view, r, now.kind() == ListKind::half, from_.data(), mirrored_.data()});
    }
  }

  Exec exec_;
  typename Exec::template Buffer<offset_t> from_, ended_;
  typename Exec::template Buffer<std::uint8_t> mirrored_, continued_;
  detail::ClearedByMove<offset_t> size_, size_before_;
  bool renumbered_ = false;
};

}  // namespace hgrid::inline v0_2
