// SPDX-License-Identifier: BSD-3-Clause
// Lists on ranks that live through a time loop, and values of pairs that follow them, against one rank at each step.
#include <limits>
#include <stdexcept>

#include "hgrid/loop.hpp"
#include "ranks/drifting.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ErrorCode;
using support::Drifting;
using support::SpringOf;
using support::Springs;

template <int D>
void expect_springs_of_one(Drifting<D> loop) {
  const auto steps = static_cast<int>(support::from_environment("HGRID_STEPS", 200));
  std::size_t compared = 0;
  for (int step = 0; step < steps; ++step, loop.move()) {
    if (step % 40 == 39) {
      loop.rebalance();
    } else {
      loop.update();
    }
    loop.stretch();
    const Springs expected = loop.springs_of_one();
    ASSERT_TRUE(support::everywhere(loop.springs() == expected))
        << "step " << step << ": " << loop.springs().size() << " springs, on one rank " << expected.size();
    compared += expected.size();
  }
  const hgrid::VerletCounters& c = loop.list().counters();
  EXPECT_GT(compared, static_cast<std::size_t>(10 * steps));
  EXPECT_EQ(c.dangerous, 0);
  EXPECT_EQ(c.overtaken, 0);
  EXPECT_GT(c.builds, steps / 40 + 3);
  EXPECT_LT(c.builds, steps / 2);
}
template <int D>
void expect_springs_of_one(bool periodic, std::uint64_t seed, bool boxes = false, bool wrapped = false,
                           support::Shear shear = {}) {
  const support::Gas gas(D == 2 ? 60 : 150, periodic, seed);
  const hgrid::VerletOptions options{.skin = 0.5, .wrapped = wrapped};
  expect_springs_of_one(Drifting<D>(boxes ? support::boxes_of(gas) : gas, periodic, seed, options, shear));
}

TEST(TimeLoopOnRanks, SpringsAreThoseOfOneRank) {
  expect_springs_of_one<3>(true, 1);
  expect_springs_of_one<2>(true, 2);
  expect_springs_of_one<3>(false, 3);
}
TEST(TimeLoopOnRanks, SpringsOfWrappedPositionsAreThoseOfOneRank) {
  expect_springs_of_one<3>(true, 21, false, true);
  expect_springs_of_one<2>(true, 22, true, true);
}
// The box turns if it shears along the later axis; boxes then have no extents along its axes.
TEST(TimeLoopOnRanks, SpringsInShearAreThoseOfOneRank) {
  expect_springs_of_one<3>(true, 41, false, false, {.rate = 0.1});
  expect_springs_of_one<3>(true, 42, true, true, {.rate = 0.1, .along = 1, .across = 2});
  expect_springs_of_one<2>(true, 43, false, true, {.rate = 0.1});
  expect_springs_of_one<3>(true, 44, false, false, {.rate = 0.1, .along = 2, .across = 0});
}
TEST(TimeLoopOnRanks, GroupsAndBondsGoWithTheirParticles) {
  for (const bool boxes : {false, true}) {
    const support::Gas gas =
        support::labelled(boxes ? support::boxes_of(support::Gas(150, true, 31)) : support::Gas(150, true, 32));
    expect_springs_of_one(Drifting<3>(gas, true, boxes ? 31 : 32));
  }
}
TEST(TimeLoopOnRanks, SpringsOfBoxesAreThoseOfOneRank) {
  expect_springs_of_one<3>(true, 11, true);
  expect_springs_of_one<2>(true, 12, true);
  expect_springs_of_one<3>(false, 13, true);
}

/// The code that a call throws on this rank, and the index that it names.
struct Thrown {
  int code = -1;
  std::int64_t index = -1;
};
template <class F>
Thrown thrown(const F& call) {
  try {
    call();
    return {};
  } catch (const hgrid::Error& e) {
    return {static_cast<int>(e.code()), e.detail().index};
  }
}
bool is(const Thrown& error, ErrorCode code) { return error.code == static_cast<int>(code); }

bool errs() { return support::this_rank() == support::all_ranks() - 1; }

TEST(TimeLoopOnRanks, ErrorsOfOneRankLeaveListAndSpringsOnAll) {
  Drifting<3> loop(150, true, 4);
  for (int step = 0; step < 30; ++step, loop.move()) loop.update(), loop.stretch(), loop.springs_of_one();
  for (const bool in_skin : {false, true}) {
    const Springs before = loop.springs();
    auto& share = loop.share();
    share.x.resize(3 * share.id.size());
    const auto arrays = std::tuple(share.x, share.r, share.id, loop.velocities());
    // Changes the last particle of a rank: to no number, or to a radius with which the skin does not fit into the box, so that
    // particles have moved.
    double& value = in_skin ? share.r.back() : share.x[3 * share.id.size() - 1];
    const double right = value;
    const bool mine = errs() && !share.id.empty();
    const auto last = static_cast<std::int64_t>(share.id.size()) - 1;
    const double length = loop.grid().box().length(0);
    if (mine) value = in_skin ? 3.5 * length - 0.1 : std::numeric_limits<double>::quiet_NaN();
    const std::int64_t id = mine ? share.id.back() : -1;
    const Thrown error = thrown([&] { loop.update(); });
    EXPECT_TRUE(support::everywhere(is(error, in_skin ? ErrorCode::box_too_small : ErrorCode::nonfinite))) << error.code;
    EXPECT_TRUE(in_skin || !mine || error.index == last) << error.index;
    if (!in_skin) {
      share.x.resize(3 * share.id.size());  // else with positions of ghosts, which are of now already
      if (mine) share.x.back() = right;
      EXPECT_TRUE(support::everywhere(arrays == std::tuple(share.x, share.r, share.id, loop.velocities())));
      EXPECT_TRUE(support::everywhere(loop.springs() == before));
    } else {
      std::int64_t wrong = support::gathered(std::vector{id}).back();
      double radius = right;
      MPI_Bcast(&radius, 1, MPI_DOUBLE, support::all_ranks() - 1, MPI_COMM_WORLD);
      for (std::size_t i = 0; i < share.id.size(); ++i) {
        if (share.id[i] == wrong) share.r[i] = radius;
      }
    }
    for (int step = 0; step < 20; ++step, loop.move()) {
      loop.update(), loop.stretch();
      const Springs expected = loop.springs_of_one();
      ASSERT_TRUE(support::everywhere(loop.springs() == expected)) << step;
    }
  }
}

TEST(TimeLoopOnRanks, SaysWhoIsStaleWhereItMayNotBuild) {
  Drifting<3> loop(150, true, 5, {.skin = 0.5, .rebuild = false});
  EXPECT_FALSE(loop.update());
  if (errs() && !loop.share().id.empty()) loop.share().x[0] += 0.3;
  const Thrown error = thrown([&] { loop.update(); });
  EXPECT_TRUE(support::everywhere(is(error, ErrorCode::stale))) << error.code;
  EXPECT_EQ(loop.list().counters().builds, 1);
}

TEST(TimeLoopOnRanks, CountsBuildsThatCameLate) {
  Drifting<3> loop(150, true, 6, {.skin = 0.5, .check_every = 40});
  for (int step = 0; step < 400; ++step, loop.move()) loop.update();
  EXPECT_EQ(loop.list().counters().checks, 10);
  EXPECT_EQ(loop.list().counters().dangerous, 10);
}

TEST(TimeLoopOnRanks, SpringsFollowParticlesThatAreSortedRemovedAndInserted) {
  Drifting<3> loop(150, true, 7);
  for (int step = 0; step < 30; ++step, loop.move()) loop.update(), loop.stretch();
  auto& share = loop.share();
  const std::int64_t removed = support::gathered(share.id).front();
  Springs expected = loop.springs();
  std::erase_if(expected, [&](const SpringOf& s) { return s.contact.i == removed || s.contact.j == removed; });
  ASSERT_GT(expected.size(), 20U);
  // The owned particles in reverse, except the removed one; and a new one that touches no particle for long.
  support::Share<double, 3> other;
  std::vector<double> v;
  for (std::size_t i = share.id.size(); i-- > 0;) {
    if (share.id[i] == removed) continue;
    other.add({.x = {share.x[3 * i], share.x[3 * i + 1], share.x[3 * i + 2]}, .radius = share.r[i]}, share.id[i]);
    v.insert(v.end(), loop.velocities().begin() + static_cast<std::ptrdiff_t>(3 * i),
             loop.velocities().begin() + static_cast<std::ptrdiff_t>(3 * i + 3));
  }
  other.add({.x = {0, 0, 0}, .radius = 0}, 3 * support::this_rank() + 1);
  v.insert(v.end(), {0, 0, 0});
  share = other, loop.velocities() = v;
  loop.list().build(share.x, share.r, share.id, hgrid::Field{loop.velocities(), 3}, loop.values());
  EXPECT_TRUE(support::everywhere(loop.springs() == expected));
}

TEST(TimeLoopOnRanks, ValuesThatMissedABuildAreStale) {
  Drifting<3> loop(150, true, 8);
  auto& share = loop.share();
  hgrid::Field v{loop.velocities(), 3};
  hgrid::DistributedPairArray<int> late(7);
  loop.list().build(share.x, share.r, share.id, v, loop.values(), late);
  EXPECT_EQ(late.size(), loop.list().size());
  for (hgrid::offset_t k = 0; k < late.size(); ++k) EXPECT_EQ(late[k], 7);
  loop.list().build(share.x, share.r, share.id, v, late);
  EXPECT_TRUE(is(thrown([&] { loop.list().build(share.x, share.r, share.id, v, loop.values()); }), ErrorCode::stale));
  share.x.resize(3 * share.id.size());
  loop.grid().build(share.x, share.r, share.id);
  EXPECT_TRUE(is(thrown([&] { loop.list().update(share.x, share.r, share.id, v, late); }), ErrorCode::stale));
  EXPECT_TRUE(loop.list().update(share.x, share.r, share.id, v));
  EXPECT_EQ(loop.list().counters().overtaken, 1);
}

TEST(TimeLoopOnRanks, AnExceptionOfOneRankEndsTheLoopOnAll) {
  for (const bool builds : {false, true}) {
    std::string what;
    try {
      Drifting<3> loop(150, true, 10);
      loop.update();
      if (errs()) throw std::runtime_error("of the user's own");
      builds ? loop.rebalance() : void(loop.update());
    } catch (const std::exception& e) {
      what = e.what();
    }
    EXPECT_TRUE(support::everywhere(what.starts_with(errs() ? "of the user's own" : "stopped"))) << what;
  }
}

TEST(TimeLoopOnRanks, WhatListsCannotDoIsRefused) {
  const auto refuses = [](const hgrid::VerletOptions& options, ErrorCode code) {
    return is(thrown([&] { Drifting<3>(50, true, 9, options); }), code);
  };
  hgrid::DistributedGrid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, hgrid::Box3::open(), MPI_COMM_WORLD);
  using List = hgrid::DistributedVerletList<hgrid::SerialExec, 3>;
  EXPECT_TRUE(is(thrown([&] { List(grid, {.kind = hgrid::ListKind::full}); }), ErrorCode::unsupported));
  EXPECT_TRUE(refuses({.check_every = 0}, ErrorCode::invalid_argument));
  EXPECT_TRUE(refuses({.skin = 100, .wrapped = true}, ErrorCode::unsupported));
}

}  // namespace
