// SPDX-License-Identifier: BSD-3-Clause
// The rows of a small table whose columns its reader knows.
#pragma once

#include <algorithm>

#include "io/fields.hpp"
#include "io/line_reader.hpp"

namespace hgrid::io {

/// Calls f(fields, is_header) for each line that is neither blank nor a comment. The first is a header if none of its fields is
/// a number.
template <class F>
void for_each_table_row(LineReader& lines, const F& f) {
  std::vector<std::string_view> fields;
  bool header_may_come = true;
  for (std::string_view line; lines.next_filled(line);) {
    line = trim(line);
    if (line.front() == '#') continue;
    split_fields(line, delimiter_of(line), fields);
    f(fields, header_may_come && std::ranges::none_of(fields, is_numeric));
    header_may_come = false;
  }
}

}  // namespace hgrid::io
