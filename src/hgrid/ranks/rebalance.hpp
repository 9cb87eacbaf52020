// SPDX-License-Identifier: BSD-3-Clause
// Space cut anew, by the particles of all ranks and the work of their last searches.
#pragma once

#include <optional>

#include "hgrid/ranks/agreement.hpp"
#include "hgrid/ranks/blocks.hpp"
#include "hgrid/ranks/rank_input.hpp"

namespace hgrid::inline v0_1::detail {

/// The boxes of the ranks. `particles()` are those of this rank, and throws what is wrong with their arrays; `add_work(blocks)`
/// adds the work of its last build, if there is one. Collective; if it throws on one rank, all throw.
template <int D, class ParticlesOf, class AddWork>
RankBoxes<D> balanced(const HostExec& exec, Communicator& comm, Exchange& by, const Box<D>& box, const ParticlesOf& particles,
                      const AddWork& add_work, LastCuts& last) {
  comm.settle();
  Blocks<D> blocks;
  LastCuts cuts;
  const std::exception_ptr error = attempt([&] {
    cuts = last;
    const auto own = particles();
    inspected(exec, own, box, 0);
    for (offset_t i = 0; i < own.count; ++i) blocks.add_particle(into_box(box, own.position_of(i)).inside);
    add_work(blocks);
  });
  exchange(by, comm, error, Arguments("rebalance") << box, {}, 1);
  std::optional<RankBoxes<D>> cut;
  agree(comm, Arguments("cut") << box, [&] { cut.emplace(blocks.cut(comm, box, cuts)); });
  last = std::move(cuts);
  return *std::move(cut);
}

}  // namespace hgrid::inline v0_1::detail
