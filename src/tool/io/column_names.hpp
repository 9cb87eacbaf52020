// SPDX-License-Identifier: BSD-3-Clause
// The one list of the names that columns have, for all formats.
#pragma once

#include <string_view>

namespace hgrid::io {

enum class Role { none, x, y, z, radius, diameter, hx, hy, hz, id };

/// What a column's name means.
struct Meaning {
  Role role = Role::none;
  bool is_second_choice = false;  ///< a column of a plainer name comes first
};

/// The meaning of a column's name: case, quotes, separators and a unit in brackets do not matter, so PosX[m], "pos_x" and x are
/// one. Names that end in a unit, such as x_mm, and those that LAMMPS gives to what it computes, such as v_radius, are a second
/// choice.
Meaning meaning_of(std::string_view name);
inline Role role_of(std::string_view name) { return meaning_of(name).role; }

/// Returns whether several columns of this one name are positions, as `pos` of extended XYZ.
bool names_positions(std::string_view name);

/// Returns whether a column of this name says to which body, such as a clump of spheres, a particle belongs.
bool names_body(std::string_view name);

/// Whether a column's name is the one wanted; case and the like do not matter, as above.
bool names_column(std::string_view name, std::string_view wanted);

/// The unit that a name states in brackets at its end, or after a separator, as x_mm does; empty if it states none.
std::string_view unit_of(std::string_view name);

/// Returns whether a text is a unit of length that the tool knows.
bool is_length_unit(std::string_view text);

}  // namespace hgrid::io
