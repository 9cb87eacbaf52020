// SPDX-License-Identifier: BSD-3-Clause
// Neighbors of the particles of ranks: by their ranks' ids, and by global ids on their owners.
#pragma once

#include <optional>

#include "hgrid/memory/access.hpp"
#include "hgrid/ranks/global_lists.hpp"
#include "hgrid/ranks/pair_lists.hpp"
#include "hgrid/ranks/reported_lists.hpp"

namespace hgrid::inline v0_2::detail {

/// The base of `DistributedGrid`, with the members that tell neighbors.
template <class Grid, class Exec, int D>
class Access::NeighboursOfGrid {
 public:
  /// Calls f(i, j, image) for the neighbors of each particle that this rank reports, like `Grid::for_each_partner`: under
  /// `Rule::gather` for each neighbor j of i on one rank, and else for each contact on one rank, from both sides. i and j are
  /// particles that the rank holds; either may be a ghost.
  template <class F>
  void for_each_partner(const F& f) const {
    using Passed = typename RankMemory<Exec::on_host>::template Passed<F>;
    here().require_built();
    here().grid_.for_each_partner(IfReported<HeldView<D>, Passed>{here().held_view(), f});
  }

  /// Fills the list, in host memory, with the neighbors of this rank's own particles by global ids, whether or not this rank
  /// holds them. Collective.
  void find(GlobalNeighbours& list) {
    Grid& g = static_cast<Grid&>(*this);
    const auto collect = [&](std::optional<NeighbourCollector>& collector) {
      g.require_built();
      collector.emplace(g.owned(), g.routes_, g.held_.ids_on_host());
      if (g.rule_ == Rule::gather) {
        NeighbourList<Exec> found(g.exec(), ListKind::full), reported(g.exec(), ListKind::full);
        g.grid_.find(found);
        take_reported(g.exec(), found, HeldSets<D>{g.held_view(), g.held_view()}, reported.a_);
        return with_lists_on_host(g.exec(), reported, [&](const ListView& lists) { collector->add(lists); });
      }
      PairList<Exec> found = g.make_pairs();
      g.find(found);
      with_pairs_on_host(g.exec(), found, [&](const auto& contacts) { collector->add(contacts); });
    };
    fill_lists_of_all(g.comm_, g.exchange_, g.operation("find"), collect, list);
  }

 private:
  const Grid& here() const { return static_cast<const Grid&>(*this); }
};

}  // namespace hgrid::inline v0_2::detail
