// SPDX-License-Identifier: BSD-3-Clause
// Dumps of LAMMPS as YAML (tests/reliability/README.md, rows 79 to 81).
#include "io/lammps_yaml.hpp"

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct LammpsYaml : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

std::string yaml_frame(const std::string& rows, int count = 2, const std::string& tilts = "",
                       const std::string& keywords = "id, x, y, z, radius, ") {
  return "---\ncreator: LAMMPS\ntimestep: 400\ntime: 0.25\nnatoms: " + std::to_string(count) +
         "\nboundary: [ p, p, f, f, p, p, ]\nthermo:\n  - keywords: [ Step, Temp, ]\n  - data: [ 400, 1.5, ]\n"
         "box:\n  - [ 0, 9 ]\n  - [ -1, 1 ]\n  - [ 2, 3.5 ]\n" +
         tilts + "keywords: [ " + keywords + " ]\ndata:\n" + rows + "...\n";
}

const std::string yaml_rows = "  - [ 2 , 1 , 2 , 3 , 0.5, ]\n  - [ 1 , 4 , 5 , 6 , 0.25, ]\n";

TEST_F(LammpsYaml, Frames) {
  const ParticleTable table = read(yaml_frame(yaml_rows));
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(table.x, (Column{4, 1}));
  EXPECT_EQ(table.r, (Column{0.25, 0.5}));
  EXPECT_EQ(table.box, (BoxBounds{{0, -1, 2}, {9, 1, 3.5}}));
  EXPECT_EQ(table.periodic, "xz");
  EXPECT_EQ(table.step, 400);
  EXPECT_EQ(table.time, 0.25);
  const std::string two = yaml_frame("  - [ 7 , 8 , 9 , 3 , 1, ]\n", 1) + yaml_frame(yaml_rows);
  EXPECT_EQ(read(two).size(), 2);
  ReadOptions options;
  options.frames = FrameRange::one(0);
  EXPECT_EQ(read(two, options).x, (Column{8}));
  EXPECT_EQ(read(yaml_frame("", 0)).size(), 0);
}

TEST_F(LammpsYaml, TiltsAndScales) {
  const ParticleTable tilted = read(yaml_frame(yaml_rows, 2, "  - [ 0.5, 0, 0 ]\n"));
  EXPECT_EQ(tilted.box, (BoxBounds{{0, -1, 2}, {8.5, 1, 3.5}, {0.5, 0, 0}}));  // the bounds are of all that is covered
  EXPECT_EQ(read(yaml_frame("  - [ 1, 0.5, 0.5, 0, 1, ]\n", 1, "", "id, xs, ys, zs, diameter,")).x, (Column{4.5}));
  ReadOptions options;
  options.columns = {"id", "x", "y", "z", "r"};
  EXPECT_EQ(read(yaml_frame(yaml_rows, 2, "", "id, a, b, c, d,"), options).r, (Column{0.25, 0.5}));
}

TEST_F(LammpsYaml, WhatIsWrong) {
  expect_bad(yaml_frame(yaml_rows, 3), {"line 18", "declares 3 particles", "after 2"});
  expect_bad(yaml_frame(yaml_rows, 1), {"line 17", "more rows than it declares"});
  expect_bad(yaml_frame(yaml_rows, 2, "  - [ 0.5, nan, 0 ]\n"), {"line 14", "the tilts"});
  expect_bad(yaml_frame("  - [ 2 , 1 , 2 , 3, ]\n", 1), {"line 16", "4 columns where keywords: names 5"});
  expect_bad(yaml_frame("  2 , 1 , 2 , 3, 4\n", 1), {"line 16", "1 column where"});
  expect_bad(yaml_frame("  - [ 2 , 1 , 2 , x , 0.5, ]\n" + yaml_rows, 3), {"line 16", "column 4 (z): 'x'", "--bad-rows skip"});
  expect_bad(yaml_frame(yaml_rows, 2, "", "id, vx, vy, vz, radius,"), {"line 14", "no positions", "--columns"});
  const std::string whole = yaml_frame(yaml_rows);
  const auto cut = [&](const char* at) { return whole.substr(0, whole.find(at)); };
  expect_bad(cut("data:\n  - [ 2"), {"line 14", "the file ends within a frame"});
  expect_bad(cut("  - [ -1"), {"the file ends within box"});
  expect_bad(cut("  - [ 1 ,"), {"declares 2 particles, but the file ends after 1"});
  expect_bad("---\ncreator: LAMMPS\nnatoms: x\n", {"line 3", "'x' is no count"});
  expect_bad("---\ncreator: LAMMPS\ndata:\n", {"line 3", "natoms: is missing"});
  expect_bad("---\ncreator: LAMMPS\nnatoms: 1\ndata:\n", {"line 4", "keywords: is missing"});
  expect_bad("---\ncreator: LAMMPS\nkeywords: id x\n", {"line 3", "a list like"});
  expect_bad("---\ncreator: LAMMPS\nbox:\n  - [ 1 ]\n", {"line 4", "two finite numbers"});
  expect_bad("---\ncreator: LAMMPS\nwords\n", {"line 3", "expected a key"});
}

}  // namespace
}  // namespace hgrid::io::test
