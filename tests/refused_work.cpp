// SPDX-License-Identifier: BSD-3-Clause
// An executor may refuse work, as Kokkos refuses a second thread. Whenever that happens, a grid holds the old particles, none
// or the new ones, and the next build is as good as the first.
#include <gtest/gtest.h>

#include <optional>

#include "hgrid/hgrid.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

/// Serial, but one call is refused.
class RefusingExec : public hgrid::HostExec {
 public:
  static inline int calls = 0, refused = -1;

  const char* name() const override { return "refusing"; }
  int concurrency() const override { return 1; }
  void run(const char*, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    if (calls++ == refused) throw hgrid::Error(hgrid::ErrorCode::environment, "not now");
    for (hgrid::offset_t k = 0; k < parts; ++k) part(k);
  }
};

using Grid = hgrid::Grid<RefusingExec, 3>;

/// Returns the contacts of a grid, or nothing if it reports that it is empty.
std::optional<support::Contacts> held(Grid& grid) {
  try {
    return support::pairs_of(grid, hgrid::Order::sorted);
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::not_built);
    return std::nullopt;
  }
}

TEST(RefusedWork, LeavesAWholeGridOrNone) {
  const oracle::System small = support::polydisperse(200, 2, false), large = support::polydisperse(4000, 30, false, 2);
  const support::UserArrays<double, 3> before(small), after(large);
  const support::Contacts old = oracle::contacts(small), fresh = oracle::contacts(large);
  int refusals = 0;
  for (bool failed = true; failed; ++refusals) {
    ASSERT_LT(refusals, 1000);
    Grid grid(RefusingExec{});
    grid.build(before.view());
    failed = false;
    RefusingExec::refused = RefusingExec::calls + refusals;
    try {
      grid.build(after.view());
    } catch (const hgrid::Error& e) {
      failed = true;
      ASSERT_EQ(e.code(), hgrid::ErrorCode::environment);
    }
    RefusingExec::refused = -1;
    const auto contacts = held(grid);
    if (contacts) {
      ASSERT_EQ(*contacts, failed ? old : fresh) << "call " << refusals;
    }
    grid.build(after.view());
    ASSERT_EQ(held(grid), fresh) << "call " << refusals;
    grid.build(before.view());
    ASSERT_EQ(held(grid), old) << "call " << refusals;
  }
  EXPECT_GT(refusals, 8);
}

}  // namespace
