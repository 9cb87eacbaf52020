// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#ifndef _OPENMP
#error "hgrid: OpenMPExec needs -fopenmp; link the CMake target hgrid::hgrid, or use SerialExec"
#endif

#include <omp.h>

#include "hgrid/host/first_exception.hpp"
#include "hgrid/host/host_exec.hpp"

namespace hgrid {

/// Runs on OpenMP threads, in host memory. Results do not depend on the number of threads.
class OpenMPExec : public HostExec<OpenMPExec> {
 public:
  /// threads <= 0: what the OpenMP runtime gives (OMP_NUM_THREADS).
  explicit OpenMPExec(int threads = 0) : threads_(threads > 0 ? threads : omp_get_max_threads()) {}

  const char* name() const { return "openmp"; }
  int concurrency() const { return threads_; }

  template <class F>
  void run(offset_t parts, const F& f) const {
    if (parts == 1) return f(0);
    FirstException failure;
#pragma omp parallel for num_threads(static_cast<int>(parts)) schedule(static, 1)
    for (offset_t part = 0; part < parts; ++part) failure.guard([&] { f(part); });
    failure.rethrow();
  }

  template <class F>
  void run_dynamic(offset_t n, const F& f) const {
    FirstException failure;
#pragma omp parallel for num_threads(threads_) schedule(dynamic, 1)
    for (offset_t item = 0; item < n; ++item) failure.guard([&] { f(item); });
    failure.rethrow();
  }

 private:
  int threads_;
};

}  // namespace hgrid
