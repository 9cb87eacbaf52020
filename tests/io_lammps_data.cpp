// SPDX-License-Identifier: BSD-3-Clause
// Data files of LAMMPS and LIGGGHTS (tests/reliability/README.md, rows 79 to 81).
#include "io/lammps_data.hpp"

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct LammpsData : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

const std::string data_bounds = "0 9 xlo xhi\n-1 1 ylo yhi\n0 3 zlo zhi\n";

std::string data_file(const std::string& style, const std::string& rows, int count = 2, const std::string& box = data_bounds) {
  return "a line of text\n\n" + std::to_string(count) + " atoms  # as many\n1 atom types\n\n" + box +
         "\nMasses\n\n1 2.5\n\nAtoms" + style + "\n\n" + rows;
}

const std::string data_spheres = "7 1 1.5 2500 1 2 3\n4 1 0.5 2500 5 6 7 # the small one\n";

TEST_F(LammpsData, Spheres) {
  const ParticleTable table = read(data_file(" # sphere", data_spheres + "\nVelocities\n\n7 0 0 0 0 0 0\n4 0 0 0 0 0 0\n"));
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{4, 7}));
  EXPECT_EQ(table.x, (Column{5, 1}));
  EXPECT_EQ(table.z, (Column{7, 3}));
  EXPECT_EQ(table.r, (Column{0.25, 0.75}));
  EXPECT_EQ(table.box, (BoxBounds{{0, -1, 0}, {9, 1, 3}}));
  EXPECT_EQ(table.taken, "x, y, z, diameter (halved), id");
  EXPECT_TRUE(table.periods_unstated);
  EXPECT_EQ(table.periodic, "");
  EXPECT_EQ(read(data_file("  #   granular", data_spheres)).r, (Column{0.25, 0.75}));
}

TEST_F(LammpsData, OtherStyles) {
  const struct {
    const char *style, *row;
    bool has_radius;
  } cases[] = {
      {" # atomic", "1 1 5 6 7\n", false},
      {" # charge", "1 1 -1 5 6 7 0 0 -2\n", false},
      {" # full", "1 3 1 -1 5 6 7\n", false},
      {" # bpm/sphere", "1 3 1 2 2500 5 6 7\n", true},
      {" # bpm/sphere", "1 3 1 2 2500 5 6 7 0 1 0\n", true},
      {" # hybrid sphere charge", "1 1 5 6 7 2 2500 -1\n", true},
      {" # hybrid full bpm/sphere", "1 1 5 6 7 3 -1 2 2500 0 0 0\n", true},  // the molecule stands once
  };
  for (const auto& c : cases) {
    const ParticleTable table = read(data_file(c.style, c.row, 1));
    EXPECT_EQ(table.y, (Column{6})) << c.style;
    EXPECT_EQ(table.r, c.has_radius ? Column{1} : Column{}) << c.style;
  }
}

TEST_F(LammpsData, StylesThatAreNotSaid) {
  const auto named = [&](const std::string& content, std::vector<std::string> columns) {
    ReadOptions options;
    options.columns = std::move(columns);
    return read(content, options);
  };
  const std::string unsaid = data_file("", data_spheres), images = data_file("", "7 1 1.5 2500 1 2 3 0 0 0\n", 1);
  expect_bad(unsaid, {"line 16", "does not say which atom style", "7 columns", "--columns id,type,diameter,density,x,y,z"});
  EXPECT_EQ(named(unsaid, {"id", "type", "diameter", "density", "x", "y", "z"}).r, (Column{0.25, 0.75}));
  expect_bad(images, {"10 columns", "--columns id,type,diameter,density,x,y,z,ix,iy,iz"});
  EXPECT_EQ(named(images, {"id", "type", "diameter", "density", "x", "y", "z", "ix", "iy", "iz"}).r, (Column{0.75}));
  expect_bad(data_file(" # hybrid", data_spheres), {"atom style 'hybrid' are not known"});
  expect_bad(data_file(" # hybrid sphere tdpd", data_spheres), {"atom style 'hybrid sphere tdpd' are not known"});
  expect_bad(data_file(" #", data_spheres), {"does not say which atom style"});
  expect_bad(data_file("", "7 1\n", 1), {"2 columns"});
}

TEST_F(LammpsData, Boxes) {
  const ParticleTable tilted = read(data_file(" # sphere", data_spheres, 2, data_bounds + "0.5 -0.25 0 xy xz yz\n"));
  EXPECT_EQ(tilted.box, (BoxBounds{{0, -1, 0}, {9, 1, 3}, {0.5, -0.25, 0}}));
  const ParticleTable general =
      read(data_file(" # sphere", data_spheres, 2, "9 0 0 avec\n1 2 0 bvec\n0 0.5 3 cvec\n-1 0 2 abc origin\n"));
  EXPECT_EQ(general.box->lo, (std::array<double, 3>{-1, 0, 2}));
  EXPECT_EQ((*general.box->vectors)[1], (std::array<double, 3>{1, 2, 0}));
  EXPECT_EQ(read(data_file(" # sphere", data_spheres, 2, "0 9 xlo xhi\n0 9 ylo yhi\n")).box,
            (BoxBounds{{0, 0, -0.5}, {9, 9, 0.5}}));
  const ParticleTable open = read(data_file(" # sphere", data_spheres, 2, ""));
  EXPECT_FALSE(open.box);
  EXPECT_FALSE(open.periods_unstated);
  expect_bad(data_file(" # sphere", data_spheres, 2, "0 nan xlo xhi\n"), {"line 6", "'nan' is no finite number"});
  expect_bad(data_file(" # sphere", data_spheres, 2, "9 0 x avec\n"), {"line 6", "'x' is no finite number"});
}

TEST_F(LammpsData, CountsAndRows) {
  expect_bad(data_file(" # sphere", data_spheres, 3), {"line 17", "declares 3 atoms, but ends after 2"});
  expect_bad(data_file(" # sphere", data_spheres + "\nVelocities\n", 3), {"line 19", "section Velocities begins after 2"});
  expect_bad(data_file(" # sphere", data_spheres, 1), {"line 17", "declares 1 atom, but has more"});
  expect_bad(data_file(" # sphere", "7 1 1.5 2500 1 2\n", 1), {"line 16", "6 columns where atom style sphere has 7"});
  expect_bad(data_file(" # sphere", "7 1 1.5 2500 1 2 x\n" + data_spheres, 3),
             {"line 16", "column 7 (z): 'x'", "--bad-rows skip"});
  EXPECT_EQ(
      read_particles(file("bad", data_file(" # sphere", "7 1 1.5 2500 1 2 x\n" + data_spheres, 3)), skipping()).skipped_rows,
      1);
  expect_bad(data_file(" # sphere", data_spheres + data_spheres, 4), {"line 19", "id 4 stands in line 17 already"});
  expect_bad("text\n\n-3 atoms\n\nAtoms\n", {"line 3", "'-3' is no count of atoms"});
  expect_bad("text\n\n3 atoms\n\nMasses\n\n1 1\n", {"line 7", "declares 3 atoms, but has no section Atoms"});
  EXPECT_EQ(read("text\n\n0 atoms\n1 atom types\n0 9 xlo xhi\n").size(), 0);
  EXPECT_EQ(read(data_file(" # sphere", "\n# a comment\n" + data_spheres)).size(), 2);
}

TEST_F(LammpsData, PointsHaveNoRadius) {
  const std::string points = data_file(" # sphere", "7 1 0 1 1 2 3\n4 1 0 1 5 6 7\n");
  EXPECT_NE(read(points).notes.at(0).find("--radius"), std::string::npos);
  ReadOptions options;
  options.radius = 2;
  EXPECT_EQ(read(points, options).r, (Column{2, 2}));
  expect_error(ErrorCode::invalid_argument, {"radii of its own"}, [&] { read(data_file(" # sphere", data_spheres), options); });
}

TEST(LammpsDataFiles, AreTold) {
  EXPECT_TRUE(is_lammps_data("# written by OVITO\n\n3 atoms\n"));
  EXPECT_TRUE(is_lammps_data("\r\n1 atom types\r\n# a comment\n\n 3  atoms # here\r\n"));
  for (const char* other : {"", "text", "3 atoms", "5\n5 atoms here\nC 1 2 3\n", "x,y\n1,2\n", "text\n1 2 3\n3 atoms\n",
                            "text\nAtoms\n3 atoms\n"}) {
    EXPECT_FALSE(is_lammps_data(other)) << other;
  }
}

}  // namespace
}  // namespace hgrid::io::test
