// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/core/types.hpp"
#include "particles.hpp"

namespace gpu_bench {

/// Returns the number of contacts by the host's engine, which a device's count must equal.
std::int64_t host_count(const HostParticles& particles, const hgrid::Box3& box);

}  // namespace gpu_bench
