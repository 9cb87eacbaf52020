// SPDX-License-Identifier: BSD-3-Clause
// What belongs to the caller on a CUDA device stays the caller's: errors of its own calls, and streams that it captures.
#include <gtest/gtest.h>

#include <functional>
#include <optional>

#include "support/cuda_case.hpp"
#include "support/host_reference.hpp"
#include "support/results.hpp"

namespace {

using support::random_system;
using support::scaled;
using support::System;
using Grid = hgrid::Grid<hgrid::CudaExec, 3>;
using PairList = hgrid::PairList<hgrid::CudaExec>;

struct DoNothing {
  HGRID_HD void operator()(hgrid::offset_t) const {}
  HGRID_HD void operator()(hgrid::index_t, hgrid::index_t, const hgrid::Image&) const {}
};

class CudaCallers : public ::testing::Test {
 protected:
  void SetUp() override {
    HGRID_NEEDS_DEVICE();
    ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
    ASSERT_EQ(cudaEventCreate(&event), cudaSuccess);
    exec.emplace(stream);
    there.emplace(support::placed(*exec, hgrid::particles<3>(system.x.data(), system.r.data(), system.size())));
    grid.emplace(*exec, system.box);
    list.emplace(grid->make_pairs());
    step();
  }
  void TearDown() override {
    list.reset(), grid.reset(), there.reset(), exec.reset();
    if (event != nullptr) cudaEventDestroy(event), cudaStreamDestroy(stream);
  }
  void step() { grid->build(there->view()), grid->pairs(*list); }

  // A caller that asks for more memory than there is, is refused, and goes on.
  static void leave_an_error() {
    void* none = nullptr;
    ASSERT_EQ(cudaMalloc(&none, std::size_t{1} << 60), cudaErrorMemoryAllocation);
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t event = nullptr;
  const System system = random_system(scaled(5000), 10, true);
  std::optional<hgrid::CudaExec> exec;
  std::optional<support::PlacedParticles<double, 3>> there;
  std::optional<Grid> grid;
  std::optional<PairList> list;
};

TEST_F(CudaCallers, AreNotBlamedForErrorsThatTheyLeft) {
  Grid by_counting(*exec, system.box, {.sort = hgrid::SortKind::counting});
  const hgrid::CudaExec twice(stream, nullptr, hgrid::detail::ListMode::count_scan_fill);
  Grid filled(twice, system.box, {.table = hgrid::TableKind::compacted});
  auto rows = grid->make_list();
  auto pairs = filled.make_pairs();
  const std::function<void()> calls[] = {[&] { grid->build(there->view()); },
                                         [&] { grid->pairs(*list); },
                                         [&] { grid->pairs(*list, hgrid::Order::sorted); },
                                         [&] { grid->neighbours(rows); },
                                         [&] { grid->enqueue_pairs(*list); },
                                         [&] { grid->wait(*list); },
                                         [&] { grid->count(); },
                                         [&] { grid->check(); },
                                         [&] { grid->validity(there->view()); },
                                         [&] { by_counting.build(there->view()); },
                                         [&] { filled.build(there->view()); },
                                         [&] { filled.pairs(pairs); },
                                         [&] { grid->for_each_contact(DoNothing{}); },
                                         [&] { hgrid::cuda_devices(); }};
  for (const auto& call : calls) {
    leave_an_error();
    EXPECT_NO_THROW(call()) << "call " << &call - calls;
    cudaGetLastError();
  }
  EXPECT_EQ(support::copied(*exec, list->pairs(), list->size()), support::host_pairs(system));
}

TEST_F(CudaCallers, MayPollAnEvent) {
  for (int poll = 0; poll < 3; ++poll) {
    ASSERT_EQ(cudaEventRecord(event, stream), cudaSuccess);
    cudaEventQuery(event);  // cudaErrorNotReady, if the stream is busy
    EXPECT_NO_THROW(grid->build(there->view()));
  }
}

// CUB empties the record; what does without it leaves it.
TEST_F(CudaCallers, FindTheirErrorAfterKernels) {
  leave_an_error();
  exec->for_each("nothing", 1000, DoNothing{});
  EXPECT_EQ(cudaGetLastError(), cudaErrorMemoryAllocation);
}

TEST_F(CudaCallers, GetErrorsOfLaunchesAndFindNoneAfterThem) {
  constexpr hgrid::offset_t too_many = hgrid::offset_t{hgrid::detail::threads_of_each} << 31;
  for (const bool after_another : {false, true}) {
    if (after_another) leave_an_error();
    try {
      exec->for_each("too many", too_many, DoNothing{});
      ADD_FAILURE() << "no error of a launch that is not possible";
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), hgrid::ErrorCode::device) << e.what();
    }
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
  }
}

}  // namespace
