// SPDX-License-Identifier: BSD-3-Clause
// The arrays are appended raw, each after its length: XML up to "_", then bytes. Columns are written one after the other, hence
// the several passes over the pairs.
#include "io/vtp.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <string>
#include <type_traits>

#include "hgrid/core/error.hpp"

namespace hgrid::io {
namespace {

static_assert(std::endian::native == std::endian::little, "the header says LittleEndian");

void require_ids(const PairSource& pairs, std::int64_t particles) {
  for_each_batch(pairs, [&](std::int64_t first, std::span<const PairRow> rows) {
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto& [i, j, image] = rows[k].contact;
      if (i >= 0 && j >= 0 && i < particles && j < particles) continue;
      throw Error(ErrorCode::invalid_argument,
                  fmt::format("pairs: pair {} is ({}, {}), but there {} {}", first + static_cast<std::int64_t>(k), i, j,
                              particles == 1 ? "is" : "are", detail::counted(particles, "particle")));
    }
  });
}

template <class T>
constexpr const char* vtk_name = nullptr;
template <>
constexpr const char* vtk_name<double> = "Float64";
template <>
constexpr const char* vtk_name<float> = "Float32";
template <>
constexpr const char* vtk_name<std::int64_t> = "Int64";
template <>
constexpr const char* vtk_name<std::int32_t> = "Int32";
template <>
constexpr const char* vtk_name<std::uint8_t> = "UInt8";

/// A value of an array: a number, or several.
template <class T>
struct ValueOf {
  using Number = T;
  static constexpr int components = 1;
};
template <class T, std::size_t N>
struct ValueOf<std::array<T, N>> {
  using Number = T;
  static constexpr int components = N;
};
using Float3 = std::array<float, 3>;
using Double3 = std::array<double, 3>;

enum Kind : std::uint8_t { particle, pair, wall };

class Writer {
 public:
  Writer(AtomicFile& file, const FoundPairs& found)
      : file_(file),
        found_(found),
        table_(found.particles),
        particles_(table_.size()),
        pairs_(found.pairs.count),
        walls_(std::ssize(found.walls)) {}

  /// Visits the list of arrays twice: for their places, and for their bytes.
  void write() {
    std::string xml;
    describe_ = &xml;
    arrays();
    describe_ = nullptr;
    file_.write(xml + "<AppendedData encoding=\"raw\">\n_");
    arrays();
    flush();
    file_.write("\n</AppendedData>\n</VTKFile>\n");
  }

 private:
  void arrays() {
    tag("<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"PolyData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n<PolyData>\n" +
        fmt::format("<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"{}\" NumberOfLines=\"{}\" NumberOfStrips=\"0\" "
                    "NumberOfPolys=\"{}\">\n<PointData {}>\n",
                    particles_ + 2 * pairs_ + 3 * walls_, particles_, pairs_, walls_,
                    table_.boxes ? "Scalars=\"overlap\"" : "Scalars=\"radius\""));
    at_points<std::uint8_t>(
        "kind", [](std::size_t) { return particle; }, [](const PairRow&, bool) { return pair; }, wall);
    if (table_.boxes) {
      at_points<Double3>(
          "extent", [&](std::size_t p) { return extent(p); }, [](const PairRow&, bool) { return Double3{}; }, {});
    } else {
      at_points<double>(
          "radius", [&](std::size_t p) { return table_.r[p]; }, [](const PairRow&, bool) { return 0.0; }, 0.0);
    }
    at_points<double>(
        "overlap", [&](std::size_t p) { return found_.coordination.largest_overlap[p]; },
        [](const PairRow& row, bool) { return row.overlap; }, 0.0);
    at_points<std::int32_t>(
        "contacts", [&](std::size_t p) { return found_.coordination.contacts[p]; }, [](const PairRow&, bool) { return 0; }, 0);
    at_points<std::int64_t>(
        "id", [&](std::size_t p) { return table_.id_of(p); },
        [&](const PairRow& row, bool second) { return table_.id_of(second ? row.contact.j : row.contact.i); }, -1);
    tag("</PointData>\n<CellData Scalars=\"overlap\">\n");
    at_cells<std::uint8_t>(
        "kind", [](std::size_t) { return particle; }, [](const PairRow&) { return pair; }, wall);
    at_cells<double>(
        "overlap", [&](std::size_t p) { return found_.coordination.largest_overlap[p]; },
        [](const PairRow& row) { return row.overlap; }, 0.0);
    at_cells<std::int64_t>(
        "i", [&](std::size_t p) { return table_.id_of(p); }, [&](const PairRow& row) { return table_.id_of(row.contact.i); },
        -1);
    at_cells<std::int64_t>(
        "j", [&](std::size_t p) { return table_.id_of(p); }, [&](const PairRow& row) { return table_.id_of(row.contact.j); },
        -1);
    at_cells<Float3>(
        "normal", [](std::size_t) { return Float3{}; }, [&](const PairRow& row) { return normal(row); }, {});
    tag("</CellData>\n<Points>\n");
    begin_array<Double3>("Points", particles_ + 2 * pairs_ + 3 * walls_);
    each_particle([&](std::size_t p) { put(position(p)); });
    each_pair([&](const PairRow& row) {
      put(position(static_cast<std::size_t>(row.contact.i)));
      put(image_position(row));
    });
    each_wall([&](const WallTriangle& triangle) { put(triangle); });
    tag("</Points>\n");
    cells("Verts", particles_, 1, 0);
    cells("Lines", pairs_, 2, particles_);
    cells("Polys", walls_, 3, particles_ + 2 * pairs_);
    tag("</Piece>\n</PolyData>\n");
  }

  /// Writes an array with a value for each particle, for both ends of each pair, and for all points of walls.
  template <class T, class OfParticle, class OfEnd>
  void at_points(const char* name, OfParticle&& of_particle, OfEnd&& of_end, std::type_identity_t<T> of_walls) {
    begin_array<T>(name, particles_ + 2 * pairs_ + 3 * walls_);
    each_particle([&](std::size_t p) { put(static_cast<T>(of_particle(p))); });
    each_pair([&](const PairRow& row) {
      for (const bool second : {false, true}) put(static_cast<T>(of_end(row, second)));
    });
    each_wall([&](const WallTriangle&) { put(std::array{of_walls, of_walls, of_walls}); });
  }

  /// Writes an array with a value for each cell.
  template <class T, class OfParticle, class OfPair>
  void at_cells(const char* name, OfParticle&& of_particle, OfPair&& of_pair, std::type_identity_t<T> of_walls) {
    begin_array<T>(name, particles_ + pairs_ + walls_);
    each_particle([&](std::size_t p) { put(static_cast<T>(of_particle(p))); });
    each_pair([&](const PairRow& row) { put(static_cast<T>(of_pair(row))); });
    each_wall([&](const WallTriangle&) { put(of_walls); });
  }

  /// Writes cells of `points` consecutive points each, from the point `first` on.
  void cells(const char* tag_name, std::int64_t count, std::int64_t points, std::int64_t first) {
    tag(fmt::format("<{}>\n", tag_name));
    begin_array<std::int64_t>("connectivity", points * count);
    for (std::int64_t k = 0; k < points * count && describe_ == nullptr; ++k) put(first + k);
    begin_array<std::int64_t>("offsets", count);
    for (std::int64_t k = 1; k <= count && describe_ == nullptr; ++k) put(points * k);
    tag(fmt::format("</{}>\n", tag_name));
  }

  Double3 extent(std::size_t p) const { return {table_.extent[0][p], table_.extent[1][p], table_.extent[2][p]}; }

  Double3 position(std::size_t p) const { return {table_.x[p], table_.y[p], table_.z[p]}; }

  Double3 image_position(const PairRow& row) const {
    auto [x, y, z] = position(static_cast<std::size_t>(row.contact.j));
    const Vec<double, 3> by = detail::shift_of(found_.box, row.contact.image);
    return {x + by[0], y + by[1], z + by[2]};
  }

  Float3 normal(const PairRow& row) const {
    const auto j = static_cast<std::size_t>(row.contact.j), i = static_cast<std::size_t>(row.contact.i);
    const Double3 from = image_position(row), to = position(i);
    Double3 d{};
    for (std::size_t k = 0; k < 3; ++k) d[k] = to[k] - from[k];
    if (table_.boxes) d = along_least_overlap(d, extent(i), extent(j), row.overlap);
    const double length = std::hypot(d[0], d[1], d[2]);
    Float3 n{};
    for (std::size_t k = 0; k < 3 && length > 0; ++k) n[k] = static_cast<float>(d[k] / length);
    return n;
  }

  /// Returns the distance along the one axis that has the pair's overlap, the least of the searched axes.
  Double3 along_least_overlap(const Double3& d, const Double3& a, const Double3& b, double of_pair) const {
    std::size_t least = 0;
    const auto away = [&](std::size_t k) { return std::abs(a[k] + b[k] - std::abs(d[k]) - of_pair); };
    for (std::size_t k = 1; k < static_cast<std::size_t>(table_.dimension); ++k) least = away(k) < away(least) ? k : least;
    Double3 along{};
    along[least] = d[least];
    return along;
  }

  template <class F>
  void each_particle(F&& f) {
    for (std::size_t p = 0; p < table_.x.size() && describe_ == nullptr; ++p) f(p);
  }
  template <class F>
  void each_pair(F&& f) {
    if (describe_ != nullptr) return;
    for_each_batch(found_.pairs, [&](std::int64_t, std::span<const PairRow> rows) {
      for (const PairRow& row : rows) f(row);
    });
  }
  template <class F>
  void each_wall(F&& f) {
    for (std::size_t t = 0; t < found_.walls.size() && describe_ == nullptr; ++t) f(found_.walls[t]);
  }

  void tag(const std::string& text) {
    if (describe_ != nullptr) *describe_ += text;
  }
  template <class T>
  void begin_array(const char* name, std::int64_t values) {
    const std::int64_t bytes = values * static_cast<std::int64_t>(sizeof(T));
    if (describe_ == nullptr) return put(static_cast<std::uint64_t>(bytes));
    tag(fmt::format("<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" offset=\"{}\"/>\n",
                    vtk_name<typename ValueOf<T>::Number>, name, ValueOf<T>::components, offset_));
    offset_ += static_cast<std::int64_t>(sizeof(std::uint64_t)) + bytes;
  }
  template <class T>
  void put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof(value));
    file_.write_when_full(bytes_);
  }
  void flush() {
    file_.write(bytes_);
    bytes_.clear();
  }

  AtomicFile& file_;
  const FoundPairs& found_;
  const ParticleTable& table_;
  std::int64_t particles_, pairs_, walls_, offset_ = 0;
  std::string* describe_ = nullptr;  // receives the XML, in the first of the two runs
  std::string bytes_;
};

}  // namespace

void write_vtp(AtomicFile& file, const FoundPairs& found) {
  require_complete(found.particles);
  require_ids(found.pairs, found.particles.size());
  Writer(file, found).write();
}

}  // namespace hgrid::io
