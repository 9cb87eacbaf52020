// SPDX-License-Identifier: BSD-3-Clause
#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "io/line_reader.hpp"
#include "io/printable.hpp"

namespace hgrid::io {

void describe(const std::vector<std::string_view>& names, ColumnMap& map) {
  const auto name = [&](int column) { return names[static_cast<std::size_t>(column)]; };
  map.taken.clear();
  for (const int column : {map.x, map.y, map.z, map.r, map.extent[0], map.extent[1], map.extent[2], map.id}) {
    if (column < 0 || name(column).empty()) continue;
    map.taken += (map.taken.empty() ? "" : ", ") + printable(name(column), 40);
    if (column == map.r && map.radius_scale != 1) map.taken += " (halved)";
  }
  const int size = std::max(map.r, map.extent[0]);
  if (size < 0) return;
  map.length_unit = printable(unit_of(name(map.x)), 40), map.size_unit = printable(unit_of(name(size)), 40);
}

void require_more(const ColumnMap& map, const ReadOptions& options, const std::string& file) {
  for (std::size_t k = 0; k < options.more.size(); ++k) {
    if (k < map.more.size() && map.more[k] >= 0) continue;
    throw Error(ErrorCode::invalid_argument, fmt::format("{}: no column '{}' of {}s; the columns found are: {}", file,
                                                         printable(options.more[k].name, 40), options.more[k].role, map.found));
  }
}

std::string list_of(const std::vector<std::string_view>& names) {
  static constexpr std::size_t most = 24, most_bytes = 500;
  std::string out;
  std::size_t k = 0;
  for (; k < std::min(names.size(), most) && out.size() < most_bytes; ++k) {
    out += (k == 0 ? "" : ", ") + printable(names[k], 40);
  }
  if (k < names.size()) out += fmt::format(", ... ({} in all)", names.size());
  return out;
}

namespace {

/// Decides whether to use half extents. They are used if every axis has some and no other column gives sizes. Otherwise columns
/// with such names may hold something else.
void settle_extents(ColumnMap& map, const ReadOptions& options) {
  const int of_axes[] = {map.x, map.y, map.z};
  bool whole = true;
  for (std::size_t k = 0; k < 3; ++k) {
    if (of_axes[k] < 0) map.extent[k] = -1;
    whole = whole && (of_axes[k] < 0 || map.extent[k] >= 0);
  }
  const bool has_radii = map.r >= 0 || options.radius;
  if (whole && has_radii) {
    map.notes.push_back(fmt::format("the file has half extents, hx hy hz, which were left out for {}",
                                    map.r >= 0 ? "its radii: --columns names others" : "the radius given"));
  }
  if (!whole || has_radii) map.extent = {-1, -1, -1};
}

/// Returns the column of each role; -1 if there is none, -2 if there are several columns of half extents, which are then not
/// used.
std::array<int, 10> columns_of_roles(const std::vector<std::string_view>& names, const std::string& file, std::int64_t line,
                                     const std::string& remedy) {
  std::array<int, 10> columns;
  columns.fill(-1);
  for (const bool second_choice : {false, true}) {
    const std::array<int, 10> first = columns;
    for (std::size_t k = 0; k < names.size(); ++k) {
      const auto [role, is_second_choice] = meaning_of(names[k]);
      const auto at = static_cast<std::size_t>(role);
      if (role == Role::none || is_second_choice != second_choice || first[at] != -1) continue;
      const bool of_extents = role == Role::hx || role == Role::hy || role == Role::hz;
      if (columns[at] >= 0 && !of_extents) {
        fail_at_line(file, line,
                     fmt::format("two columns mean the same: {} and {}{}",
                                 printable(names[static_cast<std::size_t>(columns[at])], 40), printable(names[k], 40), remedy));
      }
      columns[at] = columns[at] == -1 ? static_cast<int>(k) : -2;
    }
  }
  return columns;
}

}  // namespace

ColumnMap columns_of_options(const std::string& file, std::int64_t line, const ReadOptions& options) {
  ColumnMap map{.may_be_named = true};
  assign_roles({options.columns.begin(), options.columns.end()}, file, line, options, map);
  map.declared_by = "--columns names";
  return map;
}

void assign_roles(const std::vector<std::string_view>& names, const std::string& file, std::int64_t line,
                  const ReadOptions& options, ColumnMap& map) {
  for (const NamedColumn& wanted : options.more) {
    const auto at = std::ranges::find_if(names, [&](std::string_view name) { return names_column(name, wanted.name); });
    map.more.push_back(at == names.end() ? -1 : static_cast<int>(at - names.begin()));
  }
  const bool may_be_named = map.may_be_named && options.columns.empty();
  const std::array<int, 10> columns =
      columns_of_roles(names, file, line, may_be_named ? "; --columns gives all columns other names" : "");
  const auto column_of = [&](Role role) { return columns[static_cast<std::size_t>(role)]; };
  map.x = column_of(Role::x), map.y = column_of(Role::y), map.z = column_of(Role::z);
  map.r = column_of(Role::radius), map.id = column_of(Role::id);
  map.extent = {column_of(Role::hx), column_of(Role::hy), column_of(Role::hz)};
  if (map.r < 0 && column_of(Role::diameter) >= 0) {
    map.r = column_of(Role::diameter);
    map.radius_scale = 0.5;
  }
  if (map.x < 0 || map.y < 0) {
    fail_at_line(file, line,
                 fmt::format("no column for {}; expected names like x y z r or PosX PosY PosZ Radius; "
                             "the columns found are: {}",
                             map.x < 0 ? "x" : "y", list_of(names)));
  }
  const auto body = std::ranges::find_if(names, names_body);
  const auto is_chosen = [&](const NamedColumn& more) { return names_column(*body, more.name); };
  if (body != names.end() && std::ranges::none_of(options.more, is_chosen)) {
    map.notes.push_back(
        fmt::format("the column {0} may say which particles are one body, and pairs within bodies count: --group {0} "
                    "leaves these out",
                    printable(*body, 40)));
  }
  settle_extents(map, options);
  map.count = static_cast<int>(names.size());
  map.found = list_of(names);
  describe(names, map);
}

}  // namespace hgrid::io
