// SPDX-License-Identifier: BSD-3-Clause
// Verlet lists of the C API against Verlet lists of the C++ library, step by step, and payloads that follow their pairs.
#include <thread>

#include "hgrid/hgrid.hpp"
#include "hgrid/loop.hpp"
#include "support/c_door.hpp"
#include "support/gas.hpp"
#include "support/user_arrays.hpp"

namespace {

using support::c_particles;
using support::Gas;
using support::sized;

struct LoopAsked {
  hgrid::ListKind kind = hgrid::ListKind::half;
  bool periodic = true, columns = false, margins = false;
  int check_every = 1;
  bool wrapped = false;  // positions are wrapped at each step
};

// Returns the particles of a periodic box inside it.
oracle::System wrapped_into_box(oracle::System s) {
  for (oracle::Particle& p : s.particles) {
    for (int k = 0; k < 3; ++k) p.x[k] = hgrid::wrap(p.x[k], s.lo[k], s.hi[k]).inside;
  }
  return s;
}

class Lists {
 public:
  Lists(const Gas& gas, const LoopAsked& loop) : loop_(loop), grid_(hgrid::OpenMPExec(2), support::box_of<3>(gas.s)) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = 2;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.periodic[k] = gas.s.periodic[k], box.lo[k] = gas.s.lo[k], box.hi[k] = gas.s.hi[k];
    EXPECT_EQ(hgrid_create(&options, &box, &door_grid_.grid), HGRID_OK);
    auto verlet = sized<hgrid_verlet_options>();
    verlet.kind = static_cast<int>(loop.kind), verlet.skin = 0.5, verlet.check_every = loop.check_every;
    verlet.payload = sizeof(Tag), verlet.wrapped = loop.wrapped;
    EXPECT_EQ(hgrid_verlet_create(door_grid_.grid, &verlet, &door_.list), HGRID_OK);
    hgrid_destroy(std::exchange(door_grid_.grid, nullptr));  // the list holds on to its grid
  }

  void step(const Gas& gas) {
    const oracle::System s = loop_.wrapped ? wrapped_into_box(gas.s) : gas.s;
    const support::UserArrays<double, 3> arrays(s);
    oracle::System wide = s;
    for (std::size_t i = 0; i < wide.particles.size(); ++i) wide.particles[i].extra += 0.02 * static_cast<double>(i % 5);
    const support::UserArrays<double, 3> widened(wide);
    const hgrid_particles now = c_particles(arrays.view(), loop_.columns), margins = c_particles(widened.view(), loop_.columns);
    const bool expected = loop_.margins ? list_.update(arrays.view(), widened.view()) : list_.update(arrays.view());
    int rebuilt = -1;
    ASSERT_EQ(hgrid_verlet_update(door_.list, &now, loop_.margins ? &margins : nullptr, &rebuilt), HGRID_OK);
    ASSERT_EQ(rebuilt, expected);
    compare(expected);
  }

  int kept() const { return kept_; }

 private:
  // A contact's ids and image, and a number that only the first step of its life could have given it.
  struct Tag {
    std::int32_t i, j, m[3], born;
    friend bool operator==(const Tag&, const Tag&) = default;
  };

  void compare(bool rebuilt) {
    ++step_;
    auto view = sized<hgrid_neighbour_list>();
    auto history = sized<hgrid_history>();
    auto counts = sized<hgrid_verlet_counters>();
    ASSERT_EQ(hgrid_verlet_neighbours(door_.list, &view), HGRID_OK);
    ASSERT_EQ(hgrid_verlet_history(door_.list, &history), HGRID_OK);
    ASSERT_EQ(hgrid_verlet_counts(door_.list, &counts), HGRID_OK);
    const auto& list = list_.neighbours();
    ASSERT_EQ(view.size, list.size());
    ASSERT_EQ(view.lists, list.lists());
    ASSERT_TRUE(support::same_bytes(list.offsets(), view.offsets, view.lists + 1));
    ASSERT_TRUE(support::same_bytes(list.neighbours(), view.neighbours, view.size));
    compare_images(view);
    if (rebuilt) history_.remap(list_.before(), list, list_.renumbering());
    ASSERT_EQ(history.size, history_.size());
    ASSERT_EQ(history.size_before, history_.size_before());
    ASSERT_TRUE(support::same_bytes(history_.from(), history.from, history.size));
    const hgrid::VerletCounters& c = list_.counters();
    EXPECT_TRUE(counts.steps == c.steps && counts.checks == c.checks && counts.builds == c.builds &&
                counts.dangerous == c.dangerous && counts.overtaken == c.overtaken && counts.disorder == c.disorder &&
                counts.wrapped == c.wrapped && counts.skin == list_.skin() &&
                counts.bytes > static_cast<std::int64_t>(list_.bytes()));
    follow(view, history, rebuilt);
  }

  // In a list of wrapped positions, images refer to the current positions.
  void compare_images(const hgrid_neighbour_list& view) {
    const auto& list = list_.neighbours();
    const std::int32_t* periods = nullptr;
    ASSERT_EQ(hgrid_verlet_periods(door_.list, &periods), HGRID_OK);
    ASSERT_EQ(periods != nullptr, loop_.wrapped);
    if (!loop_.wrapped) {
      ASSERT_TRUE(support::same_bytes(list.images(), view.images, view.size));
      return;
    }
    ASSERT_TRUE(support::same_bytes(list_.periods(), periods, list.lists()));
    for (hgrid::index_t i = 0; i < list.lists(); ++i) {
      for (std::int64_t k = view.offsets[i]; k < view.offsets[i + 1]; ++k) {
        const hgrid::Image m = hgrid::image_now(list.images()[k], list_.periods(), i, view.neighbours[k]);
        for (int a = 0; a < 3; ++a) ASSERT_EQ(view.images[3 * k + a], m[a]);
      }
    }
  }

  void follow(const hgrid_neighbour_list& view, const hgrid_history& history, bool rebuilt) {
    auto* const tags = static_cast<Tag*>(history.payload);
    for (int i = 0; i < view.lists; ++i) {
      for (std::int64_t k = view.offsets[i]; k < view.offsets[i + 1]; ++k) {
        Tag tag{i, view.neighbours[k], {0, 0, 0}, tags[k].born};
        for (int a = 0; a < 3 && view.images != nullptr && !loop_.wrapped; ++a) tag.m[a] = view.images[3 * k + a];
        const bool is_new = rebuilt && history.from[k] < 0;
        ASSERT_EQ(tags[k], is_new ? Tag{} : tag) << "step " << step_;
        ASSERT_TRUE(is_new || tags[k].born >= 1);
        if (is_new) tag.born = step_;
        kept_ += rebuilt && !is_new;
        tags[k] = tag;
      }
    }
  }

  LoopAsked loop_;
  hgrid::Grid<hgrid::OpenMPExec, 3> grid_;
  hgrid::VerletList<hgrid::OpenMPExec, 3> list_{
      grid_, {.kind = loop_.kind, .skin = 0.5, .check_every = loop_.check_every, .wrapped = loop_.wrapped}};
  hgrid::History<hgrid::OpenMPExec> history_{grid_.exec()};
  support::DoorGrid door_grid_;
  support::DoorVerlet door_;
  int step_ = 0, kept_ = 0;
};

TEST(CDoorLoops, ListsAndPayloadsAreThoseOfTheLibrary) {
  for (const LoopAsked& loop :
       {LoopAsked{}, LoopAsked{.kind = hgrid::ListKind::full}, LoopAsked{.periodic = false, .columns = true},
        LoopAsked{.margins = true}, LoopAsked{.check_every = 5}, LoopAsked{.kind = hgrid::ListKind::full, .wrapped = true}}) {
    Gas gas(150, loop.periodic);
    Lists lists(gas, loop);
    for (int step = 0; step < 120; ++step, gas.step(0.02)) {
      lists.step(gas);
      if (::testing::Test::HasFatalFailure()) FAIL() << "step " << step;
    }
    EXPECT_GT(lists.kept(), 100) << "no payload has followed a pair";
  }
}

TEST(CDoorLoops, WrappedListsRefuseASkinThatIsTooWide) {
  auto options = sized<hgrid_options>();
  options.dimension = 2;
  auto box = sized<hgrid_box>();
  for (int k = 0; k < 2; ++k) box.hi[k] = 4, box.periodic[k] = 1;
  support::DoorGrid grid;
  ASSERT_EQ(hgrid_create(&options, &box, &grid.grid), HGRID_OK);
  auto verlet = sized<hgrid_verlet_options>();
  verlet.wrapped = 2;
  support::DoorVerlet list;
  EXPECT_EQ(hgrid_verlet_create(grid.grid, &verlet, &list.list), HGRID_ERROR_INVALID_ARGUMENT);
  verlet.wrapped = 1, verlet.skin = 2.5;
  ASSERT_EQ(hgrid_verlet_create(grid.grid, &verlet, &list.list), HGRID_OK);
  const double x[] = {1, 1, 3, 3}, r[] = {0.5, 0.5};
  const hgrid_particles now = c_particles(hgrid::particles<2>(x, r, 2), false);
  EXPECT_EQ(hgrid_verlet_update(list.list, &now, nullptr, nullptr), HGRID_ERROR_UNSUPPORTED);
  EXPECT_EQ(hgrid_verlet_periods(list.list, nullptr), HGRID_ERROR_INVALID_ARGUMENT);
}

// Two lists of the C API: a list of 50 particles that may not build by itself, and a list of another grid.
class CDoorStale : public ::testing::Test {
 protected:
  CDoorStale() {
    auto options = sized<hgrid_options>();
    options.dimension = 3;
    EXPECT_EQ(hgrid_create(&options, nullptr, &grid_.grid), HGRID_OK);
    auto verlet = sized<hgrid_verlet_options>();
    verlet.skin = 0.5, verlet.no_rebuild = 1;
    EXPECT_EQ(hgrid_verlet_create(grid_.grid, &verlet, &list_.list), HGRID_OK);
  }

  int update() {
    const support::UserArrays<double, 3> arrays(gas_.s);
    const hgrid_particles now = c_particles(arrays.view(), false);
    return hgrid_verlet_update(list_.list, &now, nullptr, nullptr);
  }

  Gas gas_{50, false};
  double nan_ = std::numeric_limits<double>::quiet_NaN();
  support::DoorGrid grid_;
  support::DoorVerlet list_;
};

TEST_F(CDoorStale, NamesWhoIsBeyondItsMargin) {
  EXPECT_EQ(update(), HGRID_OK);
  gas_.s.particles[7].x[1] += 0.3;
  const support::Verdict v = support::verdict_of_door(update());
  EXPECT_EQ(v.status, HGRID_ERROR_STALE);
  EXPECT_EQ(v.index, 7);
  EXPECT_NEAR(v.value, 0.3, 1e-9);
  const support::UserArrays<double, 3> arrays(gas_.s);
  const hgrid_particles now = c_particles(arrays.view(), false);
  EXPECT_EQ(hgrid_verlet_build(list_.list, &now), HGRID_OK);
  EXPECT_EQ(update(), HGRID_OK);
}

TEST_F(CDoorStale, TellsBuildsApartByGenerations) {
  std::uint64_t before = 9, after = 9;
  EXPECT_EQ(hgrid_generation(grid_.grid, &before), HGRID_OK);
  EXPECT_EQ(before, 0u);
  EXPECT_EQ(update(), HGRID_OK);
  EXPECT_EQ(hgrid_generation(grid_.grid, &after), HGRID_OK);
  EXPECT_NE(after, 0u);
  EXPECT_EQ(update(), HGRID_OK);
  EXPECT_EQ(hgrid_generation(grid_.grid, &before), HGRID_OK);
  EXPECT_EQ(before, after);
}

// Without a payload the history is computed at the first call for it. After a failed search the list before, which it needs, is
// gone.
TEST_F(CDoorStale, AHistoryThatNobodyAskedForInTime) {
  const auto build = [&] {
    const support::UserArrays<double, 3> arrays(gas_.s);
    const hgrid_particles now = c_particles(arrays.view(), false);
    return hgrid_verlet_build(list_.list, &now);
  };
  auto history = sized<hgrid_history>();
  const auto expect_the_same_pairs = [&] {
    ASSERT_EQ(hgrid_verlet_history(list_.list, &history), HGRID_OK);
    ASSERT_GT(history.size, 0);
    ASSERT_EQ(history.size_before, history.size);
    for (std::int64_t k = 0; k < history.size; ++k) EXPECT_EQ(history.from[k], k);
  };
  ASSERT_EQ(build(), HGRID_OK);
  ASSERT_EQ(hgrid_verlet_history(list_.list, &history), HGRID_OK);
  EXPECT_EQ(history.size_before, 0);
  for (int again = 0; again < 3; ++again) ASSERT_EQ(build(), HGRID_OK);
  std::swap(gas_.s.particles[7].x[1], nan_);
  EXPECT_EQ(build(), HGRID_ERROR_NONFINITE);  // before it has searched
  std::swap(gas_.s.particles[7].x[1], nan_);
  expect_the_same_pairs();
  ASSERT_EQ(build(), HGRID_OK);
  auto watch = sized<hgrid_watch>();
  watch.look = [](void*, double) { return std::int32_t{1}; };
  ASSERT_EQ(hgrid_set_watch(grid_.grid, &watch), HGRID_OK);
  EXPECT_EQ(build(), HGRID_ERROR_STOPPED);
  ASSERT_EQ(hgrid_set_watch(grid_.grid, nullptr), HGRID_OK);
  EXPECT_EQ(hgrid_verlet_history(list_.list, &history), HGRID_ERROR_STALE);
  for (int again = 0; again < 2; ++again) ASSERT_EQ(build(), HGRID_OK);
  expect_the_same_pairs();
}

// Errors are the thread's own.
TEST_F(CDoorStale, AnotherThreadKeepsItsOwnError) {
  EXPECT_EQ(hgrid_count(nullptr, nullptr), HGRID_ERROR_INVALID_ARGUMENT);
  std::thread([] {
    auto error = sized<hgrid_error>();
    EXPECT_EQ(hgrid_last_error(&error), HGRID_OK);
    EXPECT_EQ(error.code, HGRID_OK);
    EXPECT_EQ(hgrid_build(nullptr, nullptr, 0), HGRID_ERROR_INVALID_ARGUMENT);
  }).join();
  std::int64_t n;
  EXPECT_EQ(hgrid_count(grid_.grid, &n), HGRID_ERROR_NOT_BUILT);
  std::thread([] { EXPECT_EQ(hgrid_count(nullptr, nullptr), HGRID_ERROR_INVALID_ARGUMENT); }).join();
  auto error = sized<hgrid_error>();
  EXPECT_EQ(hgrid_last_error(&error), HGRID_OK);
  EXPECT_EQ(error.code, HGRID_ERROR_NOT_BUILT);
}

TEST_F(CDoorStale, APayloadBeyondTheAddressSpace) {
  auto verlet = sized<hgrid_verlet_options>();
  verlet.skin = 0.5, verlet.payload = INT64_MAX;
  support::DoorVerlet huge;
  ASSERT_EQ(hgrid_verlet_create(grid_.grid, &verlet, &huge.list), HGRID_OK);
  const support::UserArrays<double, 3> arrays(gas_.s);
  const hgrid_particles now = c_particles(arrays.view(), false);
  EXPECT_EQ(hgrid_verlet_update(huge.list, &now, nullptr, nullptr), HGRID_ERROR_CAPACITY);
  auto history = sized<hgrid_history>();
  EXPECT_EQ(hgrid_verlet_history(huge.list, &history), HGRID_ERROR_CAPACITY);
}

}  // namespace
