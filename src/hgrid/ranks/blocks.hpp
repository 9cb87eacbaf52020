// SPDX-License-Identifier: BSD-3-Clause
// How space is cut for ranks: each rank gathers its particles and their work into blocks, which are small where particles are
// dense, and recursive bisection (Zoltan's) of the blocks of all gives each rank a box.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "hgrid/ranks/communicator.hpp"
#include "hgrid/ranks/counted_cost.hpp"
#include "hgrid/ranks/rank_boxes.hpp"

namespace hgrid::inline v0_1::detail {

/// How space was cut last: the next cuts follow these.
struct LastCuts {
  std::vector<char> directions;  ///< in bytes of Zoltan's own; empty before the first cut
  bool by_work = false;
};

template <int D>
class Blocks {
 public:
  /// Adds a particle of this rank at a place in the box.
  void add_particle(const Vec<double, D>& x) { particles_.push_back({x, 1}); }

  /// The work of a built grid by particle, of which the first `owned` are of this rank. That of ghosts, which lie in the boxes
  /// of others, is shared out among these.
  void set_work(std::vector<Weighed<D>> work, index_t owned);

  /// Boxes of about the same weight, one for each rank: that of the work, of which as many particles as have come since take
  /// about the mean. They tile space, or the box along periodic axes. Cuts keep the directions of the last ones, so that boxes
  /// change little, until an eighth of them, each counted for all ranks that it bounds, would be across a side less than half
  /// as long as another. Collective. Throws `environment` if Zoltan fails; where memory runs out the program ends, on all
  /// ranks.
  std::vector<RankBox<D>> cut(const Communicator& comm, const Box<D>& box, LastCuts& last);

 private:
  static double sum_of(std::span<const Weighed<D>> entries);
  static void gather(std::span<Weighed<D>> entries, double most, std::vector<Weighed<D>>& blocks);

  std::vector<Weighed<D>> particles_, work_;
  double counted_ = 0;  // particles of this rank when work was counted
};

extern template class Blocks<2>;
extern template class Blocks<3>;

}  // namespace hgrid::inline v0_1::detail
