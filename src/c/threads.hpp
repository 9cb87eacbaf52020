// SPDX-License-Identifier: BSD-3-Clause
// The threads of a grid on the host.
#pragma once

#include "hgrid/threads/openmp_exec.hpp"

namespace hgrid::c {

/// The calling thread or OpenMP's, as the options say: one type, so that a grid is compiled once for both. OpenMP's runtime
/// hangs in the child of a process that has used it, so there the calling thread works alone; results do not depend on it.
class Threads final : public HostExec {
 public:
  /// threads: as in hgrid_options.
  explicit Threads(int threads) : is_serial_(threads < 0), openmp_(is_serial_ ? 1 : threads) {}

  const char* name() const override { return is_serial_ ? "serial" : "openmp"; }
  int concurrency() const override;
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override;

 private:
  bool is_serial_;
  OpenMPExec openmp_;
};

}  // namespace hgrid::c
