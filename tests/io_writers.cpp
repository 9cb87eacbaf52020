// SPDX-License-Identifier: BSD-3-Clause
// Output of the writers, read back: by the readers, by numpy, and byte for byte.
#include "io/write_output.hpp"

#include <sys/stat.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <random>

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

ParticleTable random_particles(std::size_t n, int dimension) {
  std::mt19937_64 random(3);
  ParticleTable table;
  table.dimension = dimension;
  table.box = BoxBounds{{-1.0 / 3, 0.1, 0}, {1e10, 2.0 / 3, dimension == 3 ? 1e-300 : 0}};
  const auto any = [&] { return std::ldexp(static_cast<double>(random()) - 9e18, static_cast<int>(random() % 200) - 160); };
  for (std::size_t k = 0; k < n; ++k) {
    table.x.push_back(any());
    table.y.push_back(any());
    table.z.push_back(dimension == 3 ? any() : 0);
    table.r.push_back(std::abs(any()));
  }
  if (n > 0) table.x[0] = std::numeric_limits<double>::denorm_min();
  return table;
}

struct Writers : Folder {
  std::string write(const ParticleTable& table, const std::string& name) const {
    AtomicFile out(path(name), true);
    write_particles(out, particle_format(name), table);
    out.commit();
    return path(name);
  }
  std::string write_pairs_to(const std::string& name, std::span<const Pair> pairs, std::span<const Image> images,
                             const ParticleTable& table = {}, std::span<const WallTriangle> walls = {}) const {
    const PairSource source = pair_source(columns_of(pairs.data(), images.empty() ? nullptr : images.data(), std::ssize(pairs)),
                                          [](const Contact& c) { return c.i + c.j / 4.0 + c.image[0]; });
    AtomicFile out(path(name), true);
    const auto n = static_cast<std::size_t>(table.size());
    const Coordination coordination{std::vector<std::int32_t>(n, 7), std::vector<double>(n, 0.75)};
    write_pairs(out, pair_format(name), {source, table, Box3::periodic({0, 0, 0}, {10, 20, 30}), coordination, walls});
    out.commit();
    return path(name);
  }
};

TEST_F(Writers, ParticlesRoundTrip) {
  for (const int dimension : {2, 3}) {
    for (const char* name : {"p.csv", "p.npy", "p.data", "p.vtp", "p.extxyz", "p.lmp"}) {
      const ParticleTable table = random_particles(20000, dimension);
      const ParticleTable back = read_particles(write(table, name));
      EXPECT_EQ(back.x, table.x) << name;
      EXPECT_EQ(back.y, table.y) << name;
      EXPECT_EQ(back.z, table.z) << name;
      EXPECT_EQ(back.r, table.r) << name;
      const std::string left_out = io::left_out(particle_format(name), table);
      if (left_out.find("the box") == left_out.npos && !(dimension == 2 && std::string(name) == "p.lmp")) {
        const std::optional<BoxBounds> box = brick_of(*back.box);
        ASSERT_TRUE(box) << name;
        EXPECT_EQ(box->lo, table.box->lo) << name;
        for (std::size_t k = 0; k < 3; ++k) EXPECT_DOUBLE_EQ(box->hi[k], table.box->hi[k]) << name;  // of a difference
      }
      EXPECT_EQ(back.dimension, left_out.find("two dimensions") == left_out.npos ? dimension : 3) << name;
    }
  }
}

TEST_F(Writers, IdsBoxesAndTimesRoundTrip) {
  ParticleTable table = random_particles(100, 3);
  for (std::int64_t k = 0; k < 100; ++k) table.id.push_back(k * k - 3);
  table.periodic = "xz", table.step = 40, table.time = 0.1;
  table.box = BoxBounds{{-3, 0.1, 7}, {2, 3.1, 9}, {0.25, -0.5, 0.75}};
  const ParticleTable xyz = read_particles(write(table, "p.xyz"));
  EXPECT_EQ(xyz.id, table.id);
  EXPECT_EQ(xyz.periodic, "xz");
  EXPECT_EQ(xyz.step, 40);
  EXPECT_EQ(xyz.time, 0.1);
  EXPECT_EQ(xyz.box->lo, table.box->lo);
  EXPECT_EQ(without_vectors(*xyz.box)->tilt, table.box->tilt);
  EXPECT_EQ(io::left_out(OutputFormat::xyz, table), "");
  EXPECT_EQ(io::left_out(OutputFormat::data, table), "ids, the box, which is tilted, which axes are periodic, time and step");
  EXPECT_EQ(read_particles(write(table, "p.csv")).id, table.id);
  EXPECT_EQ(read_particles(write(table, "p.vtp")).id, table.id);
  const ParticleTable numbered = read_particles(write(table, "p.lmp"));
  EXPECT_EQ(numbered.id.front(), 1);
  EXPECT_EQ(numbered.box, table.box);
  for (std::int64_t& id : table.id) id += 10;
  EXPECT_EQ(read_particles(write(table, "p.lmp")).id, table.id);
  table.box = BoxBounds{};
  table.box->vectors = {{{0, 1, 0}, {2, 0, 0}, {0, 0, 3}}};  // not along the axes in their order
  EXPECT_EQ(read_particles(write(table, "p.lmp")).box->vectors, table.box->vectors);
  EXPECT_EQ(read_particles(write(table, "p.xyz")).box->vectors, table.box->vectors);
  EXPECT_FALSE(read_particles(write(table, "p.csv")).box);

  table.boxes = true, table.extent = {table.r, table.x, table.y}, table.r = {};
  for (auto& extent : table.extent) {
    for (double& half : extent) half = std::abs(half);
  }
  for (const char* name : {"b.csv", "b.npy", "b.vtp", "b.xyz"}) {
    EXPECT_EQ(read_particles(write(table, name)).extent, table.extent) << name;
  }
  expect_error(ErrorCode::unsupported, {"radii alone"}, [&] { write(table, "b.lmp"); });
}

TEST_F(Writers, ParticlesByteForByte) {
  ParticleTable table;
  table.x = {1, 0.1};
  table.y = {2, -0.0};
  table.z = {3, 1e-7};
  table.r = {0.5, 1e22};
  EXPECT_EQ((write(table, "p.csv"), content("p.csv")), "x,y,z,r\n1,2,3,0.5\n0.1,-0,1e-07,1e+22\n");
  table.r = {0.5, 1};
  EXPECT_EQ((write(table, "p.data"), content("p.data")),
            "2 0 -0.9 -1 -0.9999999 1.5 2.5 3.5\n1 2 3 0 0 0 0.5 0 0 0 0 0 0 0\n0.1 -0 1e-07 0 0 0 1 0 0 0 0 "
            "0 0 0\n");
  table.box = BoxBounds{{0, 0, 0}, {1, 1, 1}};
  EXPECT_EQ((write(table, "p.csv"), content("p.csv")).substr(0, 18), "# box 0 0 0 1 1 1\n");
  table.r.clear();
  expect_error(ErrorCode::size_mismatch, {"2, 2, 2 and 0"}, [&] { write(table, "p.csv"); });
}

TEST_F(Writers, EmptyTables) {
  const ParticleTable none;
  EXPECT_EQ(read_particles(write(none, "p.npy")).size(), 0);
  EXPECT_EQ(read_particles(write(none, "p.data")).size(), 0);
  EXPECT_EQ((write_pairs_to("o.csv", {}, {}), content("o.csv")), "i,j,ix,iy,iz,overlap\n");
}

TEST_F(Writers, FormatsByName) {
  EXPECT_EQ(pair_format("a.CSV"), OutputFormat::csv);
  EXPECT_EQ(pair_format("-"), OutputFormat::csv);
  EXPECT_EQ(pair_format("/dev/full"), OutputFormat::csv);
  EXPECT_EQ(pair_format("a.b.vtp"), OutputFormat::vtp);
  EXPECT_EQ(particle_format("x.data"), OutputFormat::data);
  expect_error(ErrorCode::invalid_argument, {"a.data", ".csv, .npy, .vtp"}, [] { pair_format("a.data"); });
  expect_error(ErrorCode::invalid_argument, {".csv, .npy, .data"}, [] { particle_format("a"); });
}

const Pair pairs[] = {{0, 1}, {1, 1}, {2, 5}};
const Image images[] = {{{0, 0, 0}}, {{1, 0, -1}}, {{-2, 0, 0}}};

TEST_F(Writers, PairsAsCsv) {
  EXPECT_EQ((write_pairs_to("o.csv", pairs, images), content("o.csv")),
            "i,j,ix,iy,iz,overlap\n0,1,0,0,0,0.25\n1,1,1,0,-1,2.25\n2,5,-2,0,0,1.25\n");
  EXPECT_EQ((write_pairs_to("o.csv", pairs, {}), content("o.csv")),
            "i,j,ix,iy,iz,overlap\n0,1,0,0,0,0.25\n1,1,0,0,0,1.25\n2,5,0,0,0,3.25\n");
}

TEST_F(Writers, ManyPairsInOrder) {
  std::vector<Pair> many(100001);
  for (std::size_t k = 0; k < many.size(); ++k) many[k] = {static_cast<int>(k), static_cast<int>(k) + 1};
  write_pairs_to("o.npy", many, {});
  const std::string bytes = content("o.npy");
  const std::size_t head = bytes.find('\n') + 1;
  EXPECT_EQ(head % 64, 0u);
  ASSERT_EQ(bytes.size(), head + 36 * many.size());
  for (std::size_t k = 0; k < many.size(); k += 777) {
    std::int64_t ids[2];
    std::memcpy(ids, bytes.data() + head + 36 * k, sizeof(ids));
    ASSERT_EQ(ids[0], many[k].i);
    ASSERT_EQ(ids[1], many[k].j);
  }
}

TEST_F(Writers, NumpyReadsPairsAndParticles) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "no numpy";
  write_pairs_to("o.npy", pairs, images);
  write(random_particles(5, 3), "p.npy");
  const std::string script =
      "import numpy as n; a = n.load('o.npy')\n"
      "assert a.dtype == "
      "n.dtype([('i','<i8'),('j','<i8'),('ix','<i4'),('iy','<i4'),('iz','<i4'),('overlap','<f8')])\n"
      "assert a.tolist() == [(0,1,0,0,0,.25), (1,1,1,0,-1,2.25), (2,5,-2,0,0,1.25)]\n"
      "p = n.load('p.npy'); assert p.shape == (5, 4) and p.dtype == '<f8' and p[0, 0] == 5e-324\n";
  EXPECT_EQ(std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 -c \"" + script + "\"").c_str()), 0);
}

/// The values of an appended array of a .vtp, the first of this name after a tag.
template <class T>
std::vector<T> vtp_array(const std::string& bytes, const std::string& array, const std::string& tag = "") {
  const std::size_t at = bytes.find("Name=\"" + array + "\"", bytes.find(tag));
  const std::size_t offset = std::stoul(bytes.substr(bytes.find("offset=\"", at) + 8));
  const std::size_t begin = bytes.find("<AppendedData encoding=\"raw\">\n_") + 31 + offset;
  std::uint64_t size = 0;
  std::memcpy(&size, bytes.data() + begin, sizeof(size));
  std::vector<T> values(size / sizeof(T));
  std::memcpy(values.data(), bytes.data() + begin + sizeof(size), size);
  return values;
}

TEST_F(Writers, VtpDrawsPeriodicPairsToTheImage) {
  ParticleTable table;
  for (int k = 0; k < 6; ++k) {
    table.x.push_back(k);
    table.y.push_back(10 + k);
    table.z.push_back(20 + k);
    table.r.push_back(0.5 + k);
    table.id.push_back(100 + k);
  }
  const WallTriangle wall{1, 2, 3, 4, 5, 6, 7, 8, 9};
  write_pairs_to("o.vtp", pairs, images, table, {&wall, 1});
  const std::string bytes = content("o.vtp");
  EXPECT_NE(
      bytes.find("NumberOfPoints=\"15\" NumberOfVerts=\"6\" NumberOfLines=\"3\" NumberOfStrips=\"0\" NumberOfPolys=\"1\""),
      bytes.npos);
  EXPECT_EQ(vtp_array<std::uint8_t>(bytes, "kind"), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2}));
  EXPECT_EQ(vtp_array<double>(bytes, "radius"), (std::vector<double>{0.5, 1.5, 2.5, 3.5, 4.5, 5.5, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(vtp_array<double>(bytes, "overlap"),
            (std::vector<double>{0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.25, 0.25, 2.25, 2.25, 1.25, 1.25, 0, 0, 0}));
  EXPECT_EQ(vtp_array<std::int32_t>(bytes, "contacts"),
            (std::vector<std::int32_t>{7, 7, 7, 7, 7, 7, 0, 0, 0, 0, 0, 0, 0, 0, 0}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "id"),
            (std::vector<std::int64_t>{100, 101, 102, 103, 104, 105, 100, 101, 101, 101, 102, 105, -1, -1, -1}));
  EXPECT_EQ(vtp_array<std::uint8_t>(bytes, "kind", "<CellData"), (std::vector<std::uint8_t>{0, 0, 0, 0, 0, 0, 1, 1, 1, 2}));
  EXPECT_EQ(vtp_array<double>(bytes, "overlap", "<CellData"),
            (std::vector<double>{0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.25, 2.25, 1.25, 0}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "i"), (std::vector<std::int64_t>{100, 101, 102, 103, 104, 105, 100, 101, 102, -1}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "j"), (std::vector<std::int64_t>{100, 101, 102, 103, 104, 105, 101, 101, 105, -1}));
  const std::vector<float> normal = vtp_array<float>(bytes, "normal");
  ASSERT_EQ(normal.size(), 30u);
  const auto along = static_cast<float>(-1 / std::sqrt(3.0));  // from particle 1 to particle 0
  EXPECT_EQ(std::vector<float>(normal.begin() + 15, normal.begin() + 21), (std::vector<float>{0, 0, 0, along, along, along}));
  const std::vector<double> points = vtp_array<double>(bytes, "Points");
  ASSERT_EQ(points.size(), 45u);
  // x_j + m L with L = (10, 20, 30), at the second ends of the pairs with an image
  EXPECT_EQ(std::vector<double>(points.begin() + 24, points.begin() + 30), (std::vector<double>{1, 11, 21, 11, 11, -9}));
  EXPECT_EQ(std::vector<double>(points.end() - 12, points.end() - 9), (std::vector<double>{-15, 15, 25}));
  EXPECT_EQ(std::vector<double>(points.end() - 9, points.end()), std::vector<double>(wall.begin(), wall.end()));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "connectivity", "<Verts>"), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "connectivity", "<Lines>"), (std::vector<std::int64_t>{6, 7, 8, 9, 10, 11}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "offsets", "<Lines>"), (std::vector<std::int64_t>{2, 4, 6}));
  EXPECT_EQ(vtp_array<std::int64_t>(bytes, "connectivity", "<Polys>"), (std::vector<std::int64_t>{12, 13, 14}));
  EXPECT_TRUE(bytes.ends_with("\n</AppendedData>\n</VTKFile>\n"));

  const Pair wrong[] = {{0, 6}};
  expect_error(ErrorCode::invalid_argument, {"pair 0 is (0, 6)", "6 particles"},
               [&] { write_pairs_to("w.vtp", wrong, {}, table); });
  EXPECT_EQ(entries(), std::vector<std::string>{"o.vtp"});
}

TEST_F(Writers, IdsStandForIndices) {
  ParticleTable table;
  for (const std::int64_t id : std::initializer_list<std::int64_t>{5, 17, 30, 40, 50, std::int64_t{1} << 40}) {
    for (auto* column : {&table.x, &table.y, &table.z, &table.r}) column->push_back(1);
    table.id.push_back(id);
  }
  write_pairs_to("o.csv", pairs, {}, table);
  EXPECT_EQ(content("o.csv"), "i,j,ix,iy,iz,overlap\n5,17,0,0,0,0.25\n17,17,0,0,0,1.25\n30,1099511627776,0,0,0,3.25\n");
  write_pairs_to("o.npy", pairs, {}, table);
  std::int64_t last[2];
  std::memcpy(last, content("o.npy").data() + content("o.npy").size() - 36, sizeof last);
  EXPECT_EQ(last[1], std::int64_t{1} << 40);
}

}  // namespace
}  // namespace hgrid::io::test
