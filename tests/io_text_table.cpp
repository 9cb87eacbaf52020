// SPDX-License-Identifier: BSD-3-Clause
// Text tables: accepted forms, and the error of each bad row (tests/reliability/README.md, rows 78 to 86).
#include "io/text_table.hpp"

#include <clocale>
#include <locale>

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct TextTable : Folder {
  void expect_two_particles(std::string_view content) const {
    const ParticleTable table = read(content);
    EXPECT_EQ(table.x, (Column{1, 5})) << content;
    EXPECT_EQ(table.y, (Column{2, 6})) << content;
    EXPECT_EQ(table.z, (Column{3, 7})) << content;
    EXPECT_EQ(table.r, (Column{4, 8})) << content;
    EXPECT_EQ(table.dimension, 3);
    EXPECT_EQ(table.skipped_rows, 0);
  }
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

TEST_F(TextTable, AcceptsEveryDelimiterLineEndAndHeader) {
  for (const char* content : {
           "x,y,z,r\n1,2,3,4\n5,6,7,8\n",
           "x,y,z,r\r\n1,2,3,4\r\n5,6,7,8\r\n",
           "x,y,z,r\n1,2,3,4\n5,6,7,8",
           "\xEF\xBB\xBFx,y,z,r\n1,2,3,4\n5,6,7,8\n",
           "  X , Y\t, Z , R \n 1 , 2 ,\t3 , 4 \n5,6,7,8   \t\n",
           "Radius[m]\tPosX[m] PosY[m] PosZ[m]\r\n 4 1 2 3\r\n 8 5 6 7\r\n\r\n",
           "z y x r\n3\t2\t1\t4\t\n  7   6 5 8\n\n\n",
           "\"\",\"x\",\"y\",\"z\",\"radius\"\n\"1\",1,2,3,4\n\"2\",5,6,7,8\n",
           "id,Diameter (m),pos_x,pos_y,pos_z,type\n7,16,5,6,7,steel\n3,8,1,2,3,glass\n",
           "Particle ID;Position X (m);Position Y (m);Position Z (m);Particle Radius (m)\n1;1;2;3;4\n2;5;6;7;8\n",
           "x [mm] y [mm] z [mm] r [mm]\n1 2 3 4\n5 6 7 8\n",
           "Points:0,Points:1,Points:2,Radius\n1,2,3,4\n5,6,7,8\n",
           "1 2 3 4\n5 6 7 8\n",
           "x;y;z;r\n1;2;3;4\n5;6;7;8\n",
           "x ; y ; z ; r\n1 ; 2 ; 3 ; 4\n5 ;6; 7\t;8 ",
           "1;2;3;4\r\n 5 ; 6 ; 7 ; 8\r\n",
           "# x; y; z; r\n1;2;3;4\n5;6;7;8\n",
           "# a comment\n\n1,2,3,4\n# another\n5,6,7,8\n",
           "# r x y z\n4 1 2 3\n8 5 6 7\n",
           "# spheres: x, y, z in metres\n1 2 3 4\n5 6 7 8\n",
           "+1 2.0 .3e1 40e-1\n5. 6E0 7e+0 8\n",
       }) {
    expect_two_particles(content);
  }
}

TEST_F(TextTable, ColumnsMissingOrPlenty) {
  const ParticleTable three = read("1 2 3\n4 5 6\n");
  EXPECT_EQ(three.z, (Column{3, 6}));
  EXPECT_TRUE(three.r.empty());

  ReadOptions options;
  options.radius = 0.5;
  EXPECT_EQ(read("1 2 3\n4 5 6\n", options).r, (Column{0.5, 0.5}));
  expect_error(ErrorCode::invalid_argument, {"radii of its own"}, [&] { read("1 2 3 4\n", options); });

  const ParticleTable flat = read("x,y,r\n1,2,3\n");
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.z, (Column{0}));
  EXPECT_EQ(read("1 2\n").dimension, 2);

  options.frames = FrameRange::one(1);
  expect_error(ErrorCode::invalid_argument, {"no frame 1; the file has 1"}, [&] { read("1 2 3\n", options); });
}

TEST_F(TextTable, BoxInComment) {
  const BoxBounds box{{0, -1, -2.5}, {1, 2, 3}};
  EXPECT_EQ(read("# box 0 -1 -2.5 1 2 3\nx,y,z,r\n1,2,3,4\n").box, box);
  EXPECT_EQ(read("#box 0,-1,-2.5,1,2,3\n1 2 3 4\n# box 0 -1 -2.5 1 2 3\n").box, box);
  EXPECT_EQ(read("# box 0 1 2 3\nx,y,r\n1,2,3\n").box, (BoxBounds{{0, 1, 0}, {2, 3, 0}}));
  EXPECT_FALSE(read("# box of spheres\n1 2 3 4\n").box);
  expect_bad("# box 0 0 0 1 1\n1 2 3 4\n", {"line 1", "6 numbers"});
  expect_bad("\n# box 0 0 0 1 1 inf\n1 2 3 4\n", {"line 2", "'inf' is not finite"});
  expect_bad("# box 0 0 0 1 1 1\n1 2 3 4\n# box 0 0 0 1 1 2\n", {"line 3", "second box"});
}

TEST_F(TextTable, BadRowsNameLineColumnAndValue) {
  const std::string head = "x,y,z,r\n1,2,3,4\n";
  const struct {
    const char* row;
    std::vector<std::string> parts;
  } cases[] = {
      {"nan,2,3,4", {"line 3", "column 1 (x)", "'nan' is not finite"}},
      {"1,-inf,3,4", {"line 3", "column 2 (y)", "'-inf'"}},
      {"1,2,1e999,4", {"column 3 (z)", "'1e999' is too large"}},
      {"1,2,3,0x1p3", {"column 4 (radius)", "'0x1p3' is not a number"}},
      {"1,5,2,5,3", {"line 3", "5 columns where the header has 4"}},
      {"1,2,3", {"3 columns where the header has 4"}},
      {"1", {"1 column where"}},
      {"1,2,,4", {"column 3 (z)", "'' is not a number"}},
      {"1,2,3 4,5", {"'3 4' is not a number"}},
      {"1,2,3,--4", {"'--4'"}},
      {"1,2,3,+-4", {"'+-4'"}},
      {"1,2,3,1e", {"'1e'"}},
      {"1,2,3,1.0F+00", {"'1.0F+00'"}},
  };
  for (const auto& c : cases) {
    const std::string content = head + c.row + "\n5,6,7,8\n";
    expect_bad(content, c.parts);
    const ParticleTable table = read(content, skipping());
    EXPECT_EQ(table.skipped_rows, 1) << c.row;
    EXPECT_EQ(table.x, (Column{1, 5})) << c.row;
  }
  expect_bad("1 2 3 4\n1,5 2 3 4\n", {"line 2", "'1,5' is not a number"});
  expect_bad("x;y;z;r\n1,5;2;3;4\n", {"line 2", "column 1 (x)", "'1,5' is not a number"});
  expect_bad("1,5;2,5;3,5;4,5\n", {"line 1", "column 1 (x)", "'1,5' is not a number"});
  // A control byte within the first block shows that this is no text; after it, the row is bad.
  expect_bad(std::string(70000, '\n') + "1 2 3 4\n1 2 3 \x1b[31m\n", {"line 70002", "'\\x1b[31m' is not a number"});
  expect_bad("nan nan nan nan\n1 2 3 4\n", {"line 1", "column 1 (x)"});
  expect_bad("x y z r\n1 2 3 " + std::string(5000, '7') + "z\n", {"line 2", "777...", "is not a number"});
}

TEST_F(TextTable, NumbersAtTheLimits) {
  const ParticleTable table = read(
      "1e-400 -1e-999999999999999999999 4.9e-324 1e308\n"
      "0.000000000000000000000000000001e-320 0e999 -0.0 1e+02\n");
  EXPECT_EQ(table.x, (Column{0, 0}));
  EXPECT_EQ(table.y, (Column{0, 0}));
  EXPECT_EQ(table.z, (Column{4.9e-324, 0}));
  EXPECT_EQ(table.r, (Column{1e308, 100}));
  for (const char* large : {"1e309", "1e99999999999999999999", "1e9223372036854775807", "100000e305"}) {
    expect_bad(std::string("1 2 3 ") + large + "\n", {"too large for a double"});
  }
  EXPECT_EQ(read("1 2 3 -4\n").r, (Column{-4}));  // the library's business
}

TEST_F(TextTable, WithoutParticles) {
  expect_bad("", {"no particles: the file is empty"});
  expect_bad("\n  \n\t\n", {"no particles"});
  expect_bad("# only\n# comments", {"no particles"});
  expect_bad("x,y,z,r\n", {"no particles", "header only"});
  expect_error(ErrorCode::format, {"line 2", "2 of the 2 rows are bad"}, [&] { read("x,y\n1\nnan,2\n", skipping()); });
  expect_error(ErrorCode::format, {"2 of the 3 rows are bad"}, [&] { read("x,y\n1,2\n1\nnan,2\n", skipping()); });
}

TEST_F(TextTable, UnknownHeadersListTheColumns) {
  expect_bad("vertex1_X[m] vertex1_Y[m]\n1 2\n", {"line 1", "no column for x", "vertex1_X[m], vertex1_Y[m]"});
  expect_bad("x,z,r\n1,2,3\n", {"no column for y", "x, z, r"});
  expect_bad("x,y,z,PosX,r\n", {"two columns mean the same: x and PosX"});
  expect_bad("x ; y\n1 ; 2 ; 3\n", {"line 2", "3 columns where the header has 2"});
  expect_bad("1;2;3;4;5\n", {"line 1", "5 columns: a table without a header has"});
  expect_bad("42\nsome xyz comment\n", {"line 1", "1 column: a table without a header has"});
  expect_bad("1 2 3 4 5\n", {"5 columns"});
  std::string many;
  for (int k = 0; k < 5000; ++k) many += "c" + std::to_string(k) + ",";
  expect_bad(many + "\n", {"c0, c1", "(5001 in all)"});
}

TEST_F(TextTable, DuplicateIds) {
  expect_bad("id x y z r\n7 1 2 3 4\n8 1 2 3 4\n\n7 1 2 3 4\n", {"line 5", "id 7 stands in line 2 already"});
  expect_bad("id x y\n1.5 1 2\n", {"line 2", "(id)", "not an integer"});
  EXPECT_EQ(read("id x y\n9.0e0 1 2\n-3 1 2\n").size(), 2);
}

TEST_F(TextTable, LongLines) {
  ReadOptions options;
  options.max_line = 100;
  const std::string exact = "1 2 3 4" + std::string(93, ' ');
  EXPECT_EQ(read(exact + "\n" + exact + "\n" + exact, options).size(), 3);
  expect_error(ErrorCode::format, {"line 2", "longer than 100 bytes"}, [&] { read(exact + "\n" + exact + " \n", options); });
  expect_error(ErrorCode::format, {"line 2", "longer"}, [&] { read(exact + "\n" + exact + " ", options); });
  expect_bad("x y z r\n" + std::string(std::size_t{3} << 20, '1'), {"line 2", "longer than 1048576 bytes"});
}

TEST_F(TextTable, NulBehindTheFirstBlock) {
  std::string content;
  while (content.size() < 5000000) content += "1 2 3 4\n";
  const std::size_t at = content.size();
  content += std::string("1 2 3 4\0\n", 9);
  expect_bad(content, {"NUL at byte " + std::to_string(at + 7)});
}

TEST_F(TextTable, NoLocaleHasASay) {
  struct German : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
  };
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new German));
  std::setlocale(LC_ALL, "de_DE.UTF-8");  // if it is installed
  const ParticleTable table = read("1234.5 2 3 4\n");
  AtomicFile out(path("out.csv"), false);
  write_particles_csv(out, table);
  out.commit();
  std::setlocale(LC_ALL, "C");
  std::locale::global(before);
  EXPECT_EQ(table.x, (Column{1234.5}));
  EXPECT_EQ(content("out.csv"), "x,y,z,r\n1234.5,2,3,4\n");
}

TEST(SharedData, RealFiles) {
  const auto drum = shared_data("drum-38k.txt"), broken = shared_data("penetration-25k.txt");
  if (!drum || !broken) GTEST_SKIP() << "no ../shared/data";
  EXPECT_EQ(read_particles(*drum).size(), 38000);
  EXPECT_EQ(read_particles(*shared_data("penetration-25k-intruder.csv")).size(), 25001);
  EXPECT_EQ(read_particles(*shared_data("powder-7k.csv")).size(), 7312);
  expect_error(ErrorCode::format, {"line 25002", "6 columns where the header has 4"}, [&] { read_particles(*broken); });
  const ParticleTable table = read_particles(*broken, skipping());
  EXPECT_EQ(table.size(), 25000);
  EXPECT_EQ(table.skipped_rows, 1);
}

}  // namespace
}  // namespace hgrid::io::test
