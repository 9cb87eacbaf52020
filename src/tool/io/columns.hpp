// SPDX-License-Identifier: BSD-3-Clause
// Finds the meaning of a table's columns.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/column_names.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// The columns of the values of a row, 0-based; -1: the table has no such column.
struct ColumnMap {
  int x = -1, y = -1, z = -1, r = -1, id = -1;
  std::array<int, 3> extent = {-1, -1, -1};    ///< half extents
  std::vector<int> more = {};                  ///< the columns that the options name, in their order
  int count = 0;                               ///< columns of every row
  double radius_scale = 1;                     ///< 0.5 if the column holds diameters
  char delimiter = ' ';                        ///< for split_fields
  std::string found = {};                      ///< the columns found, for messages
  std::string taken = {};                      ///< columns with a meaning, for reports
  std::string length_unit = {};                ///< of x, if its name states it; otherwise empty
  std::string size_unit = {};                  ///< likewise, of radii or half extents
  std::vector<std::string> notes = {};         ///< suspicious facts about the columns
  std::string declared_by = "the header has";  ///< how a message refers to `count`
  bool may_be_named = false;                   ///< the options may name the columns
};

/// Sets the columns' places from their names. Throws Error(format) "NAME, line N: ..." for a role named twice and, listing the
/// columns found, if x or y is missing. Half extents are used if all axes have some, one column each, and there are neither
/// radii nor a radius in the options.
void assign_roles(const std::vector<std::string_view>& names, const std::string& file, std::int64_t line,
                  const ReadOptions& options, ColumnMap& map);

/// Assigns the roles by the names in the options, which replace a header or a missing one.
ColumnMap columns_of_options(const std::string& file, std::int64_t line, const ReadOptions& options);

/// Lists in `taken` the columns that the map uses, and finds their units. A column without a name is not listed.
void describe(const std::vector<std::string_view>& names, ColumnMap& map);

/// Throws Error(invalid_argument), listing the columns found, if the options name a column that the map lacks.
void require_more(const ColumnMap& map, const ReadOptions& options, const std::string& file);

/// Returns the columns found, as a list for messages.
std::string list_of(const std::vector<std::string_view>& names);

}  // namespace hgrid::io
