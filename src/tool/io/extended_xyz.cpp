// SPDX-License-Identifier: BSD-3-Clause
#include "io/extended_xyz.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"
#include "io/table_comments.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// Returns the value of a key, in any case. It follows `key=`, up to a blank, or in quotes or brackets. Empty if there is no
/// such key.
std::string_view value_of(std::string_view line, std::string_view key) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  const auto find = [&](std::size_t from) {
    const auto rest = line.substr(from);
    const auto same = [&](char a, char b) { return lower(a) == lower(b); };
    const auto found = std::search(rest.begin(), rest.end(), key.begin(), key.end(), same);
    return found == rest.end() ? line.npos : from + static_cast<std::size_t>(found - rest.begin());
  };
  for (std::size_t at = find(0); at != line.npos; at = find(at + 1)) {
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
  const std::size_t d = fields.size() == 4 ? 2 : 3;
  bool good = fields.size() == d * d;
  for (std::size_t k = 0; k < d * d && good; ++k) good = parse_number(fields[k], (*box.vectors)[k / d][k % d]) == Number::good;
  if (!good) {
    fail(header, file, fmt::format("Lattice is '{}', not nine finite numbers, or four in two dimensions", printable(lattice)));
  }
  const std::string_view origin = value_of(header.keys, "Origin");
  if (origin.empty()) return box;
  split_fields(origin, delimiter_of(origin), fields);
  good = fields.size() == 3 || fields.size() == d;
  for (std::size_t k = 0; k < fields.size() && good; ++k) good = parse_number(fields[k], box.lo[k]) == Number::good;
  if (!good) fail(header, file, fmt::format("Origin is '{}', not three finite numbers", printable(origin)));
  return box;
}

/// Returns whether no number of a Lattice has more than six digits, and some number has six, as printf's %g writes them.
bool is_rounded(std::string_view lattice) {
  Fields numbers;
  split_fields(lattice, ' ', numbers);
  std::ptrdiff_t most = 0;
  for (std::string_view number : numbers) {
    number = number.substr(0, number.find_first_of("eE"));
    number.remove_prefix(std::min(number.find_first_of("123456789"), number.size()));
    const auto digits = std::ranges::count_if(number, [](char c) { return c >= '0' && c <= '9'; });
    if (number.find('.') != number.npos || digits > 6) most = std::max(most, digits);
  }
  return most == 6;
}

std::string periodic_of(const XyzHeader& header, const std::string& file) {
  const std::string_view pbc = value_of(header.keys, "pbc");
  Fields fields;
  const std::string_view lattice = value_of(header.keys, "Lattice");
  split_fields(lattice, lattice.find(',') == lattice.npos ? ' ' : ',', fields);
  const bool flat = fields.size() == 4;
  if (pbc.empty()) return lattice.empty() ? "" : flat ? "xy" : "xyz";
  split_fields(pbc, pbc.find(',') == pbc.npos ? ' ' : ',', fields);
  std::string axes;
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const bool yes = fields[k] == "T" || fields[k] == "True" || fields[k] == "true" || fields[k] == "1";
    const bool no = fields[k] == "F" || fields[k] == "False" || fields[k] == "false" || fields[k] == "0";
    if ((fields.size() != 3 && fields.size() != (flat ? 2 : 3)) || yes == no) {
      fail(header, file, fmt::format("pbc is '{}', not three of T and F", printable(pbc)));
    }
    if (yes && !(flat && k == 2)) axes += "xyz"[k];
  }
  return axes;
}

/// Returns the names that a line of keys gives the columns, as in "x y z r"; empty if it has something else.
Fields names_of(std::string_view keys) {
  Fields names;
  keys = trim(keys);
  if (is_comment(keys)) keys.remove_prefix(1);
  split_fields(keys, delimiter_of(keys), names);
  const auto names_axis = [&](Role role) { return std::ranges::find(names, role, role_of) != names.end(); };
  return names_axis(Role::x) && names_axis(Role::y) ? names : Fields{};
}

/// The kind of the first column of a frame's rows.
struct RowShape {
  char delimiter = ' ';
  std::size_t columns = 0;      // of the first row
  bool begins_by_word = false;  // such as the name of an element
  bool begins_by_kind = true;   // otherwise a number, which is whole in all rows
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

/// Returns the columns of a file without Properties: the ones that the options or the line of keys name, or else a name and a
/// position, followed by the other columns of the first row. If the first column is not a name, rows begin with the position.
ColumnMap columns_without_properties(const XyzHeader& header, const FrameRows& frame, const std::string& file,
                                     const ReadOptions& options) {
  const RowShape shape = shape_of(frame);
  Fields names = names_of(header.keys);
  ColumnMap map{.may_be_named = true};
  if (!options.columns.empty()) map = columns_of_options(file, header.line, options);
  map.delimiter = shape.delimiter;
  if (!options.columns.empty()) return map;
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
  static constexpr std::string_view axes[] = {"x", "y", "z"};
  Fields properties_found, names, shown;  // of all properties; of all columns, by their role and for a report
  std::size_t positions = 0;              // columns of the first property with positions
  for (std::size_t k = 0; k + 2 < fields.size(); k += 3) {
    std::int64_t width = 0;
    if (!parse_count(fields[k + 2], width) || width < 1 || width > 1000) break;
    const auto columns = static_cast<std::size_t>(width);
    const bool has_positions = positions == 0 && names_positions(fields[k]) && (columns == 2 || columns == 3);
    if (has_positions) positions = columns;
    for (std::size_t column = 0; column < columns; ++column) {
      names.push_back(has_positions ? axes[column] : columns == 1 ? fields[k] : std::string_view());
      shown.push_back(column == 0 ? fields[k] : std::string_view());
    }
    properties_found.push_back(fields[k]);
  }
  const auto has = [&](Role role) { return std::ranges::find(names, role, role_of) != names.end(); };
  if (fields.size() % 3 != 0 || properties_found.size() != fields.size() / 3 || !has(Role::x) || !has(Role::y)) {
    fail(header, file,
         fmt::format("Properties is '{}', not name:type:columns for each with a pos of 3 or 2", printable(properties)));
  }
  ColumnMap map;
  assign_roles(names, file, header.line, options, map);
  map.found = list_of(properties_found);
  describe(shown, map);
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
  if (!table.periodic.empty() && value_of(header.keys, "Origin").empty() && is_rounded(value_of(header.keys, "Lattice"))) {
    table.notes.push_back(
        "Lattice has six digits and there is no Origin, as LAMMPS writes it: contacts across faces may be lost or found "
        "wrongly, and a dump or data file has the whole box");
  }
  if (double time; parse_number(value_of(header.keys, "Time"), time) == Number::good) table.time = time;
  if (std::int64_t step; parse_count(value_of(header.keys, "Timestep"), step)) table.step = step;
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
