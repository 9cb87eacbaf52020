// SPDX-License-Identifier: BSD-3-Clause
// Many particles, many contacts, and lists that would not fit.
#include <sys/mman.h>

#include <unordered_map>

#include "hgrid/find/neighbours.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

/// An executor with little memory.
class TightExec : public support::PiecesExec<1> {
 public:
  std::size_t memory_limit() const override { return 1 << 20; }
};

oracle::System coincident(int n) {
  oracle::System s;
  s.particles.assign(static_cast<std::size_t>(n), {.x = {1, 2, 3}, .radius = 0.5});
  return s;
}

template <class Exec>
class Large : public ::testing::Test {};
TYPED_TEST_SUITE(Large, support::Executors);

TYPED_TEST(Large, AllCoincident) {
  auto grid = support::built(support::make_executor<TypeParam>(2), coincident(1000));
  EXPECT_EQ(grid.count(), 499500);
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(coincident(1000)));
}

// Rows beyond 65,535 entries.
TYPED_TEST(Large, AGiantTouchesEverything) {
  support::Random random(12);
  oracle::System s;
  for (int i = 0; i < 200000; ++i) {
    s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = 1e-5});
  }
  s.particles[77777].radius = 2;
  for (auto direction : {hgrid::Direction::top_down, hgrid::Direction::bottom_up}) {
    hgrid::GridOptions options;
    options.direction = direction;
    auto grid = support::built(support::make_executor<TypeParam>(2), s, options);
    EXPECT_LT(grid.work().candidates, 20 * 200000) << "the giant's cells hold all others";
    std::atomic<hgrid::offset_t> with_giant{0}, others{0};
    grid.for_each_contact(
        [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) { ++(i == 77777 || j == 77777 ? with_giant : others); });
    EXPECT_EQ(with_giant, 199999);
    EXPECT_EQ(grid.count(), with_giant + others);
    auto rows = grid.make_list(hgrid::ListKind::full);
    grid.find(rows);
    EXPECT_EQ(rows.offsets()[77778] - rows.offsets()[77777], 199999);
  }
}

// Sizes span nine decades: look-ups stay bounded by the particles, for any number of cells that the coarse search spans.
TYPED_TEST(Large, WorkIsBoundedAtAnySizeRatio) {
  support::Random random(13);
  oracle::System s;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    s.particles.push_back({.x = {random.real(), random.real(), random.real()}, .radius = 1e-9 * random.log_real(1, 1e2)});
  }
  s.particles[5] = {.x = {0.5, 0.5, 0.5}, .radius = 1};
  auto grid = support::built(support::make_executor<TypeParam>(2), s);
  EXPECT_LT(grid.work().rows, 200 * n);
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted).size(), static_cast<std::size_t>(grid.count()));
  EXPECT_GE(grid.count(), n - 1);
}

// Here a look-up covers one cell: rows are few, but each has a million cells. A search without a bound on them makes 5e10
// look-ups and meets the time limit of the tests.
TYPED_TEST(Large, WorkIsBoundedForLongRowsOfMortonCells) {
  support::Random random(14);
  oracle::System s;
  constexpr int n = 20000;
  for (int i = 0; i < n; ++i) {
    s.particles.push_back({.x = {random.real(), 40 * random.real(), 40 * random.real()}, .radius = 0.3});
  }
  hgrid::GridOptions options;
  options.levels = {{0.3, {5e-7, 1, 1}}};
  options.keys = hgrid::KeyOrder::morton;
  options.table = hgrid::TableKind::compacted;
  hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(s), options);
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_LT(grid.work().rows, 100 * n);
  EXPECT_EQ(support::pairs_of(grid).size(), static_cast<std::size_t>(grid.count()));
}

TEST(Capacity, AListBeyondTheMemoryIsRefusedWithItsSize) {
  auto grid = support::built(TightExec{}, coincident(1000));  // 499,500 pairs of 8 bytes against 1 MiB
  auto pairs = grid.make_pairs();
  auto rows = grid.make_list();
  const std::size_t empty = pairs.bytes() + rows.bytes();
  for (int kind = 0; kind < 3; ++kind) {
    try {
      if (kind == 0) grid.find(pairs);
      if (kind == 1) grid.find(pairs, {.order = hgrid::Order::sorted});
      if (kind == 2) grid.find(rows);
      ADD_FAILURE();
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::capacity);
      EXPECT_EQ(e.detail().needed, 499500);
    }
  }
  EXPECT_EQ(pairs.bytes() + rows.bytes(), empty) << "memory was taken";
  hgrid::offset_t streamed = 0;
  grid.for_each_contact([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++streamed; });
  EXPECT_EQ(streamed, 499500);
}

/// Returns address space for n values. Only written pages take memory. Null if the system refuses.
template <class T>
T* address_space(hgrid::offset_t n) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  void* p = ::mmap(nullptr, static_cast<std::size_t>(n) * sizeof(T), PROT_READ | PROT_WRITE, flags, -1, 0);
  return p == MAP_FAILED ? nullptr : static_cast<T*>(p);
}

// Pretends that billions of contacts came before: pairs, rows and sums at places on both sides of 2^31 and 2^32.
TEST(Capacity, OffsetsBeyond32Bits) {
  const oracle::System s = support::polydisperse(200, 3, false);
  auto grid = support::built(hgrid::SerialExec{}, s);
  const hgrid::offset_t n = grid.count(),
                        blocks = (200 + hgrid::detail::slots_per_plain_item - 1) / hgrid::detail::slots_per_plain_item;
  const hgrid::offset_t room = (hgrid::offset_t{1} << 32) + n;
  auto* const pairs = address_space<hgrid::Pair>(room);
  auto* const ids = address_space<hgrid::index_t>(room);
  if (pairs == nullptr || ids == nullptr) GTEST_SKIP() << "the system gives no address space beyond its memory";
  const hgrid::SerialExec exec;
  for (const int bits : {31, 32}) {
    const hgrid::offset_t base = (hgrid::offset_t{1} << bits) - n / 2;
    std::vector<hgrid::offset_t> offsets(static_cast<std::size_t>(blocks) + 2);
    offsets[0] = base;
    exec.for_each_item("", blocks, hgrid::detail::CountContacts<3>{grid.view(), offsets.data() + 1});
    exec.exclusive_scan("", offsets.data(), blocks + 1);
    EXPECT_EQ(offsets.back(), base + n);
    exec.for_each_item("", blocks, hgrid::detail::WriteContacts<3>{grid.view(), offsets.data() + 1, pairs, nullptr});
    support::Contacts found;
    for (hgrid::offset_t k = base; k < base + n; ++k) found.push_back({pairs[k].i, pairs[k].j, {}});
    EXPECT_EQ(support::sorted(found), oracle::contacts(s)) << bits;

    std::vector<hgrid::offset_t> next = {base, base + n};
    exec.for_each("", n, [&](hgrid::offset_t k) { ids[base + n - 1 - k] = static_cast<hgrid::index_t>(k); });
    hgrid::detail::SortLists<hgrid::offset_t, hgrid::detail::ListEntries>{1, 1, next.data(), {ids, nullptr}}(0);
    for (hgrid::offset_t k = 0; k < n; ++k) ASSERT_EQ(ids[base + k], k) << bits;
  }
  ::munmap(pairs, static_cast<std::size_t>(room) * sizeof(hgrid::Pair));
  ::munmap(ids, static_cast<std::size_t>(room) * sizeof(hgrid::index_t));
}

// Contacts of a million particles by a plain linked-cell search of its own.
support::Contacts by_linked_cells(const oracle::System& s, double size) {
  std::unordered_map<std::int64_t, std::vector<int>> cells;
  const auto key = [](std::int64_t x, std::int64_t y, std::int64_t z) { return (x * 2000003 + y) * 2000003 + z; };
  const auto cell = [&](double x) { return static_cast<std::int64_t>(std::floor(x / size)); };
  support::Contacts found;
  for (int i = 0; i < static_cast<int>(s.particles.size()); ++i) {
    const oracle::Particle& p = s.particles[i];
    const std::int64_t c[3] = {cell(p.x[0]), cell(p.x[1]), cell(p.x[2])};
    for (int k = 0; k < 27; ++k) {
      const auto at = cells.find(key(c[0] + k % 3 - 1, c[1] + k / 3 % 3 - 1, c[2] + k / 9 - 1));
      if (at == cells.end()) continue;
      for (int j : at->second) {
        const oracle::Particle& q = s.particles[j];
        const double x = p.x[0] - q.x[0], y = p.x[1] - q.x[1], z = p.x[2] - q.x[2], r = p.radius + q.radius;
        if ((x * x + y * y) + z * z <= r * r) found.push_back({j, i, {}});
      }
    }
    cells[key(c[0], c[1], c[2])].push_back(i);
  }
  return support::sorted(std::move(found));
}

TEST(Large, AMillionParticles) {
  const oracle::System s = support::polydisperse(1000000, 3, false, 14);
  const support::Contacts expected = by_linked_cells(s, 6.01);
  EXPECT_GT(expected.size(), 1000000u);
  for (int variant = 0; variant < 4; ++variant) {
    hgrid::GridOptions options;
    options.keys = static_cast<hgrid::KeyOrder>(variant & 1);
    options.direction = static_cast<hgrid::Direction>(variant >> 1);
    auto grid = support::built(hgrid::OpenMPExec{2}, s, options);
    EXPECT_TRUE(support::pairs_of(grid, hgrid::Order::sorted) == expected) << variant;
  }
}

}  // namespace
