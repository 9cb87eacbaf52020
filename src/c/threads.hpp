// SPDX-License-Identifier: BSD-3-Clause
// A grid on the host, and its threads.
#pragma once

#include "c/grid_on.hpp"
#include "hgrid/threads/openmp_exec.hpp"

namespace hgrid::c {

/// The calling thread alone or several, as the options say. One type, so that a grid is compiled once for both.
class Threads final : public HostExec {
 public:
  /// threads: as in hgrid_options.
  explicit Threads(int threads) : is_serial_(threads < 0), openmp_(is_serial_ ? 1 : threads) {}

  const char* name() const override { return is_serial_ ? "serial" : "openmp"; }
  int concurrency() const override { return openmp_.concurrency(); }
  void run(const char* label, offset_t parts, FunctionRef<void(offset_t)> part) const override {
    openmp_.run(label, parts, part);
  }

 private:
  bool is_serial_;
  OpenMPExec openmp_;
};

template <int D>
std::unique_ptr<AnyGrid> make_host_grid(const hgrid_options& options, const hgrid_box* box) {
  return std::make_unique<GridOn<Threads, D>>(Threads(options.threads), Place{}, box, options_of(options));
}

}  // namespace hgrid::c
