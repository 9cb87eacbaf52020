// SPDX-License-Identifier: BSD-3-Clause
// GSD, by a small writer of its layout: frames that lack arrays, and files that are cut off or contradictory
// (tests/reliability/README.md, rows 79 to 82).
#include "io/gsd.hpp"

#include <cstring>

#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

using Column = std::vector<double>;

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// The numbers of a name in a frame; types have the numbers of the layout: 1 to 4 natural, 7 and 8 whole, 9 and 10 real.
struct Chunk {
  std::uint64_t frame;
  std::string name;
  std::uint64_t rows;
  std::uint32_t columns;
  int type;
  std::string bytes;
};

Chunk floats(std::uint64_t frame, const std::string& name, std::uint32_t columns, const std::vector<float>& values) {
  return {frame, name, values.size() / columns, columns, 9, bytes_of(values)};
}
Chunk count(std::uint64_t frame, const std::string& name, std::uint64_t value) {
  return {frame, name, 1, 1, 4, bytes_of<std::uint64_t>({value})};
}

std::string gsd_of(const std::vector<Chunk>& chunks, std::uint32_t version = 0x20001, const std::string& schema = "hoomd",
                   const std::string& application = "a test") {
  std::vector<std::string> names;
  std::string index, data, list;
  const std::uint64_t data_begin = 256 + 32 * (chunks.size() + 2) + 64 * (chunks.size() + 1);
  for (const Chunk& chunk : chunks) {
    if (std::find(names.begin(), names.end(), chunk.name) == names.end()) names.push_back(chunk.name);
    const auto id = static_cast<std::uint16_t>(std::find(names.begin(), names.end(), chunk.name) - names.begin());
    index += bytes_of<std::uint64_t>({chunk.frame, chunk.rows, data_begin + data.size()}) +
             bytes_of<std::uint32_t>({chunk.columns}) + bytes_of<std::uint16_t>({id}) + static_cast<char>(chunk.type) + '\0';
    data += chunk.bytes;
  }
  for (const std::string& name : names) {
    list += name + '\0';
    if (version < 0x20000) list.resize((list.size() + 63) / 64 * 64);
  }
  index.resize(32 * (chunks.size() + 2)), list.resize(64 * (chunks.size() + 1));
  std::string head = "\xDF\x65\xDF\x65\xDF\x65\xDF\x65" +
                     bytes_of<std::uint64_t>({256, chunks.size() + 2, 256 + index.size(), chunks.size() + 1}) +
                     bytes_of<std::uint32_t>({0x10004, version}) + application;
  head.resize(112);
  head += schema;
  head.resize(256);
  return head + index + list + data;
}

const std::vector<Chunk> two_frames = {
    count(0, "configuration/step", 10),
    floats(0, "configuration/box", 1, {4, 3, 2, 0.5F, 0, 0.25F}),
    count(0, "particles/N", 2),
    floats(0, "particles/position", 3, {1, 2, 3, 5, 6, 7}),
    floats(0, "particles/diameter", 1, {1, 4}),
    {0, "particles/body", 2, 1, 7, bytes_of<std::int32_t>({-1, 3})},
    count(1, "configuration/step", 20),
    floats(1, "particles/position", 3, {1, 2, 4, 5, 6, 8}),
};

struct Gsd : Folder {
  void expect_bad(std::string_view content, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::format, parts, [&] { read(content); });
  }
};

TEST_F(Gsd, FramesAndWhatTheyLack) {
  for (const std::uint32_t version : {0x20001U, 0x10000U}) {
    ReadOptions options;
    options.more = {{"group", "body"}};
    const ParticleTable table = read(gsd_of(two_frames, version), options);
    EXPECT_EQ(table.frame, 1);
    EXPECT_EQ(table.step, 20);
    EXPECT_EQ(table.z, (Column{4, 8}));
    EXPECT_EQ(table.r, (Column{0.5, 2}));
    EXPECT_EQ(table.more.at(0), (std::vector<std::int64_t>{-1, 3}));
    EXPECT_EQ(table.periodic, "xyz");
    EXPECT_EQ(table.box->tilt, (std::array<double, 3>{1.5, 0, 0.5}));
    EXPECT_EQ(table.box->lo, (std::array<double, 3>{-2.75, -1.75, -1}));
    EXPECT_EQ(table.box->hi, (std::array<double, 3>{1.25, 1.25, 1}));
    options.frames = FrameRange::one(0);
    EXPECT_EQ(read(gsd_of(two_frames, version), options).z, (Column{3, 7}));
    options.frames = FrameRange::one(2);
    expect_error(ErrorCode::invalid_argument, {"no frame 2"}, [&] { read(gsd_of(two_frames, version), options); });
  }
  std::vector<Chunk> chunks = two_frames;  // other particles, for which diameters of frame 0 do not count
  chunks.pop_back();
  chunks.push_back(count(1, "particles/N", 1));
  chunks.push_back(floats(1, "particles/position", 3, {1, 2, 3}));
  const ParticleTable fewer = read(gsd_of(chunks));
  EXPECT_EQ(fewer.r, (Column{0.5}));
  EXPECT_NE(fewer.notes.at(0).find("--radius"), std::string::npos);
  ReadOptions given;
  given.radius = 3;
  EXPECT_EQ(read(gsd_of(chunks), given).r, (Column{3}));
}

TEST_F(Gsd, TwoDimensions) {
  const ParticleTable table = read(gsd_of({count(0, "configuration/dimensions", 2),
                                           floats(0, "configuration/box", 1, {4, 3, 0, 0.5F, 0, 0}),
                                           count(0, "particles/N", 1),
                                           {0, "particles/position", 1, 3, 10, bytes_of<double>({1, 0.1, 0})},
                                           floats(0, "particles/diameter", 1, {2})}));
  EXPECT_EQ(table.dimension, 2);
  EXPECT_EQ(table.periodic, "xy");
  EXPECT_EQ(table.y, (Column{0.1}));
  EXPECT_EQ(table.z, (Column{0}));
  EXPECT_EQ(table.box->tilt[0], 1.5);
}

TEST_F(Gsd, OvitoHasOtherTiltedBoxes) {
  const auto notes = [&](float tilt, const std::string& application) {
    const std::vector<Chunk> chunks = {floats(0, "configuration/box", 1, {4, 3, 2, tilt, 0, 0}), count(0, "particles/N", 1),
                                       floats(0, "particles/position", 3, {1, 0, 0}), floats(0, "particles/diameter", 1, {2})};
    const ParticleTable table = read(gsd_of(chunks, 0x20001, "hoomd", application));
    EXPECT_EQ(table.periodic, "xyz");  // also along axes that were open in OVITO
    return table.notes;
  };
  EXPECT_NE(notes(0.5F, "ovito").at(0).find("another box for a tilted one"), std::string::npos);
  EXPECT_TRUE(notes(0, "ovito").empty());
  EXPECT_TRUE(notes(0.5F, "gsd.hoomd 5.0.1").empty());
}

TEST_F(Gsd, WhatIsWrong) {
  const std::string good = gsd_of(two_frames);
  for (const std::size_t size : {100UL, 900UL, 1100UL}) {
    expect_bad(good.substr(0, size), {"byte " + std::to_string(size), "the file ends within its"});
  }
  expect_bad(good.substr(0, 300), {"byte 32: 9 blocks of names"});
  expect_bad(good.substr(0, good.size() - 1), {"byte " + std::to_string(good.size() - 1), "the file ends within a chunk"});
  expect_bad(gsd_of(two_frames, 0x30000), {"byte 44", "GSD of version 3.0"});
  expect_bad(gsd_of(two_frames, 0x20001, "mine"), {"schema 'mine'"});
  const auto with = [&](const Chunk& last) {
    std::vector<Chunk> chunks = two_frames;
    chunks.push_back(last);
    return gsd_of(chunks);
  };
  expect_bad(with(count(0, "particles/N", 2)), {"the index: frame 0 comes after 1"});
  expect_bad(with(count(1, "particles/N", 3)), {"frame 1", "particles/position has 2 x 3 numbers, not 3 x 3"});
  expect_bad(with({1, "particles/N", 1, 1, 12, "1"}), {"the index: a chunk of type 12"});
  expect_bad(with({1, "a", std::uint64_t{1} << 62, 8, 4, ""}), {"more than the file has bytes"});
  expect_bad(with({1, "a", 100000, 1, 4, ""}), {"more than the file has bytes"});
  expect_bad(with(count(1, "configuration/dimensions", 4)), {"frame 1: 4 dimensions"});
  expect_bad(with(floats(1, "configuration/box", 1, {4, 3, -2, 0, 0, 0})), {"frame 1: a box of the lengths 4, 3, -2"});
  expect_bad(with(floats(1, "particles/N", 1, {1.5F})), {"particles/N is 1.5"});
  expect_bad(with(floats(2, "particles/position", 3, {1, 2, 3, 4, 5, std::numeric_limits<float>::infinity()})),
             {"frame 2: particle 1", "z is inf, not finite"});
  expect_bad(gsd_of({count(0, "particles/N", 2)}), {"frame 0: there are 2 particles, but no positions"});
  expect_bad(gsd_of({}), {"the file has no frame"});
  std::string name = good;
  name[256 + 28] = 99;
  expect_bad(name, {"byte 256", "a chunk of name 99"});
  std::string names = good;
  names[32 + 7] = 1;
  expect_bad(names, {"byte 32", "blocks of names"});
  // The magic alone, by gzip.
  const unsigned char packed[] = {0x1F, 0x8B, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xBB, 0x9F,
                                  0x7A, 0x1F, 0x0C, 0x01, 0x5F, 0x62, 0x78, 0xDA, 0x08, 0x00, 0x00, 0x00};
  const std::string compressed(std::begin(packed), std::end(packed));
  expect_error(ErrorCode::unsupported, {"neither compressed nor a stream"}, [&] { read(compressed); });
  ReadOptions options;
  options.columns = {"x", "y", "z"};
  expect_error(ErrorCode::invalid_argument, {"leave out --columns"}, [&] { read(good, options); });
}

}  // namespace
}  // namespace hgrid::io::test
