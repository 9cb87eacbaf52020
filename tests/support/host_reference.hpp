// SPDX-License-Identifier: BSD-3-Clause
// Systems for device tests, and their contacts by the host. Compiled for the host: nvcc would compile the host's functors
// for the device too, and warn.
#pragma once

#include <vector>

#include "hgrid/core/types.hpp"

namespace support {

struct System {
  std::vector<double> x, r;
  hgrid::Box3 box;
  hgrid::index_t size() const { return static_cast<hgrid::index_t>(r.size()); }
};

/// Random centres, radii f ~ r^-3 on [1, ratio], packing fraction 0.6.
System random_system(hgrid::index_t n, double ratio, bool periodic);

std::vector<hgrid::Pair> host_pairs(const System& s);  ///< sorted

inline hgrid::Particles<double, 3> view_of(const System& s) { return hgrid::particles<3>(s.x.data(), s.r.data(), s.size()); }

}  // namespace support
