// SPDX-License-Identifier: BSD-3-Clause
// How even space is cut for ranks, by counts: of particles, and of the work of a build and search.
#include "hgrid/ranks/rebalance.hpp"
#include "ranks/shared_system.hpp"

namespace {

using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;

constexpr int particles = 20000;

/// A share of a system that is equal on all ranks.
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

// Arriving particles without counted work do not all go to one rank.
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

// Cuts keep their directions although the longest side of a near-cube is another one at each turn. If cuts followed it, most
// particles would migrate, and cuts by work would not settle.
TEST(Balance, CutsKeepTheirDirections) {
  Share share([](support::Random& random, int, double* x) { return anywhere(random, 1, x); });
  Grid grid({}, unit_box(), MPI_COMM_WORLD);
  share.rebalance(grid);
  for (std::size_t turn = 0; turn < 6; ++turn) {
    for (std::size_t i = turn % 3; i < share.x.size(); i += 3) share.x[i] *= 0.97;
    std::vector<std::int64_t> before = share.id, come;
    share.rebalance(grid);
    std::vector<std::int64_t> now = share.id;
    std::ranges::sort(before), std::ranges::sort(now);
    std::ranges::set_difference(now, before, std::back_inserter(come));
    EXPECT_LT(support::gathered(come).size(), 0.05 * particles) << turn;
  }
}

// Without new directions all boxes would be slabs where a column has become a layer.
TEST(Balance, DirectionsAreChosenAnewWhereParticlesLieOtherwise) {
  const auto in_a_box = [](double width, double height) {
    return [=](support::Random& random, int, double* x) {
      for (int k = 0; k < 3; ++k) x[k] = random.real(0, k == 2 ? height : width);
      return 0.001;
    };
  };
  const Share column(in_a_box(0.1, 1)), layer(in_a_box(1, 0.1));
  Grid grid({}, unit_box(), MPI_COMM_WORLD), fresh({}, unit_box(), MPI_COMM_WORLD);
  grid.rebalance(column.x, column.r);
  for (Grid* one : {&grid, &fresh}) one->rebalance(layer.x, layer.r);
  for (std::size_t rank = 0; rank < grid.boxes().size(); ++rank) {
    for (int k = 0; k < 3; ++k) EXPECT_EQ(grid.boxes()[rank].hi[k], fresh.boxes()[rank].hi[k]) << rank << ", axis " << k;
  }
}

// Returns the end of rank 0's box, if rank k has particles of a weight along [k, k + 1), and a ghost in the last part.
double first_end(double weight, double of_ghost, bool cut_by_work) {
  constexpr int own = 2000;
  const double ranks = support::all_ranks();
  std::vector<hgrid::detail::Weighed<3>> work;
  hgrid::detail::Blocks<3> blocks;
  for (int i = 0; i < own; ++i) {
    work.push_back({{support::this_rank() + (i + 0.5) / own, 0, 0}, weight / own});
    blocks.add_particle(work.back().x);
  }
  work.push_back({{ranks - 0.5, 0, 0}, of_ghost});
  blocks.set_work(work, own);
  hgrid::detail::LastCuts last{{}, cut_by_work};
  const hgrid::detail::Communicator comm(MPI_COMM_WORLD);
  return blocks.cut(comm, hgrid::Box3::periodic({0, -1, -1}, {ranks, 1, 1}), last).front().hi[0];
}

// If the end went where the ghost is, other ranks would get smaller boxes, and this rank as many ghosts as before.
TEST(Balance, TheWorkOfGhostsIsTheirHoldersOwn) {
  const double ranks = support::all_ranks(), of_ghost = support::this_rank() == 0 ? 1 : 0;
  EXPECT_NEAR(first_end(1, of_ghost, false), ranks == 1 ? 1 : (ranks + 1) / (2 * ranks), 0.01);
}

TEST(Balance, WorkIsDoubtedWhereCutsWereByIt) {
  const double ranks = support::all_ranks(), weight = support::this_rank() == 0 ? 4 : 1, mean = (ranks + 3) / ranks;
  EXPECT_NEAR(first_end(weight, 0, false), mean / 4, 0.01);
  const double damped = 4 * std::pow(mean / 4, 0.3), others = std::pow(mean, 0.3);
  EXPECT_NEAR(first_end(weight, 0, true), (damped + (ranks - 1) * others) / ranks / damped, 0.01);
}

}  // namespace
