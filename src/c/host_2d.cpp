// SPDX-License-Identifier: BSD-3-Clause
#include "c/grid_on.hpp"
#include "c/threads.hpp"

namespace hgrid::c {

template <>
std::unique_ptr<AnyGrid> make_host_grid<2>(const hgrid_options& options, const hgrid_box* box) {
  return std::make_unique<GridOn<Threads, 2>>(Threads(options.threads), Place{}, box, options_of(options));
}

}  // namespace hgrid::c
