// SPDX-License-Identifier: BSD-3-Clause
// Files as other programs really write them (docs/tool.md): a small file for each row there that no other test has.
#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct RealWriters : Folder {
  static bool has_note(const ParticleTable& table, const std::string& part) {
    return std::ranges::any_of(table.notes, [&](const std::string& note) { return note.find(part) != note.npos; });
  }
};

TEST_F(RealWriters, LammpsRoundsTheLattice) {
  const auto xyz = [&](const std::string& keys) {
    return read("1\n" + keys + " Properties=species:S:1:pos:R:3:radius:R:1\nH 1 2 3 1\n");
  };
  EXPECT_TRUE(has_note(xyz("Lattice=\"12.3457 0 0 0 6 0 0 0 -0.750001\" pbc=\"T T T\""), "six digits"));
  EXPECT_TRUE(has_note(xyz("Lattice=\"1.23457e-05 0 0 0 6 0 0 0 7\""), "six digits"));
  for (const char* keys : {"Lattice=\"12.345 0 0 0 6 0 0 0 7\"", "Lattice=\"12.34567 0 0 0 6.12345 0 0 0 7\"",
                           "Lattice=\"123456 0 0 0 6 0 0 0 7\"", "Lattice=\"12.3457 0 0 0 6 0 0 0 7\" pbc=\"F F F\"",
                           "Lattice=\"12.3457 0 0 0 6 0 0 0 7\" Origin=\"0 0 0\""}) {
    EXPECT_FALSE(has_note(xyz(keys), "six digits")) << keys;
  }
}

TEST_F(RealWriters, PecletRoundsRadiiToNothing) {
  EXPECT_TRUE(has_note(read("x,y,z,r\n0.000000,0.000000,0.000001,0.000000\n"), "all radii are 0"));
}

TEST_F(RealWriters, AseHasCovalentRadii) {
  const std::string begin =
      "<VTKFile type=\"UnstructuredGrid\" version=\"0.1\"><UnstructuredGrid><Piece NumberOfPoints=\"1\" "
      "NumberOfCells=\"0\"><PointData>";
  const std::string end =
      "<DataArray type=\"Float64\" Name=\"radii\" format=\"ascii\" RangeMin=\"0.31\" "
      "RangeMax=\"0.31\">0.31</DataArray></PointData><Points>"
      "<DataArray type=\"Float64\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">1 2 3</DataArray></Points></Piece>"
      "</UnstructuredGrid></VTKFile>";
  const ParticleTable table =
      read(begin + "<DataArray type=\"Int64\" Name=\"atomic numbers\" format=\"ascii\">1</DataArray>" + end);
  EXPECT_EQ(table.r, (Column{0.31}));
  EXPECT_TRUE(has_note(table, "covalent radii"));
  EXPECT_FALSE(has_note(read(begin + end), "covalent radii"));
}

TEST_F(RealWriters, OvitoHasVectorsAndNoDensity) {
  const ParticleTable table = read(
      "# by OVITO\n\n1 atoms\n1 atom types\n\n4 0 0 avec\n0 5 0 bvec\n0 0 6 cvec\n-1 0 2 abc origin\n\nAtoms  # sphere\n\n"
      "1 1 0.20000000298023224 0 1 2 3\n");
  EXPECT_EQ(table.r, (Column{0.10000000149011612}));
  EXPECT_EQ(brick_of(*table.box), (BoxBounds{{-1, 0, 2}, {3, 5, 8}}));
  EXPECT_TRUE(table.periods_unstated);
}

TEST_F(RealWriters, DumpsKeepTheirOriginTiltsAndScale) {
  const std::string head = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\n";
  const ParticleTable tilted =
      read(head + "ITEM: BOX BOUNDS xy xz yz pp pp pp\n2 7 1\n3 6 0\n4 8 0\nITEM: ATOMS id x y z radius\n1 5 5 5 1\n");
  EXPECT_EQ(tilted.x, (Column{5}));
  EXPECT_EQ(tilted.box, (BoxBounds{{2, 3, 4}, {6, 6, 8}, {1, 0, 0}}));
  const ParticleTable scaled =
      read(head + "ITEM: BOX BOUNDS pp pp pp\n2 6\n3 6\n4 8\nITEM: ATOMS id xs ys zs radius\n1 0.5 0.5 0.25 1\n");
  EXPECT_EQ(scaled.x, (Column{4}));
  EXPECT_EQ(scaled.y, (Column{4.5}));
  EXPECT_EQ(scaled.z, (Column{5}));
}

TEST_F(RealWriters, PropertiesSayWherePositionsStand) {
  const ParticleTable table = read("1\nProperties=id:I:1:radius:R:1:species:S:1:pos:R:3\n7 0.5 H 1 2 3\n");
  EXPECT_EQ(table.x, (Column{1}));
  EXPECT_EQ(table.r, (Column{0.5}));
}

}  // namespace
}  // namespace hgrid::io::test
