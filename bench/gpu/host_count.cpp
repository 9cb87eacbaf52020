// SPDX-License-Identifier: BSD-3-Clause
// A file of its own, because nvcc would compile the host's functors for the device too, and warn.
#include "host_count.hpp"

#include "hgrid/hgrid.hpp"

namespace gpu_bench {

std::int64_t host_count(const HostParticles& particles, const hgrid::Box3& box) {
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{}, box);
  grid.build(hgrid::particles<3>(particles.x.data(), particles.r.data(), particles.size()));
  return grid.count();
}

}  // namespace gpu_bench
