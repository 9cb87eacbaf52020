// SPDX-License-Identifier: BSD-3-Clause
// Builds of the host engine in two dimensions.
#include "host/host_build-inl.hpp"

namespace hgrid::inline v0_2::detail {

HGRID_INSTANCES_OF_HOST_BUILD(2)

}  // namespace hgrid::inline v0_2::detail
