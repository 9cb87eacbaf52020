// SPDX-License-Identifier: BSD-3-Clause
// The arrays of points that make particles, from VTK's formats.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "io/column_table.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

class VtkColumns {
 public:
  explicit VtkColumns(const ReadOptions& options) : options_(options) {}

  /// Returns the first of the columns that an array of points fills, one for each of its components; -1 if its name has no
  /// meaning and the options do not name it. Columns 0 to 2 are the positions.
  int columns_of(const std::string& name, std::int64_t components);
  /// Notes an array of points. The next function notes an array of cells, which is not read.
  void found(const std::string& name) { found_.push_back(name); }
  void found_of_cells(const std::string& name);

  void add(int column, double value) {
    auto& values = columns_[static_cast<std::size_t>(column)];
    values.push_back(value);
    if (std::ssize(values) >= next_memory_check_) check_memory();
  }
  /// Adds values by turns to so many columns from `column` on, the first to the `turn`-th of them.
  void add(int column, int columns, int turn, std::span<const double> values);
  /// Makes room for more values of columns.
  void reserve(int column, int columns, std::int64_t more);
  std::int64_t size_of(int column) const { return std::ssize(columns_[static_cast<std::size_t>(column)]); }

  /// Returns the particles. Throws Error(format) naming the point, or the line where the arrays ended.
  ParticleTable table(const std::string& file, std::int64_t line);

 private:
  void check_memory();
  void settle_own_arrays();

  const ReadOptions& options_;
  std::vector<std::string> names_ = {"x", "y", "z"};  // of the columns
  std::vector<std::string> found_;                    // of all arrays
  NumberColumns columns_ = NumberColumns(3);
  std::string size_of_cells_;
  int extent_ = -1;  // the first of three columns
  std::int64_t next_memory_check_ = 1 << 20;
};

}  // namespace hgrid::io
