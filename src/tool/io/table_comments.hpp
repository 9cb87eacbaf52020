// SPDX-License-Identifier: BSD-3-Clause
// Comments of text tables, which begin with '#' or, as MATLAB writes them, '%', and the facts that they state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// The facts that comments have given so far.
struct Comments {
  std::optional<BoxBounds> box;
  std::string header;  ///< the last comment that names x and y, as numpy.savetxt writes headers, or Yade's "#format x_y_z_r"
  std::int64_t header_line = 0;
  bool more_columns = false;  ///< other columns may follow: Yade's "#format x_y_z_r_attrs"
};

inline bool is_comment(std::string_view text) { return !text.empty() && (text.front() == '#' || text.front() == '%'); }

/// The next line that is neither blank nor a comment; false at the end. Comments before it are read. Throws Error(format) for a
/// box of a wrong number of values, or a second one other than the first.
bool next_row(LineReader& lines, Comments& comments, std::string_view& line);

/// The header that a comment is, as names between separators: "# x y z r", or Yade's "#format x_y_z_r". Empty of another one.
std::string header_in_comment(std::string_view line);

/// The names that the header in a comment gives the columns of rows with this many; none if their number is another.
std::vector<std::string_view> names_of_comment(const Comments& comments, std::size_t columns);

}  // namespace hgrid::io
