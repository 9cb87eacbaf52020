// SPDX-License-Identifier: BSD-3-Clause
// Hosts inspect and partition in one pass where the last build tells how: slots are the same as those of a first build,
// whatever has changed since, and what is wrong with the input is found all the same.
#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <string_view>

#include "support/packings.hpp"
#include "support/pieces_exec.hpp"
#include "support/results.hpp"

namespace {

/// Remembers whether it ran an inspection by itself.
class RecordingExec : public support::PiecesExec<2> {
 public:
  static inline bool inspected = false;

  void run(const char* label, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    inspected = inspected || std::string_view(label) == "hgrid::inspect";
    PiecesExec::run(label, parts, part);
  }
};

using Grid = hgrid::Grid<RecordingExec, 3>;

/// Builds, and says whether one pass was enough.
bool one_pass(Grid& grid, const hgrid::Particles<double, 3>& p, hgrid::BuildOptions options) {
  RecordingExec::inspected = false;
  grid.build(p, options);
  return !RecordingExec::inspected;
}

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

  /// The next build of the grid, beside that of a fresh one; returns whether one pass was enough.
  bool build(double skin = 0) {
    const support::UserArrays<double, 3> arrays(s);
    const bool one = one_pass(grid, arrays.view(), {.skin = skin});
    Grid fresh = make();
    fresh.build(arrays.view(), {.skin = skin});
    expect_same_slots(grid, fresh);
    return one;
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
    EXPECT_TRUE(build());
  }
}

TEST_F(OnePass, AnotherSkin) {
  EXPECT_TRUE(build(0.01));
  EXPECT_TRUE(build(0.02));
}

TEST_F(OnePass, ParticlesThatComeAndGo) {
  s.particles.resize(s.particles.size() - 100);
  EXPECT_TRUE(build());
  for (std::size_t i = 0; i < s.particles.size(); i += 7) s.particles[i].active = false;
  EXPECT_TRUE(build());
  for (std::size_t i = 0; i < s.particles.size(); i += 7) s.particles[i].active = true;
  EXPECT_FALSE(build());  // more than there is room for
  EXPECT_EQ(grid.view().slots(), static_cast<hgrid::index_t>(s.particles.size()));
}

TEST_F(OnePass, IsNotTriedForAWhileAfterItFailed) {
  for (oracle::Particle& p : s.particles) p.x[2] += 0.4 * (s.hi[2] - s.lo[2]);
  EXPECT_FALSE(build());
  for (int step = 0; step < 8; ++step) EXPECT_FALSE(build());
  EXPECT_TRUE(build());
}

TEST_F(OnePass, ExtrasAndOtherNumbers) {
  for (std::size_t i = 0; i < s.particles.size(); ++i) s.particles[i].extra = 0.01 * static_cast<double>(i % 3);
  EXPECT_TRUE(build());
  s.radius_scale = 0.999;
  EXPECT_TRUE(build());
  s.skip_nonfinite = true;
  s.particles[5000].x[1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(build());
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
  oracle::System broken = s;
  broken.particles[17].radius = -1;
  EXPECT_THROW(grid.build(support::UserArrays<double, 3>(broken).view()), hgrid::Error);
  EXPECT_EQ(support::pairs_of(grid), before);
  EXPECT_FALSE(build());  // what the last build knew is gone
  EXPECT_TRUE(build());
}

}  // namespace
