// SPDX-License-Identifier: BSD-3-Clause
// The calls of the host engine for the particles of another grid, compiled once.
#include "host/host_build.hpp"

namespace hgrid::inline v0_1::detail {

template <int D>
void HostEngine<D>::fill_lists(const HostExec& exec, const TwoGrids<D>& grids, offset_t lists, const TouchBatch* touches,
                               NeighbourArrays<HostExec>& out) {
  const AskedBy<D> two(grids, touches, AskedBy<D>::columns_hold(grids));
  impl().of_two.fill(exec, impl().lists.search, two, lists, impl().grid.count, out);
}

template <int D>
bool HostEngine<D>::lists_of(const HostExec& exec, const Region<D>* regions, offset_t count, const Taken& taken,
                             NeighbourArrays<HostExec>& out) {
  Impl& engine = impl();
  using Spheres = AskingSpheres<D>;
  if (engine.lists.search.schedule() == Schedule::plain || count < Spheres::least || !Spheres::are(regions, count))
    return false;
  const AskedBy<D> two =
      engine.spheres.grids(exec, regions, count, taken, engine.grid.view(), engine.grid.boxes.now(), engine.watch);
  engine.of_two.fill(exec, engine.lists.search, two, count, engine.grid.count, out);
  return true;
}

template <int D>
void HostEngine<D>::visit_batches(const HostExec& exec, const TwoGrids<D>& grids, ContactBatch batch) const {
  const AskedBy<D> two(grids, nullptr, AskedBy<D>::columns_hold(grids));
  impl().lists.search.search_for(exec, two, [&](offset_t) { return BatchSinkOfTwo<D>(two, batch); });
}

#define HGRID_INSTANCES(D)                                                                                  \
  template void HostEngine<D>::fill_lists(const HostExec&, const TwoGrids<D>&, offset_t, const TouchBatch*, \
                                          NeighbourArrays<HostExec>&);                                      \
  template bool HostEngine<D>::lists_of(const HostExec&, const Region<D>*, offset_t, const Taken&,          \
                                        NeighbourArrays<HostExec>&);                                        \
  template void HostEngine<D>::visit_batches(const HostExec&, const TwoGrids<D>&, ContactBatch) const;
HGRID_INSTANCES(2)
HGRID_INSTANCES(3)

}  // namespace hgrid::inline v0_1::detail
