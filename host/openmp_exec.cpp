// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/threads/openmp_exec.hpp"

#include <omp.h>

namespace hgrid::inline v0_2 {

OpenMPExec::OpenMPExec(int threads) : threads_(threads > 0 ? threads : omp_get_max_threads()) {}

void OpenMPExec::run(const char*, offset_t parts, FunctionRef<void(offset_t)> part) const {
  if (parts < 1) return;
  if (parts == 1) return part(0);
#pragma omp parallel for num_threads(static_cast <int>(parts)) schedule(static, 1)
  for (offset_t k = 0; k < parts; ++k) part(k);
}

}  // namespace hgrid::inline v0_2
