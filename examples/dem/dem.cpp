// SPDX-License-Identifier: BSD-3-Clause
// A small complete DEM on the host; cuda_dem.cu runs it on a device.
// dem case=settling dimension=3 ...
#include <exception>

#include "run.hpp"

int main(int argc, char* argv[]) {
  try {
    const dem::Options options(argc, argv);
    if (options.is("exec", "serial")) return dem::run_dimension(hgrid::SerialExec{}, options);
    return dem::run_dimension(hgrid::OpenMPExec{}, options);
  } catch (const std::exception& e) {
    std::fprintf(stderr, "dem: %s\n", e.what());
    return 1;
  }
}
