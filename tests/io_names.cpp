// SPDX-License-Identifier: BSD-3-Clause
// The one list of the names of columns, in each format that has names (tests/reliability/README.md, rows 79 to 81).
#include "io/column_names.hpp"

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct ColumnNames : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
  ParticleTable read_named(std::string_view content, std::vector<std::string> columns) const {
    ReadOptions options;
    options.columns = std::move(columns);
    return read(content, options);
  }
};

TEST(ColumnMeanings, WhateverTheCase) {
  for (const char* name : {"radius", "Radius", "RADIUS", "radii", "Radii", "r", "R", "rad", "particle_radius", "Radius [m]"}) {
    EXPECT_EQ(role_of(name), Role::radius) << name;
    EXPECT_FALSE(meaning_of(name).is_second_choice) << name;
  }
  for (const char* name : {"v_radius", "c_radius", "f_Radius", "d_radius", "r_mm", "radius_um", "radius m", "Radius/mm"}) {
    EXPECT_EQ(role_of(name), Role::radius) << name;
    EXPECT_TRUE(meaning_of(name).is_second_choice) << name;
  }
  for (const char* name :
       {"x", "X", "Position_0", "position:0", "Points:0", "Position.X", "x_mm", "pos_x_m", "xcoord", "X/m"}) {
    EXPECT_EQ(role_of(name), Role::x) << name;
  }
  EXPECT_EQ(role_of("v_diameter"), Role::diameter);
  EXPECT_EQ(role_of("Particle Identifier"), Role::id);
  for (const char* name : {"f_x", "v_x", "c_id", "vx", "xs", "x_kg", "_mm", "mm", "radius_ratio", "", "fx", "v_"}) {
    EXPECT_EQ(role_of(name), Role::none) << name;
  }
  EXPECT_EQ(unit_of("x_mm"), "mm");
  EXPECT_EQ(unit_of("x [m]"), "m");
  EXPECT_EQ(unit_of("particle_radius"), "");
}

TEST_F(ColumnNames, PlainNamesComeFirst) {
  EXPECT_EQ(read("x,y,z,x_mm,y_mm,z_mm,v_radius,radius\n1,2,3,4,5,6,7,8\n").x, (Column{1}));
  EXPECT_EQ(read("x,y,z,v_radius,radius\n1,2,3,7,8\n").r, (Column{8}));
  EXPECT_EQ(read("x,y,z,c_1,c_diameter\n1,2,3,7,8\n").r, (Column{4}));
  const ParticleTable units = read("x_mm,y_mm,z_mm,r_m\n1,2,3,4\n");
  EXPECT_EQ(units.length_unit, "mm");
  EXPECT_EQ(units.size_unit, "m");
  expect_bad("x,y,v_radius,c_radius\n1,2,3,4\n", {"two columns mean the same: v_radius and c_radius; --columns"});
  EXPECT_EQ(read_named("x,y,v_radius,c_radius\n1,2,3,4\n", {"x", "y", "", "r"}).r, (Column{4}));
}

std::string named_dump(const std::string& columns, const std::string& rows, int count = 1) {
  return "ITEM: TIMESTEP\n100\nITEM: NUMBER OF ATOMS\n" + std::to_string(count) +
         "\nITEM: BOX BOUNDS\n0 10\n-5 5\n0 2\nITEM: ATOMS" + columns + "\n" + rows;
}

TEST_F(ColumnNames, OfDumps) {
  EXPECT_EQ(read(named_dump(" id x y z Radius", "1 1 2 3 4\n")).r, (Column{4}));
  EXPECT_EQ(read(named_dump(" id x y z v_radius", "1 1 2 3 4\n")).r, (Column{4}));
  EXPECT_EQ(read(named_dump(" id x y z c_diameter", "1 1 2 3 4\n")).r, (Column{2}));
  EXPECT_EQ(read(named_dump(" ID PosX PosY PosZ radii", "7 1 2 3 4\n")).id, (std::vector<std::int64_t>{7}));
  EXPECT_EQ(read(named_dump(" x y z xu yu zu xs ys zs", "1 2 3 4 5 6 7 8 9\n")).x, (Column{1}));
  EXPECT_EQ(read(named_dump(" xs ys zs xu yu zu", "1 2 3 4 5 6\n")).x, (Column{4}));
  const ParticleTable scaled = read(named_dump(" xs ys zs r", "0.5 0.5 0.5 1\n"));
  EXPECT_EQ(scaled.x, (Column{5}));
  EXPECT_EQ(scaled.taken, "xs, ys, zs, r");
  const std::string odd = named_dump(" id a b c d", "1 1 2 3 4\n");
  expect_bad(odd, {"line 9", "no positions", "--columns", "id, a, b, c, d"});
  EXPECT_EQ(read_named(odd, {"id", "x", "y", "z", "r"}).r, (Column{4}));
  expect_error(ErrorCode::format, {"line 10", "5 columns where --columns names 4"}, [&] {
    read_named(odd, {"id", "x", "y", "z"});
  });
}

TEST_F(ColumnNames, DumpsBefore2010NameNone) {
  const ParticleTable table = read(named_dump("", "2 1 0.25 0.5 0.5\n1 1 1.01 0 -0.01\n", 2));
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(table.x, (Column{10.1, 2.5}));
  EXPECT_EQ(table.y, (Column{-5, 0}));
  EXPECT_NE(table.notes.at(0).find("--columns"), std::string::npos);
  EXPECT_EQ(read(named_dump("", "2 1 0.25 0.5 0.5 0 0 1\n")).x, (Column{2.5}));  // with image flags
  EXPECT_EQ(read(named_dump("", "", 0)).size(), 0);
  const std::string unscaled = named_dump("", "2 1 7.5 0.5 0.5\n"), wide = named_dump("", "2 1 7.5 0.5 0.5 0.25\n");
  expect_bad(unscaled, {"line 9", "7.5 is no position scaled by the box", "--columns id,type,x,y,z"});
  EXPECT_EQ(read_named(unscaled, {"id", "type", "x", "y", "z"}).x, (Column{7.5}));
  expect_bad(wide, {"line 9", "does not name its 6 columns", "--columns id,type,x,y,z,radius"});
  EXPECT_EQ(read_named(wide, {"id", "type", "x", "y", "z", "radius"}).r, (Column{0.25}));
}

TEST_F(ColumnNames, OfMercuryData) {
  const std::string frame = "1 0 0 0 0 9 9 9\n1 2 3 4 5\n";
  expect_bad(frame, {"5 columns where a particle in 3-D has at least 7"});
  EXPECT_EQ(read_named(frame, {"x", "y", "z", "mass", "r"}).r, (Column{5}));
}

std::string extended(const std::string& keys, const std::string& row) { return "1\n" + keys + "\n" + row + "\n"; }

TEST_F(ColumnNames, OfExtendedXyz) {
  for (const char* properties :
       {"species:S:1:pos:R:3:radius:R:1", "species:S:1:pos:R:3:Radius:R:1", "species:S:1:position:R:3:radii:R:1",
        "id:I:1:positions:R:3:radius:R:1", "id:I:1:x:R:1:y:R:1:z:R:1:r:R:1", "a:R:1:Pos:R:3:v_radius:R:1"}) {
    const ParticleTable table = read(extended(std::string("Properties=") + properties, "7 1 2 3 4"));
    EXPECT_EQ(table.y, (Column{2})) << properties;
    EXPECT_EQ(table.r, (Column{4})) << properties;
    EXPECT_EQ(table.dimension, 3);
  }
  EXPECT_EQ(read(extended("properties=pos:R:3:diameter:R:1", "1 2 3 4")).taken, "pos, diameter (halved)");
  EXPECT_EQ(read(extended("Properties=pos:R:3:radius:R:3", "1 2 3 4 5 6")).r, (Column{}));  // three of them are no radius
  EXPECT_TRUE(read(extended("Properties=pos:R:3:hx:R:1:hy:R:1:hz:R:1", "1 2 3 4 5 6")).boxes);
  expect_bad(extended("Properties=pos:R:4", "1 2 3 4"), {"line 2", "a pos of 3 or 2"});
  expect_bad(extended("Properties=radius:R:1", "1"), {"line 2", "a pos of 3 or 2"});
  expect_bad(extended("Properties=pos:R:3:radius:R:1:radii:R:1", "1 2 3 4 5"), {"two columns mean the same: radius and radii"});
}

TEST_F(ColumnNames, ExtendedXyzInTwoDimensions) {
  const ParticleTable flat = read(extended("lattice=\"10 0 0 5\" properties=pos:R:2:radius:R:1", "1 2 3"));
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.r, (Column{3}));
  EXPECT_EQ(flat.periodic, "xy");
  EXPECT_EQ((*flat.box->vectors)[1], (std::array<double, 3>{0, 5, 0}));
  EXPECT_EQ(read(extended("Lattice=\"10 0 0 5\" pbc=\"F T\" Properties=pos:R:2", "1 2")).periodic, "y");
  EXPECT_EQ(read(extended("Lattice=\"10 0 0 5\" PBC=\"T T T\" Properties=pos:R:3", "1 2 0")).periodic, "xy");
  expect_bad(extended("Lattice=\"10 0 0\" Properties=pos:R:2", "1 2"), {"line 2", "Lattice", "four in two dimensions"});
  expect_bad(extended("Lattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"T T\" Properties=pos:R:3", "1 2 3"), {"line 2", "pbc is 'T T'"});
}

TEST_F(ColumnNames, KeysOfExtendedXyz) {
  const std::string keys = "Lattice=\"9 0 0 0 9 0 0 0 9\" Origin=\"1 -2 0.5\" Timestep=400 Time=0.25 Properties=pos:R:3";
  const ParticleTable table = read(extended(keys, "1 2 3"));
  EXPECT_EQ(table.step, 400);
  EXPECT_EQ(table.time, 0.25);
  EXPECT_EQ(table.box->lo, (std::array<double, 3>{1, -2, 0.5}));
  expect_bad(extended("Lattice=\"9 0 0 0 9 0 0 0 9\" Origin=\"1 2\" Properties=pos:R:3", "1 2 3"),
             {"line 2", "Origin is '1 2'"});
}

}  // namespace
}  // namespace hgrid::io::test
