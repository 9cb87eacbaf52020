// SPDX-License-Identifier: BSD-3-Clause
// Formats with frames: MercuryDPM's .data and LAMMPS dumps (tests/reliability/README.md, rows 46 and 79 to 81).
#include "io/lammps_dump.hpp"
#include "io/mercury_data.hpp"

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

ReadOptions frame(std::int64_t index) {
  ReadOptions options;
  options.frames = FrameRange::one(index);
  return options;
}

struct Frames : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

const std::string row = " 0 0 0 0.5 0 0 0 0 0 0 0\n";  // columns after x y z
const std::string mercury =
    "0 0 0 0 0 1 1 1 \n2 0.5 0 0 0 2 2 2\n1 2 3" + row + "4 5 6" + row + "1 1.5 -1 -1 -1 3 3 3 \r\n7 8 9" + row;

TEST_F(Frames, MercuryPicksTheFrame) {
  const ParticleTable last = read(mercury);
  EXPECT_EQ(last.x, (Column{7}));
  EXPECT_EQ(last.r, (Column{0.5}));
  EXPECT_EQ(last.box, (BoxBounds{{-1, -1, -1}, {3, 3, 3}}));
  EXPECT_EQ(read(mercury, frame(1)).z, (Column{3, 6}));
  EXPECT_EQ(read(mercury, frame(0)).size(), 0);  // declared so
  EXPECT_EQ(read(mercury, frame(0)).box, (BoxBounds{{0, 0, 0}, {1, 1, 1}}));
  expect_error(ErrorCode::invalid_argument, {"no frame 3", "has 3"}, [&] { read(mercury, frame(3)); });
}

TEST_F(Frames, MercuryIn2D) {
  const ParticleTable flat = read("2 0 0 0 1 2\n1 2 0 0 0.5 0 0 0\n3 4 0 0 0.25 0 0 0\n");
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.y, (Column{2, 4}));
  EXPECT_EQ(flat.z, (Column{0, 0}));
  EXPECT_EQ(flat.r, (Column{0.5, 0.25}));
  EXPECT_EQ(flat.box, (BoxBounds{{0, 0, 0}, {1, 2, 0}}));
}

TEST_F(Frames, MercuryCounts) {
  const std::string two = "1 2 3" + row + "4 5 6" + row;
  expect_bad("3 0 0 0 0 1 1 1\n" + two, {"line 3", "declares 3 particles, but the file ends after 2"});
  expect_bad("1 0 0 0 0 1 1 1\n" + two, {"line 3", "14 columns", "more rows than it declares"});
  expect_bad("3 0 0 0 0 1 1 1\n" + two + "1 0 0 0 0 1 1 1\n", {"line 4", "another frame begins"});
  expect_bad("1000 0 0 0 0 1 1 1\n" + two, {"declares 1000"});
  for (const char* count : {"-1", "9223372036854775808", "1e20", "1.5", "nan", "inf"}) {
    expect_bad(std::string(count) + " 0 0 0 0 1 1 1\n" + two, {"line 1", "no count of particles"});
  }
  expect_bad("9223372036854775807 0 0 0 0 1 1 1\n" + two, {"the file ends after 2"});
  expect_bad("1 0 0 0 0 1 1 inf\n1 2 3" + row, {"line 1", "column 8", "not finite"});
  expect_bad("1 0 0 0 0 1 1 1\n1 2 3 4\n", {"line 2", "4 columns", "at least 7"});
}

TEST_F(Frames, MercuryBadRows) {
  const std::string content = "3 0 0 0 0 1 1 1\n1 2 3" + row + "\n4 nan 6" + row + "7 8 9 0 0 0 0.5 0\n";
  // A row of eight columns may be the next frame: no reason to guess, even where bad rows are skipped.
  expect_error(ErrorCode::format, {"line 5", "another frame"}, [&] { read(content, skipping()); });
  const std::string rows = "4 0 0 0 0 1 1 1\n1 2 3" + row + "\n4 nan 6" + row + "7 8 9 1\n2 2 3" + row;
  expect_bad(rows, {"line 4", "column 2 (y)", "'nan'", "--bad-rows skip"});
  const ParticleTable table = read(rows, skipping());
  EXPECT_EQ(table.x, (Column{1, 2}));
  EXPECT_EQ(table.skipped_rows, 2);
}

TEST_F(Frames, NamedDataButNoFrame) {
  const auto reading = [&](const char* content) { read_particles(file("a.data", content)); };
  expect_error(ErrorCode::format, {"line 1", "7 columns"}, [&] { reading("1 2 3 4 5 6 7\n"); });
  expect_error(ErrorCode::format, {"no particles"}, [&] { reading("\n"); });
  EXPECT_EQ(read_particles(file("a.data", "x,y,z,r\n1,2,3,4\n")).size(), 1);
}

TEST(SharedData, RealMercuryFile) {
  const auto path = shared_data("insertion.data");
  if (!path) GTEST_SKIP() << "no ../shared/data";
  EXPECT_EQ(read_particles(*path).size(), 1942);
  EXPECT_EQ(read_particles(*path, frame(0)).size(), 0);
  const ParticleTable second = read_particles(*path, frame(1));
  EXPECT_EQ(second.size(), 622);
  EXPECT_EQ(second.r[0], 0.03619793853);
  EXPECT_EQ(second.box, (BoxBounds{{0, 0, 0}, {1, 1, 1}}));
  expect_error(ErrorCode::invalid_argument, {"has 22"}, [&] { read_particles(*path, frame(22)); });
}

std::string dump(const std::string& columns, const std::string& rows, int count, const std::string& bounds = "pp pp ff") {
  return "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) + "\nITEM: BOX BOUNDS " + bounds +
         "\n0 10\n-5 5\n0 2.0e+00\nITEM: ATOMS " + columns + "\n" + rows;
}

TEST_F(Frames, LammpsColumns) {
  const ParticleTable plain = read(dump("id type x y z radius", "2 1 1 2 3 0.5\n1 1 4 5 6 0.25\n", 2));
  EXPECT_EQ(plain.x, (Column{4, 1}));  // in the order of the ids
  EXPECT_EQ(plain.r, (Column{0.25, 0.5}));
  EXPECT_EQ(plain.box, (BoxBounds{{0, -5, 0}, {10, 5, 2}}));
  EXPECT_EQ(plain.periodic, "xy");
  EXPECT_EQ(read(dump("x y z", "1 2 3\n", 1, "fm pp ss")).periodic, "y");
  EXPECT_EQ(read(dump("diameter xu yu zu", "1 4 5 6\n", 1)).r, (Column{0.5}));
  const ParticleTable scaled = read(dump("id xs ys zs", "1 0.5 0.5 0.25\n", 1));
  EXPECT_EQ(scaled.x, (Column{5}));
  EXPECT_EQ(scaled.y, (Column{0}));
  EXPECT_EQ(scaled.z, (Column{0.5}));
  EXPECT_TRUE(scaled.r.empty());
  EXPECT_EQ(read("ITEM: UNITS\nlj\nITEM: TIME\n0.5\n" + dump("x y", "1 2\n", 1)).dimension, 2);
  EXPECT_EQ(read(dump("id x y z", "", 0)).size(), 0);
  expect_bad(dump("id vx vy", "1 2 3\n", 1), {"line 9", "no positions", "id, vx, vy"});
}

TEST_F(Frames, LammpsPicksTheFrame) {
  const std::string two = dump("x y z", "1 2 3\n", 1) + dump("x y z radius", "4 5 6 7\n8 9 10 11\n", 2);
  EXPECT_EQ(read(two).x, (Column{4, 8}));
  EXPECT_EQ(read(two, frame(0)).x, (Column{1}));
  expect_error(ErrorCode::invalid_argument, {"no frame 2"}, [&] { read(two, frame(2)); });
  // A run that was stopped: the frames before the broken one can be had by name.
  const std::string cut = two + "ITEM: TIMESTEP\n";
  expect_bad(cut, {"the file ends within section TIMESTEP"});
  expect_bad(cut + "200\n", {"the file ends within a frame"});
  EXPECT_EQ(read(cut, frame(1)).size(), 2);
}

// Bounds of a tilted box cover the whole box, and scaled positions refer to its vectors.
TEST_F(Frames, LammpsTiltedBoxes) {
  const std::string head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS xy xz yz pp ff pp\n";
  const std::string box = "-3 13 2\n-1 11 -3\n0 10 -1\n";
  const ParticleTable table = read(head + box + "ITEM: ATOMS id x y z radius\n1 1 2 3 0.5\n");
  EXPECT_EQ(table.box, (BoxBounds{{0, 0, 0}, {11, 11, 10}, {2, -3, -1}}));
  EXPECT_EQ(table.periodic, "xz");
  EXPECT_EQ(table.x, (Column{1}));
  const ParticleTable scaled = read(head + box + "ITEM: ATOMS id xs ys zs radius\n1 0.5 0.25 0.5 0.5\n");
  EXPECT_EQ(scaled.x, (Column{5.5 + 0.5 - 1.5}));
  EXPECT_EQ(scaled.y, (Column{2.75 - 0.5}));
  EXPECT_EQ(scaled.z, (Column{5}));
  for (const char* bad : {"0 10 nan\n0 10 0\n0 10 0\n", "0 10 1\n0 10\n0 10 0\n", "0 10 1 1\n0 10 0\n0 10 0\n"}) {
    expect_bad(head + bad + "ITEM: ATOMS id x y z radius\n1 1 2 3 0.5\n", {"three finite numbers"});
  }
}

using Three = std::array<std::array<double, 3>, 3>;

// Each vector has a line, whose last number is the box's origin; scaled positions refer to the vectors.
TEST_F(Frames, LammpsBoxesOfAnyVectors) {
  const std::string head = "ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS abc origin pp pp ff\n";
  const std::string box = "0 2 2 -1\n2 0 2 5\n2 3 0 7\n";
  const ParticleTable table = read(head + box + "ITEM: ATOMS x y z\n1 2 3\n");
  EXPECT_EQ(table.box, (BoxBounds{{-1, 5, 7}, {}, {}, Three{{{0, 2, 2}, {2, 0, 2}, {2, 3, 0}}}}));
  EXPECT_EQ(table.periodic, "xy");
  const ParticleTable scaled = read(head + box + "ITEM: ATOMS xs ys zs\n0.5 0.25 2\n");
  EXPECT_EQ(scaled.x, (Column{-1 + 0.5 + 4}));
  EXPECT_EQ(scaled.y, (Column{5 + 1 + 6}));
  EXPECT_EQ(scaled.z, (Column{7 + 1 + 0.5}));
  for (const char* bad : {"0 2 2\n2 0 2 5\n2 3 0 7\n", "0 2 2 0\n2 0 nan 5\n2 3 0 7\n", "0 2 2 0 0\n2 0 2 5\n2 3 0 7\n"}) {
    expect_bad(head + bad + "ITEM: ATOMS x y z\n1 2 3\n", {"four finite numbers"});
  }
}

TEST_F(Frames, ExtendedXyz) {
  const std::string lattice = "Lattice=\"0 2 2 2 0 2 2 2 0\" ";
  const ParticleTable table = read("2\n" + lattice +
                                   "Properties=species:S:1:pos:R:3:forces:R:3:radius:R:1:id:I:1 energy=-1 pbc=\"T F T\"\n"
                                   "Cu 1 2 3 0 0 0 0.5 4\nAu 4 5 6 0 0 0 0.25 2\n");
  EXPECT_EQ(table.x, (Column{4, 1}));
  EXPECT_EQ(table.z, (Column{6, 3}));
  EXPECT_EQ(table.r, (Column{0.25, 0.5}));
  EXPECT_EQ(table.periodic, "xz");
  EXPECT_EQ(table.box, (BoxBounds{{}, {}, {}, Three{{{0, 2, 2}, {2, 0, 2}, {2, 2, 0}}}}));
  // Without Properties the columns are plain XYZ's; all vectors are periodic by default; the last frame counts.
  const ParticleTable plain = read("1\n" + lattice + "\nH 1 2 3\n1\n" + lattice + "\nH 7 8 9\n");
  EXPECT_EQ(plain.x, (Column{7}));
  EXPECT_EQ(plain.periodic, "xyz");
  EXPECT_TRUE(plain.r.empty());
  EXPECT_EQ(read("1\n" + lattice + "\nH 1 2 3\n1\n" + lattice + "\nH 7 8 9\n", frame(0)).x, (Column{1}));
  EXPECT_EQ(read("1\nProperties=pos:R:3:diameter:R:1\n1 2 3 4\n").r, (Column{2}));
  expect_bad("1\nLattice=\"1 0 0 0 1 0 0 0\"\nH 1 2 3\n", {"line 2", "nine finite numbers"});
  expect_bad("1\n" + lattice + "pbc=\"T X T\"\nH 1 2 3\n", {"line 2", "'T X T'", "three of T and F"});
  expect_bad("1\nProperties=species:S:1:pos:R:4\nH 1 2\n", {"line 2", "a pos of 3"});
  expect_bad("2\n" + lattice + "\nH 1 2 3\n", {"declares 2", "the file ends after 1"});
  expect_bad("1\n" + lattice + "\nH 1 2 3\nH 4 5 6\n", {"line 4", "is no count of atoms"});
  expect_bad("1\n" + lattice + "\nH 1 2\n", {"3 columns where the frame's first row has 4"});
}

TEST_F(Frames, LammpsErrors) {
  expect_bad(dump("x y z", "1 2 3\n", 1, "xy xz yz pp pp pp"), {"line 6", "three finite numbers"});
  const std::string rows = "1 2 3\n4 5 6\n";
  expect_bad(dump("x y z", rows, 3), {"line 11", "declares 3", "the file ends after 2"});
  expect_bad(dump("x y z", rows, 3) + dump("x y z", rows, 2), {"line 12", "the next one begins after 2"});
  expect_bad(dump("x y z", rows, 1), {"line 11", "more rows than it declares"});
  expect_bad("ITEM: NUMBER OF ATOMS\n1e20\n", {"line 2", "'1e20' is no count of atoms"});
  expect_bad("ITEM: NUMBER OF ATOMS\n-1\n", {"'-1'"});
  expect_bad("ITEM: ATOMS x y z\n1 2 3\n", {"NUMBER OF ATOMS is missing"});
  expect_bad("ITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 nan\n", {"line 4", "two finite numbers"});
  expect_bad("ITEM: NUMBER OF ATOMS\n1\nITEM: ATOMS xs ys zs\n0 0 0\n", {"line 3", "BOX BOUNDS is missing"});
  expect_bad(dump("x y z", "1 2 nan\n", 1), {"line 10", "column 3 (z)"});
  expect_bad(dump("x y z", "1 2\n", 1), {"2 columns where ITEM: ATOMS names 3"});
  expect_bad(dump("id x y z", "5 1 2 3\n5 1 2 3\n", 2), {"line 11", "id 5 stands in line 10"});
  EXPECT_EQ(read(dump("x y z", "1 2 nan\n1 2 3\n", 2), skipping()).skipped_rows, 1);
}

TEST_F(Frames, EachOnce) {
  std::string five;
  for (int k = 0; k < 5; ++k) five += "1 0." + std::to_string(k) + " 0 0 0 1 1 1\n0 0 0 0 0 0 1 0 0 0 0 0 0 0\n";
  const auto numbers = [&](std::optional<FrameRange> frames) {
    ReadOptions options;
    options.frames = frames;
    ParticleReader reader(file("five.data", five), options);
    std::vector<std::int64_t> found;
    while (const auto table = reader.next()) {
      EXPECT_EQ(table->time, static_cast<double>(table->frame) / 10);
      found.push_back(table->frame);
    }
    return found;
  };
  EXPECT_EQ(numbers({}), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(numbers(FrameRange{}), (std::vector<std::int64_t>{0, 1, 2, 3, 4}));
  EXPECT_EQ(numbers(FrameRange{1, 4, 2}), (std::vector<std::int64_t>{1, 3}));
  EXPECT_EQ(numbers(FrameRange{3, 100, 1}), (std::vector<std::int64_t>{3, 4}));
  expect_error(ErrorCode::invalid_argument, {"no frame 5", "has 5"}, [&] { numbers(FrameRange{5, 9, 1}); });
}

TEST_F(Frames, PlainXyz) {
  const ParticleTable table = read("2\nwhatever it says\nC 1 2 3\nC 4 5 6\n");
  EXPECT_EQ(table.x, (Column{1, 4}));
  EXPECT_TRUE(table.r.empty());
  EXPECT_FALSE(table.box.has_value());
  ReadOptions options;
  options.columns = {"species", "x", "y", "z", "r", "id"};
  const ParticleTable named = read("2\n\nC 1 2 3 0.5 9\nC 4 5 6 0.25 8\n", options);
  EXPECT_EQ(named.r, (Column{0.25, 0.5}));
  EXPECT_EQ(named.id, (std::vector<std::int64_t>{8, 9}));
  const ParticleTable unnamed = read("2\n\nC 1 2 3 0.5 9\nC 4 5 6 0.25 8\n");
  EXPECT_NE(unnamed.notes.at(0).find("--columns"), std::string::npos);
  expect_error(ErrorCode::invalid_argument, {"leave out --columns"}, [&] { read("restart_version 1.0 name Test\n", options); });
}

}  // namespace
}  // namespace hgrid::io::test
