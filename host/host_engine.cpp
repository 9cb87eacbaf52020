// SPDX-License-Identifier: BSD-3-Clause
// The host engine in three dimensions.
#include "host/host_engine-inl.hpp"

void hgrid::Watch::throw_stopped() {
  throw Error(ErrorCode::stopped, "the work was stopped by whoever watches it; call again to do it");
}

namespace hgrid::inline v0_2::detail {

HGRID_INSTANCES_OF_HOST_ENGINE(3)

}  // namespace hgrid::inline v0_2::detail
