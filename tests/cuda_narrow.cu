// SPDX-License-Identifier: BSD-3-Clause
// A predicate within the search on a CUDA device, against lists that are filtered on the host.
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#include "hgrid/queries.hpp"
#include "support/captured_builds.hpp"
#include "support/host_reference.hpp"
#include "support/on_device.cuh"

namespace {

using hgrid::index_t;
using support::OnDevice;
using support::random_system;
using support::read;
using support::System;

struct IsDrawn {
  __host__ __device__ bool operator()(index_t i, index_t j, const hgrid::Image& image) const {
    return (i * 7 + j * 3 + image[0] + 2 * image[1]) % 4 != 0;
  }
};

TEST(CudaNarrow, APredicateConfirmsContacts) {
  HGRID_NEEDS_DEVICE();
  const hgrid::CudaExec exec;
  for (const bool periodic : {false, true}) {
    const System s = random_system(support::scaled(50000), 30, periodic);
    const OnDevice<double> there(s);
    hgrid::Grid<hgrid::CudaExec, 3> grid(exec, s.box);
    grid.build(there.view());
    auto all = grid.make_pairs(), those = grid.make_pairs();
    auto full = grid.make_packed_list(hgrid::ListKind::full);
    grid.find(all, {.order = hgrid::Order::sorted});
    const auto pairs = read(exec, all);
    std::vector<hgrid::Image> images(pairs.size());
    if (periodic) exec.copy_out(images.data(), all.images(), all.size());
    std::vector<hgrid::Pair> expected;
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      if (IsDrawn{}(pairs[k].i, pairs[k].j, images[k])) expected.push_back(pairs[k]);
    }
    for (int time = 0; time < 2; ++time) {
      grid.find(those, hgrid::only(IsDrawn{}));
      EXPECT_EQ(read(exec, those), expected);
    }
    grid.find(full, hgrid::only(IsDrawn{}));
    EXPECT_EQ(full.size(), 2 * those.size());
    EXPECT_EQ(grid.count(hgrid::only(IsDrawn{})), those.size());
  }
}

class CudaNarrowGraphs : public support::CapturedBuilds {
 protected:
  using List = hgrid::NeighbourList<hgrid::CudaExec>;

  std::vector<index_t> as_listed(const List& of) const { return support::copied(*exec, of.neighbours(), of.size()); }
};

// The predicate is in the graph, for the grid's own contacts and for contacts with another grid.
TEST_F(CudaNarrowGraphs, ConfirmContacts) {
  const IsDrawn drawn;
  hgrid::Grid<hgrid::CudaExec, 3> other(*exec, small.box);
  other.build(there->view());
  auto pairs = grid->make_pairs();
  auto rows = grid->make_list(hgrid::ListKind::full), asked = grid->make_list(hgrid::ListKind::full);
  const auto find = [&] {
    grid->find(pairs, hgrid::only(drawn)), grid->find(rows, hgrid::only(drawn)), grid->find(asked, other, hgrid::only(drawn));
    return std::tuple(as_read(pairs), as_listed(rows), as_listed(asked));
  };
  find();
  capture([&] {
    grid->build(there->view());
    grid->enqueue(pairs, hgrid::only(drawn)), grid->enqueue(rows, hgrid::only(drawn));
    grid->enqueue(asked, other, hgrid::only(drawn));
  });
  ASSERT_FALSE(HasFatalFailure());
  System moved = small;
  for (double& x : moved.x) x *= 0.995;
  std::vector<std::tuple<std::vector<hgrid::Pair>, std::vector<index_t>, std::vector<index_t>>> replayed, expected_then;
  for (const System* now : {&small, static_cast<const System*>(&moved)}) {
    put(*now);
    replay();
    support::expect_error(hgrid::ErrorCode::invalid_argument, [&] { grid->wait(pairs); });
    grid->wait(pairs, hgrid::only(drawn)), grid->wait(rows, hgrid::only(drawn));
    grid->wait(asked, other, hgrid::only(drawn));
    replayed.emplace_back(as_read(pairs), as_listed(rows), as_listed(asked));
    hgrid::Grid<hgrid::CudaExec, 3> fresh(*exec, small.box);
    fresh.build(there->view());
    auto found = fresh.make_pairs();
    auto lists = fresh.make_list(hgrid::ListKind::full), others = fresh.make_list(hgrid::ListKind::full);
    fresh.find(found, hgrid::only(drawn)), fresh.find(lists, hgrid::only(drawn)), fresh.find(others, other, hgrid::only(drawn));
    expected_then.emplace_back(as_read(found), as_listed(lists), as_listed(others));
  }
  EXPECT_EQ(replayed, expected_then);
  EXPECT_NE(std::get<2>(replayed[0]), std::get<2>(replayed[1])) << "the other grid stays";
}

}  // namespace
