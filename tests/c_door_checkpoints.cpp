// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints through the C API: a time loop that continues from one makes equal lists, with an equal payload.
#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "support/c_door_errors.hpp"
#include "support/gas.hpp"
#include "support/user_arrays.hpp"

namespace {

using hgrid::offset_t;
using support::CDoorErrors;
using support::sized;
using Bytes = std::vector<std::byte>;

template <class Handle>
Bytes saved(int (*save)(Handle*, const void**, std::int64_t*), Handle* handle) {
  const void* bytes = nullptr;
  std::int64_t size = 0;
  EXPECT_EQ(save(handle, &bytes, &size), HGRID_OK) << support::verdict_of_door(8).message;
  const auto* const begin = static_cast<const std::byte*>(bytes);
  return {begin, begin + size};
}

struct Loop {
  support::DoorGrid grid;
  support::DoorVerlet list;

  Loop(const support::Gas& gas, std::int64_t payload, double skin) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = HGRID_SERIAL;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.periodic[k] = gas.s.periodic[k], box.lo[k] = gas.s.lo[k], box.hi[k] = gas.s.hi[k];
    EXPECT_EQ(hgrid_create(&options, &box, &grid.grid), HGRID_OK);
    auto verlet = sized<hgrid_verlet_options>();
    verlet.skin = skin, verlet.payload = payload;
    EXPECT_EQ(hgrid_verlet_create(grid.grid, &verlet, &list.list), HGRID_OK);
  }

  int step(const support::Gas& gas) const {
    const support::UserArrays<double, 3> arrays(gas.s);
    const hgrid_particles now = support::c_particles(arrays.view(), true);
    int rebuilt = -1;
    EXPECT_EQ(hgrid_verlet_update(list.list, &now, nullptr, &rebuilt), HGRID_OK);
    return rebuilt;
  }

  /// Returns all neighbors, and the payload, which counts steps.
  std::pair<std::vector<std::int32_t>, std::vector<std::int32_t>> look(bool with_payload) const {
    auto view = sized<hgrid_neighbour_list>();
    auto history = sized<hgrid_history>();
    EXPECT_EQ(hgrid_verlet_neighbours(list.list, &view), HGRID_OK);
    EXPECT_EQ(hgrid_verlet_history(list.list, &history), HGRID_OK);
    EXPECT_EQ(history.size, view.size);
    std::vector<std::int32_t> payload;
    auto* const counts = static_cast<std::int32_t*>(history.payload);
    for (std::int64_t k = 0; k < view.size && with_payload; ++k) payload.push_back(++counts[k]);
    return {{view.neighbours, view.neighbours + view.size}, payload};
  }
};

TEST(CDoorCheckpoints, ALoopGoesOn) {
  for (const std::int64_t payload : {0, 4}) {
    support::Gas gas(150);
    const Loop through(gas, payload, 0.5);
    auto broken = std::make_unique<Loop>(gas, payload, 0.5);
    int builds = 0;
    std::int32_t most = 0;
    for (int step = 0; step < 60; ++step, gas.step(0.02)) {
      const int rebuilt = through.step(gas);
      ASSERT_EQ(broken->step(gas), rebuilt);
      builds += rebuilt;
      const auto expected = through.look(payload > 0);
      ASSERT_EQ(broken->look(payload > 0), expected) << "step " << step;
      for (const std::int32_t steps : expected.second) most = std::max(most, steps);
      if (step % 7 != 3) continue;
      const Bytes bytes = saved(hgrid_verlet_save, broken->list.list);
      EXPECT_EQ(bytes, saved(hgrid_verlet_save, through.list.list));
      broken = std::make_unique<Loop>(gas, payload, 0.1);
      if (step % 2 == 0) broken->step(gas);
      ASSERT_EQ(hgrid_verlet_restore(broken->list.list, bytes.data(), std::ssize(bytes)), HGRID_OK)
          << support::verdict_of_door(18).message;
      if (payload == 0) {  // the bytes of the C++ library
        hgrid::Grid grid(hgrid::SerialExec{}, support::box_of<3>(gas.s));
        hgrid::VerletList list(grid, {});
        hgrid::restore(list, bytes);
        EXPECT_EQ(hgrid::save(list), bytes);
      }
    }
    EXPECT_GT(builds, 2);
    EXPECT_EQ(most, payload > 0 ? 60 : 0) << "no contact has lasted";
  }
}

TEST(CDoorCheckpoints, AGridKeepsItsBoxAndItsPlan) {
  support::Gas gas(150);
  const Loop one(gas, 0, 0.5);
  const support::UserArrays<double, 3> arrays(gas.s);
  const hgrid_particles now = support::c_particles(arrays.view(), false);
  const auto vectors = [&](const hgrid_grid* grid) {
    auto* const g = const_cast<hgrid_grid*>(grid);
    EXPECT_EQ(hgrid_build(g, &now, 0.1), HGRID_OK);
    auto pairs = sized<hgrid_pair_list>();
    EXPECT_EQ(hgrid_pairs(g, HGRID_FIXED, &pairs), HGRID_OK);
    std::vector<double> v(static_cast<std::size_t>(3 * pairs.size));
    auto m = sized<hgrid_measured>();
    m.positions = now.positions, m.pairs = support::c_array(pairs.pairs, {pairs.size, 2});
    m.images = support::c_array(pairs.images, {pairs.size, 3}), m.vectors = support::c_array(v.data(), {pairs.size, 3});
    EXPECT_EQ(hgrid_measure(g, &m), HGRID_OK);
    return std::pair{std::vector<std::int32_t>(pairs.pairs, pairs.pairs + 2 * pairs.size), v};
  };
  const auto expected = vectors(one.grid.grid);
  ASSERT_FALSE(expected.second.empty());
  auto options = sized<hgrid_options>();
  options.dimension = 3;
  support::DoorGrid other;
  ASSERT_EQ(hgrid_create(&options, nullptr, &other.grid), HGRID_OK);
  const Bytes bytes = saved(hgrid_save, one.grid.grid);
  ASSERT_EQ(hgrid_restore(other.grid, bytes.data(), std::ssize(bytes)), HGRID_OK);
  EXPECT_EQ(vectors(other.grid), expected);
  EXPECT_EQ(vectors(one.grid.grid), expected);
  EXPECT_EQ(saved(hgrid_save, other.grid), saved(hgrid_save, one.grid.grid));
}

TEST_F(CDoorErrors, Checkpoints) {
  const auto restore = [&](const Bytes& bytes) { return hgrid_restore(door_.grid, bytes.data(), std::ssize(bytes)); };
  const auto restore_list = [&](const Bytes& bytes) {
    return hgrid_verlet_restore(list_.list, bytes.data(), std::ssize(bytes));
  };
  const Bytes grid = saved(hgrid_save, door_.grid), list = saved(hgrid_verlet_save, list_.list);
  auto verlet = sized<hgrid_verlet_options>();
  verlet.skin = 0.1, verlet.payload = 4;
  support::DoorVerlet with_payload;
  ASSERT_EQ(hgrid_verlet_create(other_.grid, &verlet, &with_payload.list), HGRID_OK);
  ASSERT_EQ(hgrid_verlet_update(with_payload.list, &p_, nullptr, nullptr), HGRID_OK);
  const Bytes all = saved(hgrid_verlet_save, with_payload.list);
  for (std::size_t k = 0; k < std::max({grid.size(), list.size(), all.size()}); k += 3) {
    const auto damaged = [&](Bytes bytes) {
      bytes[k % bytes.size()] ^= std::byte{16};
      return bytes;
    };
    expect(HGRID_ERROR_FORMAT, restore(damaged(grid)), "checkpoint");
    expect(HGRID_ERROR_FORMAT, restore_list(damaged(list)), "checkpoint");
    const Bytes bytes = damaged(all);
    expect(HGRID_ERROR_FORMAT, hgrid_verlet_restore(with_payload.list, bytes.data(), std::ssize(bytes)), "checkpoint");
  }
  expect(HGRID_ERROR_FORMAT, restore(list), "checkpoint");
  expect(HGRID_ERROR_FORMAT, restore_list(grid), "checkpoint");
  expect(HGRID_ERROR_FORMAT, restore_list(all), "checkpoint");  // a payload where there is none, and none where there is
  expect(HGRID_ERROR_FORMAT, hgrid_verlet_restore(with_payload.list, list.data(), std::ssize(list)), "checkpoint");
  expect(HGRID_ERROR_FORMAT, restore({grid.begin(), grid.end() - 1}), "checkpoint");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_restore(door_.grid, nullptr, 5), "bytes");
  expect(HGRID_ERROR_SIZE_MISMATCH, hgrid_restore(door_.grid, grid.data(), -1), "size");
  const hgrid::SerialExec exec;
  for (offset_t n : {offset_t{0}, offset_t{3}, offset_t{1} << 62, offset_t{-1}}) {  // the list has fewer and more than that
    hgrid::detail::Saver saver(hgrid::detail::Saved::pairs, 4);
    const hgrid::detail::HostBuffer<std::byte> values(exec, 12);
    Bytes of_list = list;
    saver(n);
    saver.array(exec, values, n == 3 ? 12 : 0);
    saver(of_list);
    const Bytes other = std::move(saver).bytes();
    SCOPED_TRACE(n);
    expect(HGRID_ERROR_FORMAT, hgrid_verlet_restore(with_payload.list, other.data(), std::ssize(other)), "checkpoint");
  }
  const void* bytes = nullptr;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_save(door_.grid, &bytes, nullptr), "size");
  auto view = sized<hgrid_neighbour_list>();
  EXPECT_EQ(hgrid_verlet_neighbours(with_payload.list, &view), HGRID_OK);
  EXPECT_GT(view.size, 0);
}

}  // namespace
