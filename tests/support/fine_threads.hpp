// SPDX-License-Identifier: BSD-3-Clause
// Threads for tests with small systems.
#pragma once

#include "hgrid/hgrid.hpp"

namespace support {

/// OpenMPExec that wakes threads for work that is not worth it.
class FineThreads final : public hgrid::HostExec {
 public:
  explicit FineThreads(int threads) : exec_(threads) {}
  const char* name() const override { return exec_.name(); }
  int concurrency() const override { return exec_.concurrency(); }
  hgrid::offset_t grain() const override { return 64; }
  void run(const char* label, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    exec_.run(label, parts, part);
  }

 private:
  hgrid::OpenMPExec exec_;
};

}  // namespace support
