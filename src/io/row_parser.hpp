// SPDX-License-Identifier: BSD-3-Clause
// Rows of text into a table of particles: the one place that says what a bad row is.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/columns.hpp"
#include "io/fields.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Throws Error(out_of_memory) if a table of `rows` particles cannot fit into this machine, so that an
/// endless stream ends with a message and not with the kernel's out-of-memory killer.
void require_memory_for(std::int64_t rows);
/// The same for as many bytes of something.
void require_memory(std::size_t bytes, const char* what);

/// Gives every particle the radius of the options where the file had none; a radius given twice is an error.
void apply_radius(ParticleTable& table, const std::string& file, const ReadOptions& options);

class RowParser {
 public:
  RowParser(std::string file, const ReadOptions& options, ColumnMap columns);

  /// Appends the particle of a row. A bad row (wrong number of columns, a value that is no finite number)
  /// throws Error(format) naming the line, column and value, or is counted, as the options say.
  void add(std::string_view line, std::int64_t number);

  /// The table, in the order of the ids, so that the rows of a file may be in any order. Throws Error(format) for an id
  /// that two rows carry: which of them is meant, no reader can say.
  ParticleTable finish();

 private:
  struct Slot {
    int column;
    std::string name;
    bool integral = false;
  };
  struct Fault {
    const Slot* slot = nullptr;  ///< null: the number of columns is wrong
    Number number = Number::good;
  };

  bool parse(Fault& fault);
  [[noreturn]] void fail(const Fault& fault, std::int64_t line) const;
  void sort_by_id();

  std::string file_;
  BadRows bad_rows_;
  ColumnMap columns_;
  ParticleTable table_;
  std::vector<Slot> slots_;  ///< x y [z] [r] [id] and those that the options name
  std::vector<double> values_;
  std::vector<std::string_view> fields_;
  std::vector<std::int64_t> line_;  ///< of each particle, where there are ids
  std::int64_t next_memory_check_ = 1 << 20;
};

}  // namespace hgrid::io
