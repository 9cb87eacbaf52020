// SPDX-License-Identifier: BSD-3-Clause
#include "any_grid_on.hpp"
#include "hgrid/hgrid.hpp"

namespace hgrid::tool {

std::unique_ptr<AnyGrid> make_openmp_grid(const GridSpec& spec) { return make_grid_on(OpenMPExec(spec.threads), spec); }

}  // namespace hgrid::tool
