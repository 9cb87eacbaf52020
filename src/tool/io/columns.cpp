// SPDX-License-Identifier: BSD-3-Clause
#include "io/columns.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"

namespace hgrid::io {
namespace {

struct Aliases {
  Role role;
  std::initializer_list<std::string_view> names;
};

// As normalised below. Points0 and the like are ParaView's, from its CSV export "Points:0".
const Aliases aliases[] = {
    {Role::x, {"x", "posx", "xpos", "positionx", "centrex", "centerx", "xcoordinate", "coordinatex", "points0"}},
    {Role::y, {"y", "posy", "ypos", "positiony", "centrey", "centery", "ycoordinate", "coordinatey", "points1"}},
    {Role::z, {"z", "posz", "zpos", "positionz", "centrez", "centerz", "zcoordinate", "coordinatez", "points2"}},
    {Role::radius, {"r", "rad", "radius", "particleradius"}},
    {Role::diameter, {"diameter", "diam", "particlediameter"}},
    {Role::hx, {"hx", "halfx", "halfextentx"}},
    {Role::hy, {"hy", "halfy", "halfextenty"}},
    {Role::hz, {"hz", "halfz", "halfextentz"}},
    {Role::id, {"id", "particleid"}},
};

std::string normalised(std::string_view name) {
  std::string out;
  for (const char c : name.substr(0, name.find_first_of("[("))) {
    if (c >= 'A' && c <= 'Z')
      out += static_cast<char>(c - 'A' + 'a');
    else if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80)
      out += c;
  }
  return out;
}

/// What stands in brackets at the end of a name; empty if nothing does.
std::string_view unit_of(std::string_view name) {
  const std::size_t open = name.find_first_of("[("), close = name.find_last_of("])");
  return open == name.npos || close == name.npos || close < open ? "" : trim(name.substr(open + 1, close - open - 1));
}

}  // namespace

void describe(const std::vector<std::string_view>& names, ColumnMap& map) {
  const auto name = [&](int column) { return names[static_cast<std::size_t>(column)]; };
  map.taken.clear();
  for (const int column : {map.x, map.y, map.z, map.r, map.extent[0], map.extent[1], map.extent[2], map.id}) {
    if (column < 0) continue;
    map.taken += (map.taken.empty() ? "" : ", ") + printable(name(column), 40);
    if (column == map.r && map.radius_scale != 1) map.taken += " (halved)";
  }
  const int size = std::max(map.r, map.extent[0]);
  if (size < 0) return;
  map.length_unit = printable(unit_of(name(map.x)), 40), map.size_unit = printable(unit_of(name(size)), 40);
}

Role role_of(std::string_view name) {
  const std::string key = normalised(name);
  for (const auto& [role, names] : aliases) {
    if (std::ranges::find(names, key) != names.end()) return role;
  }
  return Role::none;
}

bool names_column(std::string_view name, std::string_view wanted) {
  return !wanted.empty() && (name == wanted || (!normalised(wanted).empty() && normalised(name) == normalised(wanted)));
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

/// Half extents are taken where every axis has some and nothing else says how large particles are. Columns of such names may
/// hold something else.
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

}  // namespace

void assign_roles(const std::vector<std::string_view>& names, const std::string& file, std::int64_t line,
                  const ReadOptions& options, ColumnMap& map) {
  for (const NamedColumn& wanted : options.more) {
    const auto at = std::ranges::find_if(names, [&](std::string_view name) { return names_column(name, wanted.name); });
    map.more.push_back(at == names.end() ? -1 : static_cast<int>(at - names.begin()));
  }
  int diameter = -1;
  int* const places[] = {nullptr,        &map.x,         &map.y,         &map.z, &map.r, &diameter,  // of roles
                         &map.extent[0], &map.extent[1], &map.extent[2], &map.id};
  for (int k = 0; k < static_cast<int>(names.size()); ++k) {
    int* const place = places[static_cast<std::size_t>(role_of(names[static_cast<std::size_t>(k)]))];
    if (place == nullptr) continue;
    const bool of_extents = std::ranges::any_of(map.extent, [&](int& column) { return &column == place; });
    if (of_extents && *place != -1) {
      *place = -2;  // of two neither is taken
      continue;
    }
    if (*place >= 0) {
      fail_at_line(file, line,
                   fmt::format("two columns mean the same: {} and {}", printable(names[static_cast<std::size_t>(*place)], 40),
                               printable(names[static_cast<std::size_t>(k)], 40)));
    }
    *place = k;
  }
  if (map.r < 0 && diameter >= 0) {
    map.r = diameter;
    map.radius_scale = 0.5;
  }
  if (map.x < 0 || map.y < 0) {
    fail_at_line(file, line,
                 fmt::format("no column for {}; expected names like x y z r or PosX PosY PosZ Radius; "
                             "the columns found are: {}",
                             map.x < 0 ? "x" : "y", list_of(names)));
  }
  settle_extents(map, options);
  map.count = static_cast<int>(names.size());
  map.found = list_of(names);
  describe(names, map);
}

}  // namespace hgrid::io
