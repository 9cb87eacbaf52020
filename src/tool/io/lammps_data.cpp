// SPDX-License-Identifier: BSD-3-Clause
#include "io/lammps_data.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

using Fields = std::vector<std::string_view>;

/// The columns of an atom style (LAMMPS, read_data). LIGGGHTS calls sphere also granular.
struct Style {
  std::string_view name, columns;
};
constexpr Style styles[] = {
    {"angle", "id molecule type x y z"},
    {"atomic", "id type x y z"},
    {"body", "id type bodyflag mass x y z"},
    {"bond", "id molecule type x y z"},
    {"bpm/sphere", "id molecule type diameter density x y z"},
    {"charge", "id type q x y z"},
    {"dipole", "id type q x y z mux muy muz"},
    {"dpd", "id type theta x y z"},
    {"ellipsoid", "id type ellipsoidflag density x y z"},
    {"full", "id molecule type q x y z"},
    {"granular", "id type diameter density x y z"},
    {"line", "id molecule type lineflag density x y z"},
    {"molecular", "id molecule type x y z"},
    {"peri", "id type volume density x y z"},
    {"sph", "id type rho esph cv x y z"},
    {"sphere", "id type diameter density x y z"},
    {"tri", "id molecule type triangleflag density x y z"},
};

std::string_view without_comment(std::string_view line) { return trim(line.substr(0, line.find('#'))); }

/// Returns the columns of a style and its sub-styles, as in `hybrid sphere charge`; empty for an unknown style. Values that
/// several sub-styles have come once.
Fields columns_of(const Fields& style) {
  const auto add = [](std::string_view name, Fields& columns) {
    const auto at = std::ranges::find(styles, name, &Style::name);
    if (at == std::end(styles)) return false;
    Fields more;
    split_fields(at->columns, ' ', more);
    for (const std::string_view column : more) {
      if (std::ranges::find(columns, column) == columns.end()) columns.push_back(column);
    }
    return true;
  };
  Fields columns;
  if (style.empty()) return columns;
  if (style[0] != "hybrid") return add(style[0], columns) ? columns : Fields{};
  columns = {"id", "type", "x", "y", "z"};
  const bool known =
      style.size() > 1 && std::all_of(style.begin() + 1, style.end(), [&](auto name) { return add(name, columns); });
  return known ? columns : Fields{};
}

/// The counts and bounds above the sections.
struct DataHead {
  std::int64_t count = -1;  // not seen yet
  std::optional<BoxBounds> box;
};

bool is_section(std::string_view line) { return !line.empty() && line.front() >= 'A' && line.front() <= 'Z'; }

/// Takes a line of the head if it states the number of atoms or the bounds of the box; ignores others.
void read_head_line(const Fields& fields, const LineReader& lines, DataHead& head) {
  const auto numbers = [&](std::size_t count, double* values) {
    for (std::size_t k = 0; k < count; ++k) {
      if (parse_number(fields[k], values[k]) == Number::good) continue;
      fail_at_line(lines.name(), lines.number(), fmt::format("'{}' is no finite number", printable(fields[k])));
    }
  };
  const auto box = [&]() -> BoxBounds& {
    if (!head.box) head.box = BoxBounds{{-0.5, -0.5, -0.5}, {0.5, 0.5, 0.5}};  // LAMMPS' defaults for missing bounds
    return *head.box;
  };
  const auto ends_with = [&](std::size_t count, std::initializer_list<std::string_view> words) {
    return fields.size() == count + words.size() &&
           std::equal(words.begin(), words.end(), fields.begin() + static_cast<std::ptrdiff_t>(count));
  };
  if (ends_with(1, {"atoms"}) && !parse_count(fields[0], head.count)) {
    fail_at_line(lines.name(), lines.number(), fmt::format("'{}' is no count of atoms", printable(fields[0])));
  }
  static constexpr std::string_view bounds[][2] = {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}};
  static constexpr std::string_view vectors[] = {"avec", "bvec", "cvec"};
  for (std::size_t k = 0; k < 3; ++k) {
    double values[3];
    if (ends_with(2, {bounds[k][0], bounds[k][1]})) numbers(2, values), box().lo[k] = values[0], box().hi[k] = values[1];
    if (!ends_with(3, {vectors[k]})) continue;
    numbers(3, values);
    if (!box().vectors) box().vectors.emplace(), box().lo = {};
    std::copy_n(values, 3, (*box().vectors)[k].begin());
  }
  if (ends_with(3, {"xy", "xz", "yz"})) numbers(3, box().tilt.data());
  if (ends_with(3, {"abc", "origin"})) numbers(3, box().lo.data());
}

/// Returns an example of --columns for rows of this number of columns, if it tells the columns; LAMMPS writes three image flags
/// at the end.
std::string example_of_columns(std::size_t count) {
  switch (count) {
    case 5:
      return ", such as --columns id,type,x,y,z";
    case 7:
      return ", such as --columns id,type,diameter,density,x,y,z";
    case 8:
      return ", such as --columns id,type,x,y,z,ix,iy,iz";
    case 10:
      return ", such as --columns id,type,diameter,density,x,y,z,ix,iy,iz";
    default:
      return "";
  }
}

class DataFile {
 public:
  DataFile(ByteSource& source, const ReadOptions& options) : lines_(source, options.max_line), options_(options) {}

  ParticleTable read() {
    std::string_view line;
    if (lines_.next(line)) read_head();  // the first line may have any text
    if (head_.count < 0) fail("no count of atoms above the sections");
    ParticleTable table = head_.count == 0 && !find_atoms() ? ParticleTable{} : read_atoms();
    table.box = head_.box;
    table.periods_unstated = head_.box.has_value();
    if (table.size() > 0) apply_radius(table, lines_.name(), options_);
    return table;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const { fail_at_line(lines_.name(), lines_.number(), reason); }

  /// Reads up to the first section.
  void read_head() {
    Fields fields;
    for (std::string_view line; lines_.next(line);) {
      section_ = line;
      const std::string_view words = without_comment(line);
      if (is_section(words)) return;
      split_fields(words, ' ', fields);
      if (!fields.empty()) read_head_line(fields, lines_, head_);
    }
    section_.clear();
  }

  /// Skips sections up to Atoms, and keeps the line that begins it.
  bool find_atoms() {
    std::string_view line;
    while (without_comment(section_) != "Atoms") {
      if (!lines_.next(line)) return false;
      section_ = line;
    }
    return true;
  }

  ColumnMap columns(std::string_view first_row) const {
    Fields row, style, names;
    split_fields(first_row, ' ', row);
    const std::size_t mark = std::min(section_.find('#'), section_.size() - 1);
    split_fields(std::string_view(section_).substr(mark + 1), ' ', style);
    const bool named = !options_.columns.empty();
    names = named ? Fields{options_.columns.begin(), options_.columns.end()} : columns_of(style);
    if (names.empty()) {
      const std::string why = style.empty() ? "the section Atoms does not say which atom style it has"
                                            : fmt::format("the columns of atom style '{}' are not known",
                                                          printable(fmt::format("{}", fmt::join(style, " ")), 40));
      fail(fmt::format("{}; --columns names its {}{}", why, detail::counted(row.size(), "column"),
                       example_of_columns(row.size())));
    }
    if (row.size() == names.size() + 3 && !named) names.insert(names.end(), {"ix", "iy", "iz"});
    ColumnMap map;
    assign_roles(names, lines_.name(), lines_.number(), options_, map);
    map.declared_by = named ? "--columns names" : fmt::format("atom style {} has", fmt::join(style, " "));
    return map;
  }

  ParticleTable read_atoms() {
    if (!find_atoms())
      fail(fmt::format("the file declares {}, but has no section Atoms", detail::counted(head_.count, "atom")));
    std::optional<RowParser> rows;
    std::string_view line;
    for (std::int64_t row = 0; row < head_.count; ++row) {
      const bool more = lines_.next_filled(line);
      line = more ? without_comment(line) : "";
      if (!more || is_section(line)) {
        fail(fmt::format("the file declares {}, but {} after {}", detail::counted(head_.count, "atom"),
                         more ? fmt::format("section {} begins", printable(line, 40)) : "ends", row));
      }
      if (line.empty()) {
        --row;
        continue;
      }
      if (!rows) rows.emplace(lines_.name(), options_, columns(line));
      rows->add(line, lines_.number());
    }
    while (lines_.next_filled(line)) {
      if (is_section(without_comment(line))) break;
      if (!without_comment(line).empty())
        fail(fmt::format("the file declares {}, but has more", detail::counted(head_.count, "atom")));
    }
    return rows ? rows->finish() : ParticleTable{};
  }

  LineReader lines_;
  const ReadOptions& options_;
  DataHead head_;
  std::string section_;  // the line that begins the section
};

}  // namespace

ParticleTable read_lammps_data(ByteSource& source, const ReadOptions& options) { return DataFile(source, options).read(); }

bool is_lammps_data(std::string_view head) {
  Fields fields;
  bool first = true;
  while (!head.empty()) {
    const std::size_t end = std::min(head.find('\n'), head.size());
    const std::string_view line = without_comment(head.substr(0, end));
    head.remove_prefix(std::min(end + 1, head.size()));
    if (std::exchange(first, false) || line.empty()) continue;
    split_fields(line, ' ', fields);
    if (fields.size() == 2 && fields[1] == "atoms") return true;
    const bool of_head = fields.size() >= 2 && is_numeric(fields[0]) && !is_numeric(fields.back());  // a count or bounds
    if (!of_head) return false;
  }
  return false;
}

}  // namespace hgrid::io
