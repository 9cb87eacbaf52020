// SPDX-License-Identifier: BSD-3-Clause
// The particles that bench/gpu measures on.
#include "../bench/gpu/particles.hpp"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

#include "hgrid/hgrid.hpp"

namespace {

using gpu_bench::HostParticles;

std::int64_t contacts(const HostParticles& p, bool periodic) {
  const double l = p.length;
  hgrid::Grid<hgrid::SerialExec, 3> grid({}, periodic ? hgrid::Box3::periodic({0, 0, 0}, {l, l, l}) : hgrid::Box3::open());
  grid.build(hgrid::particles<3>(p.x.data(), p.r.data(), p.size()));
  return grid.count();
}

// A system smaller than the kept cubes was empty once, and was timed.
TEST(GpuParticles, SmallSystemsAreRelaxedToo) {
  for (const double ratio : {1.0, 100.0}) {
    const HostParticles p = gpu_bench::relaxed_particles(2000, ratio, "no folder");
    ASSERT_EQ(p.size(), 2000);
    EXPECT_EQ(p.x.size(), 6000U);
    EXPECT_GT(contacts(p, true), 0);
  }
}

// With k copies along each axis, a periodic box has k^3 times the contacts of the cube.
TEST(GpuParticles, CopiesFillALargerCube) {
  HostParticles cube = gpu_bench::relaxed_cube(300, 1);
  for (float& x : cube.x) x = std::round(x * 64) / 64;  // shifts by the length are exact
  cube.length = std::round(cube.length * 64) / 64;
  for (const auto& [n, copies] : {std::pair{100, 1}, {300, 1}, {2399, 1}, {2400, 8}, {8100, 27}}) {
    const HostParticles p = gpu_bench::copies_of(cube, n);
    EXPECT_EQ(p.size(), 300 * copies);
    EXPECT_DOUBLE_EQ(p.length, cube.length * std::cbrt(copies));
    EXPECT_EQ(contacts(p, true), contacts(cube, true) * copies);
  }
}

TEST(GpuParticles, FilesGiveThemBack) {
  const std::string folder = testing::TempDir() + "gpu_particles";
  std::filesystem::create_directory(folder);
  const HostParticles cube = gpu_bench::relaxed_cube(500, 10);
  const std::string path = gpu_bench::cube_path(folder, 10);
  write_particles(path, cube);
  const HostParticles again = gpu_bench::read_particles(path);
  EXPECT_EQ(again.x, cube.x);
  EXPECT_EQ(again.r, cube.r);
  EXPECT_EQ(again.length, cube.length);
  EXPECT_EQ(gpu_bench::relaxed_particles(gpu_bench::particles_of_cube, 10, folder).size(), 500 * 6 * 6 * 6)
      << "copies of the file's";
  for (const int bytes : {16 + 500 * 16 - 1, 16, 15, 0}) {
    std::filesystem::resize_file(path, static_cast<std::uintmax_t>(bytes));
    EXPECT_THROW(gpu_bench::read_particles(path), std::runtime_error) << bytes;
  }
  std::filesystem::remove_all(folder);
  EXPECT_THROW(gpu_bench::relaxed_particles(gpu_bench::particles_of_cube, 10, folder), std::runtime_error);
}

}  // namespace
