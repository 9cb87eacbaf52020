// SPDX-License-Identifier: BSD-3-Clause
// A system in a device's memory, lists read back from there, and a functor for searches.
#pragma once

#include <thrust/device_vector.h>

#include <vector>

#include "support/cuda_case.hpp"

namespace support {

template <class Real>
struct OnDevice {
  thrust::device_vector<Real> x, r;
  explicit OnDevice(const System& s) : x(s.x.begin(), s.x.end()), r(s.r.begin(), s.r.end()) {}
  hgrid::Particles<Real, 3> view() const {
    return hgrid::particles<3>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data()),
                               static_cast<std::int64_t>(r.size()));
  }
};

inline std::vector<hgrid::Pair> read(const hgrid::CudaExec& exec, const hgrid::PairList<hgrid::CudaExec>& list) {
  std::vector<hgrid::Pair> pairs(static_cast<std::size_t>(list.size()));
  exec.copy_out(pairs.data(), list.pairs(), list.size());
  return pairs;
}

/// Counts the contacts of each particle. For all tests, because each functor of a search is a dozen kernels to compile.
struct CountContacts {
  hgrid::index_t* contacts;
  __device__ void operator()(hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) const {
    atomicAdd(&contacts[i], 1);
    if (j != i) atomicAdd(&contacts[j], 1);
  }
};

}  // namespace support
