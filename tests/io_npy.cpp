// SPDX-License-Identifier: BSD-3-Clause
// .npy as input: layouts, versions and broken files (tests/reliability/README.md, rows 79 to 82 and 87).
#include "io/npy.hpp"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "io/npy_header.hpp"
#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

template <class T>
std::string bytes(const std::vector<T>& values) {
  std::string out(values.size() * sizeof(T), '\0');
  std::memcpy(out.data(), values.data(), out.size());
  return out;
}

std::string head(const std::string& dictionary, char version = 1) {
  const auto length = static_cast<char>(dictionary.size());
  std::string out = "\x93NUMPY" + std::string{version, '\0', length, '\0'};
  if (version > 1) out += std::string(2, '\0');
  return out + dictionary;
}

std::string dictionary(const std::string& dtype, bool fortran, const std::string& shape) {
  return "{'descr': '" + dtype + "', 'fortran_order': " + (fortran ? "True" : "False") + ", 'shape': " + shape + ", }\n";
}

struct Npy : Folder {
  void expect_bad(const std::string& content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

TEST_F(Npy, NamedColumns) {
  const std::string five = head(dictionary("<f8", false, "(2, 5)")) + bytes(Column{7, 1, 2, 3, 4, 3, 5, 6, 7, 8});
  expect_bad(five, {"shape (2, 5)", "--columns names its 5 columns"});
  ReadOptions options;
  options.columns = {"id", "x", "y", "z", "Diameter"};
  const ParticleTable table = read(five, options);
  EXPECT_EQ(table.id, (std::vector<std::int64_t>{3, 7}));
  EXPECT_EQ(table.x, (Column{5, 1}));
  EXPECT_EQ(table.r, (Column{4, 2}));
  options.columns = {"", "x", "y", "", "r"};
  options.more = {{"group", "x"}};
  const ParticleTable flat = read(head(dictionary("<f4", true, "(1, 5)")) + bytes(std::vector<float>{9, 1, 2, 3, 4}), options);
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.y, (Column{2}));
  EXPECT_EQ(flat.more.at(0), (std::vector<std::int64_t>{1}));
  options.more = {};
  options.columns = {"id", "x", "y", "r"};
  expect_error(ErrorCode::format, {"shape (2, 5)", "N x 4, as --columns names"}, [&] { read(five, options); });
  options.columns = {"x", "y", "z", "r", "id"};
  const auto rows = [&](double id, double x) {
    return head(dictionary("<f8", false, "(2, 5)")) + bytes(Column{1, 2, 3, 4, 5, x, 6, 7, 8, id});
  };
  expect_error(ErrorCode::format, {"byte", "row 1 (the first is 0): id is 0.5, not an integer", "--bad-rows skip"},
               [&] { read(rows(0.5, 1), options); });
  expect_error(ErrorCode::format, {"row 1", "x is nan, not finite"}, [&] { read(rows(6, NAN), options); });
  expect_error(ErrorCode::format, {"row 1", "has the id 5"}, [&] { read(rows(5, 1), options); });
  options.bad_rows = BadRows::skip;
  EXPECT_EQ(read(rows(6, NAN), options).x, (Column{1}));
  options.columns = std::vector<std::string>(9, "");
  options.columns[0] = "x", options.columns[1] = "y";
  expect_error(ErrorCode::format, {"more than any file holds"},
               [&] { read(head(dictionary("<f8", false, "(72057594037927936, 9)")), options); });
}

TEST_F(Npy, LayoutsTypesAndVersions) {
  const Column c_order{1, 2, 3, 4, 5, 6, 7, 8}, fortran{1, 5, 2, 6, 3, 7, 4, 8};
  const std::vector<float> singles{1, 2, 3, 4, 5, 6, 7, 8};
  const std::string files[] = {
      head(dictionary("<f8", false, "(2, 4)")) + bytes(c_order),
      head(dictionary("<f8", true, "(2, 4)"), 2) + bytes(fortran),
      head(dictionary("<f4", false, "(2, 4)"), 3) + bytes(singles),
      head("{\"shape\":(2L,4L),\"fortran_order\":False,\"descr\":\"<f8\"}") + bytes(c_order),
  };
  for (const std::string& content : files) {
    const ParticleTable table = read(content);
    EXPECT_EQ(table.x, (Column{1, 5}));
    EXPECT_EQ(table.y, (Column{2, 6}));
    EXPECT_EQ(table.z, (Column{3, 7}));
    EXPECT_EQ(table.r, (Column{4, 8}));
  }
  ReadOptions options;
  options.radius = 2;
  EXPECT_EQ(read(head(dictionary("<f8", false, "(1, 3)")) + bytes(Column{1, 2, 3}), options).r, (Column{2}));
  const ParticleTable flat = read(head(dictionary("<f8", false, "(1, 2)")) + bytes(Column{1, 2}), options);
  EXPECT_EQ(flat.dimension, 2);
  EXPECT_EQ(flat.z, (Column{0}));
  EXPECT_EQ(read(head(dictionary("<f8", false, "(0, 4)"))).size(), 0);  // declared so
}

TEST_F(Npy, HeadersThatAreNot) {
  const std::string data = bytes(Column(8));
  const auto bad = [&](const std::string& text, const std::string& part) { expect_bad(head(text) + data, {part}); };
  bad(dictionary(">f8", false, "(2, 4)"), "big-endian");
  bad(dictionary("<i8", false, "(2, 4)"), "dtype '<i8'; expected '<f8' or '<f4'");
  bad(dictionary("|O", false, "(2, 4)"), "dtype '|O'");
  bad(dictionary("\x1b[2J", false, "(2, 4)"), "dtype '\\x1b[2J'");
  bad("{'descr': [('x', '<f8')], 'fortran_order': False, 'shape': (8,), }", "structured");
  bad(dictionary("<f8", false, "(8,)"), "shape (8)");
  bad(dictionary("<f8", false, "()"), "shape ()");
  bad(dictionary("<f8", false, "(1, 8)"), "shape (1, 8)");
  bad(dictionary("<f8", false, "(8, 5)"), "shape (8, 5)");
  bad(dictionary("<f8", false, "(2, 4, 1)"), "shape (2, 4, 1)");
  bad(dictionary("<f8", false, "(-1, 4)"), "extent");
  bad(dictionary("<f8", false, "(9223372036854775808, 4)"), "extent");
  bad(dictionary("<f8", false, "(1e20, 4)"), "expected");
  bad(dictionary("<f8", false, "(9223372036854775807, 4)"), "more than any file holds");
  bad("{'descr': '<f8', 'fortran_order': Maybe, 'shape': (2, 4)}", "neither True nor False");
  bad("{'descr': '<f8', 'shape': (2, 4)}", "missing");
  bad("{'descr': '<f8", "not closed");
  bad("{'colour': 1}", "key 'colour'");
  bad("", "expected '{'");
  bad("{", "quoted word");
  bad("(2, 4)", "expected '{'");
  expect_bad("\x93NUMPY", {"ends within its magic"});
  expect_bad("\x93NUMPY\x04" + std::string(100, '\0'), {"byte 6", "version 4.0"});
  expect_bad("\x93NUMPY\x02" + std::string(1, '\0') + "\xFF\xFF\xFF\xFF{}", {"a header of 4294967295 bytes"});
  expect_bad(head(dictionary("<f8", false, "(2, 4)")).substr(0, 40), {"ends within its header"});
  expect_error(ErrorCode::format, {"magic of .npy is missing"}, [&] { read_particles(file("a.NPY", "x,y,z,r\n1,2,3,4\n")); });
}

TEST_F(Npy, MoreOrFewerBytesThanDeclared) {
  const std::string start = head(dictionary("<f8", false, "(2, 4)")), data = bytes(Column(8));
  expect_bad(start + data.substr(0, 60), {"byte " + std::to_string(start.size() + 60), "after 7 of the 8 values"});
  expect_bad(start, {"after 0 of the 8 values"});
  expect_bad(start + data + "x", {"byte " + std::to_string(start.size() + 64), "bytes follow the 8 values"});
  expect_bad(head(dictionary("<f8", false, "(72057594037927936, 4)")) + data, {"after 8 of the"});
  expect_bad(head(dictionary("<f4", true, "(1000000000000, 3)")) + data, {"after 16 of the"});
}

TEST_F(Npy, NotFinite) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  const std::string c_order = head(dictionary("<f8", false, "(4, 4)")), fortran = head(dictionary("<f8", true, "(4, 4)"));
  const std::string a = c_order + bytes(Column{1, 2, 3, 4, 5, nan, 7, 8, 9, 10, 11, -inf, 0, 0, 0, 1});
  const std::string b = fortran + bytes(Column{1, 5, 9, 0, 2, nan, 10, 0, 3, 7, 11, 0, 4, 8, -inf, 1});
  const auto byte = [](const std::string& start, int value) {
    return "byte " + std::to_string(start.size() + 8u * static_cast<unsigned>(value));
  };
  expect_bad(a, {byte(c_order, 5), "row 1", "column 1", "nan is not finite"});
  expect_bad(b, {byte(fortran, 5), "row 1", "column 1", "--bad-rows skip"});
  for (const std::string& content : {a, b}) {
    const ParticleTable table = read(content, skipping());
    EXPECT_EQ(table.skipped_rows, 2);
    EXPECT_EQ(table.x, (Column{1, 0}));
    EXPECT_EQ(table.r, (Column{4, 1}));
  }
  expect_error(ErrorCode::format, {"row 0", "1 of the 1 rows are bad"}, [&] {
    read(head(dictionary("<f8", false, "(1, 2)")) + bytes(Column{nan, 1}), skipping());
  });
}

TEST_F(Npy, ManyBlocks) {
  Column values(4 * 100003);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
  const ParticleTable table = read(head(dictionary("<f8", false, "(100003, 4)")) + bytes(values));
  ASSERT_EQ(table.size(), 100003);
  EXPECT_EQ(table.x.back(), 400008);
  EXPECT_EQ(table.r.back(), 400011);
}

TEST_F(Npy, NumpyAgrees) {
  if (std::system("/usr/bin/python3 -c 'import numpy' 2>/dev/null") != 0) GTEST_SKIP() << "no numpy";
  const std::string script =
      "import numpy as n; a = n.arange(12.).reshape(3, 4)\n"
      "n.save('c.npy', a); n.save('f.npy', n.asfortranarray(a)); n.save('s.npy', a.astype('f4'))\n"
      "n.save('b.npy', a.astype('>f8')); n.save('t.npy', a[:, :3])\n"
      "n.lib.format.write_array(open('3.npy', 'wb'), a, (3, 0))\n";
  ASSERT_EQ(std::system(("cd '" + folder_.string() + "' && /usr/bin/python3 -c \"" + script + "\"").c_str()), 0);
  for (const char* name : {"c.npy", "f.npy", "s.npy", "3.npy"}) {
    EXPECT_EQ(read_particles(path(name)).y, (Column{1, 5, 9})) << name;
    EXPECT_EQ(read_particles(path(name)).r, (Column{3, 7, 11})) << name;
  }
  EXPECT_TRUE(read_particles(path("t.npy")).r.empty());
  expect_error(ErrorCode::format, {"big-endian"}, [&] { read_particles(path("b.npy")); });
}

}  // namespace
}  // namespace hgrid::io::test
