// SPDX-License-Identifier: BSD-3-Clause
// papers nbs | distance-sort | cell-space | jet: runs an experiment and prints its table as CSV.
#include <cstring>

#include "experiments.hpp"

int main(int argc, char** argv) {
  const struct {
    const char* name;
    void (*run)();
  } experiments[] = {
      {"nbs", papers::nbs}, {"distance-sort", papers::distance_sort}, {"cell-space", papers::cell_space}, {"jet", papers::jet}};
  for (const auto& e : experiments) {
    if (argc == 2 && std::strcmp(argv[1], e.name) == 0) return e.run(), 0;
  }
  std::fputs("usage: papers nbs | distance-sort | cell-space | jet\n", stderr);
  return 2;
}
