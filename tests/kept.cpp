// SPDX-License-Identifier: BSD-3-Clause
// Memory that cannot be freed yet is kept for later, whichever threads its owners die in.
#include "kernels/kept.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "mutants/expect_kept.hpp"

TEST(Kept, GoesAsSoonAsItMay) { expect_kept(); }

TEST(Kept, ByAnyThreadAndOnce) {
  constexpr int threads = 4, each = 2000;
  hgrid::detail::Kept<int> kept;
  std::vector<std::vector<int>> back(threads);
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t) {
    all.emplace_back([&, t] {
      for (int k = 0; k < each; ++k) {
        kept.keep(threads * k + t);
        const auto to_mine = [&](int one) { back[static_cast<std::size_t>(t)].push_back(one); };
        kept.give_back_those([&](int one) { return (one + k) % 3 == 0; }, to_mine);
      }
    });
  }
  for (std::thread& one : all) one.join();
  std::vector<int> found, expected(threads * each);
  kept.give_back_those([](int) { return true; }, [&](int one) { found.push_back(one); });
  for (const std::vector<int>& some : back) found.insert(found.end(), some.begin(), some.end());
  std::ranges::sort(found);
  for (int k = 0; k < threads * each; ++k) expected[static_cast<std::size_t>(k)] = k;
  EXPECT_EQ(found, expected);
}
