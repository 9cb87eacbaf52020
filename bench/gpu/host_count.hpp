// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/core/types.hpp"
#include "particles.hpp"

namespace gpu_bench {

/// The number of contacts by the host's engine: what a device's count must be.
std::int64_t host_count(const HostParticles& particles, const hgrid::Box3& box);

}  // namespace gpu_bench
