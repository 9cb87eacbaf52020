// SPDX-License-Identifier: BSD-3-Clause
// Many regions asked of one built grid, or the particles of another one: as a list of each, or by the user's functor; and walls
// of triangles.
#pragma once

#include <utility>

#include "hgrid/find/asked_lists.hpp"
#include "hgrid/find/excluded_between.hpp"
#include "hgrid/find/mesh.hpp"
#include "hgrid/find/region_stages.hpp"
#include "hgrid/find/two_sets.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2 {

/// Asks a built grid for the particles of regions, `Region<D>::box`, `sphere` or `point`, in the executor's memory, or for
/// those that touch the particles of another grid. Each region is one item of work, so cut one that holds a large part of the
/// system. For regions, groups and ghosts are not told apart. The grid must outlive the object, and stay where it is: a grid
/// that is moved leaves one behind that is not built.
///
/// `radius_scale` is for the radii of the particles as the grid has them, extra distances included: 1.1 takes particles that
/// are within a tenth of their radius of a region, too. It is from 0 to 1e15, else `invalid_argument`. Errors: `size_mismatch`
/// (a negative number of regions), `capacity` (more than ids have bits for), `invalid_argument` (null regions), `not_built`;
/// `nonfinite`, `range_error` (also a world that there is not, and one that is more than 2^30 periods outside the box, 2^29 if
/// tilted), `invalid_argument` (lo > hi, negative radius), `unsupported` (one with an extent, in a turned box; any, where
/// particles have extents) or `box_too_small` (over seven periods wide, in a tilted box five, the largest particle included),
/// with the index of the region.
template <class Exec, int D>
class Queries {
 public:
  explicit Queries(Grid<Exec, D>& grid)
      : grid_(grid),
        exec_(grid.exec()),
        check_(exec_, 2),
        lists_(exec_, ListKind::full),
        before_(exec_, ListKind::full),
        excluded_(exec_) {}

  /// Calls f(region, id, image) for each particle of each region, from many threads at once. Waits only for the check.
  template <class F>
  void for_each(const Region<D>* regions, offset_t count, const F& f, Take take = Take::touching, double radius_scale = 1) {
    const detail::Taken taken = detail::checked(take, radius_scale);
    check(regions, count, taken);
    visit(detail::AskingRegions<D>{grid_.view(), regions, taken}, count, f);
  }

  /// Row q holds the ids, ascending, of the particles of region q, and the image of each. `capacity` beyond the executor's
  /// memory limit, before allocating. Waits. The list is the object's own, until the next call; it is then `before()`. After an
  /// error it is as it was.
  const NeighbourList<Exec>& find(const Region<D>* regions, offset_t count, Take take = Take::touching,
                                  double radius_scale = 1) {
    return find(regions, count, only(detail::AllTouch{}), take, radius_scale);
  }

  /// Those of them of which `touches(region, id, image)` is true, for walls of any shape within boxes: called as the functor of
  /// `for_each` is, twice for each, so it must answer alike. It must not throw.
  template <class Touches>
  const NeighbourList<Exec>& find(const Region<D>* regions, offset_t count, const Only<Touches>& only,
                                  Take take = Take::touching, double radius_scale = 1) {
    const detail::Taken taken = detail::checked(take, radius_scale);
    check(regions, count, taken);
    if constexpr (Exec::on_host && std::is_same_v<Touches, detail::AllTouch>) {
      if (detail::EngineOf::of(grid_).lists_of(exec_, asking_, regions, count, taken, before_.a_)) return filled();
    }
    return fill(detail::AskingRegions<D>{grid_.view(), regions, taken}, static_cast<index_t>(count), only.touches);
  }

  /// Contacts between two sets. Row i holds the ids, ascending, of the particles of this grid that touch particle i of
  /// `asking`, by the grids' rule, with the image of each (contract C3, i being of `asking` and j of this grid); in a gather,
  /// those within the interaction distance of i. Gaps up to half the skin of either grid count, so that the list holds every
  /// contact for as long as both are `valid`. Two ghosts, or two particles of one group, do not pair, nor do those that
  /// `exclude` was told of, and each world asks its own. Where both grids have cut-offs by type, the smaller one of their
  /// tables counts. Waits, errors and the list are as above; also `invalid_argument` for another box, rule or other boxes of
  /// worlds, `size_mismatch` for another number of worlds or of types (none beside some, too), or of particles than those
  /// that `exclude` was called for. The work of both grids is in one order, as on one stream.
  const NeighbourList<Exec>& find(Grid<Exec, D>& asking) { return find(asking, only(detail::AllTouch{})); }

  /// Those of them of which `touches(i, j, image)` is true (docs/shapes.md).
  template <class Touches>
  const NeighbourList<Exec>& find(Grid<Exec, D>& asking, const Only<Touches>& only) {
    asking.check(), grid_.check();
    forget_asked();
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors, "find");
    const detail::Visitors::Running of_asking(detail::VisitorsOf(asking).visitors);
    const detail::AskingSlots<D> slots = slots_of(asking);
    if constexpr (!Exec::on_host) {
      return fill(slots, lists_of(asking), only.touches);
    } else {
      auto& engine = detail::EngineOf::of(grid_);
      if constexpr (std::is_same_v<Touches, detail::AllTouch>) {
        engine.lists_of(exec_, asking_, slots.grids, lists_of(asking), before_.a_);
      } else {
        engine.lists_of(exec_, asking_, slots.grids, lists_of(asking), only.touches, before_.a_);
      }
      return filled();
    }
  }

  /// Pairs between two sets that are never reported, such as bonds between them: i is an id of `asking`, and j one of this
  /// grid. As `Particles::exclusions`, in the executor's memory. A copy holds for `asking` where it stands, until the next
  /// call; size 0: there are none. Those of builds hold within their own sets. Waits; capture graphs of `enqueue` anew.
  /// Errors are those of `find` and of exclusions in a build, with the index of the list or pair; those of before hold then.
  void exclude(Grid<Exec, D>& asking, const Exclusions& between) {
    asking.check(), grid_.check();
    detail::require_comparable(asking, grid_);
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors, "exclude");
    excluded_.keep(exec_, between, asking, asking.particle_count(), grid_.particle_count());
    if (enqueued_.asking != nullptr) enqueued_.call = next_call();  // `wait` finds again
  }

  /// Calls f(i, j, image) for each of these contacts, from many threads at once. Does not wait on a device, where a grid of bad
  /// input (contract C7) has no contacts. On a host it throws what f throws.
  template <class F>
  void for_each(Grid<Exec, D>& asking, const F& f) {
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors),
        of_asking(detail::VisitorsOf(asking).visitors);
    const detail::AskingSlots<D> slots = slots_of(asking);
    if constexpr (Exec::on_host) {
      detail::EngineOf::of(grid_).visit(exec_, slots.grids, f);
    } else {
      visit(slots, lists_of(asking), f);
    }
  }

  /// The contacts of particles with a mesh: row t holds those on triangle t. Where triangles share an edge or a corner, a ball
  /// has one contact and not one with each (`MeshView`). `particles` are those of the build as they are now, in the executor's
  /// memory; each has moved and grown by at most `margin` since. `History::remap` carries values from triangle to triangle.
  /// Errors beside the above: `size_mismatch` for another number of particles, `invalid_argument` for a mesh of another
  /// periodic box, `unsupported` where worlds have boxes of their own. Where there are worlds, the mesh is in world 0.
  template <class Real>
  const NeighbourList<Exec>& find(Mesh<Exec>& mesh, const Particles<Real, 3>& particles, double margin = 0) {
    detail::require_mesh_of(grid_, mesh.box(), particles);
    const detail::TouchesMesh<Real> touches{mesh.view(), particles};
    return find(mesh.boxes(margin), mesh.size(), only(touches), Take::touching, 1 + 0x1p-40);  // the boxes round otherwise
  }

  /// As `for_each`, without waiting: if a region is bad, f is not called, and the next `wait` throws.
  template <class F>
  void enqueue_for_each(const Region<D>* regions, offset_t count, const F& f, Take take = Take::touching,
                        double radius_scale = 1) {
    const detail::Taken taken = detail::checked(take, radius_scale);
    const detail::RegionCheck* const found = inspect(regions, count, taken, Asked::functor);
    visit(detail::AskingRegions<D>{grid_.view(), regions, taken, found}, count, f);
  }

  /// As `find`, but on a CUDA stream it neither waits nor allocates, so it can be captured in a graph after a `find` has made
  /// room. `neighbours()` is filled in its place: `found()` entries, or, if these are more than its capacity, or a region is
  /// bad (-1), no rows. `wait` tells the host. `before()` stays as it is. After a `find`, which gives `before()` the memory of
  /// that list, capture anew.
  void enqueue(const Region<D>* regions, offset_t count, Take take = Take::touching, double radius_scale = 1) {
    const detail::Taken taken = detail::checked(take, radius_scale);
    detail::check_regions(regions, count);
    const bool captured = detail::notice_capture(exec_) != 0;
    const detail::RegionCheck* const check = inspect(regions, count, taken, Asked::list);
    const offset_t call = next_call();
    detail::enqueue_asked(exec_, detail::AskingRegions<D>{grid_.view(), regions, taken, check}, static_cast<index_t>(count),
                          &check->bad, grid_.view().periodic, call, lists_.a_);
    enqueued_ = {.call = call, .captured = captured, .regions = regions, .count = count, .taken = taken};
  }
  /// The same for the particles of another grid, which must stay as long as `wait` is called for it.
  void enqueue(Grid<Exec, D>& asking) {
    const bool captured = detail::notice_capture(exec_) != 0;
    forget_asked();
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors, "enqueue");
    const detail::AskingSlots<D> slots = slots_of(asking);
    const offset_t call = next_call();
    if constexpr (Exec::on_host) {
      detail::reserve_all(exec_, detail::Need{lists_.a_.found, 2});
      detail::EngineOf::of(grid_).lists_of(exec_, asking_, slots.grids, lists_of(asking), lists_.a_);
      offset_t* const found = lists_.a_.found.data();
      found[0] = lists_.size(), found[1] = call;
    } else {
      detail::enqueue_asked(exec_, slots, lists_of(asking), nullptr, grid_.view().periodic, call, lists_.a_);
    }
    enqueued_ = {.call = call, .captured = captured, .asking = &asking};
  }

  /// Waits for enqueued work, the last replay of a graph included, and throws what was wrong with the regions, or with the
  /// builds of the grids. The rows are those of the last call of `enqueue`. If they had no room, or that call was captured
  /// and a graph of another one was replayed last, or none, it finds them once more, for which the regions must still be there.
  /// A graph that had too little room is of no more use then, but does no harm.
  const NeighbourList<Exec>& wait() {
    grid_.check();
    const Enqueued last = enqueued_;
    offset_t found[2] = {};
    if (last.call != 0) exec_.copy_out(found, lists_.found(), 2);
    const bool others = found[1] != last.call;  // of an older graph, or of none
    for (const Asked asked : {Asked::list, Asked::functor}) {
      const int k = static_cast<int>(asked);
      if (inspected_[k] && !(others && asked == Asked::list))
        detail::throw_bad_region(exec_.read_back(static_cast<const detail::RegionCheck*>(check_.data() + k)));
    }
    if (last.asking != nullptr) last.asking->check();
    if (last.call == 0) return lists_;
    if (others || found[0] > lists_.capacity()) return find_again(last);
    lists_.a_.size = found[0];
    return lists_;
  }

  /// The list that `find` gave last.
  const NeighbourList<Exec>& neighbours() const { return lists_; }

  /// The list of the `find` before, for History: springs of contacts with walls follow it. Empty after an
  /// error.
  const NeighbourList<Exec>& before() const { return before_; }

 private:
  friend struct detail::Checkpoints;
  template <class E, int Dimension>
  friend class DistributedQueries;

  enum class Asked { list, functor };  // each has a check of its own
  struct Enqueued {
    offset_t call = 0;  // none other has that number
    bool captured = false;
    const Region<D>* regions = nullptr;
    offset_t count = 0;
    detail::Taken taken{};
    Grid<Exec, D>* asking = nullptr;  // in the place of regions
  };

  template <class Asking, class F>
  void visit(const Asking& asking, offset_t items, const F& f) {
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors);
    detail::visit_asked(exec_, asking, items, f);
  }

  template <class Asking, class Touches>
  const NeighbourList<Exec>& fill(const Asking& asking, index_t lists, const Touches& touches) {
    const detail::Visitors::Running visiting(detail::VisitorsOf(grid_).visitors);
    detail::fill_asked(exec_, asking, lists, touches, grid_.view().periodic, before_.a_);
    return filled();
  }

  // In the place of the list, so that `before` stays, and the graph of that call is of use as long as nothing grows.
  const NeighbourList<Exec>& find_again(const Enqueued& last) {
    std::swap(lists_, before_);
    try {
      last.asking != nullptr ? find(*last.asking) : find(last.regions, last.count, last.taken.take, last.taken.scale);
    } catch (...) {
      std::swap(lists_, before_);
      enqueued_ = last;
      throw;
    }
    if (last.captured) enqueued_ = last;
    return lists_;
  }

  // The list of before has been filled, and is now that of now.
  const NeighbourList<Exec>& filled() {
    enqueued_ = {};
    std::swap(lists_, before_);
    return lists_;
  }
  static offset_t next_call() { return static_cast<offset_t>(detail::next_generation()); }
  // Nothing is enqueued, and no region that was asked before is to blame.
  void forget_asked() { enqueued_ = {}, inspected_[static_cast<int>(Asked::list)] = false; }

  detail::AskingSlots<D> slots_of(Grid<Exec, D>& asking) {
    detail::require_comparable(asking, grid_);
    const detail::ExclusionTable excluded = excluded_.table_for(asking, asking.particle_count(), grid_.particle_count());
    detail::AskingSlots<D> slots{{asking.view(), grid_.view(), excluded}};
    slots.grids.asked.skin = 0.5 * slots.grids.asking.skin + 0.5 * slots.grids.asked.skin;
    return slots;
  }
  static index_t lists_of(const Grid<Exec, D>& asking) { return static_cast<index_t>(asking.particle_count()); }

  void check(const Region<D>* regions, offset_t count, const detail::Taken& taken, double largest = 0) {
    detail::check_regions(regions, count);
    grid_.check();
    detail::throw_bad_region(exec_.read_back(inspect(regions, count, taken, Asked::list, largest)));
  }

  // Where the device finds whether regions are bad.
  const detail::RegionCheck* inspect(const Region<D>* regions, offset_t count, const detail::Taken& taken, Asked asked,
                                     double largest = 0) {
    detail::check_regions(regions, count);
    detail::require_spheres(grid_.view().has_extents(), "regions and meshes");
    detail::RegionCheck* const found = check_.data() + static_cast<int>(asked);
    inspected_[static_cast<int>(asked)] = true;
    if (asked == Asked::list) enqueued_ = {};
    detail::for_worlds(grid_.view(), [&](const auto& view) {
      using Inspect = detail::InspectRegion<D, std::decay_t<decltype(view)>>;
      exec_.reduce("hgrid::inspect_regions", count, Inspect{regions, view, taken, largest}, detail::RegionCheck{}, found);
    });
    return found;
  }

  Grid<Exec, D>& grid_;
  Exec exec_;
  typename Exec::template Buffer<detail::RegionCheck> check_;
  NeighbourList<Exec> lists_, before_;
  detail::ExcludedBetween<Exec, D> excluded_;
  typename Exec::template Engine<D>::Asking asking_;
  Enqueued enqueued_;  // last, if nothing was found since
  bool inspected_[2] = {};
};

}  // namespace hgrid::inline v0_2
