// SPDX-License-Identifier: BSD-3-Clause
// Many regions asked of one built grid, or the particles of another one: as a list of each, or by the user's functor; and walls
// of triangles.
#pragma once

#include <utility>

#include "hgrid/find/askers.hpp"
#include "hgrid/find/question.hpp"

namespace hgrid::inline v0_2 {

/// Asks a built grid again and again, and keeps the list and the one before, for `History`. `Regions` and `OnMesh` say what is
/// asked, and their errors. The grid must outlive the object, and stay where it is: a grid that is moved leaves one behind that
/// is not built.
template <class Exec, int D>
class Queries {
 public:
  explicit Queries(Grid<Exec, D>& grid)
      : grid_(grid),
        exec_(grid.exec()),
        memory_(exec_),
        lists_(exec_, ListKind::full),
        before_(exec_, ListKind::full),
        excluded_(exec_) {}

  /// Calls f(region, id, image) for each particle of each region, from many threads at once. Waits only for the check.
  template <class F>
  void for_each(const Region<D>* regions, offset_t count, const F& f, Take take = Take::touching, double radius_scale = 1) {
    auto asking = asking_of({regions, count, take, radius_scale});
    const auto visiting = running();
    asking.visit(f);
  }

  /// Row q holds the ids, ascending, of the particles of region q, and the image of each. Waits. The list is the object's own,
  /// until the next call; it is then `before()`. After an error it is as it was.
  const NeighbourList<Exec>& find(const Region<D>* regions, offset_t count, Take take = Take::touching,
                                  double radius_scale = 1) {
    return find(regions, count, only(detail::all_touch), take, radius_scale);
  }

  /// Those of them of which `touches(region, id, image)` is true, for walls of any shape within boxes: called as the functor of
  /// `for_each` is, twice for each, so it must answer alike. It must not throw.
  template <class Touches>
  const NeighbourList<Exec>& find(const Region<D>* regions, offset_t count, const Only<Touches>& only,
                                  Take take = Take::touching, double radius_scale = 1) {
    auto asking = asking_of({regions, count, take, radius_scale});
    const auto visiting = running();
    return found_by(asking, only.touches);
  }

  /// Contacts between two sets. Row i holds the ids, ascending, of the particles of this grid that touch particle i of
  /// `asking`, by the grids' rule, with the image of each (contract C3, i being of `asking` and j of this grid); in a gather,
  /// those within the interaction distance of i. Gaps up to half the skin of either grid count, so that the list holds every
  /// contact for as long as both are `valid`. Two ghosts, or two particles of one group, do not pair, nor do those that
  /// `exclude` was told of, and each world asks its own. Where both grids have cut-offs by type, the smaller one of their
  /// tables counts. Waits, errors and the list are as above; also `invalid_argument` for another box, rule or other boxes of
  /// worlds, `size_mismatch` for another number of worlds or of types (none beside some, too), or of particles than those
  /// that `exclude` was called for. The work of both grids is in one order, as on one stream.
  const NeighbourList<Exec>& find(Grid<Exec, D>& asking) { return find(asking, only(detail::all_touch)); }

  /// Those of them of which `touches(i, j, image)` is true (docs/shapes.md).
  template <class Touches>
  const NeighbourList<Exec>& find(Grid<Exec, D>& asking, const Only<Touches>& only) {
    asking.check(), grid_.check();
    const auto visiting = running("find");
    detail::GridAsking<Exec, D> other = asking_of(asking);
    return found_by(other, only.touches);
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
    const auto visiting = running();
    asking_of(asking).visit(f);
  }

  /// The contacts of particles with a mesh (`OnMesh`).
  template <class Real>
  const NeighbourList<Exec>& find(Mesh<Exec>& mesh, const Particles<Real, 3>& particles, double margin = 0) {
    detail::MeshAsking<Exec, Real> asking(grid_, OnMesh{mesh, particles, margin}, memory_);
    const auto visiting = running();
    return found_by(asking, detail::all_touch);
  }

  /// As `for_each`, without waiting: if a region is bad, f is not called, and the next `wait` throws.
  template <class F>
  void enqueue_for_each(const Region<D>* regions, offset_t count, const F& f, Take take = Take::touching,
                        double radius_scale = 1) {
    auto asking = asking_of({regions, count, take, radius_scale});
    const auto visiting = running();
    inspected_[1] = true;
    asking.enqueue_visit(f);
  }

  /// As `find`, but on a CUDA stream it neither waits nor allocates, so it can be captured in a graph after a `find` has made
  /// room. `neighbours()` is filled in its place: `found()` entries, or, if these are more than its capacity, or a region is
  /// bad (-1), no rows. `wait` tells the host. `before()` stays as it is. After a `find`, which gives `before()` the memory of
  /// that list, capture anew.
  void enqueue(const Region<D>* regions, offset_t count, Take take = Take::touching, double radius_scale = 1) {
    const Regions<D> given{regions, count, take, radius_scale};
    auto asking = asking_of(given);
    enqueued_by(asking, {.regions = given});
    inspected_[0] = true;
  }
  /// The same for the particles of another grid, which must stay as long as `wait` is called for it.
  void enqueue(Grid<Exec, D>& asking) {
    const auto visiting = running("enqueue");
    detail::GridAsking<Exec, D> other = asking_of(asking);
    enqueued_by(other, {.asking = &asking});
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
    for (const int k : {0, 1}) {
      if (inspected_[k] && !(others && k == 0))
        detail::throw_bad_region(exec_.read_back(static_cast<const detail::RegionCheck*>(memory_.check.data() + k)));
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

  struct Enqueued {
    offset_t call = 0;  // none other has that number
    bool captured = false;
    Regions<D> regions{};
    Grid<Exec, D>* asking = nullptr;  // in the place of regions
  };

  detail::Visitors::Running running() const { return detail::Visitors::Running(detail::VisitorsOf(grid_).visitors); }
  detail::Visitors::Running running(const char* called) const {
    return detail::Visitors::Running(detail::VisitorsOf(grid_).visitors, called);
  }

  detail::RegionsAsking<Exec, D> asking_of(const Regions<D>& regions) { return {grid_, regions, memory_}; }
  detail::GridAsking<Exec, D> asking_of(Grid<Exec, D>& asking) {
    return {grid_, asking, memory_, excluded_.table_for(asking, asking.particle_count(), grid_.particle_count())};
  }

  template <class Asking, class Touches>
  const NeighbourList<Exec>& found_by(Asking& asking, const Touches& touches) {
    forget_asked();
    asking.fill(touches, before_.a_);
    std::swap(lists_, before_);  // the list of before has been filled
    return lists_;
  }

  template <class Asking>
  void enqueued_by(Asking& asking, Enqueued work) {
    work.captured = detail::notice_capture(exec_) != 0;
    forget_asked();
    work.call = next_call();
    asking.enqueue(detail::all_touch, work.call, lists_.a_);
    enqueued_ = work;
  }

  // In the place of the list, so that `before` stays, and the graph of that call is of use as long as nothing grows.
  const NeighbourList<Exec>& find_again(const Enqueued& last) {
    std::swap(lists_, before_);
    try {
      const auto& [regions, count, take, scale] = last.regions;
      last.asking != nullptr ? find(*last.asking) : find(regions, count, take, scale);
    } catch (...) {
      std::swap(lists_, before_);
      enqueued_ = last;
      throw;
    }
    if (last.captured) enqueued_ = last;
    return lists_;
  }

  // Nothing is enqueued, and no region that was asked before is to blame.
  void forget_asked() { enqueued_ = {}, inspected_[0] = false; }
  static offset_t next_call() { return static_cast<offset_t>(detail::next_generation()); }

  // Throws what is wrong with regions whose particles other ranks hold, too, `largest` being the largest radius there.
  void check(const Regions<D>& regions, double largest) { asking_of(regions).check(largest); }

  Grid<Exec, D>& grid_;
  Exec exec_;
  detail::AskingMemory<Exec, D> memory_;
  NeighbourList<Exec> lists_, before_;
  detail::ExcludedBetween<Exec, D> excluded_;
  Enqueued enqueued_;       // last, if nothing was found since
  bool inspected_[2] = {};  // regions of lists, and of functors
};

}  // namespace hgrid::inline v0_2
