// SPDX-License-Identifier: BSD-3-Clause
// Hosts inspect and partition in one pass under the plan of the last build: slots equal a first build's, after any change, and
// faults of the input are still found.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string_view>
#include <vector>

#include "support/packings.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

/// Counts how often particles are read in the order of the input, as far as their number may be large.
class RecordingExec : public support::PiecesExec<2> {
 public:
  static inline int passes = 0, inspections = 0;

  void run(const char* label, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    const std::string_view name = label;
    passes += name == "hgrid::inspect" || name == "hgrid::partition" || name == "hgrid::make_keys";
    inspections += name == "hgrid::inspect";
    PiecesExec::run(label, parts, part);
  }
};

using Grid = hgrid::Grid<RecordingExec, 3>;

void expect_same_slots(const Grid& grid, const Grid& fresh) {
  const hgrid::GridView<3> a = grid.view(), b = fresh.view();
  ASSERT_EQ(a.slots(), b.slots());
  ASSERT_EQ(a.level_count, b.level_count);
  const auto n = static_cast<std::size_t>(a.slots());
  for (int k = 0; k < 3; ++k) EXPECT_EQ(std::memcmp(a.x[k], b.x[k], n * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(a.radius, b.radius, n * sizeof(double)), 0);
  EXPECT_EQ(std::memcmp(a.id, b.id, n * sizeof(hgrid::index_t)), 0);
  EXPECT_EQ(std::memcmp(a.level_begin, b.level_begin, (a.level_count + 1) * sizeof(hgrid::index_t)), 0);
  EXPECT_EQ(std::memcmp(a.radius_max, b.radius_max, a.level_count * sizeof(double)), 0);
  const auto& top = a.level[a.level_count - 1];
  const std::size_t cells = top.first_cell + std::size_t{1} * top.cells[0] * top.cells[1] * top.cells[2];
  EXPECT_EQ(std::memcmp(a.table.begin, b.table.begin, (cells + 1) * sizeof(hgrid::index_t)), 0);
}

/// Particles in a periodic box, so that cells do not depend on where they are, and on given levels.
class OnePass : public ::testing::Test {
 protected:
  OnePass() { grid.build(support::UserArrays<double, 3>(s).view()); }

  Grid make() const {
    return Grid(RecordingExec{}, support::box_of<3>(s), {.levels = {{2, {6, 6, 6}}, {4, {12, 12, 12}}, {8, {24, 24, 24}}}});
  }

  /// Builds the grid again, beside a fresh one; returns the number of its passes.
  int build(double skin = 0) {
    const support::UserArrays<double, 3> arrays(s);
    RecordingExec::passes = 0;
    grid.build(arrays.view(), {.skin = skin});
    const int passes = RecordingExec::passes;
    Grid fresh = make();
    fresh.build(arrays.view(), {.skin = skin});
    expect_same_slots(grid, fresh);
    return passes;
  }

  /// Moves all, across the faces too.
  void move(double far) {
    for (oracle::Particle& p : s.particles) {
      for (double& x : p.x) x += random.real(-far, far);
    }
  }

  oracle::System s = support::polydisperse(20000, 8, true);
  Grid grid = make();
  support::Random random{7};
};

TEST_F(OnePass, SmallSteps) {
  for (int step = 0; step < 10; ++step) {
    move(0.05);
    EXPECT_EQ(build(), 1);
  }
}

TEST_F(OnePass, AnotherSkin) {
  EXPECT_EQ(build(0.01), 1);
  EXPECT_EQ(build(0.02), 1);
}

TEST_F(OnePass, ParticlesThatComeAndGo) {
  s.particles.resize(s.particles.size() - 100);
  EXPECT_EQ(build(), 1);
  for (std::size_t i = 0; i < s.particles.size(); i += 7) s.particles[i].active = false;
  EXPECT_EQ(build(), 1);
  for (std::size_t i = 0; i < s.particles.size(); i += 7) s.particles[i].active = true;
  EXPECT_EQ(build(), 1);
  EXPECT_EQ(grid.view().slots(), static_cast<hgrid::index_t>(s.particles.size()));
}

// Pages given to buckets for their last contents do not suffice if all particles move to other buckets.
TEST_F(OnePass, AnotherPassIfAllIsElsewhere) {
  for (std::size_t i = 0; i < s.particles.size(); ++i) {
    double& z = s.particles[i].x[2];
    if (i % 4 != 0) z = s.lo[2] + 0.1 * (z - s.lo[2]);
  }
  EXPECT_EQ(build(), 2);
  EXPECT_EQ(build(), 1);
}

TEST_F(OnePass, TwoUnderANewPlan) {
  grid.plan_again();
  EXPECT_EQ(build(), 2);
  EXPECT_EQ(build(), 1);
}

TEST_F(OnePass, ExtrasAndOtherNumbers) {
  for (std::size_t i = 0; i < s.particles.size(); ++i) s.particles[i].extra = 0.01 * static_cast<double>(i % 3);
  EXPECT_EQ(build(), 1);
  s.radius_scale = 0.999;
  EXPECT_EQ(build(), 1);
  s.skip_nonfinite = true;
  s.particles[5000].x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(build(), 1);
  EXPECT_EQ(grid.skipped(), 1);
}

TEST_F(OnePass, BadInputLeavesTheGridAsItWas) {
  const support::Contacts before = support::pairs_of(grid);
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(), 1e300}) {
    oracle::System broken = s;
    broken.particles[12345].x[2] = bad;
    try {
      grid.build(support::UserArrays<double, 3>(broken).view());
      FAIL();
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.detail().index, 12345);
    }
    EXPECT_EQ(support::pairs_of(grid), before);
  }
  for (const double bad :
       {-1.0, 1e-16, 2e15, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN()}) {
    oracle::System broken = s;
    broken.particles[17].radius = bad;
    EXPECT_THROW(grid.build(support::UserArrays<double, 3>(broken).view()), hgrid::Error) << bad;
    EXPECT_EQ(support::pairs_of(grid), before);
  }
  EXPECT_EQ(build(), 1);
}

// The upper face of a periodic box is the lower one, and points have no radius.
TEST_F(OnePass, FacesAndPoints) {
  for (std::size_t i = 0; i < s.particles.size(); i += 100) {
    s.particles[i].x[i % 3] = i % 200 == 0 ? s.hi[i % 3] : s.lo[i % 3];
    s.particles[i + 1].radius = 0;
  }
  EXPECT_EQ(build(), 1);
}

// For floats in an open box records are floats, too, unless slots have other numbers.
TEST(OpenBox, FloatsAndDoubles) {
  oracle::System s = support::polydisperse(20000, 8, false);
  for (oracle::Particle& p : s.particles) {
    for (double& x : p.x) x = static_cast<float>(x);
    p.radius = static_cast<float>(p.radius);
  }
  const std::vector<hgrid::LevelSpec> levels = {{2, {6, 6, 6}}, {4, {12, 12, 12}}, {9, {24, 24, 24}}};
  Grid of_floats(RecordingExec{}, hgrid::Box3::open(), {.levels = levels}),
      of_both(RecordingExec{}, hgrid::Box3::open(), {.levels = levels}),
      of_doubles(RecordingExec{}, hgrid::Box3::open(), {.levels = levels});
  for (int step = 0; step < 12; ++step) {
    s.radius_scale = step % 6 == 3 ? 0.999 : 1;
    for (oracle::Particle& p : s.particles)
      p.extra = step % 6 == 4 ? 0.25 : 0, p.x[step % 3] = static_cast<float>(p.x[step % 3] + 0.125);
    const support::UserArrays<float, 3> floats(s);
    const support::UserArrays<double, 3> doubles(s);
    of_floats.build(floats.view()), of_doubles.build(doubles.view());
    step % 4 < 2 ? of_both.build(floats.view()) : of_both.build(doubles.view());
    expect_same_slots(of_floats, of_doubles), expect_same_slots(of_both, of_doubles);
  }
}

// If a few particles show that cells lie elsewhere, nothing is partitioned by the old plan.
TEST(OpenBox, NoPartitionInVain) {
  oracle::System s = support::polydisperse(20000, 8, false);
  Grid grid(RecordingExec{});
  for (const double far : {0.0, 1e-3, 0.5, 0.0}) {
    oracle::System moved = s;
    for (oracle::Particle& p : moved.particles) p.x[0] += far * (s.hi[0] - s.lo[0]);
    const support::UserArrays<double, 3> arrays(moved);
    RecordingExec::passes = RecordingExec::inspections = 0;
    const bool first = grid.plan_generation() == 0;
    const std::uint64_t before = grid.plan_generation();
    grid.build(arrays.view());
    const bool planned = grid.plan_generation() != before;
    EXPECT_EQ(planned, first || far != 1e-3);
    EXPECT_EQ(RecordingExec::passes, planned ? 2 : 1);
    EXPECT_EQ(RecordingExec::inspections, planned ? 1 : 0);
    Grid fresh(RecordingExec{});
    if (planned) fresh.build(arrays.view()), expect_same_slots(grid, fresh);
  }
}

}  // namespace
