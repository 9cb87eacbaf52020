// SPDX-License-Identifier: BSD-3-Clause
// A host executor for tests that change one thing about it.
#pragma once

#include "hgrid/hgrid.hpp"

namespace support {

/// Work of any size cut for so many threads, run by one.
template <int pieces>
class PiecesExec : public hgrid::HostExec {
 public:
  const char* name() const override { return "pieces"; }
  int concurrency() const override { return pieces; }
  hgrid::offset_t grain() const override { return 64; }
  void run(const char*, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    for (hgrid::offset_t k = 0; k < parts; ++k) part(k);
  }
};

}  // namespace support
