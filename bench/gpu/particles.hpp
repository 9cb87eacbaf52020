// SPDX-License-Identifier: BSD-3-Clause
// Particles to measure on, as they lie in files that peers read too, and relaxed packings. Host code, without CUDA.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "hgrid/packing/relax.hpp"

namespace gpu_bench {

/// Single-precision input, as GPU codes hold it.
struct HostParticles {
  double length = 0;        ///< side of the cube that they lie in
  std::vector<float> x, r;  ///< interleaved coordinates, radii

  std::int64_t size() const { return static_cast<std::int64_t>(r.size()); }
};

/// The file: the number n (8 bytes), the length (8), 3 n coordinates and n radii (4 each), all little-endian.
inline void write_particles(const std::string& path, const HostParticles& p) {
  std::ofstream file(path, std::ios::binary);
  const std::int64_t n = p.size();
  const auto put = [&](const void* from, std::size_t bytes) {
    file.write(static_cast<const char*>(from), static_cast<std::streamsize>(bytes));
  };
  put(&n, sizeof n), put(&p.length, sizeof p.length);
  put(p.x.data(), p.x.size() * sizeof(float)), put(p.r.data(), p.r.size() * sizeof(float));
  file.close();
  if (!file) throw std::runtime_error(path + " cannot be written");
}

inline HostParticles read_particles(const std::string& path) {
  std::ifstream file(path, std::ios::binary | std::ios::ate);
  const auto bytes = static_cast<std::int64_t>(file.tellg());
  file.seekg(0);
  std::int64_t n = -1;
  HostParticles p;
  const auto get = [&](void* to, std::size_t size) { file.read(static_cast<char*>(to), static_cast<std::streamsize>(size)); };
  get(&n, sizeof n), get(&p.length, sizeof p.length);
  constexpr std::int64_t header = 16, of_each = 16;
  if (!file || n != (bytes - header) / of_each || (bytes - header) % of_each != 0) {
    throw std::runtime_error(path + " is no file of particles");
  }
  p.x.resize(static_cast<std::size_t>(3 * n)), p.r.resize(static_cast<std::size_t>(n));
  get(p.x.data(), p.x.size() * sizeof(float)), get(p.r.data(), p.r.size() * sizeof(float));
  if (!file) throw std::runtime_error(path + " cannot be read");
  return p;
}

/// Power-law radii f ~ r^-3 on [1, ratio] at packing fraction 0.62 in a periodic cube, their overlaps pushed apart.
inline HostParticles relaxed_cube(std::int64_t n, double ratio) {
  using Kind = hgrid::SizeDistribution::Kind;
  hgrid::Packing packing = hgrid::random_packing({{ratio == 1 ? Kind::mono : Kind::power_law, ratio, -3}, n, 0.62});
  hgrid::RelaxOptions options;
  options.periodic = {true, true, true};
  options.max_iterations = 200;
  hgrid::relax(packing, options);
  HostParticles p{packing.length, {}, {packing.r.begin(), packing.r.end()}};
  for (std::size_t i = 0; i < packing.r.size(); ++i) {
    for (const double at : {packing.x[i], packing.y[i], packing.z[i]}) p.x.push_back(static_cast<float>(at));
  }
  return p;
}

/// Copies of a periodic cube, side by side in a cube: n particles at most, but one copy at least.
inline HostParticles copies_of(const HostParticles& cube, std::int64_t n) {
  const double share = static_cast<double>(n) / static_cast<double>(cube.size());
  const auto copies = std::max(std::int64_t{1}, static_cast<std::int64_t>(std::cbrt(share) + 1e-9));
  HostParticles p;
  p.length = cube.length * static_cast<double>(copies);
  for (std::int64_t c = 0; c < copies * copies * copies; ++c) {
    const std::int64_t place[3] = {c % copies, c / copies % copies, c / copies / copies};
    for (std::size_t i = 0; i < cube.x.size(); ++i) {
      p.x.push_back(static_cast<float>(cube.x[i] + cube.length * static_cast<double>(place[i % 3])));
    }
    p.r.insert(p.r.end(), cube.r.begin(), cube.r.end());
  }
  return p;
}

/// A cube takes up to a minute, so `gpu.sh prepare` makes the cubes of all ratios.
constexpr std::int64_t particles_of_cube = 125'000;

inline std::string cube_path(const std::string& folder, double ratio) {
  return folder + "/cube-" + std::to_string(static_cast<int>(ratio)) + ".bin";
}

/// Returns about n relaxed particles: copies of the folder's cube; a smaller number is relaxed here.
inline HostParticles relaxed_particles(std::int64_t n, double ratio, const std::string& cubes) {
  if (n < particles_of_cube) return relaxed_cube(n, ratio);
  return copies_of(read_particles(cube_path(cubes, ratio)), n);
}

}  // namespace gpu_bench
