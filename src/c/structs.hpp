// SPDX-License-Identifier: BSD-3-Clause
// Structs that may grow. Each states its size, so a later library knows which fields an earlier header had, and an earlier
// library notices fields that it does not know.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <optional>

#include "c/status.hpp"
#include "hgrid/core/names.hpp"

namespace hgrid::c {

/// The size in the first release that had the struct. Structs that have grown since specialise it.
template <class T>
inline constexpr std::size_t first_size = sizeof(T);

/// A struct that has grown, and its first field that is new.
#define HGRID_HAS_GROWN(grown, field) \
  template <>                         \
  inline constexpr std::size_t first_size<grown> = offsetof(grown, field);
HGRID_HAS_GROWN(hgrid_options, stream)
HGRID_HAS_GROWN(hgrid_plan_report, threads)
HGRID_HAS_GROWN(hgrid_entry_options, list)
HGRID_HAS_GROWN(hgrid_entry_list, wide_images)
HGRID_HAS_GROWN(hgrid_verlet_options, wrapped)
HGRID_HAS_GROWN(hgrid_verlet_counters, wrapped)
HGRID_HAS_GROWN(hgrid_regions, radius_scale)
HGRID_HAS_GROWN(hgrid_particles, extents)
HGRID_HAS_GROWN(hgrid_level_report, extent_max)
#undef HGRID_HAS_GROWN

[[noreturn]] inline void refuse_size(const char* name, std::size_t given, std::size_t least, std::size_t most) {
  refuse(name,
         "has a struct_size of " + std::to_string(given) + "; this library knows " + std::to_string(least) + " to " +
             std::to_string(most) + ", its sizeof in hgrid.h",
         static_cast<double>(given));
}

template <class T>
void check_struct(const T* given, const char* name) {
  if (given == nullptr) refuse(name, "is null");
  const std::size_t size = given->struct_size;
  if (size < first_size<T> || size > sizeof(T) || size % alignof(T) != 0) refuse_size(name, size, first_size<T>, sizeof(T));
}

/// Returns the caller's struct. If the caller's header did not have all fields, returns a copy in `room`, with zeros for them.
template <class T>
const T& taken(const T* given, const char* name, T& room) {
  check_struct(given, name);
  if (given->struct_size == sizeof(T)) return *given;
  room = {};
  std::memcpy(&room, given, given->struct_size);
  return room;
}
template <class T>
T taken(const T* given, const char* name) {
  T room;
  return taken(given, name, room);
}

template <class T>
T& written(T* out, const char* name) {
  if (out == nullptr) refuse(name, "is null");
  return *out;
}

/// Writes a struct of results, which has been checked.
template <class T>
void give(T& out, T value) {
  value.struct_size = out.struct_size;
  std::memcpy(&out, &value, out.struct_size);
}

/// Returns the value of a choice that counts from 0.
template <Named Enum>
Enum choice(int number, const char* name) {
  if (number < 0 || static_cast<std::size_t>(number) >= enum_names<Enum>.size()) {
    refuse(name, "is none of its choices", static_cast<double>(number));
  }
  return static_cast<Enum>(number);
}

/// Returns the value of a choice that counts from 1; 0 leaves it open.
template <Named Enum>
std::optional<Enum> open_choice(int number, const char* name) {
  if (number == 0) return std::nullopt;
  return choice<Enum>(number < 0 ? number : number - 1, name);
}

inline bool yes(std::int32_t flag, const char* name) {
  if (flag != 0 && flag != 1) refuse(name, "is neither 0 nor 1", flag);
  return flag == 1;
}

inline void require_zero(std::int32_t reserved, const char* name) {
  if (reserved != 0) refuse(name, "has a reserved field that is not 0", reserved);
}

}  // namespace hgrid::c
