// SPDX-License-Identifier: BSD-3-Clause
// Skins that ranks choose: the same one on all, whatever their clocks say, and lists that have every contact.
#include <set>

#include "ranks/drifting.hpp"
#include "support/skin_loop.hpp"

namespace {

using support::CallerClock;

/// A list whose skin is chosen, over particles that one rank or another owns.
struct ChoosingRanks {
  support::Share<double, 3> share;
  std::vector<double> v;
  hgrid::DistributedGrid<hgrid::SerialExec, 3> grid;
  hgrid::DistributedVerletList<hgrid::SerialExec, 3> list;

  ChoosingRanks(const oracle::System& s, const std::vector<double>& of_all, double skin)
      : share(support::share_of<double, 3>(s, 2)),
        grid(hgrid::SerialExec{}, support::box_of<3>(s), MPI_COMM_WORLD),
        list(grid, {.skin = skin, .choose_skin = true, .clock = CallerClock::seconds}) {
    for (const std::int64_t id : share.id) {
      const auto i = static_cast<std::size_t>(id - support::global_id(2, 0));
      v.insert(v.end(), of_all.begin() + static_cast<std::ptrdiff_t>(i), of_all.begin() + static_cast<std::ptrdiff_t>(i + 3));
    }
    list.rebalance(share.x, share.r, share.id, hgrid::Field{v, 3});
  }
  void move(double dt) {
    for (std::size_t k = 0; k < v.size(); ++k) share.x[k] += dt * v[k];
  }
  bool update() { return list.update(share.x, share.r, share.id, hgrid::Field{v, 3}); }

  bool has_one_skin() const {
    const std::vector<double> skins = support::gathered(std::vector{list.skin()});
    return std::ranges::count(skins, skins[0]) == std::ssize(skins);
  }
  support::Contacts listed() const {
    std::vector<hgrid::GlobalContact> mine;
    for (hgrid::offset_t k = 0; k < list.size(); ++k) {
      const hgrid::Contact c = list.contacts()[k];
      mine.push_back(grid.global(c.i, c.j, c.image));
    }
    support::Contacts all;
    for (const hgrid::GlobalContact& c : support::gathered(mine)) all.push_back(support::as_oracle(c));
    return support::sorted(std::move(all));
  }
};

TEST(SkinsOfRanks, LeaveEachLoopAlive) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    support::SkinLoop loop(seed);
    // Each rank has a clock of its own.
    CallerClock::set(seed + 100 * static_cast<std::uint64_t>(support::this_rank()), 0.5 * loop.per_build, loop.per_build);
    ChoosingRanks ranks(loop.s, loop.v, loop.skin);
    double widest = 0;
    for (int step = 0; step < loop.steps(); ++step, loop.step(), ranks.move(0.01)) {
      ASSERT_NO_THROW(ranks.update()) << "seed " << seed << ", step " << step;
      ASSERT_TRUE(support::everywhere(ranks.has_one_skin())) << "seed " << seed << ", step " << step;
      widest = std::max(widest, ranks.list.skin());
      const support::Contacts listed = ranks.listed(), contacts = support::numbered(oracle::contacts(loop.s), 2);
      ASSERT_TRUE(std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end()))
          << "seed " << seed << ", step " << step;
    }
    EXPECT_LE(widest, std::max({loop.skin, loop.s.hi[0], loop.s.hi[1], loop.s.hi[2]})) << "wider than a period, seed " << seed;
    EXPECT_GT(ranks.list.counters().builds, 3);
  }
}

// The slowest rank decides. Where its builds are expensive, the skin grows.
TEST(SkinsOfRanks, FollowTheSlowestRank) {
  const auto run = [](double per_build, std::set<double>& skins) {
    support::SkinLoop loop(5);
    for (oracle::Particle& p : loop.s.particles) p.radius = 0.05;
    const bool is_slow = support::this_rank() == support::all_ranks() - 1;
    CallerClock::set(1, is_slow ? per_build : 1e-9, is_slow ? per_build : 1e-9);
    ChoosingRanks ranks(loop.s, loop.v, 0.05);
    for (int step = 0; step < 400; ++step, loop.step(), ranks.move(0.01)) {
      CallerClock::now += is_slow ? 1e-2 * ranks.list.skin() : 0;
      ranks.update();
      skins.insert(ranks.list.skin());
    }
    return ranks.list.skin();
  };
  std::set<double> of_dear, of_cheap, again;
  const double dear = run(10, of_dear), cheap = run(1e-9, of_cheap);
  EXPECT_EQ(dear, run(10, again));
  EXPECT_EQ(of_dear, again);
  EXPECT_GT(dear, 0.1);
  EXPECT_LT(cheap, dear);
  EXPECT_TRUE(support::everywhere(of_cheap.size() > 5)) << of_cheap.size();
}

// A first skin of ten boxes begins by the radii, and no list is far too long.
TEST(SkinsOfRanks, BeginByTheRadii) {
  for (const double first : {0.0, 10.0, 1e12}) {
    const oracle::System s = support::polydisperse(400, 7, false);
    CallerClock::set(1, 1, 1);
    double radii = 0;
    for (const oracle::Particle& p : s.particles) radii += p.radius;
    const double mean = radii / static_cast<double>(s.particles.size());
    std::vector<double> v;
    for (std::size_t i = 0; i < s.particles.size(); ++i) v.insert(v.end(), {0.1 * mean, 0, 0});
    ChoosingRanks ranks(s, v, first);
    const std::size_t contacts = oracle::contacts(s).size();
    EXPECT_GT(ranks.list.skin(), 0.05 * mean);
    EXPECT_LT(ranks.list.skin(), 2 * mean);                  // a level stores its largest radius only
    for (int step = 0; step < 150; ++step, ranks.move(1)) {  // a build is expensive, a step costs nothing: the skin grows
      ranks.update();
      std::int64_t all = ranks.list.size();
      MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
      ASSERT_LE(static_cast<std::size_t>(all), 10 * (contacts + s.particles.size())) << first << ", " << step;
    }
    EXPECT_GT(ranks.list.counters().builds, 3);
  }
}

// Also where no rank has a particle yet.
TEST(SkinsOfRanks, BeginWithTheFirstParticles) {
  CallerClock::set(1, 1, 1);
  oracle::System s = support::polydisperse(40, 7, true);
  const oracle::System all = s;
  s.particles.clear();
  ChoosingRanks ranks(s, {}, 0);
  EXPECT_EQ(ranks.list.skin(), 0);
  ranks.share = support::share_of<double, 3>(all, 2), ranks.v.assign(ranks.share.x.size(), 0);
  ranks.list.build(ranks.share.x, ranks.share.r, ranks.share.id, hgrid::Field{ranks.v, 3});
  EXPECT_TRUE(support::everywhere(ranks.list.skin() > 0 && ranks.has_one_skin()));
}

}  // namespace
