// SPDX-License-Identifier: BSD-3-Clause
// The number of threads that a process should use.
#pragma once

#include <string>

namespace hgrid::inline v0_2::detail {

/// Returns the number of threads for a caller that wants `asked`. For 0 it is OMP_NUM_THREADS, or else the number of processors
/// that the calling thread may run on, within the time of its control groups. At most 64, or four per processor.
int usable_threads(int asked);

/// Returns how many processors, rounded up, the quotas of control groups of version 1 or 2 allow. `groups` is the text of
/// /proc/self/cgroup, `mount` the folder in which they are mounted. 0 if there is no quota.
int processors_of_quota(const std::string& groups, const std::string& mount);

}  // namespace hgrid::inline v0_2::detail
