// SPDX-License-Identifier: BSD-3-Clause
// Neighbour lists as the C door gives them.
#pragma once

#include "c/arrays.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::c {

/// Null in an open box only: without contacts there may be no memory.
template <class List>
const std::int32_t* images_of_result(const List& list) {
  static const Image none{};
  return numbers_of(list.has_images() && list.images() == nullptr ? &none : list.images());
}

template <class Exec>
hgrid_neighbour_list list_of(const NeighbourList<Exec>& list) {
  return {0, list.lists(), list.size(), list.offsets(), list.neighbours(), images_of_result(list)};
}

}  // namespace hgrid::c
