// SPDX-License-Identifier: BSD-3-Clause
// How even space is cut for ranks, by counts: of particles, and of the work of a build and search.
#include "hgrid/ranks/counted_cost.hpp"
#include "ranks/shared_system.hpp"

namespace {

using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;

constexpr int particles = 20000;

/// A share of a system that all ranks know.
struct Share {
  std::vector<double> x, r;
  std::vector<std::int64_t> id;

  /// place(random, i, x) sets a position and returns a radius.
  template <class Place>
  explicit Share(const Place& place) {
    support::Random random(7);
    for (int i = 0; i < particles; ++i) {
      double at[3];
      const double radius = place(random, i, at);
      if (i % support::all_ranks() != support::this_rank()) continue;
      x.insert(x.end(), at, at + 3), r.push_back(radius), id.push_back(i);
    }
  }

  void rebalance(Grid& grid) {
    grid.rebalance(x, r);
    grid.migrate(x, r, id);
    grid.build(x, r, id);
  }
};

/// The most of a rank over the mean.
double imbalance(double value) {
  double most = 0, sum = 0;
  for (const double one : support::gathered(std::vector{value})) most = std::max(most, one), sum += one;
  return most * support::all_ranks() / sum;
}

double cost_of(const Grid& grid) {
  const auto view = grid.local().view();
  const hgrid::detail::CountedCost<3> cost(view, grid.local().plan(), view.slots());
  double sum = 0;
  for (hgrid::index_t slot = 0; slot < view.slots(); ++slot) sum += cost(slot);
  return sum;
}

hgrid::Box3 unit_box() { return hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1}); }

double anywhere(support::Random& random, double within, double* x) {
  for (int k = 0; k < 3; ++k) x[k] = random.real(0, within);
  return 0.01 * within;
}

TEST(Balance, RanksGetAsManyParticles) {
  Share even([](support::Random& random, int, double* x) { return anywhere(random, 1, x); });
  Share dense([](support::Random& random, int i, double* x) { return anywhere(random, i % 4 == 0 ? 1 : 1e-3, x); });
  Share in_a_plane([](support::Random& random, int, double* x) {
    const double r = anywhere(random, 1, x);
    x[2] = 0.5;
    return r;
  });
  for (Share* share : {&even, &dense, &in_a_plane}) {
    Grid grid({}, unit_box(), MPI_COMM_WORLD);
    share->rebalance(grid);
    EXPECT_LT(imbalance(grid.owned()), 1.02);
  }
}

// Half of the particles meet hundreds of others, half of them hardly any.
TEST(Balance, RanksGetAsMuchWork) {
  Share share([](support::Random& random, int i, double* x) {
    anywhere(random, 1, x);
    x[0] = 0.5 * x[0] + (i % 2 == 0 ? 0.5 : 0);
    return i % 2 == 0 ? 0.08 : 0.005;
  });
  Grid grid({}, unit_box(), MPI_COMM_WORLD);
  share.rebalance(grid);
  EXPECT_TRUE(support::all_ranks() == 1 || imbalance(cost_of(grid)) > 1.4) << imbalance(cost_of(grid));
  for (int turn = 0; turn < 2; ++turn) share.rebalance(grid);
  EXPECT_LT(imbalance(cost_of(grid)), 1.25);
  EXPECT_LT(imbalance(grid.owned()), 2);
}

// Those that come without work that was counted do not all go to one rank.
TEST(Balance, ParticlesThatHaveComeAreSpread) {
  Share share([](support::Random& random, int i, double* x) { return anywhere(random, i < particles / 100 ? 0.1 : 1, x); });
  Share few = share;
  Grid grid({}, unit_box(), MPI_COMM_WORLD);
  const auto known = static_cast<std::size_t>(std::ranges::lower_bound(few.id, particles / 100) - few.id.begin());
  few.x.resize(3 * known), few.r.resize(known), few.id.resize(known);
  few.rebalance(grid);
  share.rebalance(grid);
  EXPECT_LT(imbalance(grid.owned()), 1.05);
}

// Levels are planned for the particles of the new box.
TEST(Balance, LevelsAreThoseOfTheParticlesAtHand) {
  Share share([](support::Random& random, int i, double* x) {
    anywhere(random, i % 2 == 0 ? 0.3 : 1, x);
    return i % 2 == 0 ? 0.004 : 0.03;
  });
  Grid grid({}, unit_box(), MPI_COMM_WORLD);
  for (int turn = 0; turn < 3; ++turn) {
    share.rebalance(grid);
    hgrid::Grid alone(hgrid::SerialExec{}, unit_box());
    alone.build(grid.positions(), grid.radii());
    EXPECT_EQ(grid.local().plan().levels.cells, alone.plan().levels.cells) << turn;
    EXPECT_EQ(grid.local().plan().levels.count, alone.plan().levels.count) << turn;
  }
}

}  // namespace
