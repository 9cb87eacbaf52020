// SPDX-License-Identifier: BSD-3-Clause
// Tables of real particles from the folder that HGRID_SHARED_DIR names, or that the build was told of.
#pragma once

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace support {

inline std::string data_folder() {
  const char* shared = std::getenv("HGRID_SHARED_DIR");
  if (shared != nullptr) return std::string(shared) + "/data";
#ifdef HGRID_SHARED_DATA
  return HGRID_SHARED_DATA;
#else
  return "../shared/data";
#endif
}

struct Table {
  std::vector<double> xyz, radius;
};

/// Reads a header line, then numbers in four columns; `radius_first` says whether radii lead or trail. Empty if the file does
/// not exist.
inline Table read_table(const std::string& name, bool radius_first) {
  std::ifstream file(data_folder() + "/" + name);
  Table table;
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    for (char& c : line) c = c == ',' ? ' ' : c;
    std::istringstream row(line);
    double v[4];
    if (!(row >> v[0] >> v[1] >> v[2] >> v[3])) continue;
    table.radius.push_back(radius_first ? v[0] : v[3]);
    for (int k = 0; k < 3; ++k) table.xyz.push_back(v[k + (radius_first ? 1 : 0)]);
  }
  return table;
}

}  // namespace support
