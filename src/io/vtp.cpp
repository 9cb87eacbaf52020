// SPDX-License-Identifier: BSD-3-Clause
// The arrays are appended raw, each behind its length: XML up to "_", then bytes. Columns are written one
// after the other, hence the several passes over the pairs.
#include "io/vtp.hpp"

#include <fmt/format.h>

#include <bit>
#include <string>
#include <type_traits>

#include "hgrid/core/error.hpp"

namespace hgrid::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says LittleEndian");

bool is_shifted(const Image& image) { return detail::lexicographic_sign(image) != 0; }

/// Checks every id, and counts the points that periodic pairs need.
std::int64_t count_images(const PairSource& pairs, std::int64_t particles) {
  std::int64_t images = 0;
  for_each_batch(pairs, [&](std::int64_t first, std::span<const PairRow> rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto& [i, j, image] = rows[k].contact;
      if (i < 0 || j < 0 || i >= particles || j >= particles) {
        throw Error(ErrorCode::invalid_argument, fmt::format("pairs: pair {} is ({}, {}), but there are {} particles",
                                                             first + static_cast<std::int64_t>(k), i, j, particles));
      }
      images += is_shifted(image) ? 1 : 0;
    }
  });
  return images;
}

/// The XML, with each array's place in the bytes that follow it.
class Document {
 public:
  Document(std::int64_t points, std::int64_t lines) : points_(points), lines_(lines) {}

  std::string text() {
    // One statement each: the order in which operands of + are evaluated is not defined, and offsets count
    // up.
    std::string point_data = array("Float64", "radius", 1, 8 * points_);
    point_data += array("UInt8", "image", 1, points_);
    const std::string coordinates = array("Float64", "Points", 3, 24 * points_);
    std::string lines = array("Int64", "connectivity", 1, 16 * lines_);
    lines += array("Int64", "offsets", 1, 8 * lines_);
    const std::string cell_data = array("Float64", "overlap", 1, 8 * lines_);
    return fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" NumberOfLines=\"{}\" "
        "NumberOfStrips=\"0\" "
        "NumberOfPolys=\"0\">\n"
        "<PointData Scalars=\"radius\">\n{}</PointData>\n<CellData Scalars=\"overlap\">\n{}</CellData>\n"
        "<Points>\n{}</Points>\n<Lines>\n{}</Lines>\n</Piece>\n</PolyData>\n<AppendedData "
        "encoding=\"raw\">\n_",
        points_, lines_, point_data, cell_data, coordinates, lines);
  }

 private:
  std::string array(const char* type, const char* name, int components, std::int64_t bytes) {
    const std::int64_t offset = offset_;
    offset_ += static_cast<std::int64_t>(sizeof(std::uint64_t)) + bytes;
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type, name, components, offset);
  }

  std::int64_t points_, lines_, offset_ = 0;
};

class Writer {
 public:
  Writer(AtomicFile& file, const ParticleTable& table, const Box3& box, const PairSource& pairs)
      : file_(file), table_(table), box_(box), pairs_(pairs), images_(count_images(pairs, table.size())) {}

  /// The arrays in the order in which Document gives them their places.
  void write() {
    const std::int64_t points = table_.size() + images_;
    file_.write(Document(points, pairs_.count).text());
    begin_array(8 * points);
    file_.write_values(std::span<const double>(table_.r));
    each_image_pair([&](const PairRow& row) { put(table_.r[static_cast<std::size_t>(row.contact.j)]); });
    begin_array(points);
    for (std::int64_t k = 0; k < points; ++k) put(static_cast<std::uint8_t>(k >= table_.size()));
    begin_array(24 * points);
    for (std::size_t k = 0; k < table_.x.size(); ++k) put(std::array{table_.x[k], table_.y[k], table_.z[k]});
    each_image_pair([&](const PairRow& row) { put(image_position(row)); });
    begin_array(16 * pairs_.count);
    std::int64_t next_image = table_.size();
    each_pair([&](const PairRow& row) {
      put(std::array<std::int64_t, 2>{row.contact.i, is_shifted(row.contact.image) ? next_image++ : row.contact.j});
    });
    begin_array(8 * pairs_.count);
    for (std::int64_t k = 1; k <= pairs_.count; ++k) put(2 * k);
    begin_array(8 * pairs_.count);
    each_pair([&](const PairRow& row) { put(row.overlap); });
    flush();
    file_.write("\n</AppendedData>\n</VTKFile>\n");
  }

 private:
  std::array<double, 3> image_position(const PairRow& row) const {
    const auto j = static_cast<std::size_t>(row.contact.j);
    const Vec<double, 3> by = detail::shift_of(box_, row.contact.image);
    return {table_.x[j] + by[0], table_.y[j] + by[1], table_.z[j] + by[2]};
  }

  template <class F>
  void each_pair(F&& f) {
    for_each_batch(pairs_, [&](std::int64_t, std::span<const PairRow> rows) {
      for (const PairRow& row : rows) f(row);
    });
  }
  template <class F>
  void each_image_pair(F&& f) {
    if (images_ == 0) return;
    each_pair([&](const PairRow& row) {
      if (is_shifted(row.contact.image)) f(row);
    });
  }

  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    file_.write_when_full(bytes_);
  }
  void begin_array(std::int64_t bytes) {
    flush();
    put(static_cast<std::uint64_t>(bytes));
    flush();
  }
  void flush() {
    file_.write(bytes_);
    bytes_.clear();
  }

  AtomicFile& file_;
  const ParticleTable& table_;
  Box3 box_;
  const PairSource& pairs_;
  std::int64_t images_;
  std::string bytes_;
};

}  // namespace

void write_vtp(AtomicFile& file, const ParticleTable& table, const Box3& box, const PairSource& pairs) {
  require_complete(table);
  Writer(file, table, box, pairs).write();
}

}  // namespace hgrid::io
