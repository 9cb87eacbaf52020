// SPDX-License-Identifier: BSD-3-Clause
// VTK's legacy format, as text and as bytes (tests/reliability/README.md, rows 79 to 81).
#include "io/vtk_legacy.hpp"

#include <bit>

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct VtkLegacy : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

const std::string vtk_head = "# vtk DataFile Version 3.0\na title\nASCII\nDATASET POLYDATA\n";
const std::string vtk_points = "POINTS 2 float\n1 2 3 5\n6 7\n";

TEST_F(VtkLegacy, Scalars) {
  const ParticleTable table = read(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS radius float 1\nLOOKUP_TABLE default\n4 8\n");
  EXPECT_EQ(table.x, (Column{1, 5}));
  EXPECT_EQ(table.z, (Column{3, 7}));
  EXPECT_EQ(table.r, (Column{4, 8}));
  EXPECT_EQ(table.taken, "x, y, z, radius");
  EXPECT_EQ(read(vtk_head + vtk_points + "point_data 2\nscalars Radius double\n4\n8").r, (Column{4, 8}));
  EXPECT_EQ(read(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS diameter float\nLOOKUP_TABLE default\n4 8\n").r,
            (Column{2, 4}));
  EXPECT_TRUE(read(vtk_head + vtk_points).r.empty());
}

TEST_F(VtkLegacy, FieldsCellsAndAllElse) {
  const std::string text =
      "# vtk DataFile Version 4.2\na title\nASCII\nDATASET UNSTRUCTURED_GRID\n"
      "FIELD FieldData 2\nTIME 1 1 double\n0.25\nCYCLE 1 1 int\n40\n" +
      vtk_points +
      "METADATA\nINFORMATION 1\nNAME L2_NORM_RANGE LOCATION vtkDataArray\nDATA 2 0 1\n\n"
      "CELLS 2 4\n1 0 1 1\nCELL_TYPES 2\n1\n1\n"
      "CELL_DATA 2\nSCALARS radius float\nLOOKUP_TABLE default\n9 9\n"
      "POINT_DATA 2\nVECTORS v float\n0 0 0 1 1 1\nSCALARS colour float 3\nLOOKUP_TABLE mine\n1 1 1 2 2 2\n"
      "LOOKUP_TABLE mine 1\n0 0 0 1\nCOLOR_SCALARS c 2\n0 1 0 1\nTENSORS t float\n1 0 0 0 1 0 0 0 1 1 0 0 0 1 0 0 0 1\n"
      "TEXTURE_COORDINATES uv 2 float\n0 0 1 1\nNORMALS n float\n0 0 1 0 0 1\n"
      "FIELD FieldData 4\nid 1 2 int\n7 3\nRadius%20%5bm%5d 1 2 double\n8 4\nMETADATA\nINFORMATION 0\n\n"
      "forces 3 2 float\n1 2 3\n4 5 6\nworld 1 2 int\n1 2\n";
  ReadOptions options;
  options.more = {{"world", "world"}};
  const ParticleTable table = read(text, options);
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(table.x, (Column{5, 1}));
  EXPECT_EQ(table.r, (Column{4, 8}));
  EXPECT_EQ(table.size_unit, "m");
  EXPECT_EQ(table.more.at(0), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(table.time, 0.25);
  EXPECT_EQ(table.step, 40);
  EXPECT_EQ(table.columns, "x, y, z, colour, id, Radius [m], forces, world");
  options.more = {{"world", "type"}};
  expect_error(ErrorCode::invalid_argument, {"no column 'type'", "forces"}, [&] { read(text, options); });
  options.more = {};
  options.columns = {"x", "y", "z"};
  expect_error(ErrorCode::invalid_argument, {"leave out --columns"}, [&] { read(text, options); });
  const ParticleTable cells = read(vtk_head + vtk_points + "CELL_DATA 1\nSCALARS radius float\nLOOKUP_TABLE default\n9\n");
  EXPECT_NE(cells.notes.at(0).find("belongs to cells"), std::string::npos);
}

template <class T>
std::string big_endian(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) {
    const auto pattern = std::bit_cast<std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>>(value);
    for (std::size_t k = sizeof(T); k-- > 0;) bytes += static_cast<char>(pattern >> 8 * k & 0xFF);
  }
  return bytes;
}

TEST_F(VtkLegacy, Bytes) {
  const std::string begin = "# vtk DataFile Version 5.1\na title\nBINARY\nDATASET POLYDATA\n";
  const std::string text =
      begin + "POINTS 2 double\n" + big_endian({1.0, 2.0, 3.0, 5.0, 6.0, 7.0}) + "\n" + "VERTICES 3 2\nOFFSETS vtktypeint64\n" +
      big_endian<std::int64_t>({0, 1, 2}) + "\nCONNECTIVITY vtktypeint64\n" + big_endian<std::int64_t>({0, 1}) + "\n" +
      "POINT_DATA 2\nSCALARS flags bit\nLOOKUP_TABLE default\n\x40\nSCALARS id int\nLOOKUP_TABLE default\n" +
      big_endian<std::int32_t>({-7, -9}) + "\nFIELD FieldData 1\nRadius 1 2 float\n" + big_endian({0.5F, 0.25F}) + "\n";
  const ParticleTable table = read(text);
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{-9, -7}));
  EXPECT_EQ(table.x, (Column{5, 1}));
  EXPECT_EQ(table.r, (Column{0.25, 0.5}));
  expect_bad(text.substr(0, begin.size() + 16 + 30),
             {"byte " + std::to_string(begin.size() + 46), "after 3 of the 6 values of POINTS"});
  expect_bad(text.substr(0, text.size() - 3), {"the file ends after 1 of the 2 values of Radius"});
  expect_bad(begin + "POINTS 99999999999 float\n1234", {"after 1 of the 299999999997 values"});
  expect_bad(begin + "POINTS 9223372036854775807 float\n", {"more values than any file holds"});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const std::string bad = begin + "POINTS 2 float\n" + big_endian({1.0F, 2.0F, 3.0F, nan, 6.0F, 7.0F});
  expect_bad(bad, {"point 1", "x is nan, not finite", "--bad-rows skip"});
  EXPECT_EQ(read(bad, skipping()).x, (Column{1}));
}

TEST_F(VtkLegacy, WhatIsWrong) {
  expect_bad("# vtk DataFile Version 3.0\na title\nTEXT\n", {"line 3", "ASCII or BINARY", "'TEXT'"});
  expect_bad("# vtk DataFile Version 3.0\na title\nASCII\nPOINTS\n", {"line 4", "expected DATASET"});
  expect_bad("# vtk DataFile Version 3.0\na title\nASCII\nDATASET STRUCTURED_POINTS\n",
             {"line 4", "STRUCTURED_POINTS has no particles"});
  expect_bad(vtk_head, {"no POINTS"});
  expect_bad(vtk_head + "POINTS -2 float\n", {"line 5", "'-2' is no count of points"});
  expect_bad(vtk_head + "POINTS 2 string\n", {"line 5", "'string' is no type"});
  expect_bad(vtk_head + "POINTS 2 float\n1 2 3 5 6\n", {"the file ends after 5 of the 6 values of POINTS"});
  expect_bad(vtk_head + "POINTS 2 float\n1 2 3 5 6 seven\n", {"line 6", "'seven' is not a number"});
  expect_bad(vtk_head + vtk_points + vtk_points, {"line 8", "a second POINTS"});
  expect_bad(vtk_head + vtk_points + "9 9 9\n", {"line 8", "expected a section", "'9'"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 3\n", {"line 8", "has 3 values, but there are 2 points"});
  expect_bad(vtk_head + "POINT_DATA 2\n", {"arrays come before POINTS"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS r float\nLOOKUP_TABLE default\n4 8 9\n", {"found '9'"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS r float x\n", {"'x' is no count of components"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nFIELD f 2\nr 1 2 float\n4 8\n", {"ends before 1 array"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS id int\nLOOKUP_TABLE default\n4 4\n", {"point 1", "has the id 4"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS id float\nLOOKUP_TABLE default\n4 4.5\n",
             {"point 1", "4.5, not an integer"});
  expect_bad(vtk_head + vtk_points + "POINT_DATA 2\nSCALARS r float\nLOOKUP_TABLE default\n4 1e999\n",
             {"point 1", "not finite"});
  expect_bad(vtk_head + vtk_points + std::string(5000, 'x'), {"a word of more than 4096 bytes"});
  expect_bad("# vtk DataFile Version 3.0\n" + std::string(5000, 'x'), {"line 2", "longer than 4096 bytes"});
}

}  // namespace
}  // namespace hgrid::io::test
