// SPDX-License-Identifier: BSD-3-Clause
// The C API gives equal results on a CUDA device and on the host, and takes only arrays on its device.
#include "support/c_door_place.hpp"
#include "support/cuda_case.hpp"
#include "support/gas.hpp"
#include "support/user_arrays.hpp"

namespace {

using support::cuda;
using support::Door;
using support::Gas;
using support::sized;

class CudaDoor : public ::testing::Test {
 protected:
  // Compares entries with distances, and distances of pairs; x holds the positions in one piece, with the stride of the
  // columns.
  template <class Memory>
  static auto measured(const Door<Memory>& door, const hgrid_particles& now, const float* x, int place) {
    auto asked = sized<hgrid_entry_options>();
    asked.kind = HGRID_FULL, asked.images = asked.distances = asked.vectors = 1;
    auto list = sized<hgrid_entry_list>();
    EXPECT_EQ(hgrid_entries(door.grid(), &now, &asked, &list), HGRID_OK) << support::verdict_of_door(8).message;
    const std::int64_t n = list.size;
    EXPECT_GT(n, 0);
    auto entries = std::tuple{door.read(list.offsets, list.lists + 1), door.read(list.ids, 2 * n),
                              door.read(list.images, 3 * n), door.read(list.distances, n), door.read(list.vectors, 3 * n)};
    void* memory = nullptr;
    EXPECT_EQ(hgrid_scratch(door.grid(), 8 * n, &memory), HGRID_OK);
    auto m = sized<hgrid_measured>();
    m.positions = hgrid_array_on(support::c_array(x, {now.columns[0].shape[0], 3}, {now.columns[0].stride[0], 1}), place, 0);
    m.pairs = hgrid_array_on(support::c_array(list.ids, {n, 2}, {1, n}), place, 0);
    m.images = hgrid_array_on(support::c_array(list.images, {n, 3}), place, 0);
    m.distances = hgrid_array_on(support::c_array(static_cast<double*>(memory), {n}), place, 0);
    EXPECT_EQ(hgrid_measure(door.grid(), &m), HGRID_OK) << support::verdict_of_door(8).message;
    EXPECT_EQ(door.read(static_cast<const double*>(memory), n), std::get<3>(entries));
    return entries;
  }

  void compare(const oracle::System& s) {
    const support::UserArrays<float, 3> arrays(s, support::values::padded);
    const auto placed = support::placed(*exec_, arrays.view());
    const hgrid_particles here = support::c_particles(arrays.view(), true),
                          there = on_device(support::c_particles(placed.view(), true));
    const Door host(memory_, s, 0);
    const Door device(*exec_, s, cuda, stream_);
    ASSERT_EQ(hgrid_build(host.grid(), &here, s.skin), HGRID_OK);
    ASSERT_EQ(hgrid_build(device.grid(), &there, s.skin), HGRID_OK);
    const auto pairs = host.pairs();
    ASSERT_FALSE(pairs.first.empty());
    EXPECT_EQ(device.pairs(), pairs);
    std::int64_t count = 0;
    EXPECT_EQ(hgrid_count(device.grid(), &count), HGRID_OK);
    EXPECT_EQ(2 * count, std::ssize(pairs.first));
    for (const int kind : {HGRID_HALF, HGRID_FULL}) EXPECT_EQ(device.neighbours(kind), host.neighbours(kind));
    compare_pairs_into(device, pairs);
    compare_matrix(device, host);
    compare_regions(device, host, arrays.view(), there);
    compare_validity(device, host, here, there);
    expect_kept(device, pairs.first);
    EXPECT_GT(device.work(), 0);
    const float* const x = arrays.view().position[0];
    const float* const x_there = on_device(std::vector<float>(x, x + (arrays.view().count - 1) * arrays.view().stride + 3));
    EXPECT_EQ(measured(device, there, x_there, cuda), measured(host, here, x, 1));
  }

  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
    exec_.emplace(stream_);
  }
  void TearDown() override {
    buffers_.clear();
    exec_.reset();
    if (stream_ != nullptr) cudaStreamDestroy(stream_);
  }

  template <class T>
  T* on_device(const std::vector<T>& values) {
    buffers_.emplace_back(*exec_, std::ssize(values) * static_cast<std::int64_t>(sizeof(T)));
    T* const to = reinterpret_cast<T*>(buffers_.back().data());
    exec_->copy_in(to, values.data(), std::ssize(values));
    return to;
  }
  static hgrid_particles on_device(const hgrid_particles& p) { return support::on_device(p); }

  cudaStream_t stream_ = nullptr;
  std::optional<hgrid::CudaExec> exec_;
  support::HostMemory memory_;

 private:
  // The columns lie a number apart.
  void compare_pairs_into(const Door<hgrid::CudaExec>& device,
                          const std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>>& expected) {
    const auto& [pairs, images] = expected;
    const std::int64_t n = std::ssize(pairs) / 2;
    std::int64_t* const ids = on_device(std::vector<std::int64_t>(pairs.size() / 2 * 3, 77));
    const hgrid_array out = hgrid_array_on(support::c_array(ids, {n, 2}, {3, 2}), cuda, 0);
    std::int32_t* const shifts = on_device(std::vector<std::int32_t>(images.size(), 77));
    const hgrid_array out_images = hgrid_array_on(support::c_array(shifts, {n, 3}), cuda, 0);
    std::int64_t count = 0;
    ASSERT_EQ(hgrid_pairs_into(device.grid(), &out, images.empty() ? nullptr : &out_images, &count), HGRID_OK)
        << support::verdict_of_door(8).message;
    ASSERT_EQ(count, n);
    EXPECT_EQ(device.read(shifts, std::ssize(images)), images);
    const auto got = device.read(ids, 3 * n);
    for (std::size_t k = 0; k < pairs.size() / 2; ++k) {
      ASSERT_EQ(got[3 * k], pairs[2 * k]);
      ASSERT_EQ(got[3 * k + 1], 77);
      ASSERT_EQ(got[3 * k + 2], pairs[2 * k + 1]);
    }
  }

  void compare_matrix(const Door<hgrid::CudaExec>& device, const Door<support::HostMemory>& host) {
    const auto [offsets, neighbours, images] = host.neighbours(HGRID_FULL);
    const std::int64_t n = std::ssize(offsets) - 1;
    std::int64_t width = 0, longest = 0;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) width = std::max(width, offsets[i + 1] - offsets[i]);
    std::int32_t* const ids = on_device(std::vector<std::int32_t>(static_cast<std::size_t>(n * width), 77));
    std::int32_t* const counts = on_device(std::vector<std::int32_t>(static_cast<std::size_t>(n), 77));
    auto matrix = sized<hgrid_neighbour_matrix>();
    matrix.neighbours = hgrid_array_on(support::c_array(ids, {n, width}), cuda, 0), matrix.padding = -1;
    matrix.counts = hgrid_array_on(support::c_array(counts, {n}), cuda, 0);
    std::int32_t* const shifts = on_device(std::vector<std::int32_t>(static_cast<std::size_t>(3 * n * width), 77));
    if (!images.empty()) matrix.images = hgrid_array_on(support::c_array(shifts, {n, width, 3}), cuda, 0);
    ASSERT_EQ(hgrid_matrix(device.grid(), HGRID_FULL, &matrix, &longest), HGRID_OK);
    EXPECT_EQ(longest, width);
    std::vector<std::int32_t> expected(static_cast<std::size_t>(n * width), -1), expected_counts;
    for (std::size_t i = 0; i + 1 < offsets.size(); ++i) {
      std::copy(neighbours.begin() + offsets[i], neighbours.begin() + offsets[i + 1],
                expected.begin() + static_cast<std::ptrdiff_t>(i) * width);
      expected_counts.push_back(static_cast<std::int32_t>(offsets[i + 1] - offsets[i]));
    }
    EXPECT_EQ(device.read(ids, n * width), expected);
    EXPECT_EQ(device.read(counts, n), expected_counts);
  }

  // Compares queries of spheres around the first particles.
  static void compare_regions(const Door<hgrid::CudaExec>& device, const Door<support::HostMemory>& host,
                              const hgrid::Particles<float, 3>& p, const hgrid_particles& there) {
    constexpr std::int64_t m = 20;
    std::vector<double> lo, radius;
    for (std::int64_t i = 0; i < m; ++i) {
      for (int k = 0; k < 3; ++k) lo.push_back(p.position[k][i * p.stride]);
      radius.push_back(p.radius[i * p.radius_stride]);
    }
    const hgrid::CudaExec exec;
    hgrid::detail::CudaBuffer<double> lo_there(exec, 3 * m);
    exec.copy_in(lo_there.data(), lo.data(), 3 * m);
    auto here_regions = sized<hgrid_regions>(), there_regions = here_regions;
    here_regions.lo = support::c_array(lo.data(), {m, 3}), here_regions.radius = support::c_array(radius.data(), {m});
    there_regions.lo = hgrid_array_on(support::c_array(lo_there.data(), {m, 3}), cuda, 0);
    there_regions.radius = there.radii;  // another type than `lo` has, and a stride
    there_regions.radius.shape[0] = m;
    EXPECT_EQ(device.found(there_regions), host.found(here_regions));
  }

  static void compare_validity(const Door<hgrid::CudaExec>& device, const Door<support::HostMemory>& host, hgrid_particles here,
                               hgrid_particles there) {
    here.radius_scale = there.radius_scale = 1.25;
    auto expected = sized<hgrid_validity_report>(), got = expected;
    ASSERT_EQ(hgrid_validity(host.grid(), &here, &expected), HGRID_OK);
    ASSERT_EQ(hgrid_validity(device.grid(), &there, &got), HGRID_OK);
    EXPECT_GT(expected.dirty, 0);
    EXPECT_TRUE(got.excess == expected.excess && got.dirty == expected.dirty && got.first == expected.first);
  }

  std::vector<hgrid::detail::CudaBuffer<char>> buffers_;
};

TEST_F(CudaDoor, GivesTheResultsOfTheHost) {
  for (const bool periodic : {false, true}) {
    oracle::System s = support::polydisperse(support::scaled(20000), 20, periodic, 3);
    s.skin = 0.05;
    compare(s);
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      oracle::Particle& p = s.particles[i];
      p.group = i % 7 == 0 ? 3 : -1, p.active = i % 5 != 0, p.extra = i % 3 == 0 ? 0.1 : 0;
    }
    for (std::int64_t i = 0; i < 50; ++i) s.excluded.insert({i, i + 2});
    compare(s);
  }
}

// The payload counts the steps of each contact.
TEST_F(CudaDoor, PayloadsFollowTheirPairs) {
  Gas gas(150);
  support::DoorGrid grids[2];
  support::DoorVerlet lists[2];
  for (int side = 0; side < 2; ++side) {
    ASSERT_EQ(support::create(gas.s, side == 0 ? 0 : cuda, &grids[side].grid, stream_), HGRID_OK);
    auto options = sized<hgrid_verlet_options>();
    options.skin = 0.5, options.payload = 12;
    ASSERT_EQ(hgrid_verlet_create(grids[side].grid, &options, &lists[side].list), HGRID_OK);
  }
  const auto payload_of = [&](hgrid_verlet* list) {
    auto history = sized<hgrid_history>();
    EXPECT_EQ(hgrid_verlet_history(list, &history), HGRID_OK);
    return std::pair{static_cast<std::int32_t*>(history.payload), 3 * history.size};
  };
  std::int32_t most = 0;
  int builds = 0;
  for (int step = 0; step < 60; ++step, gas.step(0.02)) {
    const support::UserArrays<double, 3> arrays(gas.s);
    const auto placed = support::placed(*exec_, arrays.view());
    const hgrid_particles now[] = {support::c_particles(arrays.view(), true),
                                   on_device(support::c_particles(placed.view(), true))};
    int rebuilt[2];
    for (int side = 0; side < 2; ++side) {
      ASSERT_EQ(hgrid_verlet_update(lists[side].list, &now[side], nullptr, &rebuilt[side]), HGRID_OK);
    }
    ASSERT_EQ(rebuilt[0], rebuilt[1]);
    builds += rebuilt[0];
    const auto [here, n] = payload_of(lists[0].list);
    const auto [there, n_there] = payload_of(lists[1].list);
    ASSERT_EQ(n, n_there);
    ASSERT_EQ(support::copied(*exec_, there, n), std::vector<std::int32_t>(here, here + n)) << "step " << step;
    for (std::int64_t k = 0; k < n; ++k) most = std::max(most, ++here[k]);
    exec_->copy_in(there, here, n);
  }
  EXPECT_GT(builds, 2);
  EXPECT_EQ(most, 60) << "no contact has lasted";
}

TEST_F(CudaDoor, TakesArraysOfItsDeviceOnly) {
  const oracle::System s = support::polydisperse(30, 2, false);
  const support::UserArrays<double, 3> arrays(s);
  const auto placed = support::placed(*exec_, arrays.view());
  const Door host(memory_, s, 1);
  const Door device(*exec_, s, cuda, stream_);
  const hgrid_particles here = support::c_particles(arrays.view(), true),
                        there = on_device(support::c_particles(placed.view(), true));
  const auto expect_refused = [](int status, const char* argument, double value) {
    const support::Verdict v = support::verdict_of_door(status);
    EXPECT_EQ(status, HGRID_ERROR_UNSUPPORTED);
    EXPECT_EQ(v.argument, argument);
    EXPECT_EQ(v.value, value);
  };
  expect_refused(hgrid_build(device.grid(), &here, 0), "columns", 1);
  expect_refused(hgrid_build(host.grid(), &there, 0), "columns", cuda);
  hgrid_particles elsewhere = there;
  elsewhere.radii.device_id = 1;
  expect_refused(hgrid_build(device.grid(), &elsewhere, 0), "radii", cuda);
  EXPECT_EQ(hgrid_build(device.grid(), &there, 0), HGRID_OK);
  hgrid_particles unsaid = there;
  unsaid.radii.device_type = 0;
  EXPECT_EQ(hgrid_build(device.grid(), &unsaid, 0), HGRID_OK);
  std::int32_t ids[2];
  const hgrid_array on_host = hgrid_array_2d(ids, HGRID_INT32, 1, 2);
  std::int64_t count = 0;
  expect_refused(hgrid_pairs_into(device.grid(), &on_host, nullptr, &count), "pairs", 1);
  auto predicate = sized<hgrid_predicate>();
  predicate.ask = [](void*, const hgrid_contact*, std::int64_t, std::uint8_t*) { return std::int32_t{0}; };
  auto list = sized<hgrid_pair_list>();
  expect_refused(hgrid_touching_pairs(device.grid(), HGRID_FIXED, &predicate, &list), "predicate", 0);
}

TEST_F(CudaDoor, ADeviceThatIsNotThereIsAnError) {
  auto options = sized<hgrid_options>();
  options.dimension = 2, options.device_type = cuda, options.device_id = 77;
  hgrid_grid* grid = nullptr;
  EXPECT_EQ(hgrid_create(&options, nullptr, &grid), HGRID_ERROR_DEVICE);
  EXPECT_EQ(grid, nullptr);
  int current = -1;
  EXPECT_EQ(cudaGetDevice(&current), cudaSuccess);
  EXPECT_EQ(current, 0);
}

// A device reports NaN as a host does.
TEST_F(CudaDoor, TellsTheOffender) {
  oracle::System s = support::polydisperse(300, 2, false);
  s.particles[211].x[1] = std::numeric_limits<double>::quiet_NaN();
  const support::UserArrays<double, 3> arrays(s);
  const auto placed = support::placed(*exec_, arrays.view());
  const Door device(*exec_, s, cuda, stream_);
  const hgrid_particles there = on_device(support::c_particles(placed.view(), true));
  const support::Verdict v = support::verdict_of_door(hgrid_build(device.grid(), &there, 0));
  EXPECT_EQ(v.status, HGRID_ERROR_NONFINITE);
  EXPECT_EQ(v.index, 211);
}

TEST_F(CudaDoor, EntriesAreOfTypesThatAreThere) {
  const support::UserArrays<double, 3> arrays(support::polydisperse(300, 2, false));
  const auto placed = support::placed(*exec_, arrays.view());
  const Door device(*exec_, support::polydisperse(300, 2, false), cuda, stream_);
  hgrid_particles there = on_device(support::c_particles(placed.view(), true));
  ASSERT_EQ(hgrid_build(device.grid(), &there, 0), HGRID_OK);
  std::vector<std::int32_t> types(300, 1);
  types[17] = -1, types[40] = 2;
  there.types = hgrid_array_on(support::c_array(on_device(types), {300}), cuda, 0);
  there.cutoffs = hgrid_array_on(support::c_array(on_device(std::vector<double>(4, 1.0)), {2, 2}), cuda, 0);
  const auto asked = sized<hgrid_entry_options>();
  auto list = sized<hgrid_entry_list>();
  const support::Verdict v = support::verdict_of_door(hgrid_entries(device.grid(), &there, &asked, &list));
  EXPECT_EQ(v.status, HGRID_ERROR_RANGE) << v.message;
  EXPECT_TRUE(v.argument == "types" && v.index == 17 && v.value == -1 && v.count == 2) << v.message;
}

}  // namespace
