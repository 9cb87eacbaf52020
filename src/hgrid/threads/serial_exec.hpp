// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/threads/host_engine.hpp"

namespace hgrid::inline v0_2 {

/// Runs everything on the calling thread, in host memory.
class SerialExec final : public HostExec {
 public:
  const char* name() const override { return "serial"; }
  int concurrency() const override { return 1; }
  void run(const char*, offset_t parts, FunctionRef<void(offset_t)> part) const override {
    for (offset_t k = 0; k < parts; ++k) part(k);
  }
};

}  // namespace hgrid::inline v0_2
