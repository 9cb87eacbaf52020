// SPDX-License-Identifier: BSD-3-Clause
// Worlds, in addition to the random systems: their errors, lists in a time loop, regions, memory, and the cost of their search.
#include "support/asked.hpp"
#include "support/counting_new.hpp"

#include "hgrid/core/names.hpp"
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;

/// The error, and the argument, the index, the value and the number of faulty ones that it must name.
struct Expected {
  ErrorCode code;
  const char* argument;
  std::int64_t index = -1;
  double value = 0;
  std::int64_t count = 0;
};

template <class F>
void expect_error(const Expected& expected, const F& f) {
  try {
    f();
    ADD_FAILURE() << "accepted; expected " << hgrid::name_of(expected.code);
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), expected.code) << e.what();
    EXPECT_EQ(e.detail().argument, expected.argument);
    EXPECT_EQ(e.detail().index, expected.index) << e.what();
    EXPECT_EQ(e.detail().value, expected.value) << e.what();
    EXPECT_EQ(e.detail().count, expected.count) << e.what();
  }
}

/// Packings of different sizes, over each other, each in a periodic box of its own, some of them tilted.
oracle::System packings(int worlds, int particles) {
  oracle::System s;
  s.worlds = worlds;
  for (int w = 0; w < worlds; ++w) {
    const oracle::System one = support::polydisperse(particles + 7 * w, 2, true, static_cast<std::uint64_t>(w) + 1);
    s.boxes.push_back(one);
    for (int t = 0; t < 3 && w % 2 == 1; ++t) s.boxes.back().tilt[t] = 0.3 * t * one.hi[0];
    for (oracle::Particle p : one.particles) p.world = w, s.particles.push_back(p);
  }
  return s;
}

template <class Exec>
class WorldsOf : public ::testing::Test {
 protected:
  const oracle::System system = packings(5, 120);
  const Exec exec = support::make_executor<Exec>(2);

  hgrid::Grid<Exec, 3> built(const oracle::System& s) {
    auto grid = support::grid_in<hgrid::Grid<Exec, 3>>(exec, s);
    grid.build(support::UserArrays<double, 3>(s).view(), {.skin = s.skin});
    return grid;
  }
};
TYPED_TEST_SUITE(WorldsOf, support::Executors);

// Expects that one grid for each system gives equal pairs.
TYPED_TEST(WorldsOf, AreGridsOfTheirOwn) {
  support::Contacts expected;
  for (int w = 0; w < this->system.worlds; ++w) {
    oracle::System one = this->system;
    static_cast<oracle::Domain&>(one) = this->system.boxes[static_cast<std::size_t>(w)];
    one.worlds = 0, one.boxes.clear();
    for (oracle::Particle& p : one.particles) p.active = p.world == w;
    auto grid = this->built(one);
    for (const oracle::Contact& c : support::pairs_of(grid)) expected.push_back(c);
  }
  auto all = this->built(this->system);
  const support::Contacts found = support::pairs_of(all, hgrid::Order::sorted);
  EXPECT_GT(found.size(), 500u);
  EXPECT_EQ(found, support::sorted(expected));
  EXPECT_EQ(all.count(), static_cast<hgrid::offset_t>(found.size()));
  EXPECT_EQ(support::visited_contacts(all), found);
  EXPECT_EQ(support::visited_partners(all), oracle::from_both_sides(found));
  oracle::System mixed = this->system;
  mixed.worlds = 0, mixed.boxes.clear();
  all.set_boxes({});
  all.build(support::UserArrays<double, 3>(mixed).view());
  EXPECT_EQ(support::pairs_of(all, hgrid::Order::sorted), oracle::contacts(mixed)) << "worlds are forgotten";
}

TYPED_TEST(WorldsOf, Faults) {
  using enum ErrorCode;
  auto grid = this->built(this->system);
  const support::Contacts before = support::pairs_of(grid);
  const auto build = [&](const oracle::System& s) { grid.build(support::UserArrays<double, 3>(s).view()); };
  oracle::System s = this->system;
  s.particles[7].world = 5, s.particles[300].world = -1;
  expect_error({range_error, "worlds", 7, 5, 2}, [&] { build(s); });
  s.particles[7].active = false;
  expect_error({range_error, "worlds", 300, -1, 1}, [&] { build(s); });
  s.particles[300].active = false;
  build(s);  // the worlds of particles that take no part are never read
  build(this->system);
  s = this->system, s.particles[450].radius = 3.6 * (s.boxes[3].hi[0] - s.boxes[3].lo[0]), s.particles[450].world = 3;
  expect_error({box_too_small, "radii", 450, s.particles[450].radius, 1}, [&] { build(s); });
  s = this->system, s.worlds = 6;
  expect_error({size_mismatch, "boxes", -1, 6, 5}, [&] { build(s); });
  const support::UserArrays<double, 3> arrays(this->system);
  auto view = arrays.view();
  view.worlds.count = -1;
  expect_error({invalid_argument, "worlds", -1, -1}, [&] { grid.build(view); });
  view.worlds.count = hgrid::most_worlds + 1;
  expect_error({invalid_argument, "worlds", -1, hgrid::most_worlds + 1.0}, [&] { grid.build(view); });
  view.worlds = {nullptr, 5};
  expect_error({invalid_argument, "worlds", -1, 5}, [&] { grid.build(view); });
  auto boxes = support::boxes_of<3>(this->system);
  boxes[2].hi[1] = boxes[2].lo[1];
  expect_error({invalid_box, "boxes", 2, 0}, [&] { grid.set_boxes(boxes); });
  EXPECT_EQ(support::pairs_of(grid), before) << "the grid has changed";
}

// Boxes shear at rates of their own, in one of them not at all.
TYPED_TEST(WorldsOf, InATimeLoop) {
  oracle::System s = this->system;
  for (oracle::Domain& box : s.boxes) box.tilt[0] = 0;
  auto grid = support::grid_in<hgrid::Grid<TypeParam, 3>>(this->exec, s);
  hgrid::VerletList list(grid, {.skin = 0.3});
  support::Random random(3);
  std::vector<double> velocity;
  for (std::size_t k = 0; k < 3 * s.particles.size(); ++k) velocity.push_back(random.real(-1, 1));
  for (int step = 0; step < 60; ++step) {
    grid.set_boxes(support::boxes_of<3>(s));
    list.update(support::UserArrays<double, 3>(s).view());
    const support::Contacts listed = support::as_listed(list.neighbours()), now = oracle::contacts(s);
    ASSERT_TRUE(std::includes(listed.begin(), listed.end(), now.begin(), now.end())) << "step " << step;
    for (std::size_t i = 0; i < s.particles.size(); ++i) {
      oracle::Particle& p = s.particles[i];
      for (std::size_t k = 0; k < 3; ++k) p.x[k] += 0.02 * velocity[3 * i + k];
      p.x[0] += 0.004 * p.world * p.x[1];
    }
    for (std::size_t w = 0; w < s.boxes.size(); ++w) {
      s.boxes[w].tilt[0] += 0.004 * static_cast<double>(w) * (s.boxes[w].hi[1] - s.boxes[w].lo[1]);
    }
  }
  EXPECT_GT(list.counters().builds, 2);
  EXPECT_LT(list.counters().builds, 40) << "a box that shears makes no list stale by itself";
  s.particles[3].world = 4;
  const hgrid::Validity validity = grid.validity(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(validity.changed, 1);
  EXPECT_EQ(validity.first, 3);
  s.worlds = 6, s.boxes.push_back(s.boxes[0]);
  EXPECT_FALSE(grid.validity(support::UserArrays<double, 3>(s).view()).comparable);
}

TYPED_TEST(WorldsOf, RegionsAreOfOne) {
  auto grid = this->built(this->system);
  std::vector<hgrid::Region<3>> regions;
  for (hgrid::index_t w = 0; w < 5; ++w) {
    regions.push_back(hgrid::Region<3>::sphere({0, 0, 0}, 1e-3));
    regions.back().radius = 8, regions.back().world = w;
  }
  const auto found = support::asked(grid, hgrid::Regions{regions.data(), 5});
  for (hgrid::index_t q = 0; q < 5; ++q) {
    EXPECT_GT(found.offsets()[q + 1], found.offsets()[q]);
    for (auto k = found.offsets()[q]; k < found.offsets()[q + 1]; ++k) {
      EXPECT_EQ(this->system.particles[static_cast<std::size_t>(found.neighbours()[k])].world, q);
    }
  }
  regions[1].world = 5;
  expect_error({ErrorCode::range_error, "regions", 1, 5, 1}, [&] { grid.count(hgrid::Regions{regions.data(), 5}); });
}

TYPED_TEST(WorldsOf, NoMemoryFromTheThirdStepOn) {
  const support::UserArrays<double, 3> arrays(this->system);
  auto grid = support::grid_in<hgrid::Grid<TypeParam, 3>>(this->exec, this->system);
  auto pairs = grid.make_pairs();
  std::int64_t third = 0;
  for (int step = 0; step < 10; ++step) {
    if (step == 2) third = support::Allocations::get().count;
    grid.build(arrays.view());
    grid.find(pairs);
  }
  EXPECT_EQ(support::Allocations::get().count, third);
}

/// Copies of a packing, in worlds in the order of the particles or mixed up.
oracle::System copies(const oracle::System& one, int worlds, bool mixed_up) {
  oracle::System s = one;
  s.worlds = worlds, s.particles.clear();
  for (int w = 0; w < worlds; ++w) {
    for (oracle::Particle p : one.particles) p.world = w, s.particles.push_back(p);
  }
  support::Random random(8);
  for (std::size_t i = s.particles.size(); mixed_up && i > 1; --i)
    std::swap(s.particles[i - 1], s.particles[random.bits() % i]);
  return s;
}

hgrid::WorkCount work_of(const oracle::System& s) {
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, support::box_of<3>(s));
  grid.build(support::UserArrays<double, 3>(s).view());
  return grid.work();
}

// Each system is searched as if it were alone, wherever it is and with any others over it.
TEST(Worlds, AreSearchedAsIfAlone) {
  for (const bool periodic : {false, true}) {
    const oracle::System one = support::polydisperse(300, 6, periodic);
    const hgrid::WorkCount alone = work_of(one);
    for (const bool mixed_up : {false, true}) {
      oracle::System many = copies(one, 100, mixed_up);
      if (!periodic) {
        for (oracle::Particle& p : many.particles) p.x[0] += 1e4 * p.world, p.x[2] -= 77 * p.world * p.world;
      }
      const hgrid::WorkCount together = work_of(many);
      EXPECT_LT(together.candidates + together.rows, 120 * (alone.candidates + alone.rows)) << periodic << mixed_up;
    }
  }
}

// A full world among many that are empty, or nearly so.
TEST(Worlds, FullOnesAmongEmptyOnes) {
  oracle::System one = support::polydisperse(3000, 6, false);
  const hgrid::WorkCount alone = work_of(one);
  for (const int worlds : {1, 30, 3000, 50000, hgrid::most_worlds}) {
    for (const bool others : {false, true}) {
      oracle::System s = one;
      s.worlds = worlds;
      for (oracle::Particle& p : s.particles) p.world = worlds / 2;
      for (int w = 0; w < std::min(worlds, 3000) && others; ++w)
        s.particles.push_back({.x = {1.0 * w, 0, 0}, .radius = 1, .world = w});
      const hgrid::WorkCount work = work_of(s);
      EXPECT_LT(work.candidates + work.rows, 4 * (alone.candidates + alone.rows)) << worlds << others;
    }
  }
}

// A build that fails leaves boxes as they were, too.
TYPED_TEST(WorldsOf, ARefusedBuildKeepsItsBoxes) {
  auto grid = this->built(this->system);
  const support::Contacts before = support::pairs_of(grid, hgrid::Order::sorted);
  oracle::System s = this->system;
  for (oracle::Domain& box : s.boxes) box.tilt[0] += 0.2 * (box.hi[0] - box.lo[0]);
  const auto plan = grid.plan_generation();
  for (int turn = 0; turn < 3; ++turn) {
    grid.set_boxes(support::boxes_of<3>(s));
    s.particles[3].radius = -1;
    expect_error({ErrorCode::negative_radius, "radii", 3, -1, 1},
                 [&] { grid.build(support::UserArrays<double, 3>(s).view()); });
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), before);
    EXPECT_FALSE(grid.valid(support::UserArrays<double, 3>(this->system).view())) << "its boxes are to shear";
  }
  EXPECT_EQ(grid.plan_generation(), plan);
  s.particles[3].radius = this->system.particles[3].radius;
  grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
  EXPECT_NE(grid.plan_generation(), plan) << "a graph knows where boxes were";
  grid.set_box(hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}));
  EXPECT_TRUE(grid.valid(support::UserArrays<double, 3>(s).view())) << "no world lives in that box";
}

// Systems that fly apart leave their cells, which are laid out again.
TEST(Worlds, AreFollowed) {
  oracle::System s = copies(support::polydisperse(200, 3, false), 30, false);
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{});
  grid.build(support::UserArrays<double, 3>(s).view());
  const hgrid::WorkCount before = grid.work();
  support::Random random(2);
  for (int step = 0; step < 8; ++step) {
    for (oracle::Particle& p : s.particles) p.x[1] += (p.world % 2 == 0 ? 1 : -1) * 3.0;
    for (int turn = 0; turn < 2; ++turn) grid.build(support::UserArrays<double, 3>(s).view());
    const hgrid::WorkCount work = grid.work();
    EXPECT_LT(work.candidates + work.rows, 1.5 * static_cast<double>(before.candidates + before.rows)) << step;
    ASSERT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
  }
}

// Builds as many systems as are allowed, most of them without particles.
TEST(Worlds, TheMost) {
  oracle::System s = support::polydisperse(400, 3, false);
  s.worlds = hgrid::most_worlds;
  for (std::size_t i = 0; i < s.particles.size(); ++i) s.particles[i].world = i % 2 == 0 ? 0 : hgrid::most_worlds - 1;
  const support::Contacts expected = oracle::contacts(s);
  EXPECT_GT(expected.size(), 50u);
  for (const auto keys : {hgrid::KeyOrder::row_major, hgrid::KeyOrder::morton}) {
    hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3::open(), {.keys = keys});
    grid.build(support::UserArrays<double, 3>(s).view());
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), expected);
  }
}

}  // namespace
