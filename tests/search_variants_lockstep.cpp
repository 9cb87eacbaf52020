// SPDX-License-Identifier: BSD-3-Clause
// Searches of the benchmarks on a device that is played on the host.
#include "../bench/gpu/search_variants.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "hgrid/grid.hpp"
#include "support/lockstep_exec.hpp"
#include "support/random.hpp"

namespace {

// The searches that bench/gpu measures against the library's, where cells are full, empty, or many to a run.
TEST(DeviceSearches, VariantsFindTheSame) {
  for (const double size : {6.0, 14.0, 40.0}) {
    support::Random random(5);
    std::vector<double> x, r;
    for (int i = 0; i < 1500; ++i) {
      for (int k = 0; k < 3; ++k) x.push_back(random.real(0, size));
      r.push_back(random.real(0.2, 0.5));
    }
    const support::LockstepExec exec(3);
    hgrid::Grid<support::LockstepExec, 3> grid(exec, hgrid::Box3::open(), {.table = hgrid::TableKind::dense});
    grid.build(hgrid::particles<3>(x.data(), r.data(), 1500));
    hgrid::offset_t on_own_level = 0;
    const auto g = grid.view();
    ASSERT_GT(g.level_count, 0);
    for (hgrid::index_t p = 0; p < g.slots(); ++p) {
      const int own = g.level_of_slot(p);
      hgrid::detail::for_each_run<hgrid::detail::Visit::once>(
          g, p, own, own, [&](hgrid::index_t begin, hgrid::index_t end, const auto& shift) {
            for (; begin < end; ++begin) on_own_level += begin != p && hgrid::detail::in_contact(g, p, begin, shift);
          });
    }
    ASSERT_GT(on_own_level, 0);
    int searches = 0;
    gpu_bench::for_each_search(exec, g, static_cast<hgrid::offset_t>(grid.plan().levels.cells),
                               [&](const char* name, const auto& search, const hgrid::detail::word_t* contacts) {
                                 search();
                                 EXPECT_EQ(static_cast<hgrid::offset_t>(*contacts), on_own_level) << name << ", " << size;
                                 ++searches;
                               });
    EXPECT_EQ(searches, 6);
  }
}

}  // namespace
