// SPDX-License-Identifier: BSD-3-Clause
// Turns columns of numbers, from formats that write array after array, into a table of particles.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "io/columns.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// One column for each name from which the map was made; columns without a meaning may be empty.
using NumberColumns = std::vector<std::vector<double>>;

/// Returns the particles of these columns, in the order of their ids. `fail(row, reason)` throws the error of a row. Rows with
/// a value that is not finite, or with an id that is not an integer, are bad. The options decide whether they are left out or
/// `fail` is called.
ParticleTable table_of(NumberColumns columns, const ColumnMap& map, const ReadOptions& options, const std::string& file,
                       const std::function<void(std::int64_t, const std::string&)>& fail);

}  // namespace hgrid::io
