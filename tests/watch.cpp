// SPDX-License-Identifier: BSD-3-Clause
// Whoever watches can stop a build or a search: the grid is then as it was, the list empty, and the next call does the work.
#include <atomic>

#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

/// Stops the work when so large a share of it is done.
struct Stopper {
  double at;
  std::atomic<bool> stop{false};
  double last = 0;

  hgrid::Watch watch() {
    return {&stop, [](void* self, double share) { static_cast<Stopper*>(self)->hear(share); }, this};
  }
  void hear(double share) {
    last = share;
    if (share >= at) stop = true;
  }
};

template <class F>
void expect_stopped(const F& f, const char* what) {
  try {
    f();
    ADD_FAILURE() << what << " was not stopped";
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::stopped) << what;
  }
}

template <class Exec>
class Watched : public ::testing::Test {};
TYPED_TEST_SUITE(Watched, support::Executors);

TYPED_TEST(Watched, AStoppedBuildLeavesTheGridAsItWas) {
  const oracle::System before = support::polydisperse(30000, 3, true), after = support::polydisperse(40000, 20, true, 2);
  const support::UserArrays<double, 3> arrays(after);
  for (const bool same_plan : {true, false}) {  // one pass over the particles, or a new plan
    const support::UserArrays<double, 3> later(same_plan ? before : after);
    auto grid = support::built(support::make_executor<TypeParam>(3), before);
    const hgrid::offset_t contacts = grid.count();
    const std::uint64_t generation = grid.generation();
    for (const double at : {0.0, 0.3, 0.9}) {
      Stopper stopper{at};
      grid.watch(stopper.watch());
      expect_stopped([&] { grid.build(later.view()); }, "a build");
      expect_stopped([&] { grid.build(later.view()); }, "a build that nobody asked for");
      EXPECT_EQ(grid.generation(), generation);
      grid.watch({});
      EXPECT_EQ(grid.count(), contacts) << at;
    }
    grid.build(later.view());
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(same_plan ? before : after));
  }
}

TYPED_TEST(Watched, AStoppedSearchLeavesAnEmptyList) {
  const oracle::System s = support::polydisperse(60000, 5, true);
  auto grid = support::built(support::make_executor<TypeParam>(4), s);
  const hgrid::offset_t contacts = grid.count();
  auto list = grid.make_pairs();
  auto rows = grid.make_list();
  const auto nothing = [](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {};
  for (const double at : {0.0, 0.5, 0.9}) {
    const auto stopped = [&](const auto& search, const char* what) {
      Stopper stopper{at};
      grid.watch(stopper.watch());
      expect_stopped(search, what);
      grid.watch({});
    };
    grid.pairs(list);
    stopped([&] { grid.pairs(list); }, "pairs");
    EXPECT_EQ(list.size(), 0);
    stopped([&] { grid.neighbours(rows); }, "neighbours");
    stopped([&] { grid.count(); }, "count");
    stopped([&] { grid.for_each_contact(nothing); }, "contacts");
    stopped([&] { grid.for_each_partner(nothing); }, "partners");
  }
  grid.pairs(list);
  EXPECT_EQ(list.size(), contacts);
}

TEST(WatchedSerial, ProgressReachesTheEnd) {
  const oracle::System s = support::polydisperse(30000, 5, false);
  auto grid = support::built(hgrid::SerialExec{}, s);
  Stopper stopper{2};
  grid.watch(stopper.watch());
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(stopper.last, 1);
  stopper.last = 0;
  EXPECT_GT(grid.count(), 0);
  EXPECT_EQ(stopper.last, 1);
}

}  // namespace
