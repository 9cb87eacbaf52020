// SPDX-License-Identifier: BSD-3-Clause
// A system as a file that `hgrid contacts` reads, with its command line as a comment, and back.
#pragma once

#include <filesystem>
#include <fstream>
#include <sstream>

#include "hgrid/core/names.hpp"
#include "io/read_particles.hpp"
#include "support/case.hpp"

namespace support {

inline std::string exactly(double v) {
  char text[40];
  std::snprintf(text, sizeof text, "%.17g", v);
  return text;
}

/// Groups, ghosts, exclusions, cut-offs and the mask have no place in it.
inline void write_system(const std::filesystem::path& path, const Case& c) {
  const oracle::System& s = c.system;
  std::ofstream out(path);
  std::string axes;
  for (int k = 0; k < s.dimension; ++k) {
    if (s.periodic[k]) axes += "xyz"[k];
  }
  out << "# hgrid contacts FILE --skin " << exactly(s.skin);
  if (!axes.empty()) out << " --periodic " << axes;
  if (s.rule != oracle::Rule::sum) out << " --rule " << hgrid::name_of(static_cast<hgrid::Rule>(s.rule));
  out << "\n";
  for (const hgrid::LevelSpec& level : c.levels) {
    out << "# level " << exactly(level.radius_max);
    for (double size : level.cell_size) out << ' ' << exactly(size);
    out << "\n";
  }
  if (!axes.empty()) {
    out << "# box";
    for (int k = 0; k < s.dimension; ++k) out << ' ' << exactly(s.lo[k]);
    for (int k = 0; k < s.dimension; ++k) out << ' ' << exactly(s.periodic[k] ? s.hi[k] : s.lo[k] + 1);
    out << "\n# tilt";
    for (double tilt : s.tilt) out << ' ' << exactly(tilt);
    out << "\n";
    if (s.turned) out << "# turned";
    for (int k = 0; k < 9 && s.turned; ++k) out << ' ' << exactly(s.axes[k / 3][k % 3]);
    if (s.turned) out << "\n";
  }
  out << (s.dimension == 3 ? "x,y,z,r\n" : "x,y,r\n");
  for (const oracle::Particle& p : s.particles) {
    for (int k = 0; k < s.dimension; ++k) out << exactly(p.x[k]) << ',';
    out << exactly(s.radius_scale * p.radius + p.extra) << "\n";
  }
}

inline Case read_system(const std::filesystem::path& path) {
  const hgrid::io::ParticleTable table = hgrid::io::read_particles(path.string());
  Case c;
  oracle::System& s = c.system;
  s.dimension = table.dimension;
  c.choice[dimension] = s.dimension - 2;
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    s.particles.push_back({.x = {table.x[i], table.y[i], table.z[i]}, .radius = table.r[i]});
  }
  for (std::size_t k = 0; table.box && k < 3; ++k) s.lo[k] = table.box->lo[k], s.hi[k] = table.box->hi[k];
  std::ifstream in(path);
  for (std::string line, word; std::getline(in, line);) {
    std::istringstream words(line);
    words >> word >> word;
    if (line.starts_with("# level")) {
      hgrid::LevelSpec level{};
      words >> level.radius_max >> level.cell_size[0] >> level.cell_size[1] >> level.cell_size[2];
      c.levels.push_back(level);
    }
    if (line.starts_with("# tilt")) words >> s.tilt[0] >> s.tilt[1] >> s.tilt[2];
    s.turned = s.turned || line.starts_with("# turned");
    for (int k = 0; k < 9 && line.starts_with("# turned"); ++k) words >> s.axes[k / 3][k % 3];
    while (line.starts_with("# hgrid") && words >> word) {
      if (word == "--skin") words >> s.skin;
      if (word == "--rule" && words >> word) s.rule = static_cast<oracle::Rule>(hgrid::from_name<hgrid::Rule>(word).value());
      if (word == "--periodic" && words >> word) {
        for (char axis : word) s.periodic[axis - 'x'] = true;
      }
    }
  }
  return c;
}

}  // namespace support
