// SPDX-License-Identifier: BSD-3-Clause
// VTK's XML: text, base64 and bytes behind the XML, whole, cut off and contradictory
// (tests/reliability/README.md, rows 79 to 82).
#include "io/vtk_xml.hpp"

#include <cstring>

#include "io/write_output.hpp"
#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

struct VtkXml : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
  void expect_two(std::string_view content) const {
    const ParticleTable table = read(content);
    EXPECT_EQ(table.x, (Column{1, 5}));
    EXPECT_EQ(table.y, (Column{2, 6}));
    EXPECT_EQ(table.z, (Column{3, 7}));
    EXPECT_EQ(table.r, (Column{0.5, 0.25}));
  }
};

std::string file_of(const std::string& attributes, const std::string& points, const std::string& radii,
                    const std::string& rest = "") {
  return "<?xml version=\"1.0\"?>\n<VTKFile type=\"PolyData\" version=\"1.0\" " + attributes +
         ">\n<PolyData><FieldData><DataArray type=\"Float64\" Name=\"TimeValue\" NumberOfTuples=\"1\" format=\"ascii\">0.25"
         "</DataArray></FieldData>\n<Piece NumberOfPoints=\"2\">\n<PointData><DataArray type=\"Int8\" Name=\"v\" "
         "NumberOfComponents=\"3\" format=\"ascii\">1 2 3 4 5 6</DataArray>\n<DataArray type=\"Float32\" Name=\"Radius\" " +
         radii + "</DataArray></PointData>\n<Points><DataArray type=\"Float64\" NumberOfComponents=\"3\" " + points +
         "<InformationKey name=\"L2_NORM_RANGE\" length=\"2\"><Value index=\"0\">8</Value></InformationKey></DataArray>"
         "</Points></Piece></PolyData>" +
         rest + "</VTKFile>\n";
}
std::string of_text(const std::string& points, const std::string& radii = "0.5 0.25") {
  return file_of("", "format=\"ascii\">" + points, "format=\"ascii\">" + radii);
}

TEST_F(VtkXml, Text) {
  expect_two(of_text("1 2 3\n5 6 7\n"));
  const ParticleTable table = read(of_text("1 2 3\n5 6 7\n"));
  EXPECT_EQ(table.time, 0.25);
  EXPECT_EQ(table.columns, "x, y, z, v, Radius");
  EXPECT_EQ(table.taken, "x, y, z, Radius");
  expect_two("\xEF\xBB\xBF" + of_text("1 2 3\n5 6 7\n"));
  ReadOptions options;
  options.columns = {"x", "y", "z"};
  expect_error(ErrorCode::invalid_argument, {"leave out --columns"}, [&] { read(of_text("1 2 3 5 6 7"), options); });
  EXPECT_EQ(read(of_text("1 2 3 5 nan 7"), skipping()).x, (Column{1}));
}

TEST_F(VtkXml, Base64) {
  const std::string points = "format=\"binary\">\n  ", radii = "format=\"binary\">CAAAAAAAAD8AAIA+";
  expect_two(file_of("", points + "MAAAAAAAAAAAAPA/AAAAAAAAAEAAAAAAAAAIQAAAAAAAABRAAAAAAAAAGEAAAAAAAAAcQA==\n", radii));
  // With the header apart, as some writers have it.
  expect_two(file_of("", points + "MAAAAA==AAAAAAAA8D8AAAAAAAAAQAAAAAAAAAhAAAAAAAAAFEAAAAAAAAAYQAAAAAAAABxA\n", radii));
  const std::string zlib = "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"";
  const std::string of_points =
      "AwAAAAAAAAAUAAAAAAAAAAgAAAAAAAAAEgAAAAAAAAATAAAAAAAAAA0AAAAAAAAAeJxjYACBD/YMEOAAIgARpwFweJxjYOBwYAADESgt4QAACFwA9XicY2"
      "AAARkHAACAAF0=";
  const std::string of_radii = "format=\"binary\">AQAAAAAAAAAUAAAAAAAAAAgAAAAAAAAAEAAAAAAAAAA=eJxjYGCwZ2BosAMAAoEA/g==";
  expect_two(file_of(zlib, points + of_points, of_radii));
  expect_bad(file_of(zlib, points + of_points.substr(0, 116), of_radii), {"line ", "array Points: it ends after"});
  std::string damaged = of_points;
  damaged[70] = damaged[70] == 'A' ? 'B' : 'A';
  expect_bad(file_of(zlib, points + damaged, of_radii), {"array Points: block "});
  damaged = of_points;
  damaged[1] = 'g';  // more blocks
  expect_bad(file_of(zlib, points + damaged, of_radii), {"array Points: its header says", "but 48 bytes are expected"});
}

template <class T>
std::string bytes_of(std::initializer_list<T> values, bool big_endian) {
  std::string bytes;
  for (const T value : values) {
    std::string each(sizeof(T), '\0');
    std::memcpy(each.data(), &value, sizeof(T));
    bytes += big_endian ? std::string(each.rbegin(), each.rend()) : each;
  }
  return bytes;
}

std::string of_bytes(bool big_endian, bool cut = false, std::uint64_t length = 48) {
  const std::string radii = bytes_of<std::uint64_t>({8}, big_endian) + bytes_of({0.5F, 0.25F}, big_endian);
  const std::string points =
      bytes_of<std::uint64_t>({length}, big_endian) + bytes_of({1.0, 2.0, 3.0, 5.0, 6.0, 7.0}, big_endian);
  const std::string order = big_endian ? "byte_order=\"BigEndian\"" : "byte_order=\"LittleEndian\"";
  const std::string text =
      file_of(order + " header_type=\"UInt64\"", "format=\"appended\" offset=\"26\">", "format=\"appended\" offset=\"4\">",
              "<AppendedData encoding=\"raw\">\n   _" + ("</>&" + radii) + "<<<<<<" + points + "&&&\n</AppendedData>");
  return cut ? text.substr(0, text.size() - 40) : text;
}

TEST_F(VtkXml, BytesBehindTheXml) {
  for (const bool big_endian : {false, true}) expect_two(of_bytes(big_endian));
  const std::string whole = of_bytes(false);
  const std::size_t end = whole.find("&&&\n");
  expect_bad(whole.substr(0, end - 3), {"byte " + std::to_string(end - 3), "array Points: it ends after 5 of its 6 values"});
  expect_bad(whole.substr(0, end + 10), {"the file ends before </VTKFile>"});
  expect_bad(of_bytes(true, false, 47), {"array Points: its header says 47 bytes, but 48 are expected"});
  std::string overlap = whole;
  overlap.replace(overlap.find("offset=\"26\""), 11, "offset=\"11\"");
  expect_bad(overlap, {"array Points: it begins within another array"});
  std::string far = whole;
  far.replace(far.find("offset=\"26\""), 11, "offset=\"9223372036854775807\"");
  expect_bad(far, {"line ", "array Points: offset 9223372036854775807, behind any file"});
  far.replace(far.find("9223372036854775807"), 19, "70000000000000000");
  expect_bad(far, {"array Points: it ends after 0 of its 6 values"});
  const std::string base64 = file_of("", "format=\"appended\" offset=\"18\">", "format=\"appended\" offset=\"2\">",
                                     "<AppendedData encoding=\"base64\">_!!CAAAAAAAAD8AAIA+MAAAAAAAAAAAAPA/"
                                     "AAAAAAAAAEAAAAAAAAAIQAAAAAAAABRAAAAAAAAAGEAAAAAAAAAcQA==</AppendedData>");
  expect_two(base64);
  std::string bad = base64;
  bad.replace(bad.find("AAPA/"), 1, "*");
  expect_bad(bad, {"array Points: '*' is not base64"});
}

TEST_F(VtkXml, PiecesOfAGrid) {
  const auto piece = [](const std::string& points, const std::string& radii, const std::string& values) {
    return "<Piece NumberOfPoints=\"" + points + "\" NumberOfCells=\"0\"><PointData>" + radii +
           "</PointData><CellData><DataArray type=\"Float32\" Name=\"r\" format=\"ascii\"/></CellData><Points><DataArray "
           "type=\"Float32\" Name=\"Points\" NumberOfComponents=\"3\" format=\"ascii\">" +
           values + "</DataArray></Points></Piece>";
  };
  const auto grid = [](const std::string& pieces) {
    return "<VTKFile type=\"UnstructuredGrid\"><UnstructuredGrid>" + pieces + "</UnstructuredGrid></VTKFile>";
  };
  const auto radius = [](const std::string& value) {
    return "<DataArray type=\"Float32\" Name=\"diameter\" format=\"ascii\">" + value + "</DataArray>";
  };
  const ParticleTable table =
      read(grid(piece("1", radius("1"), "1 2 3") + piece("0", "", "") + piece("1", radius("4"), "5 6 7")));
  EXPECT_EQ(table.x, (Column{1, 5}));
  EXPECT_EQ(table.r, (Column{0.5, 2}));
  expect_bad(grid(piece("1", radius("1"), "1 2 3") + piece("1", "", "5 6 7")), {"the array diameter has 1 value", "2 points"});
  expect_bad(grid(piece("1", "", "1 2 3") + piece("1", radius("1"), "5 6 7")),
             {"diameter: it stands twice, or not in each Piece"});
  expect_bad(grid(piece("1", radius("1") + radius("1"), "1 2 3")), {"diameter: it stands twice"});
  EXPECT_NE(read(grid(piece("1", "", "1 2 3"))).notes.at(0).find("belongs to cells"), std::string::npos);
}

TEST_F(VtkXml, WhatIsWrong) {
  expect_bad(of_text("1 2 3 5 6"), {"line 7", "array Points: it ends after 5 of its 6 values"});
  expect_bad(of_text("1 2 3 5 6 7 8"), {"line 7", "array Points: it has more than its 6 values"});
  expect_bad(of_text("1 2 3\n\n5 6 seven"), {"line 9", "array Points: 'seven' is not a number"});
  expect_bad(of_text("1 2 3 5 inf 7"), {"point 1", "y is inf, not finite", "--bad-rows skip"});
  expect_bad(of_text(std::string(5000, '1')), {"a word of more than 4096 bytes"});
  const std::string good = of_text("1 2 3 5 6 7");
  expect_bad(good.substr(0, good.size() - 30), {"the file ends within its XML"});
  expect_bad(good.substr(0, 40) + "<" + good.substr(40), {"line 2", "not well-formed"});
  expect_bad("<?xml version=\"1.0\"?><!DOCTYPE a [<!ENTITY b \"c\">]><VTKFile/>", {"line 1", "a document type"});
  expect_bad("<VTKFile type=\"" + std::string(3 << 20, 'x') + "\">", {"a tag of more than 1048576 bytes"});
  expect_bad("<VTKFile type=\"ImageData\"/>", {"line 1", "ImageData has no particles"});
  expect_bad("<VTKFile type=\"Collection\"/>", {"give one of these"});
  expect_bad("<VTKFile type=\"PUnstructuredGrid\"/>", {"give one of these"});
  expect_bad("<VTKFile type=\"PolyData\"/>", {"the file has no Piece"});
  expect_bad("<VTKFile type=\"PolyData\"><Piece NumberOfPoints=\"2\"/></VTKFile>", {"a Piece has no Points"});
  expect_bad("<VTKFile type=\"PolyData\"><Piece NumberOfPoints=\"-2\"/></VTKFile>", {"NumberOfPoints: '-2' is no count"});
  expect_bad("<VTKFile type=\"PolyData\" header_type=\"UInt8\"/>", {"header_type 'UInt8'"});
  expect_bad("<VTKFile type=\"PolyData\" byte_order=\"Middle\"/>", {"byte_order 'Middle'"});
  expect_bad("<VTKFile type=\"PolyData\" compressor=\"vtkLZ4DataCompressor\"/>", {"vtkLZ4DataCompressor", "use zlib"});
  const std::string begin = "<VTKFile type=\"PolyData\"><Piece NumberOfPoints=\"", points = "\"><Points><DataArray ";
  expect_bad(begin + "1" + points + "type=\"String\" NumberOfComponents=\"3\">1 2 3", {"'String' is no type of numbers"});
  expect_bad(begin + "1" + points + "type=\"Float64\">1", {"Points have 1 components, not 3"});
  expect_bad(begin + "1125899906842624" + points + "type=\"Float64\" NumberOfComponents=\"3\">1 2", {"within its XML"});
  expect_bad(begin + "1125899906842625" + points + "type=\"Float64\">1 2", {"more points than any file holds"});
  expect_bad(begin + "1" + points + "type=\"Float64\" NumberOfComponents=\"3\" format=\"hex\">1", {"format 'hex'"});
}

TEST_F(VtkXml, OwnFiles) {
  ParticleTable table;
  for (const double p : {0.0, 1.0, 2.0}) table.x.push_back(p / 3), table.y.push_back(-p), table.z.push_back(1e-300 * p);
  table.r = {0.1, 0.2, 1.0 / 3}, table.id = {7, 8, 12};
  const Pair pairs[] = {{0, 1}, {1, 2}};
  const PairSource source = pair_source(columns_of(pairs, nullptr, 2), [](const Contact&) { return 0.5; });
  const Coordination coordination{{1, 2, 1}, {0.5, 0.5, 0.5}};
  const WallTriangle wall{};
  const auto write = [&] {
    AtomicFile out(path("own.vtp"), true);
    write_pairs(out, OutputFormat::vtp, {source, table, Box3::open(), coordination, {&wall, 1}});
    out.commit();
    return read_particles(path("own.vtp"));
  };
  const ParticleTable spheres = write();
  EXPECT_EQ(spheres.x, table.x);
  EXPECT_EQ(spheres.y, table.y);
  EXPECT_EQ(spheres.z, table.z);
  EXPECT_EQ(spheres.r, table.r);
  EXPECT_EQ(spheres.id, table.id);
  table.boxes = true, table.r = {}, table.extent = {Column{1, 2, 3}, Column{0.1, 0.2, 0.3}, Column{7, 8, 9}};
  const ParticleTable boxes = write();
  EXPECT_TRUE(boxes.boxes);
  EXPECT_EQ(boxes.extent, table.extent);
  EXPECT_EQ(boxes.x, table.x);
}

}  // namespace
}  // namespace hgrid::io::test
