// SPDX-License-Identifier: BSD-3-Clause
#pragma once
// The functions of the host engine. HGRID_INSTANCES_OF_HOST_ENGINE(D) compiles them, each dimension in a file of its own.
#include <algorithm>
#include <atomic>
#include <utility>
#include <vector>

#include "host/host_build.hpp"
#include "host/host_validity.hpp"

namespace hgrid::inline v0_2::detail {

template <int D>
HostEngine<D>::HostEngine(const HostExec&, const Box<D>& box, GridOptions options)
    : box_(box), options_(std::move(options)), impl_(nullptr) {
  check_environment();
  impl();
}
template <int D>
HostEngine<D>::HostEngine(HostEngine&& o) noexcept
    : box_(o.box_), options_(std::move(o.options_)), impl_(std::exchange(o.impl_, nullptr)) {}
template <int D>
HostEngine<D>& HostEngine<D>::operator=(HostEngine&& o) noexcept {
  HostEngine taken(std::move(o));
  box_ = taken.box_;
  std::swap(options_, taken.options_);
  std::swap(impl_, taken.impl_);
  return *this;
}
template <int D>
HostEngine<D>::~HostEngine() {
  delete impl_;
}

template <int D>
typename HostEngine<D>::Impl& HostEngine<D>::impl() const {
  if (impl_ == nullptr) impl_ = new Impl(box_, options_);
  return *impl_;
}

template <int D>
void HostEngine<D>::watch(const Watch& watch) {
  impl().watch = watch;
  impl().lists.search.watch(watch);
}

template <int D>
void HostEngine<D>::set_box(const Box<D>& box) {
  impl().grid.set_next_box(box);
  box_ = box;
}

template <int D>
const Box<D>& HostEngine<D>::next_box() const {
  return impl().grid.next_box();
}
template <int D>
void HostEngine<D>::set_boxes(std::vector<Box<D>> boxes) {
  impl().grid.set_next_boxes(std::move(boxes));
}
template <int D>
const std::vector<Box<D>>& HostEngine<D>::next_boxes() const {
  return impl().grid.boxes.next();
}
template <int D>
void HostEngine<D>::plan_again() {
  impl().grid.keeper.forget();
}
template <int D>
const Plan<D>& HostEngine<D>::plan() const {
  return impl().grid.keeper.plan();
}
template <int D>
std::uint64_t HostEngine<D>::generation() const {
  return impl().grid.generation;
}
template <int D>
std::uint64_t HostEngine<D>::plan_generation() const {
  return impl().grid.plan_generation;
}
template <int D>
offset_t HostEngine<D>::particle_count() const {
  return impl().grid.count;
}
template <int D>
std::int64_t HostEngine<D>::skipped() const {
  return impl().grid.skipped;
}
template <int D>
const std::vector<Box<D>>& HostEngine<D>::built_boxes() const {
  return impl().grid.boxes.now();
}
template <int D>
std::size_t HostEngine<D>::bytes() const {
  return impl().build_bytes() + impl().grid.slot_boxes.bytes() + impl().lists.bytes() + impl().narrow.bytes();
}

template <int D>
void HostEngine<D>::require_built() const {
  check_environment();
  impl().grid.require_built();
}

template <int D>
void HostEngine<D>::require_last_build() const {
  check_environment();
  impl().grid.require_last_build();
}

template <int D>
void HostEngine<D>::save(const HostExec& exec, Saver& saver) {
  bool look_again = true;  // like each build on a host
  saver(look_again);
  save_grid(exec, impl().grid, saver);
}

template <int D>
HostEngine<D> HostEngine<D>::restored(const HostExec& exec, Restorer& restorer) const {
  HostEngine engine(exec, box_, options_);
  Impl& fresh = *engine.impl_;
  bool look_again = true;
  restorer(look_again);
  restore_grid(exec, fresh.grid, restorer);
  restorer.finish();
  engine.box_ = fresh.grid.next_box(), engine.options_ = fresh.grid.keeper.options();
  fresh.lists.search.use(engine.options_.schedule);
  engine.watch(impl().watch);
  return engine;
}

template <int D>
GridView<D> HostEngine<D>::view() const {
  return impl().grid.view();
}

template <int D>
template <class Real>
Validity HostEngine<D>::validity(const HostExec& exec, const Particles<Real, D>& now, const BuiltParticles<D>* built) const {
  GridState<HostExec, D>& grid = impl().grid;
  check_arguments(now, 0);
  if (!grid.is_comparable(now)) return {.comparable = false};
  return validity_on_host(exec, now, built != nullptr ? *built : BuiltParticles<D>::of(exec, grid.view()), grid.next_box(),
                          grid.boxes.changes(exec));
}

template <int D>
std::optional<const ChangedBox<D>*> HostEngine<D>::box_changes(const HostExec& exec) const {
  return impl().grid.box_changes(exec);
}

template <int D>
offset_t HostEngine<D>::count(const HostExec& exec) const {
  Impl& engine = impl();
  return engine.lists.search.count(exec, engine.grid.view(), engine.grid.slots);
}

namespace {
constexpr auto checked = [] {};  // a build has already thrown the errors of its input
}

template <int D>
void HostEngine<D>::pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order) {
  Impl& engine = impl();
  order == Order::sorted ? engine.lists.sorted_pairs(exec, engine.grid, list, checked)
                         : engine.lists.pairs(exec, engine.grid, list, checked);
}

template <int D>
void HostEngine<D>::enqueue_pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order) {
  impl().lists.enqueue_pairs(exec, impl().grid, list, order);
}

template <int D>
template <class List>
bool HostEngine<D>::is_whole(const HostExec& exec, List& list) const {
  return impl().lists.is_whole(exec, impl().grid, list, checked);
}

template <int D>
template <class Entry>
void HostEngine<D>::neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind) {
  impl().lists.neighbours(exec, impl().grid, list, kind, checked);
}

template <int D>
template <class Entry>
void HostEngine<D>::enqueue_neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind) {
  impl().lists.enqueue_neighbours(exec, impl().grid, list, kind);
}

template <int D>
const NeighbourArrays<HostExec>& HostEngine<D>::enqueue_sorted_lists(const HostExec& exec, ListKind kind) {
  return impl().lists.enqueue_sorted_lists(exec, impl().grid, kind);
}

template <int D>
void HostEngine<D>::enqueue_longest_list(const HostExec& exec, offset_t* longest) {
  impl().lists.enqueue_longest_list(exec, longest);
}

template <int D>
const NeighbourArrays<HostExec>& HostEngine<D>::sorted_lists(const HostExec& exec, ListKind kind) {
  return impl().lists.sorted_lists(exec, impl().grid, kind, checked);
}

template <int D>
offset_t HostEngine<D>::longest_list(const HostExec& exec) {
  return impl().lists.longest_list(exec);
}

template <int D>
template <class Real>
offset_t HostEngine<D>::write_entries(const HostExec& exec, ListKind kind, const WantedEntries<Real, D>& wanted,
                                      const EntryOutput& out) {
  return impl().lists.write_entries(exec, impl().grid, kind, wanted, out, checked);
}
template <int D>
template <class Real>
offset_t HostEngine<D>::write_entries(const HostExec& exec, const ListView& list, const WantedEntries<Real, D>& wanted,
                                      const EntryOutput& out) {
  return write_measured(exec, RowsOfLists{list}, wanted, out);
}

template <int D>
WorkCount HostEngine<D>::work(const HostExec& exec) const {
  const GridState<HostExec, D>& grid = impl().grid;
  WorkCount counted;
  exec.reduce("hgrid::count_work", grid.slots, CountWork<D>{grid.view()}, WorkCount{}, &counted);
  return counted;
}

template <int D>
void HostEngine<D>::visit_batches(const HostExec& exec, Visit visit, ContactBatch batch) const {
  const Impl& engine = impl();
  const GridView<D> g = engine.grid.view();
  visit == Visit::once ? engine.lists.search.template visit_batches<Visit::once>(exec, g, engine.grid.slots, batch)
                       : engine.lists.search.template visit_batches<Visit::all>(exec, g, engine.grid.slots, batch);
}

template <int D>
offset_t HostEngine<D>::count_touching(const HostExec& exec, TouchBatch touches) const {
  std::atomic<offset_t> total{0};
  visit_batches(exec, Visit::once, [&](const Contact* contact, index_t n) {
    bool touch[contacts_per_batch];
    touches(contact, n, touch);
    total.fetch_add(std::count(touch, touch + n, true), std::memory_order_relaxed);
  });
  return total;
}

template <int D>
void HostEngine<D>::touching_pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order, TouchBatch touches) {
  impl().lists.pairs_by(exec, impl().filler_by(touches), impl().grid, list, order, checked);
}

template <int D>
template <class Entry>
void HostEngine<D>::touching_neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind,
                                        TouchBatch touches) {
  impl().lists.neighbours_by(exec, impl().filler_by(touches), impl().grid, list, kind, checked);
}

template <int D>
const NeighbourArrays<HostExec>& HostEngine<D>::touching_lists(const HostExec& exec, ListKind kind, TouchBatch touches) {
  return impl().lists.sorted_lists_by(exec, impl().filler_by(touches), impl().grid, kind, checked);
}

#define HGRID_INSTANCES_OF_REAL(Real, D)                                                                                 \
  template Validity HostEngine<D>::validity(const HostExec&, const Particles<Real, D>&, const BuiltParticles<D>*) const; \
  template offset_t HostEngine<D>::write_entries(const HostExec&, ListKind, const WantedEntries<Real, D>&,               \
                                                 const EntryOutput&);                                                    \
  template offset_t HostEngine<D>::write_entries(const HostExec&, const ListView&, const WantedEntries<Real, D>&,        \
                                                 const EntryOutput&);

#define HGRID_INSTANCES_OF_LISTS(Entry, D)                                                                       \
  template void HostEngine<D>::neighbours(const HostExec&, NeighbourArrays<HostExec, Entry>&, ListKind);         \
  template void HostEngine<D>::enqueue_neighbours(const HostExec&, NeighbourArrays<HostExec, Entry>&, ListKind); \
  template bool HostEngine<D>::is_whole(const HostExec&, NeighbourArrays<HostExec, Entry>&) const;               \
  template void HostEngine<D>::touching_neighbours(const HostExec&, NeighbourArrays<HostExec, Entry>&, ListKind, TouchBatch);

#define HGRID_INSTANCES_OF_HOST_ENGINE(D)                                              \
  template class HostEngine<D>;                                                        \
  template bool HostEngine<D>::is_whole(const HostExec&, PairArrays<HostExec>&) const; \
  HGRID_INSTANCES_OF_REAL(float, D)                                                    \
  HGRID_INSTANCES_OF_REAL(double, D)                                                   \
  HGRID_INSTANCES_OF_LISTS(index_t, D)                                                 \
  HGRID_INSTANCES_OF_LISTS(PackedNeighbour, D)

}  // namespace hgrid::inline v0_2::detail
