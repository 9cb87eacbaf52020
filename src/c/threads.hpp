// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/host/openmp_exec.hpp"
#include "hgrid/host/serial_exec.hpp"

namespace hgrid::c {

/// The calling thread or OpenMP's, as the options say: one type, so that a grid is compiled once for both.
class Threads final : public HostExec {
 public:
  /// threads: as in hgrid_options.
  explicit Threads(int threads) : is_serial_(threads < 0), openmp_(is_serial_ ? 1 : threads) {}

  const char* name() const override { return used().name(); }
  int concurrency() const override { return used().concurrency(); }
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override {
    used().run(label, parts, part);
  }

 private:
  const HostExec& used() const { return is_serial_ ? static_cast<const HostExec&>(serial_) : openmp_; }

  bool is_serial_;
  SerialExec serial_;
  OpenMPExec openmp_;
};

}  // namespace hgrid::c
