// SPDX-License-Identifier: BSD-3-Clause
// Sources of input, and files that are no particles at all (tests/reliability/README.md, rows 77, 82, 85, 88 and 92).
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <csignal>
#include <random>
#include <thread>

#include "io/printable.hpp"
#include "io_support.hpp"

namespace hgrid::io::test {
namespace {

struct Sources : Folder {
  void expect_unreadable(const std::string& path, const std::vector<std::string>& parts) const {
    expect_error(ErrorCode::io, parts, [&] { read_particles(path); });
  }
};

TEST_F(Sources, WhatCannotBeOpened) {
  expect_unreadable(path("missing"), {path("missing"), "No such file"});
  expect_unreadable(folder_.string(), {"Is a directory"});
  expect_unreadable("", {"file name is empty"});
  std::filesystem::create_symlink("loop", folder_ / "loop");
  expect_unreadable(path("loop"), {"symbolic links"});
  expect_unreadable(std::string(5000, 'x'), {"File name too long", "xxx..."});
  expect_unreadable(file("plain", "1 2 3") + "/below", {"Not a directory"});
  if (::geteuid() != 0) {
    std::filesystem::permissions(file("secret", "1 2 3"), std::filesystem::perms::none);
    expect_unreadable(path("secret"), {"Permission denied"});
  }
}

TEST_F(Sources, PathsAreLiteral) {
  for (const char* name : {"with space", "new\nline", "--help", "\xC3\xBC\xE2\x88\x9E", "\xFF", "%s{}", "'\"$(x)"}) {
    EXPECT_EQ(read_particles(file(name, "1 2 3 4\n")).size(), 1) << name;
  }
  std::filesystem::create_directory(folder_ / "sub");
  EXPECT_EQ(read_particles(path("sub/../with space")).size(), 1);
  expect_unreadable(path("a\nb\x1b[31m"), {"a\\nb\\x1b[31m"});
}

TEST(Printable, EscapesAndBounds) {
  EXPECT_EQ(printable("plain ~"), "plain ~");
  EXPECT_EQ(printable("\xC3\xBC \xE2\x88\x9E \xF0\x9F\x98\x80"), "\xC3\xBC \xE2\x88\x9E \xF0\x9F\x98\x80");
  EXPECT_EQ(printable(std::string("\0\t\r\n\\\x7F\x1B", 7)), "\\x00\\t\\r\\n\\\\\\x7f\\x1b");
  EXPECT_EQ(printable("\xC3"), "\\xc3");           // cut
  EXPECT_EQ(printable("\xC2\x9B"), "\\xc2\\x9b");  // CSI, a C1 control
  EXPECT_EQ(printable("\xC0\xAF\xE0\x80\xAF\xF5\xFE"),
            "\\xc0\\xaf\\xe0\\x80\\xaf\\xf5\\xfe");  // overlong, invalid
  EXPECT_EQ(printable(std::string(100, 'a'), 10), "aaaaaaaaaa...");
  EXPECT_EQ(printable(std::string(10, 'a'), 10), "aaaaaaaaaa");
}

TEST_F(Sources, FilesOfAnotherKind) {
  const struct {
    std::string content, part;
  } cases[] = {
      {std::string("\x1F\x8B\x08\0", 4) + "rest", "ends early"},
      {"BZh91AY", "bzip2 -dc"},
      {"\xFD"
       "7zXZ",
       "xz -dc"},
      {"\x28\xB5\x2F\xFD", "zstd -dc"},
      {"PK\x03\x04", "zip archive"},
      {"CDF\x02", "NetCDF"},
      {"PAR1\x15", "Parquet"},
      {"ply\nformat ascii 1.0\n", "PLY"},
      {"LammpS RestartT", "-restart2data"},
      {std::string("\xF4\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8) + "DUMPCUSTOM", "binary2txt"},
      {"\x7FNSJ", "bgeo"},
      {"ITEM: TIMESTEP\n0\nITEM: NUMBER OF ENTRIES\n1\n", "a dump of pairs"},
      {"<VTKFile type=\"PolyData\">", "ends within its XML"},
      {"\x7F"
       "ELF\x02",
       "a program (ELF)"},
      {std::string("\xFF\xFEx\0,\0", 6), "UTF-16"},
      {std::string("\xFE\xFF\0x\0,", 6), "UTF-16"},
      {std::string("x\0,\0y\0", 6), "byte 1: 0x00"},
      {std::string("\0\0\0", 3), "byte 0: 0x00"},
      {"1 2 3 4\n\x01", "byte 8: 0x01"},
      {"\x89HDF\r\n", "HDF5"},
      {"<?xml version=\"1.0\"?>", "XML"},
      {"# vtk DataFile Version 3.0\n", "ASCII or BINARY"},
      {"{\"x\": [1]}", "JSON"},
  };
  for (const auto& c : cases) expect_error(ErrorCode::format, {c.part}, [&] { read(c.content); });
  const std::string path = file("a.mdem", "\x08\x01");
  expect_error(ErrorCode::format, {"MUSEN"}, [&] { read_particles(path); });
  // The line names the file where a shell takes its path as it stands.
  expect_error(ErrorCode::format, {"-m hgrid.files " + path + ".parquet |"},
               [&] { read_particles(file("a.mdem.parquet", "PAR1")); });
  expect_error(ErrorCode::format, {"bzip2 -dc FILE |"}, [&] { read_particles(file("$(it).bz2", "BZh9")); });
}

TEST_F(Sources, RandomBytes) {
  std::mt19937_64 random(7);
  for (int k = 0; k < 200; ++k) {
    std::string content(random() % 4096, '\0');
    for (char& c : content) c = static_cast<char>(random());
    expect_error(ErrorCode::format, {}, [&] { read(content); });
  }
}

std::string gzipped(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0'), input = text;
  stream.next_in = reinterpret_cast<Bytef*>(input.data()), stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data()), stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST_F(Sources, Gzip) {
  std::string rows;
  for (int k = 0; k < 100000; ++k) rows += std::to_string(k) + " 2 3 4\n";
  const ParticleTable plain = read(rows);
  EXPECT_EQ(read(gzipped(rows)).x, plain.x);
  EXPECT_EQ(read(gzipped(rows.substr(0, 77777)) + gzipped(rows.substr(77777)) + gzipped("")).x,
            plain.x);  // as pigz and cat make them
  const std::string data = "1 0 0 0 0 1 1 1\n1 2 3 0 0 0 0.5 0 0 0 0 0 0 0\n";
  EXPECT_EQ(read_particles(file("p.data.gz", gzipped(data))).r, read_particles(file("p.data", data)).r);

  const std::string packed = gzipped(rows);
  for (const std::size_t size : {std::size_t{2}, std::size_t{9}, packed.size() / 2, packed.size() - 1}) {
    expect_error(ErrorCode::format, {"input", "ends early"}, [&] { read(packed.substr(0, size)); });
  }
  std::string damaged = packed;
  damaged[damaged.size() - 6] ^= 1;  // a byte of the checksum
  expect_error(ErrorCode::format, {"damaged", "data check"}, [&] { read(damaged); });
  expect_error(ErrorCode::format, {"damaged", "header"}, [&] { read(packed + "trailing"); });
  expect_error(ErrorCode::format, {"gzip within gzip"}, [&] { read(gzipped(packed)); });
  expect_error(ErrorCode::format, {"empty"}, [&] { read(gzipped("")); });
}

TEST_F(Sources, GzipBombs) {
  const std::string line = gzipped(std::string(1 << 26, '1'));  // 64 MiB in 64 KiB
  EXPECT_LT(line.size(), std::size_t{1} << 17);
  expect_error(ErrorCode::format, {"line 1", "longer than"}, [&] { read(line); });
  expect_error(ErrorCode::format, {"0x00"}, [&] { read(gzipped(std::string(1 << 26, '\0'))); });
  std::string rows = "1 2 3 4\n";
  while (rows.size() < std::size_t{1} << 22) rows += rows;
  ReadOptions options;
  options.max_stream_bytes = 1 << 20;
  expect_error(ErrorCode::format, {"unpacks to more than the limit of 1048576 bytes"}, [&] { read(gzipped(rows), options); });
  EXPECT_EQ(read(rows, options).size(), 1 << 19);  // a file that holds its own bytes has no such limit
}

/// Valid files with a few bytes changed, dropped or doubled: a table or a typed error, nothing else.
TEST_F(Sources, MutatedFiles) {
  const std::string row = " 0 0 0 0.5 0 0 0 0 0 0 0\n";
  const std::string seeds[] = {
      "# box 0 0 0 1 1 1\nid,x,y,z,r\n1,0.5,0.25,0.125,1e-3\n2,1,2,3,4\n",
      "Radius[m]\tPosX[m] PosY[m] PosZ[m]\r\n 0.1 1 2 3\r\n",
      "0 0 0 0 0 1 1 1\n2 0.5 0 0 0 2 2 2\n1 2 3" + row + "4 5 6" + row,
      "ITEM: TIMESTEP\n1\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS pp pp pp\n0 1\n0 1\n0 1\nITEM: ATOMS id "
      "xs ys zs "
      "radius\n1 0.5 0.5 0.5 0.1\n",
      std::string("\x93NUMPY\x01\0\x46\0", 10) + "{'descr': '<f8', 'fortran_order': False, 'shape': (2, 4), }          \n" +
          std::string(64, '\1'),
      "restart_version 1.0 name T\nxMin 0 xMax 1\ntime 0.5\nPeriodicBoundary normal 0 1 0 distanceLeft 0 distanceRight 1\n"
      "Particles 2\nBaseParticle id 7 position 1 2 3 radius 1\nBaseParticle id 3 position 4 5 6 radius 1\n",
      "2\nTime=0.5\nC 1 2 3\nC 4 5 6\n",
      gzipped("x [mm] y [mm] z [mm] r [mm]\n1 2 3 4\n"),
  };
  std::mt19937_64 random(11);
  int read_well = 0;
  for (int k = 0; k < 4000; ++k) {
    std::string content = seeds[random() % std::size(seeds)];
    for (std::uint64_t n = random() % 4; n-- > 0 && !content.empty();) {
      const std::size_t at = random() % content.size();
      switch (random() % 4) {
        case 0:
          content[at] = static_cast<char>(random());
          break;
        case 1:
          content.erase(at, random() % 20);
          break;
        case 2:
          content.insert(at, content.substr(random() % content.size(), random() % 20));
          break;
        default:
          content[at] = "0123456789-+.eE, \n\tnaif#"[random() % 24];
          break;
      }
    }
    try {
      const ParticleTable table = read(content, random() % 2 ? skipping() : ReadOptions{});
      EXPECT_TRUE(table.r.empty() || table.r.size() == table.x.size());
      EXPECT_EQ(table.y.size(), table.x.size());
      EXPECT_EQ(table.z.size(), table.x.size());
      ++read_well;
    } catch (const Error& error) {
      EXPECT_LT(std::string(error.what()).size(), 1200u);
    }
  }
  EXPECT_GT(read_well, 400);
}

struct Streams : Sources {
  /// Reads from a FIFO that `content` is written to, in small pieces.
  ParticleTable read_fifo(const std::string& content, const ReadOptions& options) const {
    const std::string fifo = path("fifo");
    ::mkfifo(fifo.c_str(), 0600);
    std::jthread writer([&] {
      const int out = ::open(fifo.c_str(), O_WRONLY);
      for (std::size_t at = 0; at < content.size(); at += 4093) {
        const std::string_view piece = std::string_view(content).substr(at, 4093);
        if (::write(out, piece.data(), piece.size()) < 0) break;
      }
      ::close(out);
    });
    return read_particles(fifo, options);
  }
};

TEST_F(Streams, FifoAndItsLimit) {
  std::signal(SIGPIPE, SIG_IGN);  // the writer's end, once the reader gives up
  std::string content;
  for (int k = 0; k < 20000; ++k) content += std::to_string(k) + " 2 3 4\n";
  ReadOptions options;
  const ParticleTable table = read_fifo(content, options);
  EXPECT_EQ(table.size(), 20000);
  EXPECT_EQ(table.x.back(), 19999);
  options.max_stream_bytes = 100000;
  expect_error(ErrorCode::format, {"longer than the limit of 100000 bytes"}, [&] { read_fifo(content, options); });
  EXPECT_EQ(read(content, options).size(), 20000);  // a file is finite
}

TEST_F(Streams, StandardInput) {
  const int saved = ::dup(STDIN_FILENO);
  const auto from = [&](const std::string& path) {
    const int in = ::open(path.c_str(), O_RDONLY);
    ::dup2(in, STDIN_FILENO);
    ::close(in);
  };
  from(file("in", "x,y,z,r\n1,2,3,4\n"));
  EXPECT_EQ(read_particles("-").size(), 1);
  expect_error(ErrorCode::format, {"standard input", "empty"}, [] { read_particles("-"); });
  from(folder_.string());
  expect_error(ErrorCode::io, {"standard input", "Is a directory"}, [] { read_particles("-"); });
  ::close(STDIN_FILENO);
  expect_error(ErrorCode::io, {"standard input", "Bad file descriptor"}, [] { read_particles("-"); });
  ::dup2(saved, STDIN_FILENO);
  ::close(saved);
}

TEST_F(Streams, Devices) {
  expect_error(ErrorCode::format, {"byte 0: 0x00"}, [] { read_particles("/dev/zero"); });
  expect_error(ErrorCode::format, {"empty"}, [] { read_particles("/dev/null"); });
}

}  // namespace
}  // namespace hgrid::io::test
