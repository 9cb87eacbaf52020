// SPDX-License-Identifier: BSD-3-Clause
#include "c/grid_on.hpp"

namespace hgrid::c {

template std::unique_ptr<AnyGrid> make_grid_of<2>(const hgrid_options&, const hgrid_box*);

}  // namespace hgrid::c
