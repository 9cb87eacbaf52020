// SPDX-License-Identifier: BSD-3-Clause
// Files that are read in parts: together they are the file.
#include "io/file_part.hpp"

#include <algorithm>

#include "io_support.hpp"
#include "support/random.hpp"

namespace hgrid::io::test {
namespace {

/// The particles of all parts, or nothing.
std::optional<ParticleTable> in_parts(const std::string& path, int parts, const ReadOptions& options = {}) {
  std::optional<ParticleTable> all;
  for (int k = 0; k < parts; ++k) {
    const auto part = read_particles_part(path, options, {k, parts});
    if (!part) return std::nullopt;
    if (!all) all.emplace(), all->box = part->box, all->dimension = part->dimension, all->taken = part->taken;
    const auto append = [](auto& to, const auto& from) { to.insert(to.end(), from.begin(), from.end()); };
    append(all->x, part->x), append(all->y, part->y), append(all->z, part->z), append(all->r, part->r);
    all->skipped_rows += part->skipped_rows;
  }
  return all;
}

struct Parts : Folder {
  void expect_whole(const std::string& path, const ReadOptions& options = {}) const {
    const ParticleTable whole = read_particles(path, options);
    for (const int parts : {1, 2, 3, 4, 7, 16}) {
      const auto all = in_parts(path, parts, options);
      ASSERT_TRUE(all) << parts;
      EXPECT_TRUE(all->x == whole.x && all->y == whole.y && all->z == whole.z && all->r == whole.r) << path << ", " << parts;
      EXPECT_EQ(all->box, whole.box);
      EXPECT_EQ(all->dimension, whole.dimension);
      EXPECT_EQ(all->taken, whole.taken);
      EXPECT_EQ(all->skipped_rows, whole.skipped_rows);
    }
  }
};

// Writes lines of any length, with either end, under a header or none. Some are blank or comments.
TEST_F(Parts, OfTextTablesAreTheFile) {
  support::Random random(3);
  for (int k = 0; k < 60; ++k) {
    const int head = random.integer(0, 3);
    std::string text = head == 3   ? "\xEF\xBB\xBFx,y,z,r\n"
                       : head == 2 ? "# box 0 0 0 9 9 9\n# x y z r\n"
                       : head == 1 ? "x,y,z,r\n"
                                   : "";
    const int rows = k < 5 ? k : random.integer(1, 60);
    const char* const end = random.chance(0.5) ? "\r\n" : "\n";
    for (int row = 0; row < rows; ++row) {
      if (random.chance(0.1)) text += "# words" + std::string(static_cast<std::size_t>(random.integer(0, 200)), '!') + end;
      if (random.chance(0.1)) text += end;
      const char* const blank = head == 2 ? " " : ",";
      text += std::to_string(random.integer(0, 100000)) + blank + std::to_string(row) + blank + "1" + blank + "0.5";
      if (row + 1 < rows || random.chance(0.5)) text += end;
    }
    if (rows == 0) continue;
    expect_whole(file("t" + std::to_string(k) + ".csv", text));
  }
}

TEST_F(Parts, LeaveOutTheBadRowsOfTheFile) {
  ReadOptions options;
  options.bad_rows = BadRows::skip;
  std::string text = "x,y,r\n";
  for (int row = 0; row < 50; ++row) text += std::to_string(row) + (row % 7 == 0 ? ",word,1\n" : ",2,1\n");
  expect_whole(file("bad.csv", text), options);
  options.bad_rows = BadRows::error;
  EXPECT_ANY_THROW(in_parts(path("bad.csv"), 4, options));
}

TEST_F(Parts, OfNpyAreTheFile) {
  std::string header = "{'descr': '<f8', 'fortran_order': False, 'shape': (37, 4), }\n";
  std::vector<double> values(37 * 4);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>(k);
  const auto npy = [&](const std::string& head, std::size_t bytes) {
    return std::string("\x93NUMPY\x01\x00", 8) + static_cast<char>(head.size()) + '\0' + head +
           std::string(reinterpret_cast<const char*>(values.data()), bytes);
  };
  expect_whole(file("a.npy", npy(header, values.size() * 8)));
  EXPECT_FALSE(in_parts(file("short.npy", npy(header, values.size() * 8 - 1)), 2));
  const auto at = header.find("False");
  EXPECT_FALSE(in_parts(file("f.npy", npy(header.replace(at, 5, "True "), values.size() * 8)), 2));
}

TEST_F(Parts, AreThereOfPlainFilesOnly) {
  EXPECT_FALSE(in_parts(file("id.csv", "id,x,y,z,r\n2,0,0,0,1\n1,1,1,1,1\n"), 2));
  EXPECT_FALSE(in_parts(file("box.csv", "x,y,z,r\n0,0,0,1\n# box 0 0 0 1 1 1\n1,1,1,1\n"), 2));
  EXPECT_FALSE(in_parts(file("a.xyz", "1\nLattice=\"1 0 0 0 1 0 0 0 1\" Properties=pos:R:3:radius:R:1\n0 0 0 1\n"), 2));
}

}  // namespace
}  // namespace hgrid::io::test
