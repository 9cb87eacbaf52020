// SPDX-License-Identifier: BSD-3-Clause
// Systems to measure on, in device memory: power-law radii f ~ r^-3 on [1, ratio], packing fraction 0.62 unless told.
#pragma once

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include "hgrid/cuda.hpp"
#include "particles.hpp"

namespace gpu_bench {

struct System {
  thrust::device_vector<float> x, r;
  double length = 0;
  bool periodic = false;

  hgrid::Box3 box() const {
    return periodic ? hgrid::Box3::periodic({0, 0, 0}, {length, length, length}) : hgrid::Box3::open();
  }
  hgrid::Particles<float, 3> view() const {
    return hgrid::particles<3>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data()), size());
  }
  std::int64_t size() const { return static_cast<std::int64_t>(r.size()); }

  HostParticles on_host() const {
    HostParticles p{length, std::vector<float>(x.size()), std::vector<float>(r.size())};
    thrust::copy(x.begin(), x.end(), p.x.begin());
    thrust::copy(r.begin(), r.end(), p.r.begin());
    return p;
  }
};

__host__ __device__ inline std::uint64_t random_bits(std::uint64_t i) {  // splitmix64 of a counter
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

__host__ __device__ inline double uniform(std::uint64_t i) { return static_cast<double>(random_bits(i) >> 11) * 0x1p-53; }

struct PowerLawRadius {
  double ratio;
  __host__ __device__ float operator()(std::uint64_t i) const {
    const double u = uniform(i ^ 0x5555555555555555ULL);
    return static_cast<float>(1 / sqrt(1 - u * (1 - 1 / (ratio * ratio))));
  }
};

struct Coordinate {
  double length;
  __host__ __device__ float operator()(std::uint64_t i) const { return static_cast<float>(length * uniform(i)); }
};

/// <r^3> of the distribution, for the box's size.
inline double mean_cube(double ratio) { return ratio == 1 ? 1 : 2 * (ratio - 1) / (1 - 1 / (ratio * ratio)); }

/// Draws random centres, ids in random order. Equal spheres have 8 neighbors for each unit of the fraction.
inline System random_system(std::int64_t n, double ratio, double fraction = 0.62) {
  System s{thrust::device_vector<float>(3 * n), thrust::device_vector<float>(n)};
  s.length = std::cbrt(static_cast<double>(n) * 4.18879020478639 * mean_cube(ratio) / fraction);
  const thrust::counting_iterator<std::uint64_t> begin(0);
  thrust::transform(begin, begin + n, s.r.begin(), PowerLawRadius{ratio});
  thrust::transform(begin, begin + 3 * n, s.x.begin(), Coordinate{s.length});
  return s;
}

inline System system_of(const HostParticles& p) { return {p.x, p.r, p.length}; }

/// Returns a system from the folder's cubes, see relaxed_particles.
inline System relaxed_system(std::int64_t n, double ratio, const std::string& cubes) {
  return system_of(relaxed_particles(n, ratio, cubes));
}

/// The particles in the order of their slots, as a code has them that keeps its arrays sorted.
inline System in_slot_order(const hgrid::CudaExec& exec, const System& system) {
  hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box());
  grid.build(system.view());
  std::vector<hgrid::index_t> id(static_cast<std::size_t>(system.size()));
  exec.copy_out(id.data(), grid.order(), system.size());
  const HostParticles from = system.on_host();
  HostParticles to = from;
  for (std::size_t slot = 0; slot < id.size(); ++slot) {
    const auto i = static_cast<std::size_t>(id[slot]);
    to.r[slot] = from.r[i];
    for (std::size_t k = 0; k < 3; ++k) to.x[3 * slot + k] = from.x[3 * i + k];
  }
  System sorted = system_of(to);
  sorted.periodic = system.periodic;
  return sorted;
}

}  // namespace gpu_bench
