// SPDX-License-Identifier: BSD-3-Clause
// An observer can stop a build or a search: the grid is then as it was, the list empty, and the next call does the work.
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
bool is_stopped(const F& f) {
  try {
    f();
    return false;
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), hgrid::ErrorCode::stopped);
    return true;
  }
}

template <class Exec>
class Watched : public ::testing::Test {};
TYPED_TEST_SUITE(Watched, support::Executors);

// Several threads may be done before the first one tells that so large a share is; one thread tells all.
TYPED_TEST(Watched, AStoppedBuildLeavesTheGridAsItWas) {
  const bool alone = std::is_same_v<TypeParam, hgrid::SerialExec>;
  const oracle::System before = support::polydisperse(6000, 3, false), after = support::polydisperse(8000, 20, false, 2);
  for (const oracle::System& system : {before, after}) {  // one pass over the particles, or a new plan
    const support::UserArrays<double, 3> later(system);
    auto grid = support::built(support::make_executor<TypeParam>(3), before);
    const support::Contacts contacts = support::pairs_of(grid, hgrid::Order::sorted);
    for (const double at : {0.0, 0.3, 0.9}) {
      Stopper stopper{at};
      grid.watch(stopper.watch());
      const std::uint64_t generation = grid.generation();
      const bool stopped = is_stopped([&] { grid.build(later.view()); });
      EXPECT_TRUE(stopped || !alone) << at;
      stopper.stop = true;
      EXPECT_TRUE(is_stopped([&] { grid.build(later.view()); }));
      grid.watch({});
      EXPECT_EQ(grid.generation() == generation, stopped);
      if (stopped) {
        EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), contacts) << at;
      }
      grid.build(support::UserArrays<double, 3>(before).view());
    }
    grid.build(later.view());
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(system));
  }
}

TYPED_TEST(Watched, AStoppedSearchLeavesAnEmptyList) {
  const bool alone = std::is_same_v<TypeParam, hgrid::SerialExec>;
  auto grid = support::built(support::make_executor<TypeParam>(4), support::polydisperse(60000, 5, true));
  const hgrid::offset_t contacts = grid.count();
  auto list = grid.make_pairs();
  auto rows = grid.make_list();
  const auto nothing = [](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {};
  for (const double at : {-1.0, 0.0, 0.5, 0.9}) {  // -1: before it begins
    const auto stops = [&](const auto& search) {
      Stopper stopper{at};
      stopper.stop = at < 0;
      grid.watch(stopper.watch());
      const bool stopped = is_stopped(search);
      grid.watch({});
      EXPECT_TRUE(stopped || (!alone && at >= 0)) << at;
      return stopped;
    };
    grid.find(list);
    const bool stopped = stops([&] { grid.find(list); });
    EXPECT_EQ(list.size(), stopped ? 0 : contacts);
    stops([&] { grid.find(rows); });
    stops([&] { grid.count(); });
    stops([&] { grid.for_each_contact(nothing); });
    stops([&] { grid.for_each_partner(nothing); });
  }
  grid.find(list);
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
