// SPDX-License-Identifier: BSD-3-Clause
// How space is cut for ranks: particles and work are counted in coarse blocks, and recursive bisection (Zoltan's) of the blocks
// gives each rank a box.
#pragma once

#include <vector>

#include "hgrid/engine/neighbours.hpp"
#include "hgrid/host/host_exec.hpp"
#include "hgrid/ranks/communicator.hpp"
#include "hgrid/ranks/rank_boxes.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
class Blocks {
 public:
  /// Even blocks, some thousands for each rank but at most 2^21, over the box along periodic axes, and from `lo` to `hi`, the same
  /// on all ranks, along the others.
  Blocks(int ranks, const Box<D>& box, Vec<double, D> lo, Vec<double, D> hi);

  /// Adds a particle of this rank at a place in the box.
  void add_particle(const Vec<double, D>& x) { particles_[block_of(x)] += 1; }

  /// Adds the work of a search of a built grid: the candidates of each particle, at its place.
  void add_search(const HostExec& exec, const GridView<D>& grid) {
    std::vector<double> work(static_cast<std::size_t>(grid.slots()));
    exec.for_each("hgrid::count_work", grid.slots(), [&](offset_t slot) {
      WorkCount counted;
      CountWork<D>{grid}(slot, counted);
      work[static_cast<std::size_t>(slot)] = static_cast<double>(counted.candidates);
    });
    for (index_t slot = 0; slot < grid.slots(); ++slot)
      work_[block_of(grid.position(slot))] += work[static_cast<std::size_t>(slot)];
  }

  /// Adds work at a place in the box.
  void add_work(const Vec<double, D>& x, double work) { work_[block_of(x)] += work; }

  /// Boxes of about the same weight, one for each rank: half of the weight is the share of the particles, because they take
  /// memory, and half is that of the work. They tile space, or the box along periodic axes. Collective. Throws `environment` if
  /// Zoltan fails; where memory runs out the program ends, on all ranks.
  std::vector<RankBox<D>> cut(const Communicator& comm) const;

 private:
  std::size_t block_of(const Vec<double, D>& x) const;
  Vec<double, D> centre(std::size_t block) const;

  Box<D> box_;
  std::size_t per_axis_;
  Vec<double, D> lo_, size_;
  std::vector<double> particles_, work_;
};

extern template class Blocks<2>;
extern template class Blocks<3>;

}  // namespace hgrid::inline v0_1::detail
