// SPDX-License-Identifier: BSD-3-Clause
// Turns a user's containers into a view of particles. The header of an executor adds its own overloads.
#pragma once

#include <iterator>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

#include "hgrid/core/error.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Returns the address in a pointer, or in a class that wraps one, such as thrust's pointers.
template <class T>
T* address_of(T* p) {
  return p;
}
template <class P>
requires requires(const P& p) { requires std::is_pointer_v<decltype(p.get())>; }
auto address_of(const P& p) { return p.get(); }

/// A container or array with consecutive elements. (std::ranges has a similar concept, which adds 0.3 s to each compilation.)
template <class C>
concept Contiguous = requires(const C& c) {
  detail::address_of(std::data(c));
  std::size(c);
};

/// A container whose type tells that its memory is on the host.
template <class C>
concept OnlyOnHost = std::is_array_v<C> || requires {
  std::tuple_size<C>::value;
} || requires {
  requires std::is_same_v<typename C::allocator_type, std::allocator<typename C::value_type>>;
};
template <class C>
concept OfDeviceLibrary = !std::is_pointer_v<decltype(std::data(std::declval<const C&>()))>;

}  // namespace detail

/// Returns a view of positions and radii in containers of the executor's memory. Neither is copied. A container is anything
/// with `data()` and `size()`: a vector, a span, or on a device `thrust::device_vector`, `cuda::std::span` and
/// `rmm::device_uvector`. Their values must be ready in the order of the executor's stream. Positions are interleaved
/// coordinates, D per particle, or structs that begin with D coordinates, such as `std::array<double, 3>` or `float4`, one per
/// particle. Throws `size_mismatch`.
template <int D, class Exec, detail::Contiguous Positions, detail::Contiguous Radii>
auto as_particles(const Exec&, const Positions& positions, const Radii& radii) {
  using Element = std::remove_cv_t<std::remove_pointer_t<decltype(detail::address_of(std::data(positions)))>>;
  using Real = std::remove_cv_t<std::remove_pointer_t<decltype(detail::address_of(std::data(radii)))>>;
  constexpr bool of_structs = std::is_class_v<Element>;
  static_assert(Exec::on_host || !(detail::OnlyOnHost<Positions> || detail::OnlyOnHost<Radii>),
                "host containers cannot be read on a device; pass memory of its space");
  static_assert(!Exec::on_host || !(detail::OfDeviceLibrary<Positions> || detail::OfDeviceLibrary<Radii>),
                "containers of a device's library are not read on the host; pass their addresses, where it reaches them");
  static_assert(std::is_same_v<Real, float> || std::is_same_v<Real, double>,
                "radii are float or double; if they are fields of a struct, set the members of hgrid::Particles instead");
  static_assert(of_structs || std::is_same_v<Element, Real>, "positions and radii need the same real type");
  static_assert(!of_structs || (std::is_standard_layout_v<Element> && sizeof(Element) % sizeof(Real) == 0 &&
                                sizeof(Element) >= D * sizeof(Real) && alignof(Element) >= alignof(Real)),
                "a struct of positions begins with its coordinates, of the radii's type; if yours does not, set the members of "
                "hgrid::Particles instead");
  const std::size_t given = std::size(positions), count = std::size(radii);
  if (given != (of_structs ? count : D * count)) {
    throw Error(ErrorCode::size_mismatch, detail::counted(given, of_structs ? "position" : "coordinate") + " for " +
                                              detail::counted(count, "radius", "radii") + " in " + std::to_string(D) +
                                              " dimensions");
  }
  auto p = particles<D>(reinterpret_cast<const Real*>(detail::address_of(std::data(positions))),
                        detail::address_of(std::data(radii)), static_cast<std::int64_t>(count));
  if constexpr (of_structs) p.stride = sizeof(Element) / sizeof(Real);
  return p;
}

}  // namespace hgrid::inline v0_2
