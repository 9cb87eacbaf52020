// SPDX-License-Identifier: BSD-3-Clause
// Tables as other programs write them: counts on top, numbers of Fortran, quotes (tests/reliability/README.md, rows 78 to 86).
#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct OddTables : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
  void expect_two(std::string_view content) const {
    const ParticleTable table = read(content);
    EXPECT_EQ(table.x, (Column{1, 5})) << content;
    EXPECT_EQ(table.y, (Column{2, 6})) << content;
    EXPECT_EQ(table.z, (Column{3, 7})) << content;
    EXPECT_EQ(table.r, (Column{4, 8})) << content;
  }
};

TEST_F(OddTables, CountsOnTop) {
  for (const char* content : {
           "2\nx y z r\n1 2 3 4\n5 6 7 8\n",        // first columns that may be kinds of atoms
           "2\nx,y,z,r\n1,2,3,4\n5,6,7,8\n",        // as a table with commas
           "2\n# x y z r\n1 2 3 4\n5 6 7 8\n",      // in a comment
           "2\nx y z r\nA 1 2 3 4\nB 5 6 7 8\n",    // after a name that has no name
           "2\n1 2 3 4\n5 6 7 8\n",                 // no line between
           "2\n# a comment\n\n1 2 3 4\n5 6 7 8\n",  // nor one that counts
           "2\ntwo spheres\n1.0 2 3 4\n5.0 6 7 8\n",
           "2\nx\ty\tz\tRadius\tid\n5\t6\t7\t8\t9\n1\t2\t3\t4\t8\n",
       }) {
    expect_two(content);
  }
  EXPECT_EQ(read("1\nx y r\n1 2 3\n").dimension, 2);
  EXPECT_EQ(read("1\nx y z r\n9 9 9 9\n2\nx y z r\n1 2 3 4\n5 6 7 8\n").x, (Column{1, 5}));  // the last of two frames
  EXPECT_EQ(read("2\n1 2 3 4\n5 6 7 8\n").notes.size(), 1u);
}

TEST_F(OddTables, CountsThatAreWrong) {
  expect_bad("3\nx y z r\n1 2 3 4\n5 6 7 8\n", {"line 4", "declares 3 particles, but the file ends after 2"});
  expect_bad("1\nx y z r\n1 2 3 4\n5 6 7 8\n", {"line 4", "more rows than it declares"});
  expect_bad("3\n1 2 3 4\n5 6 7 8\n", {"line 1", "declares 3 rows, but has 2"});
  expect_bad("1\n1 2 3 4\n5 6 7 8\n", {"line 1", "declares 1 row, but has 2"});
  expect_bad("2\nx y z r\n1 2 3 4 9\n5 6 7 8 9\n", {"line 3", "5 columns where the header has 4"});
  expect_bad("1\na line\n1.5 2 3 4 5\n", {"line 3", "5 columns", "--columns"});
  ReadOptions options;
  options.columns = {"x", "y", "z", "r", "mass"};
  EXPECT_EQ(read("1\na line, or two\n1.5 2 3 4 5\n", options).r, (Column{4}));
  options.bad_rows = BadRows::skip;
  options.columns = {};
  EXPECT_EQ(read("3\n1 2 3 4\n5 6 7 8\n1 2 3 z\n", options).skipped_rows, 1);
}

TEST_F(OddTables, XyzStaysXyz) {
  const ParticleTable kinds = read("2\na line\n8 1 2 3\n6 5 6 7\n");
  EXPECT_EQ(kinds.x, (Column{1, 5}));
  EXPECT_TRUE(kinds.r.empty());
  EXPECT_EQ(read("2\nx and y of atoms\nC 1 2 3\nH 5 6 7\n").x, (Column{1, 5}));
  EXPECT_EQ(read("2\n10.0 10.0 10.0\nC 1 2 3\nH 5 6 7\n").x, (Column{1, 5}));
}

TEST_F(OddTables, NumbersOfFortran) {
  expect_two("x y z r\n1.0D+00 0.2d1 .3D1 4D0\n5.0d0 6.0D+00 +7.D-0 0.08D+2\n");
  EXPECT_EQ(read("1D-400 -1d-400 1D+308 1\n").x, (Column{0}));
  for (const char* bad : {"D0", "1D", "1DD0", "1D0D0", "1eD0", "1D0e0", "-D1", "nanD0", "1D+-0"}) {
    expect_bad("1 2 3 4\n" + std::string(bad) + " 2 3 4\n", {"line 2", std::string("'") + bad + "' is not a number"});
  }
  expect_bad("1 2 3 4\n1D309 2 3 4\n", {"too large for a double"});
}

TEST_F(OddTables, HeadersInComments) {
  expect_two("#format x_y_z_r\n1 2 3 4\n5 6 7 8\n");
  expect_two("#format id_x_y_z_r_matId\n2\t1\t2\t3\t4\t0\n3\t5\t6\t7\t8\t0\n");
  expect_two("# format x_y_z_r_attrs\n# made by a script\n1 2 3 4 a b c\n5 6 7 8 a b c\n");
  expect_two("% written by MATLAB\n% x y z r\n1 2 3 4\n% between\n5 6 7 8\n");
  expect_two("%x,y,z,r\n1,2,3,4\n5,6,7,8\n");
  expect_two("#format z_y_x_r\n# r x y z\n4 1 2 3\n8 5 6 7\n");  // the last one counts
  expect_two("# x y z r vx vy\n1 2 3 4 0 0\n5 6 7 8 0 0\n");     // as many columns as the first line of a MercuryDPM frame has
  ReadOptions options;
  options.columns = {"id", "type", "x", "y", "z", "r"};
  EXPECT_EQ(read("1 1 1 2 3 4\n2 1 5 6 7 8\n", options).r, (Column{4, 8}));
  EXPECT_EQ(read("% box 0 0 0 9 9 9\n1 2 3 4\n").box, (BoxBounds{{0, 0, 0}, {9, 9, 9}}));
  expect_bad("#format x_y_z_r_matId\n1 2 3 4 5 6\n", {"line 2", "6 columns", "--columns"});
}

TEST_F(OddTables, UnitsInARow) {
  expect_two("x,y,z,r,t\nmm,mm,mm,m,s\n1,2,3,4,0\n5,6,7,8,0\n");
  expect_two("x y z r\n[m] [m] [m] [m]\n1 2 3 4\n5 6 7 8\n");
  const ParticleTable table = read("x;y;z;Diameter;rho\n(mm);(mm);(mm);(m);(kg/m3)\n1;2;3;4;5\n");
  EXPECT_EQ(table.length_unit, "mm");
  EXPECT_EQ(table.size_unit, "m");
  EXPECT_EQ(table.r, (Column{2}));
  expect_bad("x,y,z,r\nmm,mm,mm\n1,2,3,4\n", {"line 2", "3 columns where the header has 4"});
  expect_bad("x,y,z,r\nfoo,bar,mm,mm\n1,2,3,4\n", {"line 2", "'foo' is not a number"});
  expect_bad("x,y,z,r\n1,2,3,4\nmm,mm,mm,mm\n", {"line 3", "'mm' is not a number"});
  expect_bad("x,y,z,r\nm,m,m,m\n", {"header only"});
}

TEST_F(OddTables, BodiesOfSeveralParticles) {
  for (const char* name : {"mol", "clumpId", "id_multisphere", "Clump", "molecule_id"}) {
    const std::string text = std::string("x y z r ") + name + "\n1 2 3 4 0\n";
    EXPECT_NE(read(text).notes.at(0).find(std::string("--group ") + name), std::string::npos) << name;
    ReadOptions options;
    options.more = {{"group", name}};
    EXPECT_TRUE(read(text, options).notes.empty()) << name;
  }
  EXPECT_TRUE(read("x y z r body_force clump_type\n1 2 3 4 5 6\n").notes.empty());
}

TEST_F(OddTables, Quotes) {
  expect_two("\"x\",\"y\",\"z\",\"radius\"\n\"1\",\"2.0\",\" 3 \",\"4\"\n5,6,7,8\n");
  expect_two("\"x\" \"y\" \"z\" \"the size, in m\" \"r\"\n\"1\" 2 3 0 4\n5 6 7 0 \"8\"\n");
  expect_two("\"name, kind\",x,y,z,r\n\"a, b\",1,2,3,4\n\"c\",5,6,7,8\n");
  expect_two("\"a;b\";x;y;z;r\n\"\";1;2;3;4\n\"\";5;6;7;8\n");
  expect_bad("x,y\n\"1,2\",3\n", {"line 2", "'1,2'", "decimal comma"});
  expect_bad("x,y\n\"1,2\n", {"line 2", "'\"1' is not a number"});  // a quote that does not end is none
  expect_bad("x,y\n1\"\",2\n", {"'1\"\"' is not a number"});
}

}  // namespace
}  // namespace hgrid::io::test
