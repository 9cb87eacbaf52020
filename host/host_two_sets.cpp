// SPDX-License-Identifier: BSD-3-Clause
// The functions of the host engine for the particles of another grid, compiled once.
#include "hgrid/find/asked_lists.hpp"
#include "host/asking_spheres.hpp"
#include "host/host_build.hpp"
#include "host/neighbours/collected_lists.hpp"

namespace hgrid::inline v0_2::detail {

/// Query slots of any kind, compiled once: on hosts these are only used for few lists.
template <int D>
struct AskingOfAnyKind : AskingSlots<D> {
  template <class F>
  void by_kind(const F& f) const {
    f(static_cast<const AskingSlots<D>&>(*this));
  }
};

template <int D>
class ListsOfTwo {
 public:
  /// Fills `out` with a list for each query particle. The targets are the `ids` particles of the grid of `search`. Throws
  /// `capacity`, `out_of_memory`, and the exceptions of the predicate; `out` then has no lists. Throws `stopped` if the watch
  /// says so.
  void fill(const HostExec& exec, HostSearch<D>& search, const AskedBy<D>& grids, offset_t lists, offset_t ids,
            NeighbourArrays<HostExec>& out) {
    out.size = 0, out.lists = 0, out.of_regions = true;
    const bool coded = grids.touches == nullptr || foresee(exec, search, grids, lists);
    if (!coded || !collected_.collect_all(exec, search, grids, lists, ids, ListKind::full)) {
      const auto touches = [&](index_t i, index_t j, const Image& image) {
        const Contact contact{i, j, image};
        bool touch = true;
        if (grids.touches != nullptr) (*grids.touches)(&contact, 1, &touch);
        return touch;
      };
      return fill_asked(exec, AskingOfAnyKind<D>{{grids}}, static_cast<index_t>(lists), touches, grids.asked.periodic, out);
    }
    const bool images = grids.asked.periodic;
    const offset_t n = collected_.entries();
    collected_.reserve_wraps(exec, grids.asking.has_wraps() ? lists : 0, grids.asked.has_wraps() ? ids : 0);
    out.make_room(exec, static_cast<index_t>(lists), n, images, false);
    collected_.write(exec, ToLists({out.offsets.data(), out.to_fill(images)}),
                     {collected_.wraps_of_lists(exec, grids.asking), collected_.wraps_of_others(exec, grids.asked)});
    out.offsets.data()[lists] = n;
    out.lists = static_cast<index_t>(lists), out.size = n, out.has_images = images;
  }
  std::size_t bytes() const { return collected_.bytes(); }

 private:
  // Counts the contacts for which a predicate will be called, so that there is room for them and it is called once for each.
  // Returns false if some image has no code.
  bool foresee(const HostExec& exec, HostSearch<D>& search, const AskedBy<D>& grids, offset_t lists) {
    std::atomic<offset_t> total{0};
    std::atomic<bool> no_code{false};
    search.search_for(exec, grids, [&](offset_t) { return CountSinkOfTwo<D>(grids, total, no_code); });
    collected_.expect(lists, total);
    return !no_code;
  }

  CollectedLists<D> collected_;
};

template <int D>
struct HostAsking<D>::Impl {
  ListsOfTwo<D> lists, lists_of_spheres;  // separate, because each remembers how long its last lists were
  AskingSpheres<D> spheres;
};

template <int D>
typename HostAsking<D>::Impl& HostAsking<D>::impl() {
  if (impl_ == nullptr) impl_ = new (std::nothrow) Impl;
  if (impl_ == nullptr) throw Error(ErrorCode::out_of_memory, "a search found no host memory");
  return *impl_;
}
template <int D>
HostAsking<D>::~HostAsking() {
  delete impl_;
}
template <int D>
std::size_t HostAsking<D>::bytes() const {
  return impl_ == nullptr ? 0 : impl_->lists.bytes() + impl_->lists_of_spheres.bytes() + impl_->spheres.bytes();
}

template <int D>
void HostEngine<D>::fill_lists(const HostExec& exec, HostAsking<D>& asking, const TwoGrids<D>& grids, offset_t lists,
                               const TouchBatch* touches, NeighbourArrays<HostExec>& out) {
  const AskedBy<D> two(grids, touches, AskedBy<D>::columns_hold(grids));
  asking.impl().lists.fill(exec, impl().lists.search, two, lists, impl().grid.count, out);
}

template <int D>
bool HostEngine<D>::ask_spheres(const HostExec& exec, HostAsking<D>& asking, const Region<D>* regions, offset_t count,
                                const Taken& taken, NeighbourArrays<HostExec>* out, const ContactBatch* batch) {
  Impl& engine = impl();
  const GridView<D> asked = engine.grid.view();
  if (engine.lists.search.schedule() == Schedule::plain || !AskingSpheres<D>::suit(asked, regions, count, taken)) return false;
  auto& own = asking.impl();
  const AskedBy<D> two = own.spheres.grids(exec, regions, count, taken, asked, engine.grid.boxes.now(), engine.watch);
  if (batch != nullptr)
    engine.lists.search.search_for(exec, two, [&](offset_t) { return BatchSinkOfTwo<D>(two, *batch); });
  else
    own.lists_of_spheres.fill(exec, engine.lists.search, two, count, engine.grid.count, *out);
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
  template bool HostEngine<D>::ask_spheres(const HostExec&, HostAsking<D>&, const Region<D>*, offset_t, const Taken&,       \
                                           NeighbourArrays<HostExec>*, const ContactBatch*);                                \
  template void HostEngine<D>::visit_batches(const HostExec&, const TwoGrids<D>&, ContactBatch) const;
HGRID_INSTANCES(2)
HGRID_INSTANCES(3)

}  // namespace hgrid::inline v0_2::detail
