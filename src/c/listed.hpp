// SPDX-License-Identifier: BSD-3-Clause
// Neighbor lists in the C API.
#pragma once

#include "c/arrays.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::c {

/// Returns null only in an open box. Without contacts the list may have no memory.
template <class List>
const std::int32_t* images_of_result(const List& list) {
  static const Image none{};
  return numbers_of(list.has_images() && list.images() == nullptr ? &none : list.images());
}

template <class Exec>
hgrid_neighbour_list list_of(const NeighbourList<Exec>& list) {
  return {0, list.lists(), list.size(), list.offsets(), list.neighbours(), images_of_result(list)};
}

/// Returns a list as the library has it.
inline ListView view_of(const hgrid_neighbour_list& list) {
  if (list.offsets == nullptr) refuse("list", "has no offsets");
  return {list.offsets, list.neighbours, reinterpret_cast<const Image*>(list.images), static_cast<index_t>(list.lists)};
}

}  // namespace hgrid::c
