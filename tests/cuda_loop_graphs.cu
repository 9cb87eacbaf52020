// SPDX-License-Identifier: BSD-3-Clause
// Time loops in graphs of particles other than spheres in one box, and graphs that outlive the objects that they were captured
// with.
#include "support/captured_loop.cuh"

#include <utility>

#include "hgrid/loop.hpp"
#include "hgrid/threads/serial_exec.hpp"
#include "support/results.hpp"

namespace {

using hgrid::offset_t;
using support::Kind;
using support::Loop;
using support::Springs;

hgrid::Box3 cube(double side) {
  return hgrid::Box3::periodic({-side / 2, -side / 2, -side / 2}, {side / 2, side / 2, side / 2});
}

void expect_same_motion(Loop& a, Loop& b) {
  EXPECT_EQ(a.positions(), b.positions());
  EXPECT_EQ(a.springs(), b.springs());
  EXPECT_EQ(a.list().counters().steps, b.list().counters().steps);
  EXPECT_EQ(a.list().counters().builds, b.list().counters().builds);
}

// Lists of boxes equal the lists of a host with the same positions, entry by entry. In an open box `wait` builds where
// particles have come far, so there the graph's list is made at other steps.
TEST(CudaLoopGraphs, BoxesHaveTheListsOfTheHost) {
  HGRID_NEEDS_DEVICE();
  for (const bool periodic : {false, true}) {
    Loop waiting(0, periodic, false, Kind::boxes), captured(0, periodic, true, Kind::boxes);
    hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, captured.grid().box());
    hgrid::VerletList list(grid, {.kind = hgrid::ListKind::full, .skin = 0.12});
    const std::vector<double> h = captured.half_extents();
    for (int step = 0; step < 120; ++step) {
      const std::vector<double> x = captured.positions();
      list.update(hgrid::extended_particles<3>(x.data(), h.data(), Loop::n));
      waiting.run(1);
      captured.attend();
      captured.run(1);
      captured.attend();
      for (Loop* const loop : {&waiting, &captured}) {
        if (loop == &captured && !periodic) continue;
        EXPECT_EQ(support::as_listed(loop->grid().exec(), loop->list().neighbours()), support::as_listed(list.neighbours()));
        EXPECT_EQ(loop->list().counters().builds, list.counters().builds);
      }
      ASSERT_FALSE(HasFailure()) << step;
    }
    EXPECT_EQ(waiting.positions(), captured.positions());
    EXPECT_EQ(captured.steps_done(), 120);
    EXPECT_GT(list.counters().builds, 5);
    EXPECT_GT(list.neighbours().size(), 0);
  }
}

// Particles are wrapped at each step. A graph's lists equal the host's, and it reports by which vectors particles were wrapped
// since the list was made.
TEST(CudaLoopGraphs, WrappedPositionsHaveTheListsOfTheHost) {
  HGRID_NEEDS_DEVICE();
  Loop waiting(0, true, false, Kind::wrapped), captured(0, true, true, Kind::wrapped);
  hgrid::Grid<hgrid::SerialExec, 3> grid(hgrid::SerialExec{}, captured.grid().box());
  hgrid::VerletList list(grid, {.kind = hgrid::ListKind::full, .skin = 0.12, .wrapped = true});
  int wrapped = 0;
  for (int step = 0; step < 120; ++step) {
    const std::vector<double> x = captured.positions(), sizes = captured.radii();
    list.update(hgrid::particles<3>(x.data(), sizes.data(), Loop::n));
    waiting.run(1);
    captured.attend();
    captured.run(1);
    captured.attend();
    for (Loop* const loop : {&waiting, &captured}) {
      ASSERT_EQ(support::as_listed(loop->grid().exec(), loop->list().neighbours()), support::as_listed(list.neighbours()))
          << step;
      ASSERT_EQ(loop->list().counters().builds, list.counters().builds) << step;
      const std::vector<hgrid::Image> periods = loop->periods();
      for (std::size_t i = 0; i < periods.size(); ++i) {
        ASSERT_EQ(periods[i], list.periods()[i]) << step << ", " << i;
        wrapped += periods[i] != hgrid::Image{};
      }
    }
  }
  waiting.run(40);
  captured.run(40);
  captured.attend();
  expect_same_motion(waiting, captured);
  EXPECT_EQ(waiting.periods(), captured.periods());
  EXPECT_GT(list.counters().builds, 5);
  EXPECT_LT(list.counters().builds, 80);
  EXPECT_GT(wrapped, 20);
}

// A host learns in time if it looks at the status, and calls `wait` only where the list is reported as tight. In a one-sided
// (gather) search a pair needs room for two entries, though it may have one. These particles come so close together that levels
// are planned again, too.
TEST(CudaLoopGraphs, SayThatTheListIsTightBeforeItIsTooLong) {
  HGRID_NEEDS_DEVICE();
  for (const Kind kind : {Kind::gather, Kind::spheres}) {
    const int steps = 120;
    Loop waiting(8, false, false, kind), captured(8, false, true, kind);
    waiting.run(steps);
    captured.attend();
    int graphs = 0;
    for (int k = 0; k < steps; ++k) {
      captured.replay(1);
      const hgrid::LoopStatus status = captured.grid().exec().read_back(captured.list().guard().status);
      ASSERT_EQ(status.whole, 1) << "the loop stands still at step " << k << " of kind " << static_cast<int>(kind);
      if (status.tight != 0) graphs += captured.attend();
    }
    captured.attend();
    EXPECT_GT(graphs, 2);
    EXPECT_EQ(captured.steps_done(), steps);
    EXPECT_EQ(waiting.positions(), captured.positions());
  }
}

// A graph does not use boxes of systems (worlds) that wait for the next build, whatever the host does with the particles then.
TEST(CudaLoopGraphs, BoxesOfWorldsStayUntilTheHostBuilds) {
  HGRID_NEEDS_DEVICE();
  const int steps = 60;
  Loop waiting(0, true, false, Kind::worlds), captured(0, true, true, Kind::worlds);
  waiting.run(steps);
  captured.run(steps / 2);
  captured.attend();
  captured.grid().set_boxes({cube(1.5 * Loop::side), cube(1.2 * Loop::side)});
  captured.grid().validity(captured.particles());
  captured.replay(steps / 2);
  EXPECT_EQ(waiting.positions(), captured.positions());
  EXPECT_EQ(captured.error_of_a_capture([&] { captured.list().enqueue_update(captured.particles(), captured.followers()); }),
            "reentrancy");
  for (Loop* const loop : {&waiting, &captured}) {
    loop->set_box(cube(1.004 * Loop::side));
    loop->build();
  }
  expect_same_motion(waiting, captured);
  const std::vector<double> before = captured.positions();
  captured.replay(5);
  EXPECT_EQ(captured.positions(), before) << "a graph of the boxes of before";
  waiting.run(steps);
  captured.run(steps);
  captured.attend();
  expect_same_motion(waiting, captured);
}

// The graph captures which arrays the device checks and builds with, so particles that have groups now are built by the host
// first.
TEST(CudaLoopGraphs, GroupsAreOfTheBuildBefore) {
  HGRID_NEEDS_DEVICE();
  Loop loop(0, true, true);
  loop.attend();
  hgrid::CudaExec::Buffer<hgrid::index_t> group(loop.grid().exec(), Loop::n);
  const std::vector<hgrid::index_t> one(Loop::n, 1);
  loop.grid().exec().copy_in(group.data(), one.data(), Loop::n);
  auto grouped = loop.particles();
  grouped.group = group.data();
  const auto capture = [&] { loop.list().enqueue_update(grouped, loop.followers()); };
  EXPECT_EQ(loop.error_of_a_capture(capture), "reentrancy");
  EXPECT_GT(loop.list().neighbours().size(), 0);
  EXPECT_TRUE(loop.list().wait(grouped, loop.followers()));
  EXPECT_EQ(loop.error_of_a_capture(capture), "");
  EXPECT_EQ(loop.list().neighbours().size(), 0);
}

// No check reads exclusions, so they may be in the particles of builds alone.
TEST(CudaLoopGraphs, ExclusionsMayBeOfTheParticlesToBuildAlone) {
  HGRID_NEEDS_DEVICE();
  Loop loop(0, true, true);
  hgrid::CudaExec::Buffer<hgrid::Pair> excluded(loop.grid().exec(), 1);
  const hgrid::Pair pair{0, 1};
  loop.grid().exec().copy_in(excluded.data(), &pair, 1);
  auto widened = loop.particles();
  widened.exclusions = hgrid::Exclusions::in_pairs(excluded.data(), 1);
  loop.list().wait(loop.particles(), widened, loop.followers());
  const auto builds = loop.list().counters().builds;
  loop.list().wait(loop.particles(), widened, loop.followers());
  EXPECT_EQ(loop.list().counters().builds, builds);
  EXPECT_EQ(loop.error_of_a_capture([&] { loop.list().enqueue_update(loop.particles(), widened, loop.followers()); }), "");
  EXPECT_EQ(loop.error_of_a_capture([&] { loop.list().enqueue_update(loop.particles(), loop.followers()); }), "reentrancy");
}

// Values go with the array that they were moved to; the array left behind is a new follower.
TEST(CudaLoopGraphs, FollowersMayMove) {
  HGRID_NEEDS_DEVICE();
  for (const bool builds : {false, true}) {
    SCOPED_TRACE(builds);
    const int steps = builds ? 60 : 1;
    Loop waiting(0, true, false), captured(0, true, true);
    captured.attend();
    const offset_t before = captured.list().counters().builds;
    captured.run(steps), waiting.run(steps);
    Springs moved = std::move(captured.followers());
    EXPECT_EQ(captured.followers().size(), 0);
    EXPECT_EQ(captured.error_of_a_capture([&] { captured.list().enqueue_update(captured.particles(), captured.followers()); }),
              "reentrancy");
    if (builds) {
      EXPECT_FALSE(captured.list().wait(captured.particles(), moved));
      EXPECT_GT(captured.list().counters().builds, before);
      std::swap(moved, captured.followers());
      expect_same_motion(waiting, captured);
      captured.run(steps), waiting.run(steps);
      captured.attend();
      expect_same_motion(waiting, captured);
      captured.run(steps);
      moved = std::move(captured.followers());
    }
    EXPECT_TRUE(captured.attend()) << "of what was left";
    EXPECT_EQ(captured.springs(), std::vector<double>(static_cast<std::size_t>(captured.list().neighbours().size()), 0.0));
    captured.run(steps);
    captured.attend();
    EXPECT_GT(captured.list().counters().steps, steps);
    if (captured.list().counters().builds > before) {
      EXPECT_THROW(captured.list().update(captured.particles(), moved), hgrid::Error) << "values of another list";
    }
  }
}

// The graphs that were captured after one `wait` are graphs of one list, whichever is replayed.
TEST(CudaLoopGraphs, OfOneListTakeTurns) {
  HGRID_NEEDS_DEVICE();
  const int steps = 120;
  Loop waiting(0, true, false), captured(0, true, true);
  waiting.run(steps);
  captured.attend();
  const cudaGraphExec_t older = captured.capture();
  for (int k = 0; k < steps; ++k) k % 3 == 0 ? captured.replay(1) : captured.replay(older, 1);
  EXPECT_FALSE(captured.attend());
  EXPECT_EQ(waiting.positions(), captured.positions());
  EXPECT_EQ(waiting.springs(), captured.springs());
  EXPECT_EQ(waiting.list().counters().steps, captured.list().counters().steps);
  EXPECT_EQ(waiting.list().counters().builds, captured.list().counters().builds);
  EXPECT_GT(captured.list().counters().builds, 3);
  cudaGraphExecDestroy(older);
}

}  // namespace
