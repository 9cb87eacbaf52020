// SPDX-License-Identifier: BSD-3-Clause
// Comments of text tables, which begin with '#' or, in MATLAB's files, with '%', and the facts that they state.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/line_reader.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// The facts that comments have stated so far.
struct Comments {
  std::optional<BoxBounds> box;
  std::string header;  ///< the last comment that names x and y, such as numpy.savetxt's headers, or Yade's "#format x_y_z_r"
  std::int64_t header_line = 0;
  bool more_columns = false;  ///< other columns may follow: Yade's "#format x_y_z_r_attrs"
};

inline bool is_comment(std::string_view text) { return !text.empty() && (text.front() == '#' || text.front() == '%'); }

/// Sets the next line that is neither blank nor a comment, and reads comments before it. Returns false at the end. Throws
/// Error(format) for a box with a wrong number of values, or a second box that differs from the first.
bool next_row(LineReader& lines, Comments& comments, std::string_view& line);

/// Returns the header in a comment, as names between separators: "# x y z r", or Yade's "#format x_y_z_r". Empty for another
/// comment.
std::string header_in_comment(std::string_view line);

/// Returns the names that the header in a comment gives the columns of rows with this number of them; empty if its number
/// differs.
std::vector<std::string_view> names_of_comment(const Comments& comments, std::size_t columns);

}  // namespace hgrid::io
