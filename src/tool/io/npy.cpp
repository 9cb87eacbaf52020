// SPDX-License-Identifier: BSD-3-Clause
#include "io/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/column_table.hpp"
#include "io/npy_header.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

static_assert(std::endian::native == std::endian::little, "numbers are copied as they stand in the file");

struct Layout {
  std::int64_t rows = 0, columns = 0, data_begin = 0;
  std::size_t value_size = 8;
  bool fortran_order = false;

  std::int64_t values() const { return rows * columns; }
  std::int64_t byte_of(std::int64_t row, std::int64_t column) const {
    const std::int64_t k = fortran_order ? column * rows + row : row * columns + column;
    return data_begin + k * static_cast<std::int64_t>(value_size);
  }
};

Layout check_layout(const NpyHeader& header, const ByteSource& source, const ReadOptions& options) {
  const std::string& name = source.name();
  const std::int64_t at = source.offset();
  if (header.dtype.starts_with('>')) {
    fail_at_byte(name, at, fmt::format("dtype '{}' is big-endian; save it as '<f8'", printable(header.dtype)));
  }
  if (header.dtype != "<f8" && header.dtype != "<f4") {
    fail_at_byte(name, at, fmt::format("dtype '{}'; expected '<f8' or '<f4'", printable(header.dtype)));
  }
  const bool flat = header.shape.size() == 2;  // rows and columns
  const auto fits = [&](std::int64_t columns) { return columns >= 2 && columns <= 6 && columns != 5; };
  if (const auto named = std::ssize(options.columns);
      !flat || (named > 0 ? header.shape[1] != named : !fits(header.shape[1]))) {
    const bool nameable = flat && named == 0 && header.shape[1] > 1 && header.shape[1] <= 100;
    fail_at_byte(name, at,
                 fmt::format("shape ({}); expected {}{}", printable(fmt::format("{}", fmt::join(header.shape, ", "))),
                             named > 0 ? fmt::format("N x {}, as --columns names", named)
                                       : "N x 4 (x y z r), N x 6 (x y z hx hy hz), N x 3 (x y z) or N x 2 (x y)",
                             nameable ? fmt::format("; --columns names its {} columns", header.shape[1]) : ""));
  }
  Layout layout{header.shape[0], header.shape[1], at, header.dtype == "<f8" ? 8U : 4U, header.fortran_order};
  if (layout.rows >
      (std::int64_t{1} << 56) / (layout.columns > 6 ? layout.columns : 1)) {  // rows * columns * size would overflow
    fail_at_byte(name, at, fmt::format("a shape of {} rows, more than any file holds", layout.rows));
  }
  return layout;
}

/// Reads the values in file order into their columns, which grow with the bytes that arrive. Unused columns stay empty.
template <class T>
void read_values(ByteSource& source, const Layout& layout, const std::vector<bool>& taken, NumberColumns& columns) {
  std::vector<T> block(1 << 15);
  std::int64_t done = 0;
  std::int64_t next_memory_check = 1 << 22;
  while (done < layout.values()) {
    const auto wanted = std::min<std::int64_t>(layout.values() - done, static_cast<std::int64_t>(block.size()));
    const auto bytes = std::span(reinterpret_cast<char*>(block.data()), static_cast<std::size_t>(wanted) * sizeof(T));
    std::size_t got = 0;
    for (std::size_t more = 1; got < bytes.size() && more > 0; got += more) more = source.read(bytes.subspan(got));
    if (got < bytes.size()) {
      fail_at_byte(source.name(), source.offset(),
                   fmt::format("the file ends after {} of the {} declared", done + static_cast<std::int64_t>(got / sizeof(T)),
                               detail::counted(layout.values(), "value")));
    }
    for (std::int64_t k = done; k < done + wanted; ++k) {
      const auto column = static_cast<std::size_t>(layout.fortran_order ? k / layout.rows : k % layout.columns);
      if (taken[column]) columns[column].push_back(static_cast<double>(block[static_cast<std::size_t>(k - done)]));
    }
    done += wanted;
    if (done >= next_memory_check) require_memory_for((next_memory_check *= 2) / layout.columns);
  }
  char extra;
  if (source.read(std::span(&extra, 1)) > 0) {
    fail_at_byte(source.name(), source.offset() - 1,
                 fmt::format("bytes follow the {} declared", detail::counted(layout.values(), "value")));
  }
}

/// Drops the rows with a value that is not finite, or throws; returns how many were dropped.
std::int64_t handle_bad_rows(NumberColumns& columns, const Layout& layout, const std::string& name, BadRows policy) {
  const auto count = static_cast<std::size_t>(layout.columns);
  std::size_t kept = 0;
  std::string first;
  std::int64_t first_byte = 0;
  for (std::size_t row = 0; row < columns[0].size(); ++row) {
    std::size_t good = 0;
    while (good < count && std::isfinite(columns[good][row])) ++good;
    if (good < count && first.empty()) {
      first = fmt::format("row {} (the first is 0), column {}: {} is not finite", row, good, columns[good][row]);
      first_byte = layout.byte_of(static_cast<std::int64_t>(row), static_cast<std::int64_t>(good));
    }
    if (good < count) continue;
    for (std::size_t c = 0; c < count; ++c) columns[c][kept] = columns[c][row];
    ++kept;
  }
  const auto rows = static_cast<std::int64_t>(columns[0].size()), dropped = rows - static_cast<std::int64_t>(kept);
  if (!may_leave_out(policy, dropped, rows)) fail_at_byte(name, first_byte, first + "; " + remedy_for_bad_rows(dropped, rows));
  for (std::size_t c = 0; c < count; ++c) columns[c].resize(kept);
  return dropped;
}

ParticleTable read_table(ByteSource& source, const Layout& layout, const ReadOptions& options) {
  const bool named = !options.columns.empty();
  const auto width = static_cast<std::size_t>(layout.columns);
  const ColumnMap map = named ? columns_of_options(source.name(), 1, options) : ColumnMap{};
  std::vector<bool> taken(width, !named);
  for (const int column : {map.x, map.y, map.z, map.r, map.extent[0], map.extent[1], map.extent[2], map.id}) {
    if (column >= 0) taken[static_cast<std::size_t>(column)] = true;
  }
  for (const int column : map.more) {
    if (column >= 0) taken[static_cast<std::size_t>(column)] = true;
  }
  NumberColumns columns(width);
  if (layout.value_size == 8)
    read_values<double>(source, layout, taken, columns);
  else
    read_values<float>(source, layout, taken, columns);
  if (named) {
    return table_of(std::move(columns), map, options, source.name(), [&](std::int64_t row, const std::string& why) {
      fail_at_byte(source.name(), layout.byte_of(row, 0), fmt::format("row {} (the first is 0): {}", row, why));
    });
  }
  columns.resize(6);

  require_more({.found = layout.columns == 2 ? "x, y, without names" : "x, y, z, without names"}, options, source.name());
  ParticleTable table;
  table.skipped_rows = handle_bad_rows(columns, layout, source.name(), options.bad_rows);
  table.dimension = layout.columns == 2 ? 2 : 3;
  table.columns = layout.columns == 2 ? "x, y" : "x, y, z";
  table.boxes = layout.columns == 6 && !options.radius;
  table.taken = table.columns + (layout.columns == 4 ? ", r" : table.boxes ? ", hx, hy, hz" : "");
  table.x = std::move(columns[0]);
  table.y = std::move(columns[1]);
  table.z = std::move(columns[2]);
  if (table.boxes)
    std::move(columns.begin() + 3, columns.end(), table.extent.begin());
  else if (layout.columns == 4)
    table.r = std::move(columns[3]);
  if (table.dimension == 2) table.z.assign(table.x.size(), 0);
  if (table.size() > 0) apply_radius(table, source.name(), options);
  return table;
}

}  // namespace

ParticleTable read_npy(ByteSource& source, const ReadOptions& options) {
  const NpyHeader header = read_npy_header(source);
  const Layout layout = check_layout(header, source, options);
  return read_table(source, layout, options);
}

std::optional<ParticleTable> read_npy_part(ByteSource& source, const ReadOptions& options, const FilePart& part) {
  const NpyHeader header = read_npy_header(source);
  const Layout all = check_layout(header, source, options);
  if (all.fortran_order || *source.size() != all.byte_of(all.rows, 0)) return std::nullopt;
  const std::int64_t first = part.begin_of(part.number, 0, all.rows), end = part.begin_of(part.number + 1, 0, all.rows);
  source.go_to(all.byte_of(first, 0), all.byte_of(end, 0));
  Layout own = all;
  own.rows = end - first;
  return read_table(source, own, options);
}

void write_particles_npy(AtomicFile& file, const ParticleTable& table) {
  require_complete(table);
  std::vector<const std::vector<double>*> columns = {&table.x, &table.y, &table.z};
  for (const auto& extent : table.extent) {
    if (table.boxes) columns.push_back(&extent);
  }
  if (!table.boxes) columns.push_back(&table.r);
  file.write(make_npy_header("'<f8'", fmt::format("({}, {})", table.size(), columns.size())));
  std::vector<double> block;
  for (std::size_t p = 0; p < table.x.size();) {
    block.clear();
    for (const std::size_t end = std::min<std::size_t>(p + (1 << 14), table.x.size()); p < end; ++p) {
      for (const auto* column : columns) block.push_back((*column)[p]);
    }
    file.write_values(std::span<const double>(block));
  }
}

void write_pairs_npy(AtomicFile& file, const PairSource& pairs, const ParticleTable& particles) {
  static constexpr std::size_t record = 2 * 8 + 3 * 4 + 8;
  file.write(
      make_npy_header("[('i', '<i8'), ('j', '<i8'), ('ix', '<i4'), ('iy', '<i4'), ('iz', '<i4'), "
                      "('overlap', '<f8')]",
                      fmt::format("({},)", pairs.count)));
  std::vector<char> bytes;
  for_each_batch(pairs, [&](std::int64_t, std::span<const PairRow> rows) {
    bytes.resize(rows.size() * record);
    char* at = bytes.data();
    for (const PairRow& row : rows) {
      const std::int64_t ids[] = {particles.id_of(row.contact.i), particles.id_of(row.contact.j)};
      std::memcpy(at, ids, 16);
      std::memcpy(at + 16, row.contact.image.m, 12);
      std::memcpy(at + 28, &row.overlap, 8);
      at += record;
    }
    file.write({bytes.data(), bytes.size()});
  });
}

}  // namespace hgrid::io
