// SPDX-License-Identifier: BSD-3-Clause
// Columns of numbers, as formats have them that write array after array, into a table of particles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// One column for each name that the map was made of; those without a meaning may be empty.
using NumberColumns = std::vector<std::vector<double>>;

/// The particles of these columns, in the order of their ids. `fail(row, reason)` throws the error of a row. Rows with a value
/// that is not finite, or with an id that is no integer, are bad: as the options say they are left out, or `fail` is called.
ParticleTable table_of(NumberColumns columns, const ColumnMap& map, const ReadOptions& options, const std::string& file,
                       const std::function<void(std::int64_t, const std::string&)>& fail);

}  // namespace hgrid::io
