// SPDX-License-Identifier: BSD-3-Clause
#include "io/text_table.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// The facts that the comments have given so far.
struct Comments {
  std::optional<BoxBounds> box;
  std::optional<std::int64_t> count;  // of the rows that follow, where it stands alone above them
  std::int64_t count_line = 0;
  std::string header;  // the last comment that names x and y, as numpy.savetxt writes headers
  std::int64_t header_line = 0;
};

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
  std::string text(trim(line.substr(1)));
  Fields fields;
  split_fields(text, delimiter_of(text), fields);
  const auto names = [&](Role role) { return std::ranges::find(fields, role, role_of) != fields.end(); };
  const auto is_prose = [](std::string_view field) { return field.find(' ') != field.npos; };
  if (names(Role::x) && names(Role::y) && std::ranges::none_of(fields, is_prose)) {
    comments.header = text;
    comments.header_line = lines.number();
    return;
  }
  std::ranges::replace(text, ',', ' ');
  split_fields(text, ' ', fields);
  if (fields.size() < 2 || fields[0] != "box" || !is_numeric(fields[1])) return;
  const BoxBounds box = parse_box(fields, lines.name(), lines.number());
  if (comments.box && *comments.box != box) {
    fail_at_line(lines.name(), lines.number(), "a second box, other than the first");
  }
  comments.box = box;
}

/// The next line that is neither blank nor a comment.
bool next_row(LineReader& lines, Comments& comments, std::string_view& line) {
  while (lines.next_filled(line)) {
    const std::string_view text = trim(line);
    if (text.front() != '#') return true;
    read_comment(text, lines, comments);
  }
  return false;
}

[[noreturn]] void fail_headerless(const std::string& file, std::int64_t line, std::size_t columns) {
  fail_at_line(file, line,
               fmt::format("{}: a table without a header has 2 (x y), 3 (x y z) or 4 columns (x y z r){}",
                           detail::counted(columns, "column"), columns > 1 ? "; --columns names other columns" : ""));
}

Fields fields_of(std::string_view row) {
  Fields fields;
  split_fields(row, delimiter_of(row), fields);
  return fields;
}

/// Joins a unit to the name before it, which blanks have parted: "x [mm] y [mm]".
void join_units(std::string_view row, Fields& fields) {
  const auto is_unit = [](std::string_view f) { return !f.empty() && (f[0] == '[' || f[0] == '('); };
  for (std::size_t k = fields.size(); k-- > 1;) {
    if (!is_unit(fields[k]) || is_unit(fields[k - 1])) continue;
    const char* begin = fields[k - 1].data();
    fields[k - 1] = row.substr(static_cast<std::size_t>(begin - row.data()),
                               static_cast<std::size_t>(fields[k].data() + fields[k].size() - begin));
    fields.erase(fields.begin() + static_cast<std::ptrdiff_t>(k));
  }
}

/// Columns from the first row: a header, or the order that a header in a comment or the convention says.
ColumnMap find_columns(std::string_view row, const LineReader& lines, const Comments& comments, const ReadOptions& options,
                       bool& is_header) {
  ColumnMap map;
  map.delimiter = delimiter_of(row), map.may_be_named = true;
  Fields fields;
  split_fields(row, map.delimiter, fields);
  if (map.delimiter == ' ') join_units(row, fields);
  const auto is_name = [](std::string_view f) {
    return f.empty() || (!is_numeric(f) && std::string_view("0123456789+-.").find(f.front()) == f.npos);
  };
  is_header = std::ranges::all_of(fields, is_name) && !std::ranges::all_of(fields, &std::string_view::empty);
  if (!options.columns.empty()) {
    const char delimiter = map.delimiter;
    map = columns_of_options(lines.name(), lines.number(), options);
    map.delimiter = delimiter;
    return map;
  }
  if (is_header) {
    assign_roles(fields, lines.name(), lines.number(), options, map);
    return map;
  }
  Fields names;
  split_fields(comments.header, delimiter_of(comments.header), names);
  if (names.size() == fields.size()) {
    assign_roles(names, lines.name(), comments.header_line, options, map);
    return map;
  }
  map.count = static_cast<int>(fields.size());
  if (map.count < 2 || map.count > 4) fail_headerless(lines.name(), lines.number(), fields.size());
  map.x = 0;
  map.y = 1;
  map.z = map.count > 2 ? 2 : -1;
  map.r = map.count > 3 ? 3 : -1;
  map.found = map.count == 2 ? "x, y (by their number; there is no header)" : "x, y, z (by their number; there is no header)";
  map.declared_by = "the first row has";
  map.taken = map.count == 2 ? "x, y" : map.count == 3 ? "x, y, z" : "x, y, z, r";
  map.notes.push_back(fmt::format("the table has no header; its columns were taken as {}: --columns names them", map.taken));
  return map;
}

/// The columns, the first row and whether it names them.
ColumnMap first_row(LineReader& lines, Comments& comments, const ReadOptions& options, std::string_view& line,
                    bool& is_header) {
  const auto take = [&] {
    if (next_row(lines, comments, line)) return;
    throw Error(ErrorCode::format, fmt::format("{}: no particles: the file has no rows", lines.name()));
  };
  take();
  if (std::int64_t count; parse_count(trim(line), count)) {
    const std::int64_t count_line = lines.number();
    take();
    const Fields fields = fields_of(line);
    if (fields.size() < 2 || !std::ranges::all_of(fields, is_numeric)) fail_headerless(lines.name(), count_line, 1);
    comments.count = count, comments.count_line = count_line;
  }
  return find_columns(line, lines, comments, options, is_header);
}

/// Where the line after the one with this byte begins.
std::int64_t next_line(ByteSource& source, std::int64_t byte, std::int64_t size) {
  source.go_to(byte, size);
  std::vector<char> block(1 << 12);
  while (const std::size_t got = source.read(block)) {
    const auto end = std::find(block.begin(), block.begin() + static_cast<std::ptrdiff_t>(got), '\n');
    byte += end - block.begin();
    if (end != block.begin() + static_cast<std::ptrdiff_t>(got)) return byte + 1;
  }
  return size;
}

}  // namespace

ParticleTable read_text_table(ByteSource& source, const ReadOptions& options) {
  LineReader lines(source, options.max_line);
  Comments comments;
  bool is_header = false;
  std::string_view line;
  RowParser rows(lines.name(), options, first_row(lines, comments, options, line, is_header));
  if (!is_header) rows.add(line, lines.number());
  while (next_row(lines, comments, line)) rows.add(line, lines.number());

  ParticleTable table = rows.finish();
  if (const std::int64_t found = table.size() + table.skipped_rows; comments.count.value_or(found) != found) {
    fail_at_line(lines.name(), comments.count_line,
                 fmt::format("the file declares {}, but has {}", detail::counted(*comments.count, "row"), found));
  }
  table.box = comments.box;
  if (table.size() == 0) {
    throw Error(ErrorCode::format, fmt::format("{}: no particles: the file has a header only", lines.name()));
  }
  apply_radius(table, lines.name(), options);
  return table;
}

std::optional<ParticleTable> read_text_part(ByteSource& source, const ReadOptions& options, const FilePart& part) {
  LineReader head(source, options.max_line);
  Comments comments, later;
  bool is_header = false;
  std::string_view line;
  const ColumnMap columns = first_row(head, comments, options, line, is_header);
  if (columns.id >= 0 || comments.count) return std::nullopt;  // rows are then in another order, or counted
  const std::string first(line);
  const std::int64_t begin = head.offset(), first_number = head.number(), size = *source.size();
  const auto cut = [&](int at) {
    const std::int64_t byte = part.begin_of(at, begin, size);
    return at == 0 || at == part.of || byte == begin ? byte : next_line(source, byte - 1, size);
  };
  const std::int64_t from = cut(part.number), to = cut(part.number + 1);
  source.go_to(from, to);
  LineReader lines(source, options.max_line);
  RowParser rows(lines.name(), options, columns);
  if (part.number == 0 && !is_header) rows.add(first, first_number);
  while (next_row(lines, later, line)) rows.add(line, lines.number());
  if (later.box) return std::nullopt;  // there may be another one elsewhere
  ParticleTable table = rows.finish();
  table.box = comments.box;
  if (table.size() > 0) apply_radius(table, lines.name(), options);
  return table;
}

void write_particles_csv(AtomicFile& file, const ParticleTable& table) {
  require_spheres(table);
  const bool flat = table.dimension == 2;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  if (const auto& box = table.box; box && flat) {
    fmt::format_to(out, "# box {} {} {} {}\n", box->lo[0], box->lo[1], box->hi[0], box->hi[1]);
  } else if (box) {
    fmt::format_to(out, "# box {} {} {} {} {} {}\n", box->lo[0], box->lo[1], box->lo[2], box->hi[0], box->hi[1], box->hi[2]);
  }
  text.append(flat ? std::string_view("x,y,r\n") : std::string_view("x,y,z,r\n"));
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    if (flat)
      fmt::format_to(out, FMT_COMPILE("{},{},{}\n"), table.x[k], table.y[k], table.r[k]);
    else
      fmt::format_to(out, FMT_COMPILE("{},{},{},{}\n"), table.x[k], table.y[k], table.z[k], table.r[k]);
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
