// SPDX-License-Identifier: BSD-3-Clause
#include "c/threads.hpp"

template std::unique_ptr<hgrid::c::AnyGrid> hgrid::c::make_host_grid<2>(const hgrid_options&, const hgrid_box*);
