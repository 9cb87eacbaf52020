// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// Builds of the host engine. HGRID_INSTANCES_OF_HOST_BUILD(D) compiles them, each dimension in a file of its own.
#include "host/host_build.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
template <class Real>
void HostEngine<D>::build(const HostExec& exec, const Particles<Real, D>& particles, const BuildOptions& options) {
  Impl& engine = impl();
  engine.grid.in_next_box([&] { build_grid(exec, engine.grid, engine, particles, options); });
}

#define HGRID_INSTANCES_OF_HOST_BUILD(D)                                                                \
  template void HostEngine<D>::build(const HostExec&, const Particles<float, D>&, const BuildOptions&); \
  template void HostEngine<D>::build(const HostExec&, const Particles<double, D>&, const BuildOptions&);

}  // namespace hgrid::inline v0_2::detail
