// SPDX-License-Identifier: BSD-3-Clause
#include "io/mercury_data.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "hgrid/core/error.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

struct FrameHeader {
  std::int64_t count = 0;
  std::size_t dimension = 3;
  double time = 0;
  BoxBounds box;
};

std::size_t header_columns(std::size_t dimension) { return 2 + 2 * dimension; }

FrameHeader parse_header(std::string_view line, LineReader& lines) {
  Fields fields;
  split_fields(line, ' ', fields);
  if (!is_mercury_header(fields.size())) {
    fail_at_line(lines.name(), lines.number(),
                 fmt::format("expected a frame's first line, N time xmin ymin [zmin] xmax ymax [zmax], but it has {} "
                             "columns; or the frame before has more rows than it declares",
                             fields.size()));
  }
  FrameHeader header;
  if (!parse_count(fields[0], header.count)) {
    fail_at_line(lines.name(), lines.number(),
                 fmt::format("'{}' is no count of particles (is this a MercuryDPM frame? A table without a header "
                             "has at most 4 columns)",
                             printable(fields[0])));
  }
  header.dimension = (fields.size() - 2) / 2;
  for (std::size_t k = 1; k < fields.size(); ++k) {
    double value = 0;
    const Number fault = parse_number(fields[k], value);
    if (fault != Number::good) {
      fail_at_line(lines.name(), lines.number(), fmt::format("column {}: '{}' {}", k + 1, printable(fields[k]), reason(fault)));
    }
    if (k < 2) {
      header.time = value;
      continue;
    }
    (k - 2 < header.dimension ? header.box.lo : header.box.hi)[(k - 2) % header.dimension] = value;
  }
  return header;
}

/// Returns the columns of a frame's rows: the columns that the options name, or else x y z vx vy vz r or x y vx vy r, followed
/// by any number of others, as in its first row.
ColumnMap columns_of(const FrameHeader& header, std::size_t count, const std::string& file, std::int64_t line,
                     const ReadOptions& options) {
  if (!options.columns.empty()) return columns_of_options(file, line, options);
  const int d = static_cast<int>(header.dimension);
  if (count < 2 * header.dimension + 1) {
    fail_at_line(file, line,
                 fmt::format("{} where a particle in {}-D has at least {}", detail::counted(count, "column"), d, 2 * d + 1));
  }
  ColumnMap map;
  map.x = 0;
  map.y = 1;
  map.z = d == 3 ? 2 : -1;
  map.r = 2 * d;
  map.count = static_cast<int>(count);
  map.found = "positions, velocities and radii, without names";
  map.taken = d == 3 ? "x, y, z, r" : "x, y, r";
  map.declared_by = "the frame's first row has";
  return map;
}

ParticleTable parse_frame(const FrameHeader& header, const FrameRows& frame, const std::string& name,
                          const ReadOptions& options) {
  std::optional<RowParser> rows;
  std::size_t row_columns = 0;
  Fields fields;
  frame.for_each([&](std::string_view line, std::int64_t number) {
    split_fields(line, ' ', fields);
    if (!rows) {
      row_columns = fields.size();
      rows.emplace(name, options, columns_of(header, row_columns, name, number, options));
    }
    if (fields.size() != row_columns && fields.size() == header_columns(header.dimension)) {
      fail_at_line(name, number,
                   fmt::format("another frame begins before the {} declared", detail::counted(header.count, "particle")));
    }
    rows->add(line, number);
  });
  ParticleTable table = rows ? rows->finish() : ParticleTable{};
  table.box = header.box;
  table.time = header.time;
  if (options.columns.empty()) table.dimension = static_cast<int>(header.dimension);
  if (table.size() > 0) apply_radius(table, name, options);
  return table;
}

}  // namespace

std::unique_ptr<FrameSource> mercury_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<HeadedFrames<FrameHeader, parse_header, parse_frame>>(source, options);
}

namespace {

BoxBounds bounds_of(const ParticleTable& table) {
  BoxBounds box;
  const std::vector<double>* columns[] = {&table.x, &table.y, &table.z};
  for (std::size_t k = 0; k < 3 && table.size() > 0; ++k) {
    box.lo[k] = box.hi[k] = columns[k]->front();
    for (std::size_t p = 0; p < table.x.size(); ++p) {
      box.lo[k] = std::min(box.lo[k], (*columns[k])[p] - table.r[p]);
      box.hi[k] = std::max(box.hi[k], (*columns[k])[p] + table.r[p]);
    }
  }
  return box;
}

}  // namespace

void write_mercury_data(AtomicFile& file, const ParticleTable& table) {
  require_spheres(table);
  const BoxBounds box = (table.box ? brick_of(*table.box) : std::nullopt).value_or(bounds_of(table));
  const auto d = static_cast<std::size_t>(table.dimension);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{} 0 {} {}\n", table.size(), fmt::join(box.lo.data(), box.lo.data() + d, " "),
                 fmt::join(box.hi.data(), box.hi.data() + d, " "));
  for (std::size_t k = 0; k < table.x.size(); ++k) {
    if (d == 2) {
      fmt::format_to(out, FMT_COMPILE("{} {} 0 0 {} 0 0 0\n"), table.x[k], table.y[k], table.r[k]);
    } else {
      fmt::format_to(out, FMT_COMPILE("{} {} {} 0 0 0 {} 0 0 0 0 0 0 0\n"), table.x[k], table.y[k], table.z[k], table.r[k]);
    }
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
