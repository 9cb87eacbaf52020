// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/threads/host_engine.hpp"

namespace hgrid::inline v0_2 {

/// Runs on OpenMP threads, in host memory. Results do not depend on the number of threads.
class OpenMPExec final : public HostExec {
 public:
  /// threads <= 0: what the OpenMP runtime gives (OMP_NUM_THREADS).
  explicit OpenMPExec(int threads = 0);

  const char* name() const override { return "openmp"; }
  int concurrency() const override { return threads_; }
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override;

 private:
  int threads_;
};

}  // namespace hgrid::inline v0_2
