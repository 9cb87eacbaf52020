// SPDX-License-Identifier: BSD-3-Clause
// An executor over a code's own threads: bytes equal a run on one thread, exceptions arrive, and a step starts no thread.
#include "../examples/thread_pool.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

TEST(OwnThreads, GiveTheBytesOfOneThread) {
  Pool pool(3);
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(20000, 8, periodic);
    auto one = support::built(hgrid::SerialExec{}, s);
    auto many = support::built(PoolExec(pool), s);
    auto expected = one.make_pairs();
    auto list = many.make_pairs();
    for (int turn = 0; turn < 3; ++turn) {
      one.find(expected), many.find(list);
      ASSERT_EQ(list.size(), expected.size());
      const auto n = static_cast<std::size_t>(list.size());
      EXPECT_EQ(std::memcmp(list.pairs(), expected.pairs(), n * sizeof(hgrid::Pair)), 0);
      ASSERT_EQ(list.has_images(), periodic);
      EXPECT_EQ(periodic ? std::memcmp(list.images(), expected.images(), n * sizeof(hgrid::Image)) : 0, 0);
      many.build(support::UserArrays<double, 3>(s).view());
    }
    EXPECT_EQ(support::visited_contacts(many), oracle::contacts(s));
  }
}

TEST(OwnThreads, ThrowWhatAFunctorThrows) {
  Pool pool(2);
  auto grid = support::built(PoolExec(pool), support::polydisperse(5000, 5, true));
  std::atomic<int> calls{0};
  EXPECT_THROW(grid.for_each_contact([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {
    if (++calls >= 100) throw std::runtime_error("enough");
  }),
               std::runtime_error);
  EXPECT_GT(grid.count(), 100);
}

TEST(OwnThreads, PersistFromStepToStep) {
  Pool pool(3);
  const PoolExec exec(pool);
  std::atomic<unsigned> seen{0};
  std::vector<std::thread::id> first(3), again(3);
  for (auto* ids : {&first, &again}) {
    exec.run("ids", 3, [&](hgrid::offset_t k) { (*ids)[static_cast<std::size_t>(k)] = std::this_thread::get_id(), ++seen; });
  }
  EXPECT_EQ(seen, 6u);
  EXPECT_EQ(first, again);
}

}  // namespace
