// SPDX-License-Identifier: BSD-3-Clause
// The one list of column names, for all formats.
#pragma once

#include <string_view>

namespace hgrid::io {

enum class Role { none, x, y, z, radius, diameter, hx, hy, hz, id };

/// The meaning of a column's name.
struct Meaning {
  Role role = Role::none;
  bool is_second_choice = false;  ///< a column with a plainer name is preferred
};

/// Returns the meaning of a column's name. Case, quotes, separators and a unit in brackets are ignored, so PosX[m], "pos_x" and
/// x are equal. Names that end in a unit, such as x_mm, and LAMMPS' names of computed values, such as v_radius, are a second
/// choice.
Meaning meaning_of(std::string_view name);
inline Role role_of(std::string_view name) { return meaning_of(name).role; }

/// Returns whether several columns with this one name are positions, such as `pos` of extended XYZ.
bool names_positions(std::string_view name);

/// Returns whether a column with this name gives the body to which a particle belongs, such as a clump of spheres.
bool names_body(std::string_view name);

/// Returns whether a column has the wanted name; case and separators are ignored, as above.
bool names_column(std::string_view name, std::string_view wanted);

/// Returns the unit that a name states in brackets at its end, or after a separator, as in x_mm; empty if it states none.
std::string_view unit_of(std::string_view name);

/// Returns whether a text is a unit of length that the tool knows.
bool is_length_unit(std::string_view text);

}  // namespace hgrid::io
