// SPDX-License-Identifier: BSD-3-Clause
// The host engine in two dimensions.
#include "host/host_engine-inl.hpp"

namespace hgrid::inline v0_2::detail {

HGRID_INSTANCES_OF_HOST_ENGINE(2)

}  // namespace hgrid::inline v0_2::detail
