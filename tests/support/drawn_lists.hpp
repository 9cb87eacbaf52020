// SPDX-License-Identifier: BSD-3-Clause
// Lists of given lengths, whose entries are in some order, and the result of sorting them.
#pragma once

#include <algorithm>
#include <random>
#include <vector>

#include "hgrid/core/entry_order.hpp"
#include "hgrid/core/types.hpp"

namespace support {

struct DrawnLists {
  enum class Order { any, sorted, reversed };

  std::vector<hgrid::offset_t> offsets{0};
  std::vector<hgrid::index_t> neighbours, sorted_neighbours;
  std::vector<hgrid::Image> images, sorted_images;

  /// Draws lists in which each neighbor stands `times` times, under other images. Any axis may decide their order.
  DrawnLists(const std::vector<int>& lengths, int times, Order order) {
    using Entry = hgrid::detail::ListEntries::Entry;
    std::mt19937 random(static_cast<unsigned>(times));
    for (const int length : lengths) {
      std::vector<Entry> list;
      const int first = static_cast<int>(random() % 5);
      for (int k = 0; k < length; ++k) {
        const int m = first + k % times - times / 2;
        list.push_back({static_cast<hgrid::index_t>(random() % 3) + 3 * (k / times), {{m / 4, m / 2 % 2, m % 2}}});
        if (k % times > 0) list.back().neighbour = list[list.size() - 2].neighbour;
      }
      std::sort(list.begin(), list.end(), hgrid::detail::ListEntries::less);
      put(list, sorted_neighbours, sorted_images);
      if (order == Order::any) std::shuffle(list.begin(), list.end(), random);
      if (order == Order::reversed) std::reverse(list.begin(), list.end());
      put(list, neighbours, images);
      offsets.push_back(offsets.back() + length);
    }
  }

  hgrid::offset_t lists() const { return static_cast<hgrid::offset_t>(offsets.size()) - 1; }

 private:
  static void put(const std::vector<hgrid::detail::ListEntries::Entry>& list, std::vector<hgrid::index_t>& to,
                  std::vector<hgrid::Image>& to_images) {
    for (const auto& [neighbour, image] : list) to.push_back(neighbour), to_images.push_back(image);
  }
};

/// Returns whether the executor sorts the lists, with their images and, if no neighbor stands there twice, without.
template <class Exec>
bool sorts(const Exec& exec, const DrawnLists& drawn, bool has_images = true) {
  using hgrid::offset_t;
  const offset_t n = drawn.offsets.back();
  const auto place = [&](const auto& from) {
    using T = typename std::decay_t<decltype(from)>::value_type;
    typename Exec::template Buffer<T> to(exec, static_cast<offset_t>(from.size()));
    if (!from.empty()) exec.copy_in(to.data(), from.data(), static_cast<offset_t>(from.size()));
    return to;
  };
  auto offsets = place(drawn.offsets);
  auto neighbours = place(drawn.neighbours);
  auto images = place(drawn.images);
  exec.reserve_lists(drawn.lists(), n);
  exec.sort_lists(drawn.lists(), static_cast<const offset_t*>(offsets.data()),
                  hgrid::detail::ListEntries{neighbours.data(), has_images ? images.data() : nullptr}, n);
  auto got = drawn.neighbours;
  auto got_images = drawn.images;
  if (n > 0) exec.copy_out(got.data(), neighbours.data(), n), exec.copy_out(got_images.data(), images.data(), n);
  return got == drawn.sorted_neighbours && got_images == (has_images ? drawn.sorted_images : drawn.images);
}

/// Returns whether the executor sorts packed entries.
template <class Exec>
bool sorts_packed(const Exec& exec, const DrawnLists& drawn) {
  using hgrid::PackedNeighbour;
  const auto n = static_cast<hgrid::offset_t>(drawn.neighbours.size());
  std::vector<PackedNeighbour> any, sorted;
  for (std::size_t k = 0; k < drawn.neighbours.size(); ++k) {
    any.push_back(PackedNeighbour::of(drawn.neighbours[k], drawn.images[k]));
    sorted.push_back(PackedNeighbour::of(drawn.sorted_neighbours[k], drawn.sorted_images[k]));
  }
  typename Exec::template Buffer<hgrid::offset_t> offsets(exec, drawn.lists() + 1);
  typename Exec::template Buffer<PackedNeighbour> entries(exec, n);
  exec.copy_in(offsets.data(), drawn.offsets.data(), drawn.lists() + 1);
  if (n > 0) exec.copy_in(entries.data(), any.data(), n);
  exec.reserve_lists(drawn.lists(), n);
  exec.sort_lists(drawn.lists(), static_cast<const hgrid::offset_t*>(offsets.data()),
                  hgrid::detail::PackedEntries{entries.data()}, n);
  if (n > 0) exec.copy_out(any.data(), entries.data(), n);
  return any == sorted;
}

/// Lists of every length up to that where a block sorts them, in any order, and some in a row that are equally long.
inline std::vector<int> lengths_up_to(int longest) {
  std::vector<int> lengths;
  for (int n = 0; n <= longest; ++n) lengths.push_back(n);
  std::shuffle(lengths.begin(), lengths.end(), std::mt19937(7));
  for (const int n : {0, 1, 2, 7, 32, 64, 65, 256, 257}) lengths.insert(lengths.end(), 35, std::min(n, longest));
  return lengths;
}

}  // namespace support
