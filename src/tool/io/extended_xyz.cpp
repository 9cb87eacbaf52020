// SPDX-License-Identifier: BSD-3-Clause
#include "io/extended_xyz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// The value of a key: what follows `key=`, up to a blank or between quotes or brackets; empty if the key is not there.
std::string_view value_of(std::string_view line, std::string_view key) {
  for (std::size_t at = line.find(key); at != line.npos; at = line.find(key, at + 1)) {
    const std::string_view rest = line.substr(at + key.size());
    const bool whole = at == 0 || line[at - 1] == ' ' || line[at - 1] == '\t';
    if (!whole || !rest.starts_with('=')) continue;
    const std::string_view value = rest.substr(1);
    const char open = value.empty() ? ' ' : value[0];
    const char close = open == '"' || open == '\'' ? open : open == '[' ? ']' : open == '{' ? '}' : ' ';
    if (close == ' ') return value.substr(0, value.find_first_of(" \t"));
    return value.substr(1, value.find(close, 1) - 1);
  }
  return {};
}

struct XyzHeader {
  std::int64_t count = 0;
  std::string keys;
  std::int64_t line = 0;  // of the keys
};

[[noreturn]] void fail(const XyzHeader& header, const std::string& file, const std::string& reason) {
  fail_at_line(file, header.line, reason);
}

std::optional<BoxBounds> box_of(const XyzHeader& header, const std::string& file) {
  const std::string_view lattice = value_of(header.keys, "Lattice");
  if (lattice.empty()) return {};
  Fields fields;
  split_fields(lattice, lattice.find(',') == lattice.npos ? ' ' : ',', fields);
  BoxBounds box;
  box.vectors.emplace();
  bool good = fields.size() == 9;
  for (std::size_t k = 0; k < 9 && good; ++k) good = parse_number(fields[k], (*box.vectors)[k / 3][k % 3]) == Number::good;
  if (!good) fail(header, file, fmt::format("Lattice is '{}', not nine finite numbers", printable(lattice)));
  return box;
}

std::string periodic_of(const XyzHeader& header, const std::string& file) {
  const std::string_view pbc = value_of(header.keys, "pbc");
  if (pbc.empty()) return value_of(header.keys, "Lattice").empty() ? "" : "xyz";
  Fields fields;
  split_fields(pbc, pbc.find(',') == pbc.npos ? ' ' : ',', fields);
  std::string axes;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const bool yes = fields[k] == "T" || fields[k] == "True" || fields[k] == "true" || fields[k] == "1";
    const bool no = fields[k] == "F" || fields[k] == "False" || fields[k] == "false" || fields[k] == "0";
    if (fields.size() != 3 || yes == no) fail(header, file, fmt::format("pbc is '{}', not three of T and F", printable(pbc)));
    if (yes) axes += "xyz"[k];
  }
  return axes;
}

/// The names that a line of keys gives the columns, as in "x y z r"; none if it says something else.
Fields names_of(std::string_view keys) {
  Fields names;
  keys = trim(keys);
  if (keys.starts_with('#')) keys.remove_prefix(1);
  split_fields(keys, delimiter_of(keys), names);
  const auto names_axis = [&](Role role) { return std::ranges::find(names, role, role_of) != names.end(); };
  return names_axis(Role::x) && names_axis(Role::y) ? names : Fields{};
}

/// What the first column of a frame's rows holds.
struct RowShape {
  char delimiter = ' ';
  std::size_t columns = 0;      // of the first row
  bool begins_by_word = false;  // such as the name of an element; if not, by a number,
  bool begins_by_kind = true;   // which is whole in all rows
  bool has_names() const { return begins_by_word || begins_by_kind; }
};

RowShape shape_of(const FrameRows& frame) {
  RowShape shape;
  Fields fields;
  frame.for_each([&](std::string_view line, std::int64_t) {
    if (shape.begins_by_word || !shape.begins_by_kind) return;
    if (shape.columns == 0) shape.delimiter = delimiter_of(line);
    split_fields(line, shape.delimiter, fields);
    if (shape.columns == 0) shape.columns = fields.size(), shape.begins_by_word = !is_numeric(fields[0]);
    std::int64_t kind;
    shape.begins_by_kind = parse_count(fields[0], kind);
  });
  return shape;
}

/// The columns of a file without Properties: those that the options or the line of keys name, else a name and a position, and
/// what else the first row has. First columns that are no names are positions.
ColumnMap columns_without_properties(const XyzHeader& header, const FrameRows& frame, const std::string& file,
                                     const ReadOptions& options) {
  const RowShape shape = shape_of(frame);
  Fields names = names_of(header.keys);
  ColumnMap map{.delimiter = shape.delimiter, .may_be_named = true};
  if (!options.columns.empty()) {
    assign_roles({options.columns.begin(), options.columns.end()}, file, header.line, options, map);
    map.declared_by = "--columns names";
    return map;
  }
  if (shape.columns == names.size() + 1 && shape.begins_by_word && !names.empty()) names.insert(names.begin(), "species");
  if (!names.empty() && (shape.columns == names.size() || !shape.begins_by_word)) {
    assign_roles(names, file, header.line, options, map);
    return map;
  }
  map.declared_by = "the frame's first row has";
  if (!shape.has_names()) {
    if (shape.columns < 3 || shape.columns > 4) {
      fail_at_line(file, header.line + 1,
                   fmt::format("{} that begin with a number, not with a name: --columns, such as x,y,z,r,mass, names them",
                               detail::counted(shape.columns, "column")));
    }
    map.x = 0, map.y = 1, map.z = 2, map.r = shape.columns == 4 ? 3 : -1;
    map.count = static_cast<int>(shape.columns);
    map.found = "x, y, z (by their number; there is no header)";
    map.taken = map.r < 0 ? "x, y, z" : "x, y, z, r";
    map.notes.push_back(
        fmt::format("rows begin with a number that is no kind of atom, so the columns were taken as {}: "
                    "--columns names them",
                    map.taken));
    return map;
  }
  map.x = 1, map.y = 2, map.z = 3;
  map.count = std::max(4, static_cast<int>(shape.columns));
  map.found = "a name, x, y, z", map.taken = "x, y, z";
  if (map.count > 4)
    map.notes.push_back("the file does not say what follows x y z in a row: --columns, such as species,x,y,z,r");
  return map;
}

ColumnMap columns_of(const XyzHeader& header, const FrameRows& frame, const std::string& file, const ReadOptions& options) {
  const std::string_view properties = value_of(header.keys, "Properties");
  if (properties.empty()) return columns_without_properties(header, frame, file, options);
  if (!options.columns.empty()) fail(header, file, "Properties names the columns; leave out --columns");
  Fields fields;
  std::string blanks(properties);
  std::ranges::replace(blanks, ':', ' ');
  split_fields(blanks, ' ', fields);
  ColumnMap map{.more = std::vector<int>(options.more.size(), -1)};
  Fields names;
  for (std::size_t k = 0; k + 2 < fields.size(); k += 3) {
    std::int64_t width = 0;
    if (!parse_count(fields[k + 2], width) || width < 1 || width > 1000) break;
    if (fields[k] == "pos" && width == 3) map.x = map.count, map.y = map.count + 1, map.z = map.count + 2;
    if (fields[k] == "radius" && width == 1) map.r = map.count, map.radius_scale = 1;
    if (fields[k] == "diameter" && width == 1 && map.r < 0) map.r = map.count, map.radius_scale = 0.5;
    if (fields[k] == "id" && width == 1) map.id = map.count;
    for (std::size_t w = 0; w < options.more.size(); ++w) {
      if (names_column(fields[k], options.more[w].name) && width == 1) map.more[w] = map.count;
    }
    map.count += static_cast<int>(width);
    names.push_back(fields[k]);
  }
  if (fields.size() % 3 != 0 || names.size() != fields.size() / 3 || map.x < 0) {
    fail(header, file,
         fmt::format("Properties is '{}', not name:type:columns for each with a pos of 3", printable(properties)));
  }
  map.found = list_of(names);
  map.taken = fmt::format("pos{}{}",
                          map.r < 0               ? ""
                          : map.radius_scale == 1 ? ", radius"
                                                  : ", diameter (halved)",
                          map.id < 0 ? "" : ", id");
  map.declared_by = "Properties names";
  return map;
}

ParticleTable parse_frame(const XyzHeader& header, const FrameRows& frame, const std::string& name,
                          const ReadOptions& options) {
  RowParser rows(name, options, columns_of(header, frame, name, options));
  frame.for_each([&](std::string_view line, std::int64_t number) { rows.add(line, number); });
  ParticleTable table = rows.finish();
  table.box = box_of(header, name);
  table.periodic = periodic_of(header, name);
  if (double time; parse_number(value_of(header.keys, "Time"), time) == Number::good) table.time = time;
  if (table.size() > 0) apply_radius(table, name, options);
  return table;
}

}  // namespace

bool is_xyz(std::string_view head) {
  std::string_view line[3];
  for (std::string_view& each : line) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    each = trim(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
  }
  std::int64_t count;
  if (!parse_count(line[0], count)) return false;
  if (!names_of(line[1]).empty()) return true;
  Fields second, row;
  split_fields(line[1], ' ', second), split_fields(line[2], ' ', row);
  const bool counted_rows =
      row.size() == second.size() && std::ranges::all_of(second, is_numeric) && std::ranges::all_of(row, is_numeric);
  return (row.size() >= 4 && !counted_rows) || !value_of(line[1], "Lattice").empty() ||
         !value_of(line[1], "Properties").empty();
}

namespace {

XyzHeader read_head(std::string_view line, LineReader& lines) {
  XyzHeader header;
  if (!parse_count(trim(line), header.count)) {
    fail_at_line(lines.name(), lines.number(),
                 fmt::format("'{}' is no count of atoms; or the frame before has more rows than it declares", printable(line)));
  }
  if (!lines.next(line)) fail_at_line(lines.name(), lines.number(), "the file ends before the line of keys");
  header.keys = line, header.line = lines.number();
  return header;
}

}  // namespace

std::unique_ptr<FrameSource> xyz_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<HeadedFrames<XyzHeader, read_head, parse_frame>>(source, options);
}

}  // namespace hgrid::io
