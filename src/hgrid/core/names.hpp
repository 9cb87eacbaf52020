// SPDX-License-Identifier: BSD-3-Clause
// The names of the choices that users make: one table for options, files, reports and bindings.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

#include "hgrid/core/error.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2 {

/// The names of an enum's values, in the order of their declaration. A table that is not in this file stands beside its enum;
/// the values must count from 0.
template <class Enum>
inline constexpr std::array<const char*, 0> enum_names = {};

template <>
inline constexpr auto enum_names<NonFinite> = std::array{"error", "skip"};
template <>
inline constexpr auto enum_names<Direction> = std::array{"top-down", "bottom-up"};
template <>
inline constexpr auto enum_names<KeyOrder> = std::array{"row", "morton"};
template <>
inline constexpr auto enum_names<TableKind> = std::array{"dense", "compacted"};
template <>
inline constexpr auto enum_names<SortKind> = std::array{"radix", "counting"};
template <>
inline constexpr auto enum_names<Schedule> = std::array{"fast", "plain"};
template <>
inline constexpr auto enum_names<Order> = std::array{"fixed", "sorted"};
template <>
inline constexpr auto enum_names<ListKind> = std::array{"half", "full"};
template <>
inline constexpr auto enum_names<Rule> = std::array{"sum", "max", "gather"};
template <>
inline constexpr auto enum_names<Take> = std::array{"touching", "centres"};
template <>
inline constexpr auto enum_names<ErrorCode> = error_names;

template <class Enum>
concept Named = !enum_names<Enum>.empty();

template <Named Enum>
constexpr const char* name_of(Enum value) {
  return enum_names<Enum>[static_cast<std::size_t>(value)];
}

/// Returns all values, in the order of the names.
template <Named Enum>
constexpr auto values_of() {
  std::array<Enum, enum_names<Enum>.size()> values{};
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<Enum>(k);
  return values;
}

/// Returns the value with that name, if there is one.
template <Named Enum>
constexpr std::optional<Enum> from_name(std::string_view name) {
  for (const Enum value : values_of<Enum>()) {
    if (name == name_of(value)) return value;
  }
  return std::nullopt;
}

}  // namespace hgrid::inline v0_2
