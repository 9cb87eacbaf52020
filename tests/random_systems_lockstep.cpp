// SPDX-License-Identifier: BSD-3-Clause
// The random systems on the device path: the kernels' bodies on a machine of fibers, whole and with planted faults.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <tuple>

#include "hgrid/hgrid.hpp"
#include "support/common_grids.hpp"
#include "support/lockstep_exec.hpp"
#include "support/random_suite.hpp"

namespace {

TEST(RandomSystemsLockstep, EqualAllPairs) {
  support::expect_random_systems(2000,
                                 [](const support::Case& c) { return support::run_case(support::LockstepExec(c.seed), c); });
}

TEST(RandomSystemsLockstep, CommonGridsEqualAllPairs) {
  support::expect_common_grids(500, [](const support::Case& c) { return support::run_case(support::LockstepExec(c.seed), c); });
}

/// Returns whether a run fails, hangs or crashes. It runs in a process of its own, because broken kernels write anywhere, and
/// wait for ever.
template <class F>
bool is_caught(const F& is_wrong) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      _exit(is_wrong() ? 1 : 0);
    } catch (const std::runtime_error&) {
      _exit(1);
    }
  }
  int status = 0;
  waitpid(child, &status, 0);
  return status != 0;
}

/// Returns whether random systems show the fault. No fault breaks the sort, so that it is the search that shows it.
bool systems_show(support::Fault fault, int which = 0) {
  return is_caught([&] {
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      support::Case c = support::make_case(seed);
      if (seed % 5 == 1 && support::is_near_upright_box(c)) c = support::made_common(c, seed % 2 == 1);
      if (fault == support::Fault::barrier) c.choice[support::cell_sort] = 1;
      if (!support::run_case(support::LockstepExec(seed, fault, which), c).difference.empty()) return true;
    }
    return false;
  });
}

TEST(RandomSystemsLockstep, PlantedFaultsAreCaught) {
  EXPECT_FALSE(systems_show(support::Fault::none));
  for (int which = 0; which < 5; ++which) EXPECT_TRUE(systems_show(support::Fault::barrier, which)) << which;
  EXPECT_TRUE(systems_show(support::Fault::ballot));
  EXPECT_TRUE(systems_show(support::Fault::shuffle));
  EXPECT_TRUE(systems_show(support::Fault::counter));
  EXPECT_TRUE(systems_show(support::Fault::publication));
  EXPECT_TRUE(systems_show(support::Fault::active));
  EXPECT_TRUE(systems_show(support::Fault::match));
}

TEST(RandomSystemsLockstep, ThreadsThatNeverEndAreCaught) {
  EXPECT_TRUE(is_caught([] {
    support::Random random(1);
    const hgrid::detail::word_t never = 0;
    support::Machine(random, support::Fault::none, 0).run(1, 0, [&](support::LockstepBlock& block) {
      while (block.observe(&never) == 0) {
      }
    });
    return false;
  }));
}

// Draws hundreds of tiles, so that blocks look far back for their place in the list. Any order of blocks gives equal bytes.
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
    grid.find(list, {.order = order});
    return std::vector<hgrid::Pair>(list.pairs(), list.pairs() + list.size());
  };
  const auto expected = listed(hgrid::SerialExec{}, hgrid::Order::sorted);
  ASSERT_GT(expected.size(), 20000u);
  EXPECT_EQ(listed(support::LockstepExec(1), hgrid::Order::sorted), expected);
  using enum hgrid::detail::ListMode;
  const auto fixed = listed(support::LockstepExec(2, one_search), hgrid::Order::fixed);
  EXPECT_EQ(listed(support::LockstepExec(3, one_search), hgrid::Order::fixed), fixed);
  EXPECT_EQ(listed(support::LockstepExec(4, count_scan_fill), hgrid::Order::fixed), fixed);
}

// A list lacks room for more contacts than an int counts, because kernels before it found as many.
TEST(RandomSystemsLockstep, ListsThatAreFarTooShortGetNothing) {
  using namespace hgrid::detail;
  using View = hgrid::GridView<3, OpenGrid>;
  std::vector<double> x;
  for (int i = 0; i < 200; ++i) x.insert(x.end(), {1.0 * (i % 6), 1.0 * (i / 6 % 6), 1.0 * (i / 36)});
  const std::vector<double> r(200, 0.6);
  const support::LockstepExec exec(1, ListMode::one_search);
  hgrid::Grid<support::LockstepExec, 3> grid(exec, hgrid::Box3::open(), {.table = hgrid::TableKind::dense});
  grid.build(hgrid::particles<3>(x.data(), r.data(), 200));
  const auto any = grid.view();
  std::vector<LevelInPlace<3>> levels(hgrid::max_levels);
  exec.for_each("prepare", any.level_count, PrepareSearch<3>{any, nullptr, 0, nullptr, levels.data()});
  for (const hgrid::offset_t base : {std::int64_t{0}, std::int64_t{3'000'000'000}}) {
    std::vector<word_t> states(8), next(1);
    hgrid::offset_t total = -1;
    const DeviceListOutput out{nullptr, nullptr, 0, states.data(), 7, &base, &total};
    const SearchInPlace<View, DeviceListSink> search{std::bit_cast<View>(any), {out}, levels.data(), next.data(), 64};
    exec.launch("search", search.shared_bytes<support::LockstepBlock>(), search);
    EXPECT_EQ(total, base + grid.count());
  }
  EXPECT_GT(grid.count(), 200);
}

// Draws layers in which tiles find more than their lists hold, between others whose few contacts wait for the next tile.
TEST(RandomSystemsLockstep, TilesThatAreSearchedTwiceMeetTilesThatWait) {
  using namespace hgrid::detail;
  using View = hgrid::GridView<3, OpenGrid>;
  support::Random random(7);
  std::vector<double> x;
  for (int layer = 0; layer < 12; ++layer) {
    const bool crowded = layer % 2 == 0;
    for (int k = 0; k < (crowded ? 100 : 160); ++k) {
      x.insert(x.end(), {random.real(0, 4), random.real(0, 4), 30 * layer + random.real(0, crowded ? 2 : 28)});
    }
  }
  const std::vector<double> r(x.size() / 3, 0.5);
  const auto particles = hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
  hgrid::Grid<hgrid::SerialExec, 3> plain{hgrid::SerialExec{}};
  auto expected = plain.make_pairs();
  plain.build(particles), plain.find(expected, {.order = hgrid::Order::sorted});
  ASSERT_GT(expected.size(), 2000);
  for (const std::uint64_t seed : {2, 3, 6, 7}) {
    const support::LockstepExec exec(seed, ListMode::one_search);
    hgrid::Grid<support::LockstepExec, 3> grid(exec, hgrid::Box3::open(), {.table = hgrid::TableKind::dense});
    grid.build(particles);
    const auto any = grid.view();
    std::vector<LevelInPlace<3>> levels(hgrid::max_levels);
    exec.for_each("prepare", any.level_count, PrepareSearch<3>{any, nullptr, 0, nullptr, levels.data()});
    std::vector<word_t> states(64), next(1);
    std::vector<hgrid::Pair> pairs(static_cast<std::size_t>(expected.size()));
    hgrid::offset_t total = -1;
    const DeviceListOutput out{pairs.data(), nullptr, expected.size(), states.data(), 63, nullptr, &total};
    const SearchInPlace<View, DeviceListSink> search{std::bit_cast<View>(any), {out}, levels.data(), next.data(), 64};
    exec.launch("search", search.shared_bytes<support::LockstepBlock>(), search);
    ASSERT_EQ(total, expected.size());
    std::ranges::sort(pairs,
                      [](const hgrid::Pair& a, const hgrid::Pair& b) { return std::tie(a.i, a.j) < std::tie(b.i, b.j); });
    EXPECT_TRUE(std::equal(pairs.begin(), pairs.end(), expected.pairs()));
  }
}

// Five rows of so many entries or a few more among 200, shuffled, with twins under different images.
bool sorts_rows(const support::LockstepExec& exec, hgrid::index_t length) {
  std::vector<std::tuple<hgrid::index_t, hgrid::index_t, int>> expected, got;
  for (const hgrid::index_t row : {0, 5, 63, 64, 199}) {
    for (hgrid::index_t k = 0; k < length + row % 7; ++k) expected.emplace_back(row, 200 + k / 2, k % 2);
  }
  auto shuffled = expected;
  std::shuffle(shuffled.begin(), shuffled.end(), std::mt19937(static_cast<unsigned>(length)));
  std::vector<hgrid::Pair> pairs;
  std::vector<hgrid::Image> images, sorted_images(expected.size());
  for (const auto& [i, j, m] : shuffled) pairs.push_back({i, j}), images.push_back({{0, m, 0}});
  std::vector<hgrid::offset_t> offsets(201);
  std::vector<hgrid::index_t> neighbours(expected.size());
  const hgrid::detail::ListInput in{pairs.data(), images.data(), static_cast<hgrid::offset_t>(pairs.size()), 200, false};
  support::LockstepExec::ListSort sort;
  sort.reserve(exec, in);
  sort.run(exec, in,
           hgrid::detail::ListArrays{offsets.data(), hgrid::detail::ListEntries{neighbours.data(), sorted_images.data()}});
  for (hgrid::index_t row = 0; row < 200; ++row) {
    for (hgrid::offset_t k = offsets[row]; k < offsets[row + 1]; ++k) {
      got.emplace_back(row, neighbours[k], sorted_images[k].m[1]);
    }
  }
  return got == expected;
}

// Lengths lie around the number of threads of a block, powers of two, and the room in scratch memory.
TEST(RandomSystemsLockstep, RowsAreSorted) {
  for (const hgrid::index_t length :
       {0, 1, 57, 58, 63, 64, 65, 100, 122, 127, 128, 129, 249, 255, 256, 257, 1000, 1785, 1791, 1792, 1793, 3000}) {
    EXPECT_TRUE(sorts_rows(support::LockstepExec(length), length)) << length;
  }
  for (int which = 0; which < 5; ++which) {
    EXPECT_TRUE(is_caught([&] { return !sorts_rows(support::LockstepExec(1, support::Fault::barrier, which), 1000); }))
        << which;
  }
  EXPECT_TRUE(is_caught([&] { return !sorts_rows(support::LockstepExec(1, support::Fault::shuffle), 20); }));
}

// Buckets of a few particles, of some thousand in as many cells, and of crowded cells.
bool sorts_cells(const support::LockstepExec& exec, int crowded) {
  support::Random random(6);
  constexpr int n = 3990;  // so that the last warp is not whole
  std::vector<double> x, r(n, 0.5);
  for (int k = 0; k < 3 * n; ++k) x.push_back(k < 3 * crowded ? 5 + random.real(0, 0.1) : random.real(0, 17));
  std::vector<hgrid::index_t> ids[2], begins[2];
  for (const auto sort : {hgrid::SortKind::radix, hgrid::SortKind::counting}) {
    const bool buckets = sort == hgrid::SortKind::counting;
    hgrid::Grid<support::LockstepExec, 3> grid(buckets ? exec : support::LockstepExec(1), hgrid::Box3::open(),
                                               {.table = hgrid::TableKind::dense, .sort = sort});
    grid.build(hgrid::particles<3>(x.data(), r.data(), n));
    const auto g = grid.view();
    ids[buckets].assign(g.id, g.id + n);
    begins[buckets].assign(g.table.begin, g.table.begin + grid.plan().levels.cells + 1);
  }
  return ids[0] == ids[1] && begins[0] == begins[1];
}

TEST(RandomSystemsLockstep, CellsAreSorted) {
  using support::Fault;
  for (const int crowded : {0, 100, 1000, 3000}) {
    EXPECT_TRUE(sorts_cells(support::LockstepExec(1), crowded)) << crowded;
    for (int which = 0; which < 5; ++which) {
      EXPECT_TRUE(is_caught([&] { return !sorts_cells(support::LockstepExec(1, Fault::barrier, which), crowded); }))
          << which << ", " << crowded;
    }
    EXPECT_TRUE(is_caught([&] { return !sorts_cells(support::LockstepExec(1, Fault::counter), crowded); })) << crowded;
    EXPECT_TRUE(is_caught([&] { return !sorts_cells(support::LockstepExec(1, Fault::active), crowded); })) << crowded;
    for (const Fault fault : {Fault::ballot, Fault::shuffle, Fault::counter}) {  // sorts that draw numbers in buckets
      const support::LockstepExec exec(1, Fault::of_items, static_cast<int>(fault));
      EXPECT_TRUE(is_caught([&] { return !sorts_cells(exec, crowded); })) << static_cast<int>(fault) << ", " << crowded;
    }
  }
}

}  // namespace
