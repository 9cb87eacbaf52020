// SPDX-License-Identifier: BSD-3-Clause
// A grid of all ranks, as rank 0 uses it. It has the particles at first and the contacts in the end, and tells the other ranks
// what all of them do next.
#pragma once
#ifdef HGRID_HAS_MPI

#include <memory>
#include <vector>

#include "rank_part.hpp"
#include "search.hpp"

namespace hgrid::tool {

/// For use inside `work_on_ranks`. Throws Error(unsupported) for that which `DistributedGrid` does not do.
class GridOnRanks {
 public:
  explicit GridOnRanks(const SearchOptions& options);
  GridOnRanks(const GridOnRanks&) = delete;
  ~GridOnRanks();

  /// The columns must stay.
  void take(const Particles<double, 3>& columns) { columns_ = columns; }
  void build(double skin);
  offset_t count();
  /// Sorted, whatever the order that is asked for.
  offset_t list(Order order);
  PairColumns<const index_t> found() const;
  friend void describe(const GridOnRanks& grid, Report& report);

 private:
  std::unique_ptr<RankPart> part_;
  Particles<double, 3> columns_{};
  std::vector<Pair> pairs_;
  std::vector<Image> images_;
};

}  // namespace hgrid::tool

#endif
