// SPDX-License-Identifier: BSD-3-Clause
// Relaxes the cubes that systems of any number are copies of: cubes FOLDER RATIO...
#include <cstdio>
#include <cstdlib>

#include "particles.hpp"

int main(int argc, char** argv) try {
  if (argc < 3) return std::fprintf(stderr, "cubes FOLDER RATIO...\n"), 2;
  for (int k = 2; k < argc; ++k) {
    const double ratio = std::atof(argv[k]);
    write_particles(gpu_bench::cube_path(argv[1], ratio), gpu_bench::relaxed_cube(gpu_bench::particles_of_cube, ratio));
  }
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
