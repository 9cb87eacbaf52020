// SPDX-License-Identifier: BSD-3-Clause
// A time loop in a graph, in which the device decides when the list is built: bit for bit the loop of the host, which waits at
// each step.
#include "support/captured_loop.cuh"

#include "hgrid/loop.hpp"
#include "support/host_reference.hpp"

namespace {

using hgrid::offset_t;
using support::List;
using support::Loop;
using support::Springs;

int steps_to_run() {
  const char* const wanted = std::getenv("HGRID_STEPS");
  return wanted == nullptr ? 2000 : std::atoi(wanted);
}

void expect_same(Loop& a, Loop& b) {
  EXPECT_EQ(a.positions(), b.positions());
  EXPECT_EQ(a.list().neighbours().size(), b.list().neighbours().size());
  EXPECT_EQ(a.springs(), b.springs());
  EXPECT_EQ(a.list().counters().steps, b.list().counters().steps);
  EXPECT_EQ(a.list().counters().builds, b.list().counters().builds);
  EXPECT_EQ(a.list().counters().disorder, b.list().counters().disorder);
}

// Runs the graph until it has made that many steps.
void run_to(Loop& loop, offset_t steps) {
  while (!testing::Test::HasFatalFailure()) {
    loop.attend();
    const offset_t left = steps - loop.steps_done();
    if (left <= 0) return;
    loop.run(static_cast<int>(left));
  }
}

// Two changes of the box and two new plans on the way.
TEST(CudaLoop, GoesThroughAThousandStepsWithoutWaiting) {
  HGRID_NEEDS_DEVICE();
  Loop waiting(0, true, false), captured(0, true, true);
  const int part = std::max(1, steps_to_run() / 5);
  for (int k = 1; k <= 5; ++k) {
    waiting.run(part);
    run_to(captured, k * part);
    ASSERT_FALSE(HasFatalFailure());
    expect_same(waiting, captured);
    for (Loop* const loop : {&waiting, &captured}) {
      if (k % 2 == 1) loop->grid().plan_again();
      const double side = Loop::side * (1 + 0.004 * k);
      if (k % 2 == 0) loop->set_box(hgrid::Box3::periodic({-side / 2, -side / 2, -side / 2}, {side / 2, side / 2, side / 2}));
      loop->build();
    }
  }
  EXPECT_GT(captured.list().counters().builds, steps_to_run() / 20);
}

// Particles that fall into one place outgrow the list's memory. The loop stands still there until the host calls `wait`; a loop
// that ignores the guard runs on without contacts.
void expect_standing_still(double pull, bool periodic, support::Kind kind) {
  const int steps = 150;
  Loop waiting(pull, periodic, false, kind), captured(pull, periodic, true, kind), careless(pull, periodic, true, kind);
  waiting.run(steps);
  careless.ignore_the_guard();
  careless.run(steps);
  captured.run(steps);
  EXPECT_TRUE(captured.attend()) << "nothing has outgrown anything";
  EXPECT_LT(captured.steps_done(), steps);
  run_to(captured, steps);
  ASSERT_FALSE(testing::Test::HasFatalFailure());
  EXPECT_EQ(waiting.positions(), captured.positions());
  EXPECT_EQ(waiting.list().counters().steps, captured.list().counters().steps);
  EXPECT_NE(waiting.positions(), careless.positions());
}
TEST(CudaLoop, StandsStillWhereTheListOutgrowsItsMemory) {
  HGRID_NEEDS_DEVICE();
  expect_standing_still(60, false, support::Kind::spheres);
  expect_standing_still(-60, true, support::Kind::wrapped);  // to the corners of the box, through its faces
}

// A host that looks often learns of it in time: the loop never stands still.
TEST(CudaLoop, AsksForMemoryBeforeItIsNeeded) {
  HGRID_NEEDS_DEVICE();
  const int steps = 120;
  Loop waiting(8, false, false), captured(8, false, true);
  waiting.run(steps);
  int graphs = 0;
  for (int k = 0; k < steps; ++k) {
    graphs += captured.attend();
    captured.run(1);
  }
  captured.attend();
  EXPECT_GT(graphs, 2);
  EXPECT_EQ(captured.steps_done(), steps);
  EXPECT_EQ(waiting.positions(), captured.positions());
}

TEST(CudaLoop, TellsOfBadInputAndKeepsAllAsItWas) {
  HGRID_NEEDS_DEVICE();
  Loop waiting(0, true, false), captured(0, true, true);
  waiting.run(30);
  run_to(captured, 30);
  const double good = captured.positions()[33];
  const std::vector<double> springs = captured.springs();
  captured.put(33, NAN);
  captured.run(20);
  for (int attempt = 0; attempt < 2; ++attempt) {
    try {
      captured.attend();
      ADD_FAILURE() << "no error";
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::nonfinite) << e.what();
      EXPECT_EQ(e.detail().index, 11);
    }
    EXPECT_EQ(captured.springs(), springs);
    EXPECT_EQ(captured.steps_done(), 30);
  }
  captured.put(33, good);
  const auto list = hgrid::save(captured.list()), values = hgrid::save(captured.followers());
  EXPECT_NO_THROW(hgrid::restore(captured.list(), list));
  EXPECT_NO_THROW(hgrid::restore(captured.followers(), values));
  waiting.run(30);
  run_to(captured, 60);
  EXPECT_EQ(waiting.positions(), captured.positions());
}

// A graph does nothing if the host has built its list since, or the list has grown.
TEST(CudaLoop, OldGraphsDoNothing) {
  HGRID_NEEDS_DEVICE();
  Loop loop(0, true, true);
  loop.attend();
  loop.run(5);
  loop.build();
  const std::vector<double> before = loop.positions();
  loop.replay(5);
  EXPECT_EQ(loop.positions(), before);
  EXPECT_TRUE(loop.attend());
  loop.run(5);
  EXPECT_NE(loop.positions(), before);
  loop.attend();
  EXPECT_EQ(loop.steps_done(), 10);
}

TEST(CudaLoop, SaysWhatMustComeBefore) {
  HGRID_NEEDS_DEVICE();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const hgrid::CudaExec exec(stream);
    const support::System s = support::random_system(50, 2, false);
    const auto there = support::placed(exec, hgrid::particles<3>(s.x.data(), s.r.data(), s.size()));
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec), other(exec);
    List list(grid, {.skin = 0.1}), choosing(other, {.skin = 0.1, .choose_skin = true});
    Springs springs(exec);
    const auto refused = [&](hgrid::ErrorCode code, const auto& f) {
      cudaGraph_t graph = nullptr;
      ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
      try {
        f();
        ADD_FAILURE() << "no error";
      } catch (const hgrid::Error& e) {
        EXPECT_EQ(e.code(), code) << e.what();
      }
      ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess) << "the capture is spoilt";
      std::size_t nodes = 1;
      EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
      EXPECT_EQ(nodes, 0U);
      cudaGraphDestroy(graph);
    };
    using hgrid::ErrorCode;
    refused(ErrorCode::reentrancy, [&] { list.enqueue_update(there.view()); });
    EXPECT_TRUE(list.wait(there.view()));
    refused(ErrorCode::reentrancy, [&] { list.enqueue_update(there.view(), springs); });
    EXPECT_TRUE(list.wait(there.view(), springs));
    grid.plan_again(), grid.set_box(hgrid::Box3::periodic({-9, -9, -9}, {99, 99, 99}));
    refused(ErrorCode::reentrancy, [&] { list.enqueue_update(there.view(), springs); });
    choosing.update(there.view());
    refused(ErrorCode::unsupported, [&] { choosing.enqueue_update(there.view()); });
  }
  cudaStreamDestroy(stream);
}

// A graph searches among all particles, though the build of the host knew that some take no part.
TEST(CudaLoop, LeavesOutThoseThatTakeNoPart) {
  HGRID_NEEDS_DEVICE();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  for (const bool periodic : {false, true}) {
    const hgrid::CudaExec exec(stream);
    const support::System s = support::random_system(300, 3, periodic);
    std::vector<std::uint8_t> active(300, 1);
    for (int k = 0; k < (periodic ? 1 : 200); ++k) active[static_cast<std::size_t>(k)] = 0;
    hgrid::Particles<double, 3> p = hgrid::particles<3>(s.x.data(), s.r.data(), s.size());
    p.active = active.data();
    const auto there = support::placed(exec, p);
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
    List list(grid, {.skin = 0.1});
    EXPECT_TRUE(list.wait(there.view()));
    const offset_t size = list.neighbours().size();
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    EXPECT_NO_THROW(list.enqueue_update(there.view()));
    ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
    cudaGraphDestroy(graph);
    EXPECT_FALSE(list.wait(there.view()));
    EXPECT_EQ(list.neighbours().size(), size);
  }
  cudaStreamDestroy(stream);
}

// A graph captures how a replay changes the values of followers, so all graphs of one list need the same followers.
TEST(CudaLoop, GraphsOfOneListHaveTheSameFollowers) {
  HGRID_NEEDS_DEVICE();
  Loop loop(0, true, true);
  loop.attend();
  EXPECT_EQ(loop.error_of_a_capture([&] { loop.list().enqueue_update(loop.particles()); }), "reentrancy");
  EXPECT_EQ(loop.error_of_a_capture([&] { loop.list().enqueue_update(loop.particles(), loop.followers()); }), "");
}

// Particles that are four numbers each need no copy before they are gathered; others do, and are as many. A graph cannot get
// memory for it, so it is refused before anything is in it, and `wait` makes room.
TEST(CudaLoop, IsToldOfAnotherLayoutBefore) {
  HGRID_NEEDS_DEVICE();
  cudaStream_t stream;
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    const support::System system = support::random_system(300, 4, true);
    const hgrid::CudaExec exec(stream);
    std::vector<double> four;
    for (std::size_t i = 0; i < system.r.size(); ++i) {
      for (std::size_t k = 0; k < 3; ++k) four.push_back(system.x[3 * i + k]);
      four.push_back(system.r[i]);
    }
    hgrid::detail::CudaBuffer<double> buffer(exec, static_cast<offset_t>(four.size()));
    exec.copy_in(buffer.data(), four.data(), buffer.size());
    auto together = hgrid::particles<3>(std::as_const(buffer).data(), std::as_const(buffer).data() + 3, system.size());
    together.stride = together.radius_stride = 4;
    const auto apart = support::placed(exec, hgrid::particles<3>(system.x.data(), system.r.data(), system.size()));
    // copies positions and radii apart first
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, system.box, {.sort = hgrid::SortKind::radix});
    List list(grid, {.skin = 0.1});
    std::size_t nodes = 0;
    const auto refused = [&](const auto& enqueue) {
      cudaGraph_t graph = nullptr;
      bool refuses = false;
      EXPECT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), cudaSuccess);
      try {
        enqueue();
      } catch (const hgrid::Error& e) {
        refuses = e.code() == hgrid::ErrorCode::reentrancy;
      }
      EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
      EXPECT_EQ(cudaGraphGetNodes(graph, nullptr, &nodes), cudaSuccess);
      cudaGraphDestroy(graph);
      return refuses;
    };
    EXPECT_TRUE(list.wait(together));
    EXPECT_TRUE(refused([&] { grid.build(apart.view()); }));
    EXPECT_EQ(nodes, 0u);
    EXPECT_TRUE(refused([&] { list.enqueue_update(apart.view()); }));
    EXPECT_EQ(nodes, 0u);
    EXPECT_TRUE(list.wait(apart.view()));
    EXPECT_FALSE(refused([&] { list.enqueue_update(apart.view()); }));
    EXPECT_FALSE(refused([&] { list.enqueue_update(together); }));
    EXPECT_GT(nodes, 0u);
  }
  cudaStreamDestroy(stream);
}

TEST(CudaLoop, GoesOnFromACheckpoint) {
  HGRID_NEEDS_DEVICE();
  Loop waiting(0, true, false), captured(0, true, true);
  waiting.run(40);
  captured.run(20);
  EXPECT_THROW(hgrid::save(captured.list()), hgrid::Error) << "steps that the host has not heard of";
  captured.attend();
  const auto list = hgrid::save(captured.list()), springs = hgrid::save(captured.followers());
  hgrid::restore(captured.list(), list);
  hgrid::restore(captured.followers(), springs);
  const std::vector<double> before = captured.positions();
  captured.replay(3);
  EXPECT_EQ(captured.positions(), before) << "a graph of the list as it was";
  run_to(captured, 40);
  ASSERT_FALSE(HasFatalFailure());
  EXPECT_EQ(waiting.positions(), captured.positions());
}

}  // namespace
