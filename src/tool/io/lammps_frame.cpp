// SPDX-License-Identifier: BSD-3-Clause
#include "io/lammps_frame.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;
using Vectors = std::array<std::array<double, 3>, 3>;

constexpr const char* names_before_2010 = "id type xs ys zs";

/// Returns the names of the columns of a frame that has none, judged by their number.
std::string names_by_number(const LammpsHead& head, const FrameRows& rows, const std::string& file) {
  Fields fields;
  rows.for_each([&](std::string_view line, std::int64_t) {
    if (fields.empty()) split_fields(line, head.delimiter, fields);
  });
  if (fields.size() == 5 || fields.empty()) return names_before_2010;
  if (fields.size() == 8) return std::string(names_before_2010) + " ix iy iz";
  fail_at_line(file, head.columns_line,
               fmt::format("the frame does not name its {}; --columns does, such as --columns id,type,x,y,z,radius",
                           detail::counted(fields.size(), "column")));
}

/// Returns the columns with these names, and sets whether positions are scaled by the box.
ColumnMap columns_of(const std::vector<std::string_view>& names, const LammpsHead& head, const std::string& file,
                     const ReadOptions& options, bool& scaled) {
  const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
  Fields roles = names;  // with the chosen positions as x y z
  scaled = false;
  for (const std::string suffix : {"", "u", "s", "su"}) {
    if (!has("x" + suffix) || !has("y" + suffix)) continue;
    for (std::string_view& name : roles) {
      for (const std::string_view axis : {"x", "y", "z"}) {
        if (name == std::string(axis) + suffix) name = axis;
      }
    }
    scaled = suffix.starts_with('s');
    break;
  }
  const auto known = [&](Role role) { return std::ranges::find(roles, role, role_of) != roles.end(); };
  if (!known(Role::x) || !known(Role::y)) {
    fail_at_line(
        file, head.columns_line,
        "no positions (x y z, xu yu zu, xs ys zs or xsu ysu zsu); --columns names all columns; the columns found are: " +
            list_of(names));
  }
  ColumnMap map{.may_be_named = true};
  assign_roles(roles, file, head.columns_line, options, map);
  map.delimiter = head.delimiter;
  map.found = list_of(names);
  describe(names, map);
  map.declared_by = options.columns.empty() ? head.declared_by : "--columns names";
  return map;
}

void scale(ParticleTable& table, const BoxBounds& box) {
  const auto& [lo, hi, tilt, vectors] = box;
  const Vectors restricted{{{hi[0] - lo[0], 0, 0}, {tilt[0], hi[1] - lo[1], 0}, {tilt[1], tilt[2], hi[2] - lo[2]}}};
  const Vectors v = vectors.value_or(restricted);
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    const double x = table.x[i], y = table.y[i], z = table.z[i];  // z is 0 in two dimensions
    table.x[i] = lo[0] + x * v[0][0] + y * v[1][0] + z * v[2][0];
    table.y[i] = lo[1] + x * v[0][1] + y * v[1][1] + z * v[2][1];
    if (table.dimension == 3) table.z[i] = lo[2] + x * v[0][2] + y * v[1][2] + z * v[2][2];
  }
}

/// Throws unless positions look scaled by a box: from 0 to 1, and beyond by as much as atoms move before LAMMPS wraps them
/// again.
void require_scaled(const ParticleTable& table, const LammpsHead& head, const std::string& file) {
  for (const auto* column : {&table.x, &table.y, &table.z}) {
    for (const double value : *column) {
      if (value >= -0.5 && value <= 1.5) continue;
      fail_at_line(file, head.columns_line,
                   fmt::format("the frame does not name its columns, and {:.6g} is no position scaled by the box, as of {}; "
                               "--columns names them, such as --columns id,type,x,y,z",
                               value, names_before_2010));
    }
  }
}

}  // namespace

std::string_view in_brackets(std::string_view line) {
  line = trim(line);
  if (line.starts_with('-')) line = trim(line.substr(1));
  if (line.size() < 2 || line.front() != '[' || line.back() != ']') return {};
  line = trim(line.substr(1, line.size() - 2));
  if (line.ends_with(',')) line.remove_suffix(1);
  return trim(line);
}

void take_tilts_off(BoxBounds& box) {
  auto& [lo, hi, tilt, vectors] = box;
  const auto [xy, xz, yz] = tilt;
  lo[0] -= std::min({0.0, xy, xz, xy + xz}), hi[0] -= std::max({0.0, xy, xz, xy + xz});
  lo[1] -= std::min(0.0, yz), hi[1] -= std::max(0.0, yz);
}

ParticleTable table_of(const LammpsHead& head, const FrameRows& rows, const std::string& file, const ReadOptions& options) {
  bool scaled = false;
  Fields names;
  split_fields(head.columns, ' ', names);
  if (!options.columns.empty()) names = {options.columns.begin(), options.columns.end()};
  const bool guessed = names.empty();
  const std::string by_number = guessed ? names_by_number(head, rows, file) : "";
  if (guessed) split_fields(by_number, ' ', names);
  ColumnMap columns = columns_of(names, head, file, options, scaled);
  if (scaled && !head.box) {
    fail_at_line(file, head.columns_line, "positions are scaled by a box, but BOX BOUNDS is missing");
  }
  if (guessed) {
    columns.declared_by = "the frame's first row has";
    columns.notes.push_back(fmt::format(
        "the frame does not name its columns; they were taken as {}, scaled by the box: --columns names them", by_number));
  }
  RowParser parser(file, options, columns);
  rows.for_each([&](std::string_view line, std::int64_t number) {
    parser.add(head.rows_in_brackets ? in_brackets(line) : line, number);
  });
  ParticleTable table = parser.finish();
  if (guessed) require_scaled(table, head, file);
  table.box = head.box;
  table.periodic = head.periodic;
  table.step = head.step;
  table.time = head.time;
  if (scaled) scale(table, *head.box);
  if (table.size() > 0) apply_radius(table, file, options);
  return table;
}

}  // namespace hgrid::io
