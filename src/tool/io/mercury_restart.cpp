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

/// The `count` words after a key; none if the key is not there with as many behind it.
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
    const auto lo = number_after(fields, "distanceLeft"), hi = number_after(fields, "distanceRight");
    if (!along || !lo || !hi) continue;
    head.box.lo[k] = *lo, head.box.hi[k] = *hi;
    head.periodic += "xyz"[k];
  }
}

void read_keys(const Fields& fields, const LineReader& lines, RestartHead& head) {
  for (std::size_t k = 0; k < 3; ++k) {
    const std::string axis(1, "xyz"[k]);
    head.box.lo[k] = number_after(fields, axis + "Min").value_or(head.box.lo[k]);
    head.box.hi[k] = number_after(fields, axis + "Max").value_or(head.box.hi[k]);
  }
  if (const auto time = number_after(fields, "time")) head.time = time;
  head.dimension = number_after(fields, "systemDimensions").value_or(head.dimension);
  if (fields[0].ends_with("PeriodicBoundary")) read_boundary(fields, head);
  if (fields[0] != "Particles") return;
  if (fields.size() < 2 || !parse_count(fields[1], head.count)) {
    fail_at_line(lines.name(), lines.number(), "'Particles' has no count");
  }
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

  const bool flat = head.dimension == 2;
  ColumnMap columns{.x = 1, .y = 2, .z = flat ? -1 : 3, .r = 4, .id = 0, .count = 5};
  columns.found = columns.taken = "position, radius, id";
  RowParser rows(lines.name(), options, columns);
  for (std::int64_t row = 0; row < head.count; ++row) {
    if (!lines.next_filled(line)) {
      fail_at_line(lines.name(), lines.number(),
                   fmt::format("the file declares {}, but ends after {}", detail::counted(head.count, "particle"), row));
    }
    split_fields(line, ' ', fields);
    const auto id = after(fields, "id", 1), x = after(fields, "position", 3), r = after(fields, "radius", 1);
    if (id.empty() || x.empty() || r.empty()) {
      fail_at_line(lines.name(), lines.number(), "a particle has an id, a position of three numbers and a radius");
    }
    rows.add(fmt::format("{} {} {} {} {}", id[0], x[0], x[1], x[2], r[0]), lines.number());
  }
  ParticleTable table = rows.finish();
  table.box = head.box;
  table.periodic = head.periodic;
  table.time = head.time;
  if (table.size() > 0) apply_radius(table, lines.name(), options);
  return table;
}

}  // namespace hgrid::io
