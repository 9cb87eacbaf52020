// SPDX-License-Identifier: BSD-3-Clause
#include "python/grid_on.hpp"

namespace hgrid::python {

template std::unique_ptr<AnyGrid> make_grid_of<3>(const GridSpec&, const BoxSpec&);

}  // namespace hgrid::python
