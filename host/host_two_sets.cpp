// SPDX-License-Identifier: BSD-3-Clause
// The calls of the host engine for the particles of another grid, compiled once.
#include "host/asking_spheres.hpp"
#include "host/host_build.hpp"
#include "host/neighbours/lists_of_two.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
struct HostAsking<D>::Impl {
  ListsOfTwo<D> lists, lists_of_spheres;  // apart, because either is judged by how long its last lists were
  AskingSpheres<D> spheres;
};

template <int D>
typename HostAsking<D>::Impl& HostAsking<D>::impl() {
  if (impl_ == nullptr) impl_ = new Impl;
  return *impl_;
}
template <int D>
HostAsking<D>::~HostAsking() {
  delete impl_;
}

template <int D>
void HostEngine<D>::fill_lists(const HostExec& exec, HostAsking<D>& asking, const TwoGrids<D>& grids, offset_t lists,
                               const TouchBatch* touches, NeighbourArrays<HostExec>& out) {
  const AskedBy<D> two(grids, touches, AskedBy<D>::columns_hold(grids));
  asking.impl().lists.fill(exec, impl().lists.search, two, lists, impl().grid.count, out);
}

template <int D>
bool HostEngine<D>::lists_of(const HostExec& exec, HostAsking<D>& asking, const Region<D>* regions, offset_t count,
                             const Taken& taken, NeighbourArrays<HostExec>& out) {
  Impl& engine = impl();
  const GridView<D> asked = engine.grid.view();
  if (engine.lists.search.schedule() == Schedule::plain || !AskingSpheres<D>::suit(asked, regions, count, taken)) return false;
  auto& own = asking.impl();
  const AskedBy<D> two = own.spheres.grids(exec, regions, count, taken, asked, engine.grid.boxes.now(), engine.watch);
  own.lists_of_spheres.fill(exec, engine.lists.search, two, count, engine.grid.count, out);
  return true;
}

template <int D>
void HostEngine<D>::visit_batches(const HostExec& exec, const TwoGrids<D>& grids, ContactBatch batch) const {
  const AskedBy<D> two(grids, nullptr, AskedBy<D>::columns_hold(grids));
  impl().lists.search.search_for(exec, two, [&](offset_t) { return BatchSinkOfTwo<D>(two, batch); });
}

template class HostAsking<2>;
template class HostAsking<3>;

#define HGRID_INSTANCES(D)                                                                                                  \
  template void HostEngine<D>::fill_lists(const HostExec&, HostAsking<D>&, const TwoGrids<D>&, offset_t, const TouchBatch*, \
                                          NeighbourArrays<HostExec>&);                                                      \
  template bool HostEngine<D>::lists_of(const HostExec&, HostAsking<D>&, const Region<D>*, offset_t, const Taken&,          \
                                        NeighbourArrays<HostExec>&);                                                        \
  template void HostEngine<D>::visit_batches(const HostExec&, const TwoGrids<D>&, ContactBatch) const;
HGRID_INSTANCES(2)
HGRID_INSTANCES(3)

}  // namespace hgrid::inline v0_2::detail
