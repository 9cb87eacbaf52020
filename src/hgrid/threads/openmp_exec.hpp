// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/threads/host_engine.hpp"

namespace hgrid::inline v0_2 {

/// Runs on several threads, in host memory: the calling thread and a pool, or OpenMP's threads if the program's own loops keep
/// them awake. Functors must not depend on being in an OpenMP region. Results do not depend on the number of threads.
class OpenMPExec final : public HostExec {
 public:
  /// threads <= 0: OMP_NUM_THREADS, or else as many as affinity and the quotas of control groups allow. At most 64, or four per
  /// processor.
  explicit OpenMPExec(int threads = 0);

  const char* name() const override { return "openmp"; }
  int concurrency() const override { return threads_; }
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override;

 private:
  int threads_;
};

}  // namespace hgrid::inline v0_2
