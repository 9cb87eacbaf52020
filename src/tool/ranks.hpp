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

/// Returns how many processes a launcher such as mpirun has started together with this one. Reads only the environment.
int launched_ranks();

/// Runs `work`. With several ranks, and unless another back end than mpi is requested, runs it once, on the first rank, while
/// the others serve the grids that it makes, and run `help` when it calls for it.
void work_on_ranks(std::optional<Backend> asked, const std::function<void()>& work, const std::function<void()>& help);

class RankPart;

/// A grid of all ranks for the first rank, inside such work. Rank 0 has the particles at first, and the contacts at the end.
/// Needs hgrid with MPI. Throws Error(unsupported) for anything that `DistributedGrid` does not support.
class GridOnRanks {
 public:
  explicit GridOnRanks(const SearchOptions& options);
  GridOnRanks(const GridOnRanks&) = delete;
  ~GridOnRanks();

  /// Takes the particles; the columns must stay.
  void take(const Particles<double, 3>& columns, std::span<const OptionalArray> optional);
  void build(double skin);
  offset_t count();
  /// Lists the contacts. They are sorted, in any order that is requested.
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
