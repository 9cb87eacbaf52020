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
#include "io/table_comments.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// A count alone in a line above the rows.
struct DeclaredRows {
  std::optional<std::int64_t> count;
  std::int64_t line = 0;
};

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

/// Joins a unit to the name before it if blanks have separated them: "x [mm] y [mm]".
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

/// Returns the columns from the first row: a header, or the order from a header in a comment or from the convention.
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
  if (const Fields names = names_of_comment(comments, fields.size()); !names.empty()) {
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

/// Takes a row of units below the header, as in `m,m,m,mm`; returns false for another row.
bool take_units(std::string_view row, ColumnMap& map) {
  Fields fields;
  split_fields(row, map.delimiter, fields);
  const auto unit = [&](int column) -> std::string_view {
    const std::string_view field = fields[static_cast<std::size_t>(column)];
    const std::string_view in_brackets = unit_of(field);
    return in_brackets.empty() ? field : in_brackets;
  };
  if (std::ssize(fields) != map.count || std::ranges::any_of(fields, is_numeric)) return false;
  if (!is_length_unit(unit(map.x)) || !is_length_unit(unit(map.y))) return false;
  map.length_unit = unit(map.x);
  if (const int size = std::max(map.r, map.extent[0]); size >= 0) map.size_unit = printable(unit(size), 40);
  return true;
}

/// Returns the columns and, in `line`, the first row of values; empty if there is only a header.
ColumnMap first_row(LineReader& lines, Comments& comments, DeclaredRows& declared, const ReadOptions& options,
                    std::string_view& line) {
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
    declared = {count, count_line};
  }
  bool is_header = false;
  ColumnMap map = find_columns(line, lines, comments, options, is_header);
  if (!is_header) return map;
  if (!next_row(lines, comments, line) || (take_units(line, map) && !next_row(lines, comments, line))) line = {};
  return map;
}

/// Returns where the line after the line with this byte begins.
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
  DeclaredRows declared;
  std::string_view line;
  RowParser rows(lines.name(), options, first_row(lines, comments, declared, options, line));
  if (!line.empty()) rows.add(line, lines.number());
  while (next_row(lines, comments, line)) rows.add(line, lines.number());

  ParticleTable table = rows.finish();
  if (const std::int64_t found = table.size() + table.skipped_rows; declared.count.value_or(found) != found) {
    fail_at_line(lines.name(), declared.line,
                 fmt::format("the file declares {}, but has {}", detail::counted(*declared.count, "row"), found));
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
  DeclaredRows declared;
  std::string_view line;
  const ColumnMap columns = first_row(head, comments, declared, options, line);
  if (columns.id >= 0 || declared.count) return std::nullopt;  // rows are then in another order, or counted
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
  if (part.number == 0 && !first.empty()) rows.add(first, first_number);
  while (next_row(lines, later, line)) rows.add(line, lines.number());
  if (later.box) return std::nullopt;  // there may be another one elsewhere
  ParticleTable table = rows.finish();
  table.box = comments.box;
  if (table.size() > 0) apply_radius(table, lines.name(), options);
  return table;
}

void write_particles_csv(AtomicFile& file, const ParticleTable& table) {
  require_complete(table);
  const bool flat = table.dimension == 2;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::optional<BoxBounds> box = table.box ? brick_of(*table.box) : std::nullopt;
  if (box && flat) {
    fmt::format_to(out, "# box {} {} {} {}\n", box->lo[0], box->lo[1], box->hi[0], box->hi[1]);
  } else if (box) {
    fmt::format_to(out, "# box {} {} {} {} {} {}\n", box->lo[0], box->lo[1], box->lo[2], box->hi[0], box->hi[1], box->hi[2]);
  }
  std::vector<const std::vector<double>*> columns = {&table.x, &table.y};
  if (!flat) columns.push_back(&table.z);
  for (std::size_t k = 0; k < (flat ? 2 : 3) && table.boxes; ++k) columns.push_back(&table.extent[k]);
  if (!table.boxes) columns.push_back(&table.r);
  fmt::format_to(out, "{}{}{}\n", table.id.empty() ? "" : "id,", flat ? "x,y," : "x,y,z,",
                 !table.boxes ? "r"
                 : flat       ? "hx,hy"
                              : "hx,hy,hz");
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    if (!table.id.empty()) fmt::format_to(out, FMT_COMPILE("{},"), table.id[k]);
    for (const auto* column : columns) {
      fmt::format_to(out, FMT_COMPILE("{}{}"), (*column)[k], column == columns.back() ? '\n' : ',');
    }
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
