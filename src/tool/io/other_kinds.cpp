// SPDX-License-Identifier: BSD-3-Clause
#include "io/other_kinds.hpp"

#include <fmt/format.h>

#include "io/gzip.hpp"

namespace hgrid::io {
namespace {

using namespace std::string_view_literals;

constexpr auto netcdf = "NetCDF, as AMBER and LAMMPS write it, which hgrid's Python package reads"sv;
constexpr auto of_package = "python3 -m hgrid.files {0} | hgrid contacts -"sv;
constexpr auto of_ply =
    "python3 -c \"from plyfile import PlyData as P; import numpy as n; v = P.read('{0}')['vertex']; n.savetxt('particles.txt', "
    "n.c_[v['x'], v['y'], v['z'], v['radius']], header='x y z r')\""sv;

/// A file format: its bytes from `at` on, a sentence, and a command with {0} for the file.
struct OtherKind {
  std::string_view magic, is, line = {};
  std::size_t at = 0;
};

// Tests follow the lines of the unpackers and of hgrid's package; the line for PLY was run with plyfile 1.1.5.
constexpr OtherKind other_kinds[] = {
    {gzip_magic, "gzip within gzip; decompress it once first"sv},
    {"BZh"sv, "compressed by bzip2"sv, "bzip2 -dc {0} | hgrid contacts -"sv},
    {"\xFD"
     "7zXZ"sv,
     "compressed by xz"sv, "xz -dc {0} | hgrid contacts -"sv},
    {"\x28\xB5\x2F\xFD"sv, "compressed by zstd"sv, "zstd -dc {0} | hgrid contacts -"sv},
    {"\x04\x22\x4D\x18"sv, "compressed by lz4"sv, "lz4 -dc {0} | hgrid contacts -"sv},
    {"PK\x03\x04"sv, "a zip archive, as .npz and .xlsx are, too"sv, "unzip -p {0} NAME-INSIDE | hgrid contacts -"sv},
    {"\x7F"
     "ELF"sv,
     "a program (ELF), not a table of particles"sv},
    {"\xFF\xFE"sv, "UTF-16 text"sv, "iconv -f UTF-16 -t UTF-8 {0} | hgrid contacts -"sv},
    {"\xFE\xFF"sv, "UTF-16 text"sv, "iconv -f UTF-16 -t UTF-8 {0} | hgrid contacts -"sv},
    {"\x89HDF"sv, "HDF5, as H5MD is, which hgrid's Python package reads"sv, of_package},
    {"CDF\x01"sv, netcdf, of_package},
    {"CDF\x02"sv, netcdf, of_package},
    {"CDF\x05"sv, netcdf, of_package},
    {"PAR1"sv, "Parquet, which hgrid's Python package reads"sv, of_package},
    {"ply\n"sv, "PLY, which is not read"sv, of_ply},
    {"ply\r\n"sv, "PLY, which is not read"sv, of_ply},
    {"<?xml"sv, "XML of another kind than VTK's, which is not read; export a text table, .vtu or .npy"sv},
    {"LammpS RestartT"sv, "a binary restart file of LAMMPS"sv, "lmp -restart2data {0} particles.data"sv},
    {"DUMP"sv, "a binary dump of LAMMPS; its tool binary2txt makes text of it"sv, "binary2txt {0}"sv, 8},
    {"\x7FNSJ"sv, "bgeo, of Houdini, which is not read; export a text table or .npy"sv},
    {"Bgeo"sv, "bgeo, of Houdini, which is not read; export a text table or .npy"sv},
    {"{"sv, "JSON, which is not read; export a text table or .npy"sv},
};

/// Returns the path if a shell and Python take it without quotes, else "FILE".
std::string plain_path(const std::string& path) {
  static constexpr auto plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-,"sv;
  const bool is_plain = path.find_first_not_of(plain) == path.npos && !path.starts_with('-') && path.size() < 150;
  return is_plain ? path : "FILE";
}

std::string with_path(std::string_view text, const std::string& path) {
  std::string filled(text);
  for (std::size_t at = filled.find("{0}"); at != filled.npos; at = filled.find("{0}", at + path.size()))
    filled.replace(at, 3, path);
  return filled;
}

}  // namespace

std::string other_kind(std::string_view head, const std::string& path) {
  const std::string file = plain_path(path);
  for (const OtherKind& kind : other_kinds) {
    if (head.size() < kind.at || !head.substr(kind.at).starts_with(kind.magic)) continue;
    const std::string line = with_path(kind.line, file);
    return with_path(kind.is, file) + (line.empty() ? "" : ": ") + line;
  }
  if (path.ends_with(".mdem")) return "MUSEN's own format, which is not read; let MUSEN export the particles as a text table";
  return "";
}

}  // namespace hgrid::io
