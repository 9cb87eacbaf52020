// SPDX-License-Identifier: BSD-3-Clause
// A host executor for tests that change one thing about it.
#pragma once

#include "hgrid/host/host_exec.hpp"

namespace support {

/// Work cut for so many threads, run by one.
template <class Derived, int pieces>
class PiecesExec : public hgrid::HostExec<Derived> {
 public:
  const char* name() const { return "pieces"; }
  int concurrency() const { return pieces; }
  template <class F>
  void run(hgrid::offset_t parts, const F& f) const {
    for (hgrid::offset_t part = 0; part < parts; ++part) f(part);
  }
  template <class F>
  void run_dynamic(hgrid::offset_t n, const F& f) const {
    run(n, f);
  }
};

}  // namespace support
