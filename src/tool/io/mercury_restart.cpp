// SPDX-License-Identifier: BSD-3-Clause
#include "io/mercury_restart.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// Returns the `count` words after a key; empty if the key is missing or has fewer words after it.
std::span<const std::string_view> after(const Fields& fields, std::string_view key, std::size_t count) {
  const auto at = std::ranges::find(fields, key);
  if (fields.end() - at <= static_cast<std::ptrdiff_t>(count)) return {};
  return {std::next(at), count};
}

std::optional<double> number_after(const Fields& fields, std::string_view key) {
  const auto word = after(fields, key, 1);
  double value;
  return word.empty() || parse_number(word[0], value) != Number::good ? std::nullopt : std::optional(value);
}

struct RestartHead {
  BoxBounds box;
  std::string periodic;
  std::optional<double> time;
  double dimension = 3;
  std::int64_t count = -1;  // not seen yet
};

void read_boundary(const Fields& fields, RestartHead& head) {
  const auto normal = after(fields, "normal", 3);
  for (std::size_t k = 0; k < normal.size(); ++k) {
    const bool along =
        std::ranges::all_of(normal, [&](const std::string_view& n) { return n == (&n == &normal[k] ? "1" : "0"); });
    const auto either = [&](const char* now, const char* before) {
      const auto value = number_after(fields, now);
      return value ? value : number_after(fields, before);
    };
    const auto lo = either("distanceLeft", "pos_left"), hi = either("distanceRight", "pos_right");
    if (!along || !lo || !hi) continue;
    head.box.lo[k] = *lo, head.box.hi[k] = *hi;
    head.periodic += "xyz"[k];
  }
}

void read_keys(const Fields& fields, const LineReader& lines, RestartHead& head) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    for (const char* min : {"Min", "min"}) head.box.lo[k] = number_after(fields, axis + min).value_or(head.box.lo[k]);
    for (const char* max : {"Max", "max"}) head.box.hi[k] = number_after(fields, axis + max).value_or(head.box.hi[k]);
  }
  if (fields[0] == "dt") head.time = number_after(fields, "t");  // of versions 2 and 3, as what follows
  if (fields[0] == "dim") head.dimension = number_after(fields, "dim").value_or(head.dimension);
  if (fields[0] == "normal") read_boundary(fields, head);
  if (const auto time = number_after(fields, "time")) head.time = time;
  head.dimension = number_after(fields, "systemDimensions").value_or(head.dimension);
  if (fields[0].ends_with("PeriodicBoundary")) read_boundary(fields, head);
  if (fields[0] != "Particles") return;
  if (fields.size() < 2 || !parse_count(fields[1], head.count)) {
    fail_at_line(lines.name(), lines.number(), "'Particles' has no count");
  }
}

/// Returns where the numbers of a row of versions 2 and 3 begin, x y z vx vy vz r and more, after words for kinds of particles;
/// nothing for another row.
std::optional<std::size_t> begin_of_numbers(const Fields& fields) {
  std::size_t begin = 0;
  while (begin < fields.size() && (fields[begin] == "BP" || fields[begin] == "TSP")) ++begin;
  static constexpr std::size_t up_to_radius = 7;
  if (fields.size() < begin + up_to_radius || (begin == 0 && !is_numeric(fields[0]))) return {};
  return begin;
}

/// Returns the id, position and radius of a row with keys, or the position and radius of a row without; empty if it is neither.
std::string values_of(const Fields& fields, bool has_keys) {
  if (!has_keys) {
    const auto begin = begin_of_numbers(fields);
    const auto value = [&](std::size_t k) { return fields[*begin + k]; };
    return begin ? fmt::format("{} {} {} {}", value(0), value(1), value(2), value(6)) : "";
  }
  const auto id = after(fields, "id", 1), x = after(fields, "position", 3), r = after(fields, "radius", 1);
  if (id.empty() || x.empty() || r.empty()) return {};
  return fmt::format("{} {} {} {} {}", x[0], x[1], x[2], r[0], id[0]);
}

}  // namespace

ParticleTable read_mercury_restart(ByteSource& source, const ReadOptions& options) {
  LineReader lines(source, options.max_line);
  RestartHead head;
  Fields fields;
  std::string_view line;
  while (head.count < 0 && lines.next_filled(line)) {
    split_fields(line, ' ', fields);
    read_keys(fields, lines, head);
  }
  if (head.count < 0) fail_at_line(lines.name(), lines.number(), "the file ends before 'Particles' and their number");

  std::optional<RowParser> rows;
  bool has_keys = true;
  for (std::int64_t row = 0; row < head.count; ++row) {
    if (!lines.next_filled(line)) {
      fail_at_line(lines.name(), lines.number(),
                   fmt::format("the file declares {}, but ends after {}", detail::counted(head.count, "particle"), row));
    }
    split_fields(line, ' ', fields);
    if (!rows) {
      has_keys = !begin_of_numbers(fields);
      ColumnMap columns{
          .x = 0, .y = 1, .z = head.dimension == 2 ? -1 : 2, .r = 3, .id = has_keys ? 4 : -1, .count = has_keys ? 5 : 4};
      columns.found = columns.taken = has_keys ? "position, radius, id" : "position, radius";
      rows.emplace(lines.name(), options, columns);
    }
    const std::string values = values_of(fields, has_keys);
    if (values.empty()) {
      fail_at_line(lines.name(), lines.number(),
                   has_keys ? "a particle has an id, a position of three numbers and a radius"
                            : "a particle of this version has x y z vx vy vz r and more");
    }
    rows->add(values, lines.number());
  }
  if (!has_keys && lines.next_filled(line)) {
    split_fields(line, ' ', fields);
    if (begin_of_numbers(fields)) {
      fail_at_line(lines.name(), lines.number(),
                   fmt::format("the file declares {}, but has more", detail::counted(head.count, "particle")));
    }
  }
  ParticleTable table = rows ? rows->finish() : ParticleTable{};
  table.box = head.box;
  table.periodic = head.periodic;
  table.time = head.time;
  if (head.dimension == 2) table.dimension = 2;
  if (table.size() > 0) apply_radius(table, lines.name(), options);
  return table;
}

}  // namespace hgrid::io
