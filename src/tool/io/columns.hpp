// SPDX-License-Identifier: BSD-3-Clause
// Which column of a table means what.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/column_names.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Where the values of a row stand, 0-based; -1: the table has no such column.
struct ColumnMap {
  int x = -1, y = -1, z = -1, r = -1, id = -1;
  std::array<int, 3> extent = {-1, -1, -1};    ///< half extents
  std::vector<int> more = {};                  ///< the columns that the options name, in their order
  int count = 0;                               ///< columns of every row
  double radius_scale = 1;                     ///< 0.5 where the column holds diameters
  char delimiter = ' ';                        ///< as split_fields takes it
  std::string found = {};                      ///< the columns found, as a message lists them
  std::string taken = {};                      ///< those that have a meaning, as a report lists them
  std::string length_unit = {};                ///< of x as its name states it; empty: it does not
  std::string size_unit = {};                  ///< likewise, of radii or half extents
  std::vector<std::string> notes = {};         ///< what is odd about them
  std::string declared_by = "the header has";  ///< how a message refers to `count`
  bool may_be_named = false;                   ///< the options may name the columns
};

/// Sets the columns' places from their names. Throws Error(format) "NAME, line N: ..." for a role named twice and, listing the
/// columns found, where x or y is missing. Half extents are taken where all axes have some, one column each, and there are
/// neither radii nor a radius of the options.
void assign_roles(const std::vector<std::string_view>& names, const std::string& file, std::int64_t line,
                  const ReadOptions& options, ColumnMap& map);

/// Assigns the roles by the names that the options have in the place of a header, or that a file lacks.
ColumnMap columns_of_options(const std::string& file, std::int64_t line, const ReadOptions& options);

/// Says in `taken` which of these columns the map takes, and in which units they are. A column without a name is not listed.
void describe(const std::vector<std::string_view>& names, ColumnMap& map);

/// Throws Error(invalid_argument), listing the columns found, if the options name a column that the map lacks.
void require_more(const ColumnMap& map, const ReadOptions& options, const std::string& file);

/// The columns found, as a message lists them.
std::string list_of(const std::vector<std::string_view>& names);

}  // namespace hgrid::io
