// SPDX-License-Identifier: BSD-3-Clause
// The data that follow the particles or the contacts of a list on ranks: fields and arrays of pairs, told apart by their types.
#pragma once

#include <tuple>
#include <type_traits>

#include "hgrid/ranks/distributed_pair_array.hpp"
#include "hgrid/ranks/field.hpp"

namespace hgrid::inline v0_2::detail {

template <class T>
inline constexpr bool is_pair_array = false;
template <class T, class Exec>
inline constexpr bool is_pair_array<DistributedPairArray<T, Exec>> = true;

/// Returns a field of particles as a tuple of one, and no field for an array of pairs.
template <class F>
auto as_field(F&& follower) {
  if constexpr (is_pair_array<std::remove_cvref_t<F>>) {
    return std::tuple<>();
  } else {
    return std::tuple(Field{follower});
  }
}
/// Returns a reference to an array of pairs as a tuple of one, and none to a field of particles.
template <class F>
auto as_pair_array(F&& follower) {
  if constexpr (is_pair_array<std::remove_cvref_t<F>>) {
    return std::tie(follower);
  } else {
    return std::tuple<>();
  }
}

template <class... Arrays, class F>
void for_each_in(const std::tuple<Arrays&...>& arrays, const F& f) {
  std::apply([&](auto&... each) { (f(each), ...); }, arrays);
}

}  // namespace hgrid::inline v0_2::detail
