// SPDX-License-Identifier: BSD-3-Clause
// How many threads a process may well use.
#pragma once

#include <string>

namespace hgrid::inline v0_2::detail {

/// Returns how many threads a caller gets that wants `asked`. For 0 these are OMP_NUM_THREADS, or as many as there are
/// processors that the calling thread may run on, and that its control groups have time for. No more than 64, or four per
/// processor.
int usable_threads(int asked);

/// Returns how many processors, rounded up, the quotas of control groups of version 1 or 2 are worth. `groups` is the text of
/// /proc/self/cgroup, `mount` the folder that they are mounted in. 0 if there is no quota.
int processors_of_quota(const std::string& groups, const std::string& mount);

}  // namespace hgrid::inline v0_2::detail
