// SPDX-License-Identifier: BSD-3-Clause
#include "io/walls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "hgrid/core/error.hpp"
#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/table_rows.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

double number_at(const LineReader& lines, std::string_view field) {
  double value = 0;
  const Number fault = parse_number(field, value);
  if (fault == Number::good) return value;
  fail_at_line(lines.name(), lines.number(), fmt::format("'{}' {}", printable(field), reason(fault)));
}

std::vector<WallTriangle> read_table(LineReader& lines) {
  std::vector<WallTriangle> walls;
  for_each_table_row(lines, [&](const Fields& fields, bool is_header) {
    if (is_header) return;
    if (fields.size() != 9) {
      fail_at_line(lines.name(), lines.number(), detail::counted(fields.size(), "number") + "; a triangle has 9");
    }
    WallTriangle& triangle = walls.emplace_back();
    for (std::size_t k = 0; k < 9; ++k) triangle[k] = number_at(lines, fields[k]);
  });
  return walls;
}

// Reads text STL. Only the vertices count; normals follow from them.
std::vector<WallTriangle> read_text_stl(LineReader& lines) {
  std::vector<WallTriangle> walls;
  Fields fields;
  std::size_t coordinates = 9;  // of the last triangle
  bool ended = false;
  for (std::string_view line; lines.next_filled(line);) {
    split_fields(trim(line), ' ', fields);
    const auto is = [&](std::string_view word) { return fields[0] == word; };
    ended = is("endsolid");
    if (is("facet")) walls.emplace_back(), coordinates = 0;
    if (is("endfacet") && coordinates != 9) {
      fail_at_line(lines.name(), lines.number(), fmt::format("a facet of {} vertices, not 3", coordinates / 3));
    }
    if (!is("vertex")) continue;
    if (fields.size() != 4 || coordinates == 9) {
      fail_at_line(lines.name(), lines.number(), "a vertex has 3 coordinates, a facet 3 vertices");
    }
    for (std::size_t k = 1; k < 4; ++k) walls.back()[coordinates++] = number_at(lines, fields[k]);
  }
  if (!ended) fail_at_line(lines.name(), lines.number(), "the file ends before 'endsolid'");
  return walls;
}

// Reads binary STL: 80 arbitrary bytes, a count, and 50 bytes per triangle: normal and vertices as float, two unused bytes.
std::vector<WallTriangle> read_binary_stl(ByteSource& source) {
  static_assert(std::endian::native == std::endian::little, "binary STL is little-endian");
  const auto take = [&](std::span<char> into) {
    std::size_t got = 0;
    while (got < into.size()) {
      const std::size_t some = source.read(into.subspan(got));
      if (some == 0) {
        throw Error(ErrorCode::format,
                    fmt::format("{}: ends at byte {}, within its declared triangles", source.name(), source.offset()));
      }
      got += some;
    }
  };
  char head[84], record[50];
  take(head);
  std::uint32_t count;
  std::memcpy(&count, head + 80, 4);
  std::vector<WallTriangle> walls;
  for (std::uint32_t t = 0; t < count; ++t) {
    take(record);
    float v[9];
    std::memcpy(v, record + 12, sizeof v);
    std::copy_n(v, 9, walls.emplace_back().begin());
    if (const float* bad = std::ranges::find_if_not(v, [](float x) { return std::isfinite(x); }); bad != v + 9) {
      throw Error(ErrorCode::format, fmt::format("{}: triangle {} has the coordinate {}", source.name(), t, *bad));
    }
  }
  if (!source.peek(1).empty()) {
    throw Error(ErrorCode::format,
                fmt::format("{}: more bytes than its {}", source.name(), detail::counted(count, "triangle")));
  }
  return walls;
}

// Returns whether STL is binary. Some binary files also begin with "solid"; text has no NUL.
bool is_binary(std::string_view head) { return head.find('\0') != head.npos; }

}  // namespace

std::vector<WallTriangle> read_walls(const std::string& path) {
  ByteSource source(path, ReadOptions{});
  const std::string head(source.peek(512));
  std::vector<WallTriangle> walls;
  if (is_binary(head)) {
    walls = read_binary_stl(source);
  } else {
    LineReader lines(source, ReadOptions{}.max_line);
    walls = trim(head).starts_with("solid") ? read_text_stl(lines) : read_table(lines);
  }
  if (walls.empty()) throw Error(ErrorCode::format, source.name() + ": no triangles");
  return walls;
}

}  // namespace hgrid::io
