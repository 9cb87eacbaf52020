// SPDX-License-Identifier: BSD-3-Clause
#include "io/column_names.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>

#include "io/fields.hpp"

namespace hgrid::io {
namespace {

using Names = std::initializer_list<std::string_view>;

struct Aliases {
  Role role;
  Names names;
};

// Names are normalised as below. Points0 and similar names are from ParaView, whose CSV has "Points:0" and "Position_0".
const Aliases aliases[] = {
    {Role::x,
     {"x", "posx", "xpos", "positionx", "xposition", "centrex", "centerx", "xcentre", "xcenter", "xcoordinate", "coordinatex",
      "xcoord", "coordx", "points0", "position0", "positions0", "pos0", "coordinates0", "coords0"}},
    {Role::y,
     {"y", "posy", "ypos", "positiony", "yposition", "centrey", "centery", "ycentre", "ycenter", "ycoordinate", "coordinatey",
      "ycoord", "coordy", "points1", "position1", "positions1", "pos1", "coordinates1", "coords1"}},
    {Role::z,
     {"z", "posz", "zpos", "positionz", "zposition", "centrez", "centerz", "zcentre", "zcenter", "zcoordinate", "coordinatez",
      "zcoord", "coordz", "points2", "position2", "positions2", "pos2", "coordinates2", "coords2"}},
    {Role::radius, {"r", "rad", "radius", "radii", "particleradius", "sphereradius"}},
    {Role::diameter, {"diameter", "diameters", "diam", "particlediameter", "spherediameter"}},
    {Role::hx, {"hx", "halfx", "halfextentx"}},
    {Role::hy, {"hy", "halfy", "halfextenty"}},
    {Role::hz, {"hz", "halfz", "halfextentz"}},
    {Role::id, {"id", "particleid", "particleidentifier", "atomid"}},
};

constexpr std::string_view length_units[] = {"km", "m", "dm", "cm", "mm", "um", "\xC2\xB5m", "nm"};

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

Role role_of_key(const std::string& key) {
  for (const auto& [role, names] : aliases) {
    if (std::ranges::find(names, key) != names.end()) return role;
  }
  return Role::none;
}

/// Returns the place of the separator between a name and the unit at its end; npos if there is none.
std::size_t unit_suffix(std::string_view name) {
  const std::size_t at = name.find_last_of("_ ./-:");
  return at != name.npos && at > 0 && is_length_unit(name.substr(at + 1)) ? at : name.npos;
}

}  // namespace

bool is_length_unit(std::string_view text) { return std::ranges::find(length_units, text) != std::end(length_units); }

std::string_view unit_of(std::string_view name) {
  const std::size_t open = name.find_first_of("[("), close = name.find_last_of("])");
  if (open != name.npos && close != name.npos && close > open) return trim(name.substr(open + 1, close - open - 1));
  const std::size_t suffix = unit_suffix(name);
  return suffix == name.npos ? "" : name.substr(suffix + 1);
}

Meaning meaning_of(std::string_view name) {
  if (const Role role = role_of_key(normalised(name)); role != Role::none) return {role, false};
  if (const std::size_t suffix = unit_suffix(name); suffix != name.npos) {
    return {role_of_key(normalised(name.substr(0, suffix))), true};
  }
  // LAMMPS: a compute, a fix, a variable and a property of atoms. Forces are f_x, so only sizes have such names here.
  if (name.size() > 2 && name[1] == '_' && std::string_view("cdfv").find(name[0]) != std::string_view::npos) {
    const Role role = role_of_key(normalised(name.substr(2)));
    if (role == Role::radius || role == Role::diameter) return {role, true};
  }
  return {};
}

bool names_positions(std::string_view name) {
  static const Names positions = {"pos", "position", "positions", "coordinate", "coordinates", "coord", "coords", "points"};
  return std::ranges::find(positions, normalised(name)) != positions.end();
}

bool names_body(std::string_view name) {
  static const Names bodies = {"mol",           "molecule", "moleculeid", "moleculeidentifier",
                               "clump",         "clumpid",  "idclump",    "multisphere",
                               "idmultisphere", "bodyid",   "idbody",     "rigidbody"};
  return std::ranges::find(bodies, normalised(name)) != bodies.end();
}

bool names_column(std::string_view name, std::string_view wanted) {
  return !wanted.empty() && (name == wanted || (!normalised(wanted).empty() && normalised(name) == normalised(wanted)));
}

}  // namespace hgrid::io
