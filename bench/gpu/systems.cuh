// SPDX-License-Identifier: BSD-3-Clause
// Systems to measure on, in device memory: power-law radii f ~ r^-3 on [1, ratio], packing fraction 0.62.
#pragma once

#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/transform.h>

#include <cmath>
#include <map>
#include <vector>

#include "hgrid/cuda.hpp"
#include "hgrid/host/packing/relax.hpp"

namespace gpu_bench {

/// Single-precision input, as GPU codes hold it: interleaved coordinates, radii.
struct System {
  thrust::device_vector<float> x, r;
  double length = 0;

  hgrid::Particles<float, 3> view() const {
    return hgrid::particles<3>(thrust::raw_pointer_cast(x.data()), thrust::raw_pointer_cast(r.data()),
                               static_cast<std::int64_t>(r.size()));
  }
};

__host__ __device__ inline double uniform(std::uint64_t i) {  // splitmix64 of a counter
  std::uint64_t z = (i + 1) * 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

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

/// Random centres, ids in random order.
inline System random_system(std::int64_t n, double ratio) {
  System s{thrust::device_vector<float>(3 * n), thrust::device_vector<float>(n)};
  s.length = std::cbrt(static_cast<double>(n) * 4.18879020478639 * mean_cube(ratio) / 0.62);
  const thrust::counting_iterator<std::uint64_t> begin(0);
  thrust::transform(begin, begin + n, s.r.begin(), PowerLawRadius{ratio});
  thrust::transform(begin, begin + 3 * n, s.x.begin(), Coordinate{s.length});
  return s;
}

/// A periodic cube of particles whose overlaps are pushed apart; made once for each ratio.
inline const hgrid::Packing& relaxed_cube(double ratio, std::int64_t particles) {
  static std::map<double, hgrid::Packing> made;
  if (!made.contains(ratio)) {
    using Kind = hgrid::SizeDistribution::Kind;
    const Kind kind = ratio == 1 ? Kind::mono : Kind::power_law;
    hgrid::Packing& packing = made[ratio] = hgrid::random_packing({{kind, ratio, -3}, particles, 0.62});
    hgrid::RelaxOptions options;
    options.periodic = {true, true, true};
    options.max_iterations = 200;
    hgrid::relax(packing, options);
  }
  return made.at(ratio);
}

/// Copies of the relaxed cube, side by side in a cube: n particles at most.
inline System relaxed_system(std::int64_t n, double ratio) {
  constexpr std::int64_t cube = 125'000;
  const hgrid::Packing& packing = relaxed_cube(ratio, cube);
  const auto copies = static_cast<std::int64_t>(std::cbrt(static_cast<double>(n) / static_cast<double>(cube)) + 1e-9);
  System s;
  s.length = packing.length * static_cast<double>(copies);
  std::vector<float> x, r;
  x.reserve(static_cast<std::size_t>(3 * n)), r.reserve(static_cast<std::size_t>(n));
  for (std::int64_t c = 0; c < copies * copies * copies; ++c) {
    const double shift[3] = {packing.length * static_cast<double>(c % copies),
                             packing.length * static_cast<double>(c / copies % copies),
                             packing.length * static_cast<double>(c / copies / copies)};
    for (std::size_t i = 0; i < packing.r.size(); ++i) {
      const double at[3] = {packing.x[i], packing.y[i], packing.z[i]};
      for (int k = 0; k < 3; ++k) x.push_back(static_cast<float>(at[k] + shift[k]));
      r.push_back(static_cast<float>(packing.r[i]));
    }
  }
  s.x = x;
  s.r = r;
  return s;
}

}  // namespace gpu_bench
