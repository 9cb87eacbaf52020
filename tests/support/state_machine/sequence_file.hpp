// SPDX-License-Identifier: BSD-3-Clause
// A sequence as text and back: one object or operation a line, as a name and pairs of field and number.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "support/state_machine/sequence.hpp"

namespace support::machine {

inline constexpr const char* first_line = "hgrid-sequence 1";

namespace detail {

inline std::string number(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

/// Hands the fields of one line to a visitor or takes them from it, so that writing and reading share their names.
template <class Visit>
void fields_of(GridSpec& g, const Visit& visit) {
  visit("keys", g.keys), visit("table", g.table), visit("sort", g.sort), visit("schedule", g.schedule);
  visit("direction", g.direction), visit("levels", g.levels), visit("box", g.box), visit("rule", g.rule);
}
template <class Visit>
void fields_of(VerletSpec& v, const Visit& visit) {
  visit("grid", v.grid), visit("full", v.full), visit("choose", v.choose), visit("rebuild", v.rebuild);
  visit("check_every", v.check_every), visit("skin", v.skin);
}
template <class Visit>
void fields_of(WorldSpec& w, const Visit& visit) {
  visit("seed", w.seed), visit("count", w.count), visit("scale", w.scale), visit("clustered", w.clustered);
  visit("ghosts", w.ghosts), visit("skip", w.skip), visit("grouped", w.grouped);
  visit("excluding", w.excluding), visit("apart", w.apart);
}
template <class Visit>
void fields_of(oracle::Particle& p, const Visit& visit) {
  visit("x", p.x[0]), visit("y", p.x[1]), visit("z", p.x[2]), visit("radius", p.radius), visit("extra", p.extra);
  visit("group", p.group), visit("active", p.active), visit("world", p.world);
}
template <class Visit>
void fields_of(Sequence& s, const Visit& visit) {
  visit("drawn_from", s.drawn_from), visit("dimension", s.dimension), visit("executor", s.executor), visit("memory", s.memory);
}
template <class Visit>
void fields_of(Operation& op, const Visit& visit) {
  for (int f = 0; f < field_count; ++f) visit(field_names[f], op.field[f]);
}

/// Writes the fields that differ from a fresh object.
template <class T>
void write_line(std::ostream& out, const char* name, T object) {
  T fresh{};
  std::vector<double> usual;
  fields_of(fresh, [&](const char*, auto& value) { usual.push_back(static_cast<double>(value)); });
  std::size_t at = 0;
  out << name;
  fields_of(object, [&](const char* field, auto& value) {
    const double v = static_cast<double>(value);
    if (v != usual[at++]) out << ' ' << field << ' ' << number(v);
  });
  out << "\n";
}

template <class T>
T read_line(std::istringstream& words) {
  T object{};
  for (std::string name, text; words >> name >> text;) {
    bool known = false;
    fields_of(object, [&](const char* field, auto& value) {
      if (name != field) return;
      known = true;
      value = static_cast<std::decay_t<decltype(value)>>(std::strtod(text.c_str(), nullptr));
    });
    if (!known) throw std::runtime_error("a sequence knows no field " + name);
  }
  return object;
}

}  // namespace detail

inline std::string to_text(const Operation& op) {
  std::ostringstream out;
  detail::write_line(out, kinds()[static_cast<std::size_t>(op.what)].name, op);
  return out.str();
}

inline std::string to_text(const Sequence& s) {
  std::ostringstream out;
  out << first_line << "\n";
  detail::write_line(out, "sequence", s);
  for (const GridSpec& g : s.grids) detail::write_line(out, "grid", g);
  for (const VerletSpec& v : s.verlets) detail::write_line(out, "verlet", v);
  for (const WorldSpec& w : s.worlds) {
    detail::write_line(out, "world", w);
    for (const oracle::Particle& p : w.listed) detail::write_line(out, "particle", p);
  }
  for (const Operation& op : s.operations) out << to_text(op);
  return out.str();
}

/// Lines that begin with # are comments.
inline Sequence read_sequence(std::istream& in) {
  std::string line;
  while (std::getline(in, line) && line.starts_with("#")) {
  }
  if (line != first_line) throw std::runtime_error("not a sequence of this version: " + line);
  Sequence s;
  while (std::getline(in, line)) {
    std::istringstream words(line);
    std::string name;
    if (!(words >> name) || name[0] == '#') continue;
    if (name == "sequence") {
      s = detail::read_line<Sequence>(words);
    } else if (name == "grid") {
      s.grids.push_back(detail::read_line<GridSpec>(words));
    } else if (name == "verlet") {
      s.verlets.push_back(detail::read_line<VerletSpec>(words));
    } else if (name == "world") {
      s.worlds.push_back(detail::read_line<WorldSpec>(words));
      s.worlds.back().dimension = s.dimension;
    } else if (name == "particle") {
      s.worlds.back().listed.push_back(detail::read_line<oracle::Particle>(words));
    } else {
      const auto known = std::find_if(kinds().begin(), kinds().end(), [&](const KindInfo& k) { return name == k.name; });
      if (known == kinds().end()) throw std::runtime_error("a sequence knows no operation " + name);
      Operation op = detail::read_line<Operation>(words);
      op.what = static_cast<Kind>(known - kinds().begin());
      s.operations.push_back(op);
    }
  }
  return s;
}

inline Sequence read_sequence(const std::filesystem::path& path) {
  std::ifstream in(path);
  return read_sequence(in);
}

}  // namespace support::machine
