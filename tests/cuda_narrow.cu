// SPDX-License-Identifier: BSD-3-Clause
// A predicate within the search on a CUDA device, against lists that are filtered on the host.
#include <gtest/gtest.h>

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

}  // namespace
