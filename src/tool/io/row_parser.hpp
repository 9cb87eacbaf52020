// SPDX-License-Identifier: BSD-3-Clause
// Parses rows of text into a table of particles. Only this class decides which rows are bad.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "io/columns.hpp"
#include "io/fields.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// Throws Error(out_of_memory) if a table of `rows` particles cannot fit into this machine, so that an endless stream ends with
/// a message and not with the kernel's out-of-memory killer.
void require_memory_for(std::int64_t rows);
/// Throws Error(out_of_memory) if this number of bytes cannot fit.
void require_memory(std::size_t bytes, const char* what);

/// Returns the remedy for bad rows, for a message: how to leave `bad` of `rows` rows out, or that they are most of them.
std::string remedy_for_bad_rows(std::int64_t bad, std::int64_t rows);
/// Returns whether a reader leaves `bad` of `rows` rows out. If most rows are bad, the file is of another kind.
inline bool may_leave_out(BadRows policy, std::int64_t bad, std::int64_t rows) {
  return bad == 0 || (policy == BadRows::skip && 2 * bad <= rows);
}

/// Returns whether there are radii and all of them are 0.
bool are_points(const ParticleTable& table);

/// Gives every particle the radius of the options if the file had none, or only 0; a radius given twice is an error. Adds a
/// note if all are 0.
void apply_radius(ParticleTable& table, const std::string& file, const ReadOptions& options);

class RowParser {
 public:
  RowParser(std::string file, const ReadOptions& options, ColumnMap columns);

  /// Appends the particle of a row. Counts bad rows: a wrong number of columns, or a value that is not a finite number.
  void add(std::string_view line, std::int64_t number);

  /// Returns the table, in the order of the ids, so that the rows of a file may be in any order. Throws Error(format) for an id
  /// that two rows have, because no reader can choose between them. Throws Error(format) for bad rows, naming the line, column
  /// and value of the first, unless the options skip them and most rows are good.
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
  std::string text_of(const Fault& fault) const;
  void judge_bad_rows() const;
  void sort_by_id();

  std::string file_;
  BadRows bad_rows_;
  ColumnMap columns_;
  ParticleTable table_;
  std::vector<Slot> slots_;  ///< x y [z] [r] [id] and the columns that the options name
  std::vector<double> values_;
  std::vector<std::string_view> fields_;
  std::vector<std::int64_t> line_;  ///< of each particle, if there are ids
  std::string first_bad_;           ///< the fault of the first bad row
  std::int64_t first_bad_line_ = 0;
  std::int64_t next_memory_check_ = 1 << 20;
};

}  // namespace hgrid::io
