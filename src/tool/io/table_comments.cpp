// SPDX-License-Identifier: BSD-3-Clause
#include "io/table_comments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "io/column_names.hpp"
#include "io/fields.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

BoxBounds parse_box(const Fields& fields, const std::string& file, std::int64_t line) {
  const std::size_t dimension = (fields.size() - 1) / 2;
  if (fields.size() != 5 && fields.size() != 7) {
    fail_at_line(file, line, fmt::format("a box has 6 numbers, or 4 in 2-D, not {}", fields.size() - 1));
  }
  BoxBounds box;
  for (std::size_t k = 0; k < 2 * dimension; ++k) {
    double& bound = k < dimension ? box.lo[k] : box.hi[k - dimension];
    const Number fault = parse_number(fields[k + 1], bound);
    if (fault != Number::good) {
      fail_at_line(file, line, fmt::format("box: '{}' {}", printable(fields[k + 1]), reason(fault)));
    }
  }
  return box;
}

void read_comment(std::string_view line, const LineReader& lines, Comments& comments) {
  if (std::string header = header_in_comment(line); !header.empty()) {
    comments.header = std::move(header);
    comments.header_line = lines.number();
    comments.more_columns = comments.header.ends_with(" attrs");
    return;
  }
  std::string text(trim(line.substr(1)));
  Fields fields;
  std::ranges::replace(text, ',', ' ');
  split_fields(text, ' ', fields);
  if (fields.size() < 2 || fields[0] != "box" || !is_numeric(fields[1])) return;
  const BoxBounds box = parse_box(fields, lines.name(), lines.number());
  if (comments.box && *comments.box != box) {
    fail_at_line(lines.name(), lines.number(), "a second box, other than the first");
  }
  comments.box = box;
}

}  // namespace

std::string header_in_comment(std::string_view line) {
  std::string text(trim(line.substr(1)));
  Fields fields;
  split_fields(text, ' ', fields);
  if (fields.size() == 2 && fields[0] == "format") {
    text = fields[1];
    std::ranges::replace(text, '_', ' ');
  }
  split_fields(text, delimiter_of(text), fields);
  const auto names = [&](Role role) { return std::ranges::find(fields, role, role_of) != fields.end(); };
  const auto is_prose = [](std::string_view field) { return field.find(' ') != field.npos; };
  return names(Role::x) && names(Role::y) && std::ranges::none_of(fields, is_prose) ? text : "";
}

bool next_row(LineReader& lines, Comments& comments, std::string_view& line) {
  while (lines.next_filled(line)) {
    const std::string_view text = trim(line);
    if (!is_comment(text)) return true;
    read_comment(text, lines, comments);
  }
  return false;
}

std::vector<std::string_view> names_of_comment(const Comments& comments, std::size_t columns) {
  Fields names;
  split_fields(comments.header, delimiter_of(comments.header), names);
  if (comments.more_columns && names.size() < columns) names.resize(columns);
  return names.size() == columns && !comments.header.empty() ? names : Fields{};
}

}  // namespace hgrid::io
