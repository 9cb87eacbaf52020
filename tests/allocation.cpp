// SPDX-License-Identifier: BSD-3-Clause
// Memory: a steady state takes none, lack of memory does no harm, and earlier contents of memory do not matter.
#include "support/counting_new.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "io/read_particles.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using support::Allocations;

std::vector<hgrid::GridOptions> configurations() {
  std::vector<hgrid::GridOptions> all;
  for (int variant = 0; variant < 8; ++variant) {
    hgrid::GridOptions options;
    options.keys = static_cast<hgrid::KeyOrder>(variant & 1);
    options.table = static_cast<hgrid::TableKind>(variant >> 1 & 1);
    options.schedule = static_cast<hgrid::Schedule>(variant >> 2 & 1);
    all.push_back(options);
  }
  return all;
}

oracle::System with_features(oracle::System s) {
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    s.particles[i].group = i % 5 == 0 ? static_cast<int>(i / 10) : -1;
    s.particles[i].active = i % 3 != 0;
    s.particles[i].extra = 0.01 * static_cast<double>(i % 2);
  }
  return s;
}

/// While it lives, fresh memory holds numbers that look like old state.
struct Filled {
  explicit Filled(std::uint64_t seed) { Allocations::get().fill = seed; }
  Filled(const Filled&) = delete;
  ~Filled() { Allocations::get().fill = 0; }
};

template <class Exec>
class Allocation : public ::testing::Test {};
TYPED_TEST_SUITE(Allocation, support::Executors);

TYPED_TEST(Allocation, NoneFromTheThirdStepOn) {
  const oracle::System plain = support::polydisperse(3000, 5, true);
  for (const oracle::System& s : {plain, with_features(plain), support::with_extents(plain)}) {
    const support::UserArrays<double, 3> arrays(s);
    for (const hgrid::GridOptions& options : configurations()) {
      hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(3), support::box_of<3>(s), options);
      auto pairs = grid.make_pairs(), ordered = grid.make_pairs();
      auto half = grid.make_list(), full = grid.make_list(hgrid::ListKind::full);
      const int steps = options.keys == hgrid::KeyOrder::row_major ? 1000 : 100;
      std::int64_t third = 0;
      for (int step = 0; step < steps; ++step) {
        if (step == 2) third = Allocations::get().count;
        grid.build(arrays.view(), {.skin = 0.05});
        if (step > 20) continue;
        grid.find(pairs);
        grid.find(ordered, {.order = hgrid::Order::sorted});
        grid.find(half);
        grid.find(full);
        grid.for_each_contact([](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {});
      }
      EXPECT_EQ(Allocations::get().count, third) << "allocations after the second step";
    }
  }
}

// Runs a time loop with history, queries and sorting, whose number of particles goes up and down by 30 %.
TYPED_TEST(Allocation, NoneInATimeLoop) {
  const auto exec = support::make_executor<TypeParam>(2);
  const oracle::System most = support::polydisperse(2000, 5, true);
  oracle::System fewer = most;
  fewer.particles.resize(1400);
  const support::UserArrays<double, 3> many(most), few(fewer);
  hgrid::Grid<TypeParam, 3> grid(exec, support::box_of<3>(most));
  hgrid::VerletList list(grid, {.skin = 0.1});
  hgrid::History history(exec);
  hgrid::PairArray<TypeParam, double> values(exec);
  hgrid::Reordering<TypeParam> order(exec);
  auto walls = grid.make_list(hgrid::ListKind::full);
  const hgrid::Region<3> region = hgrid::Region<3>::sphere({0, 0, 0}, 3);
  std::int64_t third = 0;
  for (int step = 0; step < 60; ++step) {
    if (step == 4) third = Allocations::get().count;
    const bool rebuilt = list.update(step / 2 % 2 == 0 ? many.view() : few.view());
    ASSERT_EQ(rebuilt, step % 2 == 0);
    if (rebuilt) history.remap(list.before(), list.neighbours()), values.follow(history);
    order.take(grid);
    grid.find(walls, hgrid::Regions{&region, 1});
  }
  EXPECT_EQ(Allocations::get().count, third) << "allocations after the third build";
}

// Fails every allocation of the first build and of the first lists once; then the next build is of this input, or of the one
// before.
TYPED_TEST(Allocation, EachMayFail) {
  const oracle::System before = support::polydisperse(60, 2, true, 3),
                       after = with_features(support::polydisperse(1500, 9, true, 4));
  oracle::System old = before;
  for (int k = 0; k < 3; ++k) old.lo[k] = after.lo[k], old.hi[k] = after.hi[k];
  const support::Contacts old_contacts = oracle::contacts(old), contacts = oracle::contacts(after);
  const support::UserArrays<double, 3> old_arrays(old), arrays(after);
  const Filled filled(1);
  for (int variant = 0; variant < 16; ++variant) {
    const hgrid::GridOptions options = configurations()[static_cast<std::size_t>(variant / 2)];
    const bool before_first = variant % 2 == 1;
    std::int64_t k = 0;
    for (bool failed = true; failed; ++k) {
      ASSERT_LT(k, 10000);
      hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), support::box_of<3>(after), options);
      auto pairs = grid.make_pairs();
      auto rows = grid.make_list(hgrid::ListKind::full);
      grid.build(old_arrays.view());
      grid.find(rows);
      bool has_built = false, has_pairs = false;
      failed = false;
      Allocations::get().fail_at = Allocations::get().count + k;
      try {
        grid.build(arrays.view());
        has_built = true;
        grid.find(pairs, {.order = hgrid::Order::sorted});
        has_pairs = true;
        grid.find(rows);
      } catch (const hgrid::Error& e) {
        failed = true;
        ASSERT_EQ(e.code(), hgrid::ErrorCode::out_of_memory) << "allocation " << k << ": " << e.what();
      } catch (const std::bad_alloc&) {
        failed = true;
        ADD_FAILURE() << "allocation " << k << " came through as bad_alloc";
      }
      Allocations::get().fail_at = -1;
      if (!failed) break;
      ASSERT_EQ(support::as_listed(rows), oracle::from_both_sides(old_contacts)) << "list not as it was, allocation " << k;
      ASSERT_TRUE(has_pairs || pairs.size() == 0);
      ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), has_built ? contacts : old_contacts) << "allocation " << k;
      if (before_first) {
        grid.build(old_arrays.view());
        ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), old_contacts) << "the one before, after allocation " << k;
        ASSERT_EQ(support::rows_of(grid, hgrid::ListKind::full), oracle::from_both_sides(old_contacts)) << "allocation " << k;
      }
      grid.build(arrays.view());
      ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), contacts) << "retry after allocation " << k;
    }
    EXPECT_GT(k, 5) << "the test saw no allocations";
  }
}

// State that describes memory must change with it: a build that finds no memory has replaced some of its scratch, and the
// input of before does not need the rest.
TYPED_TEST(Allocation, TheInputOfBeforeIsBuiltAfterARefusedOne) {
  const oracle::System few = support::polydisperse(900, 3, false, 7);
  const support::UserArrays<double, 3> before(few), after(support::polydisperse(40000, 3, false, 8));
  const support::Contacts contacts = oracle::contacts(few), both = oracle::from_both_sides(contacts);
  for (const std::uint64_t fill : {1, 2, 3}) {
    const Filled filled(fill);
    int k = 0;
    for (bool failed = true; failed; ++k) {
      ASSERT_LT(k, 1000);
      auto grid = hgrid::Grid<TypeParam, 3>(support::make_executor<TypeParam>(2));
      grid.build(before.view());
      failed = false;
      Allocations::get().fail_at = Allocations::get().count + k;
      try {
        grid.build(after.view());
      } catch (const hgrid::Error& e) {
        failed = true;
        ASSERT_EQ(e.code(), hgrid::ErrorCode::out_of_memory);
      }
      Allocations::get().fail_at = -1;
      if (failed) {
        ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), contacts) << "allocation " << k;
      }
      for (int again = 0; again < 2; ++again) {
        grid.build(before.view());
        ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), contacts) << "allocation " << k;
        ASSERT_EQ(support::rows_of(grid, hgrid::ListKind::full), both) << "allocation " << k;
      }
    }
    EXPECT_GT(k, 5) << "the test saw no allocations";
  }
}

// After a failure, a list that held contacts before must not present half-written ones.
TYPED_TEST(Allocation, AListThatCannotGrowIsNotReadAsWhole) {
  const oracle::System small = support::polydisperse(300, 2, true, 5);
  oracle::System large = support::polydisperse(3000, 2, true, 6);
  for (int k = 0; k < 3; ++k) large.lo[k] = small.lo[k], large.hi[k] = small.hi[k];
  for (oracle::Particle& p : large.particles) {
    for (double& x : p.x) x *= 0.4;
  }
  for (const hgrid::GridOptions& options : configurations()) {
    auto grid = support::built(support::make_executor<TypeParam>(2), small, options);
    auto warm_up = support::built(support::make_executor<TypeParam>(2), large, options);
    auto list = grid.make_pairs();
    grid.find(list);
    const support::Contacts was = support::as_listed(list);
    grid.build(support::UserArrays<double, 3>(large).view());
    grid.count();  // takes the scratch that it needs
    for (int k = 0; k < 6; ++k) {
      Allocations::get().fail_at = Allocations::get().count + k;
      bool failed = false;
      try {
        grid.find(list);
      } catch (const hgrid::Error&) {
        failed = true;
      }
      Allocations::get().fail_at = -1;
      if (!failed) break;
      ASSERT_TRUE(list.size() == 0 || support::as_listed(list) == was);
    }
    grid.find(list);
    EXPECT_EQ(support::sorted(support::as_listed(list)), oracle::contacts(large));
  }
}

TYPED_TEST(Allocation, WhatFreshMemoryHoldsDoesNotMatter) {
  for (const std::uint64_t fill : {1, 2, 3, 4}) {
    const bool periodic = fill % 2 == 0;
    const oracle::System s = with_features(support::polydisperse(2500, 12, periodic));
    const support::Contacts expected = oracle::contacts(s);
    for (const hgrid::GridOptions& options : configurations()) {
      const Filled filled(fill);
      auto grid = support::built(support::make_executor<TypeParam>(3), s, options);
      const support::Contacts found = support::pairs_of(grid, hgrid::Order::sorted);
      const support::Contacts rows = support::rows_of(grid, hgrid::ListKind::full);
      const support::Contacts visited = support::visited_partners(grid);
      EXPECT_EQ(found, expected);
      EXPECT_EQ(rows, oracle::from_both_sides(expected));
      EXPECT_EQ(visited, oracle::from_both_sides(expected));
    }
  }
}

// Returns the memory in a step's steady state, without input and lists, in bytes per particle.
template <class Exec>
double bytes_each(const Exec& exec, const oracle::System& s, const hgrid::GridOptions& options = {}) {
  const support::UserArrays<double, 3> arrays(s);
  auto grid = support::built(exec, s, options);
  auto pairs = grid.make_pairs();
  for (int step = 0; step < 3; ++step) grid.build(arrays.view()), grid.find(pairs);
  return static_cast<double>(grid.bytes()) / static_cast<double>(s.particles.size());
}

TEST(Allocation, BytesPerParticle) {
  const oracle::System s = support::polydisperse(100000, 10, false);
  const auto bytes = [&](const hgrid::GridOptions& options) { return bytes_each(hgrid::SerialExec{}, s, options); };
  EXPECT_LE(bytes({}), 85);
  EXPECT_LE(bytes({.sort = hgrid::SortKind::radix}), 60);
  EXPECT_LE(bytes({.table = hgrid::TableKind::compacted}), 108);
  EXPECT_LE(bytes({.table = hgrid::TableKind::compacted, .sort = hgrid::SortKind::radix}), 84);
}

// Small systems do not pay for threads, nor for what only large ones need.
TEST(Allocation, BytesPerParticleOfSmallSystems) {
  for (const int threads : {1, 2, 16, 64}) {
    EXPECT_LE(bytes_each(hgrid::OpenMPExec(threads), support::polydisperse(10000, 1, false)), 90) << threads;
    EXPECT_LE(bytes_each(hgrid::OpenMPExec(threads), support::polydisperse(10, 1, false)), 300) << threads;
    EXPECT_LE(bytes_each(hgrid::OpenMPExec(threads), support::polydisperse(10, 1, true)), 300) << threads;
  }
}

// Expects from readers a typed error, nothing kept, and success at the next try.
TEST(Allocation, EachOfAReaderMayFail) {
  const auto folder = std::filesystem::temp_directory_path();
  const std::string file = (folder / ("hgrid-allocation-" + std::to_string(::getpid()) + ".csv")).string();
  std::string text = "# box 0 0 0 1 1 1\nid,x,y,z,r\n";
  for (int i = 0; i < 500; ++i) text += std::to_string(i) + ",0.5,0.25," + std::to_string(i) + ",1e-3\n";
  std::ofstream(file) << text;
  const std::string path = file;
  int k = 0;
  for (bool failed = true; failed; ++k) {
    ASSERT_LT(k, 10000);
    failed = false;
    Allocations::get().fail_at = Allocations::get().count + k;
    try {
      hgrid::io::read_particles(path);
    } catch (const hgrid::Error& e) {
      failed = true;
      EXPECT_EQ(e.code(), hgrid::ErrorCode::out_of_memory) << "allocation " << k;
    } catch (const std::bad_alloc&) {
      failed = true;  // before there is a file's name to put into a message
    }
    Allocations::get().fail_at = -1;
    ASSERT_EQ(hgrid::io::read_particles(path).size(), 500) << "after allocation " << k;
  }
  EXPECT_GT(k, 5) << "the test saw no allocations";
  std::filesystem::remove(file);
}

}  // namespace
