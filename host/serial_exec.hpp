// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "hgrid/host/host_exec.hpp"

namespace hgrid {

/// Runs everything on the calling thread, in host memory.
class SerialExec : public HostExec<SerialExec> {
 public:
  const char* name() const { return "serial"; }
  int concurrency() const { return 1; }

  template <class F>
  void run(offset_t parts, const F& f) const {
    for (offset_t part = 0; part < parts; ++part) f(part);
  }
  template <class F>
  void run_dynamic(offset_t n, const F& f) const {
    run(n, f);
  }

  // One thread needs no atomics.
  template <class T>
  static T atomic_add(T* p, T value) {
    const T old = *p;
    *p += value;
    return old;
  }
  static void atomic_max(double* p, double value) {
    if (*p < value) *p = value;
  }
};

}  // namespace hgrid
