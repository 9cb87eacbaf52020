// SPDX-License-Identifier: BSD-3-Clause
#include "io/sniff.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "hgrid/core/error.hpp"
#include "io/extended_xyz.hpp"
#include "io/fields.hpp"
#include "io/gsd_file.hpp"
#include "io/lammps_data.hpp"
#include "io/lammps_yaml.hpp"
#include "io/mercury_data.hpp"
#include "io/mercury_restart.hpp"
#include "io/npy_header.hpp"
#include "io/other_kinds.hpp"
#include "io/table_comments.hpp"
#include "io/vtk_legacy.hpp"
#include "io/vtk_xml.hpp"

namespace hgrid::io {
namespace {

bool ends_with_ignoring_case(std::string_view path, std::string_view suffix) {
  return path.size() >= suffix.size() &&
         std::ranges::equal(path.substr(path.size() - suffix.size()), suffix,
                            [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; });
}

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte == 0x7F || (byte < 0x20 && (byte < '\t' || byte > '\r'));
}

/// The first lines that are neither blank nor comments, and whether a comment before them names columns.
struct FirstRows {
  std::string_view first, second;
  bool are_named = false;
};

FirstRows first_rows(std::string_view head) {
  FirstRows rows;
  while (!head.empty() && rows.second.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = trim(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (line.empty()) continue;
    if (!is_comment(line)) {
      (rows.first.empty() ? rows.first : rows.second) = line;
    } else if (rows.first.empty()) {
      rows.are_named = rows.are_named || !header_in_comment(line).empty();
    }
  }
  return rows;
}

}  // namespace

InputFormat sniff(std::string_view head, const std::string& file, const std::string& name, std::size_t named_columns) {
  const std::string path = ends_with_ignoring_case(file, ".gz") ? file.substr(0, file.size() - 3) : file;
  const auto fail = [&](const std::string& reason) { throw Error(ErrorCode::format, name + ": " + reason); };
  if (head.empty()) fail("no particles: the file is empty");
  if (head.starts_with(npy_magic)) return InputFormat::npy;
  if (head.starts_with(gsd_magic)) return InputFormat::gsd;
  if (head.starts_with(vtk_legacy_magic)) return InputFormat::vtk_legacy;
  if (is_vtk_xml(head)) return InputFormat::vtk_xml;
  if (const std::string kind = other_kind(head, file); !kind.empty()) fail(kind);
  if (ends_with_ignoring_case(path, ".npy")) fail("byte 0: the magic of .npy is missing");
  const auto control = std::ranges::find_if(head, is_control);
  if (control != head.end()) {
    fail(fmt::format("byte {}: 0x{:02x}: this is neither text nor .npy", control - head.begin(),
                     static_cast<unsigned char>(*control)));
  }

  if (head.starts_with("\xEF\xBB\xBF")) head.remove_prefix(3);
  if (is_xyz(head) || ends_with_ignoring_case(path, ".xyz") || ends_with_ignoring_case(path, ".extxyz")) {
    return InputFormat::xyz;
  }
  if (is_lammps_data(head)) return InputFormat::lammps_data;
  const FirstRows rows = first_rows(head);
  const std::string_view row = rows.first;
  if (row.starts_with("ITEM:")) return InputFormat::lammps_dump;
  if (is_lammps_yaml(row, rows.second)) return InputFormat::lammps_yaml;
  if (is_mercury_restart(row)) return InputFormat::mercury_restart;
  std::vector<std::string_view> fields;
  split_fields(rows.second, ' ', fields);
  const std::size_t columns = fields.size();
  split_fields(row, ' ', fields);
  if (rows.are_named || (named_columns == fields.size() && named_columns == columns)) return InputFormat::text_table;
  if (is_mercury_header(fields.size()) && std::ranges::all_of(fields, is_numeric)) return InputFormat::mercury_data;
  const bool could_be_table = fields.size() >= 2 && fields.size() <= 4;
  if (!could_be_table && ends_with_ignoring_case(path, ".data") && !fields.empty() && is_numeric(fields[0]) &&
      delimiter_of(row) == ' ') {
    return InputFormat::mercury_data;  // the reader of this format reports the error
  }
  return InputFormat::text_table;
}

}  // namespace hgrid::io
