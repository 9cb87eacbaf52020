// SPDX-License-Identifier: BSD-3-Clause
#include "io/frames.hpp"

#include <fmt/format.h>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {

void FrameRows::take(LineReader& lines, std::int64_t count, bool keep, std::string_view boundary) {
  const std::int64_t declared_at = lines.number();
  text_.clear();
  first_line_ = declared_at + 1;
  std::string_view line;
  for (std::int64_t row = 0; row < count;) {
    const bool more = lines.next(line);
    if (!more || (!boundary.empty() && line.starts_with(boundary))) {
      fail_at_line(lines.name(), lines.number(),
                   fmt::format("the frame whose rows follow line {} declares {}, but {} after {}", declared_at,
                               detail::counted(count, "particle"), more ? "the next one begins" : "the file ends", row));
    }
    const bool blank = trim(line).empty();
    row += blank ? 0 : 1;
    if (!keep) continue;
    if (!blank) text_ += line;
    text_ += '\n';
    if (text_.size() >= next_memory_check_) require_memory((next_memory_check_ *= 2), "a frame");
  }
}

}  // namespace hgrid::io
