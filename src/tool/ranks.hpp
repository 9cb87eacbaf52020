// SPDX-License-Identifier: BSD-3-Clause
// The tool on several ranks: the first one is the tool, the others search with it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "search.hpp"

namespace hgrid::tool {

/// How many processes a launcher such as mpirun has started together with this one. Looks at the environment only.
int launched_ranks();

/// Does the work: where there are several ranks, and the back end asked for is none or mpi, once, on the first of them, while
/// the others serve the grids that it makes, and help where it asks for that.
void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help);

class RankPart;

/// A grid of all ranks, as the first of them uses it inside of such work: it has the particles at first and the contacts in the
/// end. Where hgrid has MPI. Throws Error(unsupported) for that which `DistributedGrid` does not do.
class GridOnRanks {
 public:
  explicit GridOnRanks(const SearchOptions& options);
  GridOnRanks(const GridOnRanks&) = delete;
  ~GridOnRanks();

  /// The columns must stay.
  void take(const Particles<double, 3>& columns, std::span<const OptionalArray> optional);
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
