// SPDX-License-Identifier: BSD-3-Clause
// Ranks, one of them with an error.
#pragma once

#include <functional>

#include "ranks/shared_system.hpp"
#include "support/packings.hpp"

namespace support {

/// A packing that is shared out, on a grid that is built, and the last rank, which errs.
class RankErrors : public ::testing::Test {
 protected:
  using Grid = hgrid::DistributedGrid<hgrid::SerialExec, 3>;
  using ErrorCode = hgrid::ErrorCode;

  RankErrors() {
    grid.rebalance(share.x, share.r);
    grid.migrate(share.x, share.r, share.id);
    build();
    before = contacts_of_ranks(grid);
  }

  void build() { grid.build(share.x, share.r, share.id, {.skin = 0.01}); }

  /// The code that a call throws on this rank, and the index that it names.
  struct Thrown {
    int code = -1;
    std::int64_t index = -1;
    std::string argument;
  };
  static Thrown thrown(const std::function<void()>& call) {
    try {
      call();
      return {};
    } catch (const hgrid::Error& e) {
      return {static_cast<int>(e.code()), e.detail().index, e.detail().argument};
    }
  }

  /// The erring rank throws its own error, with the index, and the others one that names the rank.
  void expect_everywhere(ErrorCode code, std::int64_t index, const std::function<void()>& call) {
    const Thrown error = thrown(call);
    const bool right =
        error.code == static_cast<int>(code) && (errs ? error.index == index : error.index == last && error.argument == "rank");
    EXPECT_TRUE(everywhere(right)) << "rank " << this_rank() << ": " << error.code << ", " << error.index;
  }

  void expect_as_before() { EXPECT_TRUE(everywhere(contacts_of_ranks(grid) == before)); }

  const int last = all_ranks() - 1;
  const bool errs = this_rank() == last;
  const oracle::System system = polydisperse(2000, 3, true);
  Share<double, 3> share = share_of<double, 3>(system, 2);
  Grid grid{hgrid::SerialExec{}, box_of<3>(system), MPI_COMM_WORLD};
  Contacts before;
};

}  // namespace support
