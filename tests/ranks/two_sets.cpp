// SPDX-License-Identifier: BSD-3-Clause
// Two sets of particles on ranks: random systems cut in two against brute force, and errors.
#include <atomic>

#include "ranks/rank_errors.hpp"
#include "ranks/systems.hpp"
#include "ranks/two_sets.hpp"
#include "support/two_sets_cases.hpp"

namespace {

using hgrid::ErrorCode;
using support::collected, support::listed, support::visited;
using support::Contacts;

/// One system on all ranks, cut in two.
template <class Real, int D>
class SystemOfTwoSets {
 public:
  explicit SystemOfTwoSets(std::uint64_t seed)
      : seed_(seed), system_(system_of(seed)), asking_(exec(), box(), MPI_COMM_WORLD), asked_(exec(), box(), MPI_COMM_WORLD) {}

  /// Returns the difference on this rank, or nothing. All ranks make equal calls, with a difference or without.
  std::string difference() {
    share_out();
    cut();
    if (seed_ % 3 == 0) {
      support::put_on_cuts<Real, D>(system_, seed_, cutter().boxes());
      share_out();
    }
    build("where particles are anywhere");
    send_ones();
    asking_.migrate(of_asking_.x, of_asking_.sizes(), of_asking_.id);
    build("after those that ask have migrated");
    cut();
    asked_.migrate(of_asked_.x, of_asked_.sizes(), of_asked_.id);
    asking_.migrate(of_asking_.x, of_asking_.sizes(), of_asking_.id);
    build("after cuts by work, and migration of both");
    return difference_;
  }
  std::size_t contacts() const { return expected_.size(); }

 private:
  using Grid = hgrid::DistributedGrid<hgrid::OpenMPExec, D>;

  // Half of the skin that was drawn, so that one of the sets may have all of it.
  static oracle::System system_of(std::uint64_t seed) {
    oracle::System system = support::system_for_ranks(seed);
    system.skin *= 0.5;
    return system;
  }
  hgrid::OpenMPExec exec() const { return hgrid::OpenMPExec(1 + static_cast<int>(seed_ % 2)); }
  hgrid::Box<D> box() const { return support::box_of<D>(system_); }
  std::uint64_t seed_of_asked() const { return seed_ + 1 + seed_ / 2 % 2; }  // ids of both are alike, or not
  Grid& cutter() { return seed_ % 2 == 0 ? asking_ : asked_; }

  void differs(const std::string& what) { difference_ += what + " on rank " + std::to_string(support::this_rank()) + "; "; }

  void share_out() {
    support::Random random(seed_ + 3);
    const support::TwoSets sets = support::cut(system_, random);
    const int whose = random.integer(0, 2);
    skin_of_asking_ = whose == 0 ? 2 * system_.skin : whose == 1 ? 0 : system_.skin;
    skin_of_asked_ = whose == 0 ? 0 : whose == 1 ? 2 * system_.skin : system_.skin;
    of_asking_ = support::share_of<Real, D>(sets.asking, seed_);
    of_asked_ = support::share_of<Real, D>(sets.asked, seed_of_asked());
    expected_ = sets.expected;
    for (oracle::Contact& c : expected_) {
      c.i = support::global_id(seed_, static_cast<std::size_t>(c.i));
      c.j = support::global_id(seed_of_asked(), static_cast<std::size_t>(c.j));
    }
    expected_ = support::sorted(expected_);
  }

  void cut() {
    auto& share = &cutter() == &asking_ ? of_asking_ : of_asked_;
    cutter().rebalance(share.x, share.sizes());
    (&cutter() == &asking_ ? asked_ : asking_).take_cuts(cutter());
  }

  void build(const std::string& when) {
    asking_.build(of_asking_.x, of_asking_.sizes(), of_asking_.id, {.skin = skin_of_asking_});
    asked_.build(of_asked_.x, of_asked_.sizes(), of_asked_.id, {.skin = skin_of_asked_});
    if (visited(asking_, asked_) != expected_) differs("contacts visited " + when);
    if (listed(asking_, asked_) != expected_) differs("contacts listed " + when);
    if (collected(asking_, asked_, of_asking_.id) != expected_) differs("contacts of owners " + when);
    Contacts back = expected_;
    for (oracle::Contact& c : back) {
      std::swap(c.i, c.j);
      for (auto& m : c.m) m = -m;
    }
    if (collected(asked_, asking_, of_asked_.id) != support::sorted(back)) differs("contacts of those that were asked " + when);
  }

  // How many partners each particle has, wherever its contacts are reported.
  void send_ones() {
    std::vector<std::int32_t> of_i(static_cast<std::size_t>(asking_.held())), of_j(static_cast<std::size_t>(asked_.held()));
    hgrid::DistributedQueries(asked_).for_each(asking_, [&](hgrid::index_t i, hgrid::index_t j, const hgrid::Image&) {
      ++std::atomic_ref(of_i[static_cast<std::size_t>(i)]);
      ++std::atomic_ref(of_j[static_cast<std::size_t>(j)]);
    });
    asking_.add_back(of_i), asked_.add_back(of_j);
    const auto count = [&](const std::vector<std::int64_t>& own, const std::vector<std::int32_t>& ones, auto member) {
      for (std::size_t k = 0; k < own.size(); ++k) {
        const auto partners = std::ranges::count(expected_, own[k], member);
        if (ones[k] != partners) return differs("ones that came back");
      }
    };
    count(of_asking_.id, of_i, &oracle::Contact::i), count(of_asked_.id, of_j, &oracle::Contact::j);
  }

  std::uint64_t seed_;
  oracle::System system_;
  Grid asking_, asked_;
  support::Share<Real, D> of_asking_, of_asked_;
  double skin_of_asking_ = 0, skin_of_asked_ = 0;
  Contacts expected_;
  std::string difference_;
};

TEST(TwoSetsOnRanks, HaveTheContactsOfOne) {
  support::expect_systems_of_ranks([]<class Real, int D>(std::uint64_t seed, std::size_t& contacts) {
    SystemOfTwoSets<Real, D> system(seed);
    const std::string difference = system.difference();
    contacts += system.contacts();
    return difference;
  });
}

/// A set of spheres that others query; both sets have cuts of their own.
class TwoSetsOfRanks : public support::RankErrors {
 protected:
  TwoSetsOfRanks() {
    others.rebalance(other_share.x, other_share.r);
    build_others();
  }
  void build_others() { others.build(other_share.x, other_share.r, other_share.id, {.skin = 0.01}); }
  void expect(ErrorCode code, Grid& asking) {
    hgrid::DistributedQueries queries(grid);
    hgrid::GlobalNeighbours found{.offsets = {7}, .ids = {}, .images = {}};
    const auto nothing = [](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {};
    const std::function<void()> askings[] = {[&] { queries.find(asking, found); }, [&] { queries.find(asking); },
                                             [&] { queries.for_each(asking, nothing); }};
    for (const auto& call : askings) {
      const Thrown error = thrown(call);
      const bool right = error.code == static_cast<int>(code) && (code == ErrorCode::not_built || error.argument == "asking");
      EXPECT_TRUE(support::everywhere(right)) << error.code << " " << error.argument;
    }
    EXPECT_EQ(found.offsets.front(), 7);  // as it was
    expect_as_before();
  }

  const oracle::System other_system = support::polydisperse(700, 3, true, 5);
  support::Share<double, 3> other_share = support::share_of<double, 3>(other_system, 3);
  Grid others{hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD};
};

TEST_F(TwoSetsOfRanks, AreRefusedWhereTheyCannotBeCompared) {
  if (last > 0) expect(ErrorCode::invalid_argument, others);  // a call that cuts space
  Grid none(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD), flat(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD);
  expect(ErrorCode::not_built, none);
  flat.take_cuts(grid);
  support::Share<double, 3> boxes;  // none
  boxes.width = 3;
  flat.build(boxes.x, boxes.sizes(), boxes.id);
  expect(ErrorCode::unsupported, flat);
  hgrid::Box3 wider = grid.box();
  wider.hi[0] *= 2;
  Grid wide(hgrid::SerialExec{}, wider, MPI_COMM_WORLD);
  wide.rebalance(other_share.x, other_share.r);
  wide.build(other_share.x, other_share.r, other_share.id);
  expect(ErrorCode::invalid_argument, wide);

  others.take_cuts(grid);
  expect(ErrorCode::not_built, others);
  build_others();
  EXPECT_TRUE(support::everywhere(visited(others, grid) == collected(others, grid, other_share.id)));
}

TEST_F(TwoSetsOfRanks, CutsAreOfOneBoxAndTheSameRanks) {
  const Contacts of_others = support::contacts_of_ranks(others);
  const auto expect_cuts = [&](ErrorCode code, const Grid& from) {
    const auto boxes = others.boxes();
    const Thrown error = thrown([&] { others.take_cuts(from); });
    EXPECT_TRUE(support::everywhere(error.code == static_cast<int>(code))) << error.code;
    EXPECT_TRUE(support::everywhere(others.boxes() == boxes && support::contacts_of_ranks(others) == of_others));
  };
  hgrid::Box3 wider = grid.box();
  wider.hi[0] *= 2;
  Grid wide(hgrid::SerialExec{}, wider, MPI_COMM_WORLD), uncut(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD);
  expect_cuts(ErrorCode::invalid_argument, wide);
  if (last == 0) return;
  expect_cuts(ErrorCode::not_built, uncut);
  Grid alone(hgrid::SerialExec{}, grid.box(), MPI_COMM_SELF);
  expect_cuts(ErrorCode::invalid_argument, alone);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -support::this_rank(), &reversed);
  {
    Grid other(hgrid::SerialExec{}, grid.box(), reversed);
    other.rebalance(other_share.x, other_share.r);
    expect_cuts(ErrorCode::invalid_argument, other);
  }
  MPI_Comm_free(&reversed);

  // Ranks that take the cuts of different grids notice.
  Grid third(hgrid::SerialExec{}, grid.box(), MPI_COMM_WORLD);
  auto some = other_share;
  for (double& x : some.x) x *= 0.5;
  third.rebalance(some.x, some.r);
  expect_cuts(ErrorCode::invalid_argument, errs ? third : grid);
}

}  // namespace
