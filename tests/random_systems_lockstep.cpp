// SPDX-License-Identifier: BSD-3-Clause
// The random systems on the device path: the kernels' bodies on a machine of fibers, whole and with planted faults.
#include <sys/wait.h>
#include <unistd.h>

#include <tuple>

#include "hgrid/hgrid.hpp"
#include "support/lockstep_exec.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(RandomSystemsLockstep, EqualAllPairs) {
  support::expect_random_systems(2000, [](const support::Case& c) {
    return support::run_case(support::LockstepExec(c.seed), c);
  });
}

/// Whether one of the first systems comes out wrong, or never, or not at all: in a process of its own, for broken kernels
/// write where they should not, and wait for ever.
bool is_caught(support::Fault fault, int which) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
      const support::Case c = support::make_case(seed);
      try {
        if (!support::run_case(support::LockstepExec(seed, fault, which), c).difference.empty()) _exit(1);
      } catch (const std::runtime_error&) {
        _exit(1);
      }
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

TEST(RandomSystemsLockstep, PlantedFaultsAreCaught) {
  EXPECT_FALSE(is_caught(support::Fault::none, 0));
  for (int which = 0; which < 5; ++which) EXPECT_TRUE(is_caught(support::Fault::barrier, which)) << which;
  EXPECT_TRUE(is_caught(support::Fault::ballot, 0));
  EXPECT_TRUE(is_caught(support::Fault::shuffle, 0));
  EXPECT_TRUE(is_caught(support::Fault::counter, 0));
  EXPECT_TRUE(is_caught(support::Fault::publication, 0));
}

// Hundreds of tiles, so that blocks look far back for their place in the list, and the same bytes in any order of theirs.
TEST(RandomSystemsLockstep, LongChainsOfTiles) {
  support::Random random(3);
  std::vector<double> x, r;
  for (int i = 0; i < 20000; ++i) {
    for (int k = 0; k < 3; ++k) x.push_back(random.real(0, 60));
    r.push_back(i % 50 == 0 ? random.real(2, 5) : random.real(0.5, 1));
  }
  const auto particles = hgrid::particles<3>(x.data(), r.data(), 20000);
  const auto listed = [&](const auto& exec, hgrid::Order order) {
    hgrid::Grid<std::decay_t<decltype(exec)>, 3> grid(exec);
    grid.build(particles);
    auto list = grid.make_pairs();
    grid.pairs(list, order);
    return std::vector<hgrid::Pair>(list.pairs(), list.pairs() + list.size());
  };
  const auto expected = listed(hgrid::SerialExec{}, hgrid::Order::sorted);
  ASSERT_GT(expected.size(), 20000u);
  EXPECT_EQ(listed(support::LockstepExec(1), hgrid::Order::sorted), expected);
  using enum hgrid::ListMode;
  const auto fixed = listed(support::LockstepExec(2, look_back), hgrid::Order::fixed);
  EXPECT_EQ(listed(support::LockstepExec(3, look_back), hgrid::Order::fixed), fixed);
  EXPECT_EQ(listed(support::LockstepExec(4, count_scan_fill), hgrid::Order::fixed), fixed);
}

// Rows that are longer than a block has threads, of every length around powers of two, with twins under different images.
TEST(RandomSystemsLockstep, LongRowsAreSortedByBlocks) {
  support::Random random(7);
  for (const hgrid::index_t length : {0, 1, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 1000, 3000}) {
    std::vector<hgrid::Pair> pairs;
    std::vector<hgrid::Image> images;
    std::vector<std::tuple<hgrid::index_t, hgrid::index_t, int>> expected;
    for (const hgrid::index_t row : {0, 5, 63, 64, 199}) {
      for (hgrid::index_t k = 0; k < length + row % 7; ++k) expected.emplace_back(row, 200 + k / 2, k % 2);
    }
    auto shuffled = expected;
    for (std::size_t k = shuffled.size(); k > 1; --k) {
      std::swap(shuffled[k - 1], shuffled[random.integer(0, static_cast<int>(k) - 1)]);
    }
    for (const auto& [i, j, m] : shuffled) pairs.push_back({i, j}), images.push_back({{0, m, 0}});
    const support::LockstepExec exec(length);
    const hgrid::RowInput in{pairs.data(), images.data(), static_cast<hgrid::offset_t>(pairs.size()), 200, false};
    std::vector<hgrid::offset_t> offsets(201);
    std::vector<hgrid::index_t> neighbours(pairs.size());
    std::vector<hgrid::Image> sorted_images(pairs.size());
    support::LockstepExec::RowSort sort;
    sort.reserve(exec, in);
    sort.run(exec, in, {offsets.data(), {neighbours.data(), sorted_images.data()}});
    std::vector<std::tuple<hgrid::index_t, hgrid::index_t, int>> got;
    for (hgrid::index_t row = 0; row < 200; ++row) {
      for (hgrid::offset_t k = offsets[row]; k < offsets[row + 1]; ++k) {
        got.emplace_back(row, neighbours[k], sorted_images[k].m[1]);
      }
    }
    EXPECT_EQ(got, expected) << length;
  }
}

}  // namespace
