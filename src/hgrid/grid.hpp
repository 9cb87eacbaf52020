// SPDX-License-Identifier: BSD-3-Clause
// The library's main class: a grid that is built from particles and finds their contacts.
#pragma once

#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "hgrid/core/turn.hpp"
#include "hgrid/find/asked_grid.hpp"
#include "hgrid/find/list_entries.hpp"
#include "hgrid/inputs/as_particles.hpp"
#include "hgrid/inputs/validity.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/memory/visitors.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"

namespace hgrid::inline v0_2 {

/// A hierarchical grid over particles of any sizes (Ogarko and Luding 2012; Krijgsman, Ogarko and Luding 2014).
///
/// `build` sorts the particles into cells; all other functions use the built grid. The reported set is exactly {P true} of the
/// contract, for any choice of levels, direction, keys, table and executor. A grid owns its memory and keeps its capacity: from
/// the third build of equal sizes on it allocates nothing while the plan holds. Use a grid from one thread at a time. Const
/// members may run concurrently, except on copies of one CudaExec, which share scratch. They may also run in functors; others
/// throw `reentrancy`.
template <class Exec, int D>
class Grid : public detail::AskedGrid<Grid<Exec, D>, Exec, D> {
  using Asked = detail::AskedGrid<Grid<Exec, D>, Exec, D>;  ///< queries of other particles

 public:
  using Asked::count, Asked::enqueue, Asked::find, Asked::for_each_partner, Asked::wait;
  using View = GridView<D>;

  /// Throws `invalid_box` or `invalid_levels`.
  explicit Grid(Exec exec, Box<D> box = Box<D>::open(), GridOptions options = {})
      : exec_(std::move(exec)), engine_(exec_, box, std::move(options)) {}

  /// Builds the grid from the particles, in the executor's memory space. Levels are planned at the first build and again when
  /// number, sizes or extents have drifted. Throws a typed error for bad input; the grid is then unchanged. On a device, after
  /// the first build, the next read-back or `check()` throws for bad input unless `check_now` (contract C7), and the grid is
  /// then not built. The particles' memory is not used after the build.
  template <class Real>
  void build(const Particles<Real, D>& particles, const BuildOptions& options = {}) {
    engine().build(exec_, particles, options);
  }

  /// Builds from containers of which the executor's header makes a view of particles, such as two Kokkos Views.
  template <class Positions, class Radii>
  requires(!std::is_same_v<std::decay_t<Radii>, BuildOptions>) void build(const Positions& positions, const Radii& radii,
                                                                          const BuildOptions& options = {}) {
    build(as_particles<D>(exec_, positions, radii), options);
  }

  /// Waits, and throws the errors of the build, or of the regions visited last. Functors may call it, and skipped().
  void check() { engine_.check(exec_), Asked::check_visit(exec_); }
  /// Sets the watch of later builds and searches. Without a call there is none.
  void watch(const Watch& watch) { engine().watch(watch); }

  /// Returns whether lists of this build still hold every contact of the current particles, in the box of the next build
  /// (contract C5). An image number belongs to the positions that were passed: a coordinate that the user wraps has moved by a
  /// period. `extra` counts as part of a contact; if an extra distance was larger in the build than now, the difference is an
  /// additional margin of its particle, besides half the skin. Waits.
  template <class Real>
  Validity validity(const Particles<Real, D>& now) {
    return require_built(), engine().validity(exec_, now, nullptr);
  }
  /// Uses particles of this build that the caller has kept in the order of ids (RememberedBuild), which is faster.
  template <class Real>
  Validity validity(const Particles<Real, D>& now, const BuiltParticles<D>& built) {
    return engine_.require_last_build(), engine().validity(exec_, now, &built);
  }
  template <class Real>
  bool valid(const Particles<Real, D>& now) {
    return validity(now).holds();
  }
  template <class Positions, class Radii>
  bool valid(const Positions& positions, const Radii& radii) {
    return valid(as_particles<D>(exec_, positions, radii));
  }

  /// Throws `stale`, with the first particle beyond its margin and by how much, unless `valid`.
  template <class Real>
  void require_valid(const Particles<Real, D>& now) {
    detail::throw_if_stale(validity(now), view().skin);
  }

  /// Sets the box of later builds. `valid` takes it for the current box. Throws `invalid_box`.
  void set_box(const Box<D>& box) { engine().set_box(box); }
  const Box<D>& box() const { return engine_.next_box(); }
  /// Sets the box of each world in later builds, in host memory, in place of the box above. If empty, all worlds share that
  /// box. For `valid` they are the current boxes. Throws `invalid_box` with the number of the world; `build` throws
  /// `size_mismatch` for another number of worlds. On a device the next build copies the boxes, and waits.
  void set_boxes(std::vector<Box<D>> boxes) { engine().set_boxes(std::move(boxes)); }
  /// Returns the boxes of worlds in the next build. Empty if the worlds share one box, and after a move.
  const std::vector<Box<D>>& boxes() const { return engine_.next_boxes(); }

  /// Returns the id in each slot: an order in which neighbors are close to each other. [slots], in the executor's memory.
  const index_t* order() const { return view().id; }
  /// Plans the levels again at the next build.
  void plan_again() { engine().plan_again(); }

  /// Returns the number of pairs within their radii + skin by the grid's rule; with `only(touches)`, of pairs for which
  /// `touches(i, j, image)` is true. Throws `unsupported` under `Rule::gather`, like all functions for pairs. Waits.
  template <class... Touches>
  offset_t count(const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "count");
    return engine_.count(exec_, only.touches...);
  }

  PairList<Exec> make_pairs() const { return PairList<Exec>(exec_); }
  NeighbourList<Exec> make_list(ListKind kind = ListKind::half) const { return NeighbourList<Exec>(exec_, kind); }
  /// Returns a list with 8 bytes per entry also in a periodic box, where `make_list` takes 16.
  PackedList<Exec> make_packed_list(ListKind kind = ListKind::half) const { return PackedList<Exec>(exec_, kind); }

  /// Fills the list with all contacts. Order::fixed: as found; the bytes depend on input, plan and executor, not on threads.
  /// Order::sorted: by i, j, image; the bytes are the same everywhere. Throws `capacity`, with the number needed, before
  /// allocating, if the list would exceed the executor's memory limit. After an error the list is empty or unchanged. Waits for
  /// the number of contacts; on a device the contents are valid in the order of the executor's work.
  void find(PairList<Exec>& list, const FindOptions& options = {}) { fill(detail::Access::arrays(list), options.order); }

  /// Fills the list with the contacts for which `touches(i, j, image)` is true (docs/shapes.md). `touches` is called like the
  /// functor of `for_each_contact`, once for each contact; on devices again if the list has to grow. Order, errors and waiting
  /// are as above, but on devices the list is always sorted. On a host `touches` may throw; the list is then unchanged.
  template <class Touches>
  void find(PairList<Exec>& list, const Only<Touches>& only, const FindOptions& options = {}) {
    fill(detail::Access::arrays(list), options.order, only.touches);
  }

  /// Fills the neighbor list, sorted. Waits and throws as for pairs. Throws `unsupported` for a packed list in a box that is
  /// tilted by dozens of periods. A predicate is called as for pairs: with i < j, or i = j, also for full lists. Exception:
  /// under Rule::gather devices call it for each neighbor.
  template <class Entry, class... Touches>
  void find(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind(), "find");
    engine_.neighbours(exec_, detail::Access::arrays(list), list.kind(), only.touches...);
    detail::Access::arrays(list).confirmed = sizeof...(only) > 0, detail::Access::arrays(list).of_regions = false;
  }

  /// Fills the user's own memory with the contacts, sorted by i, j, image, and returns their number. Throws `capacity`, with
  /// the number needed, if the memory is too small; nothing is then written. Waits.
  template <class Integer, class... Touches>
  offset_t find(const PairColumns<Integer>& out, const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "find");
    return detail::fill_columns(exec_, engine_.sorted_lists(exec_, ListKind::half, only.touches...), out);
  }

  /// Fills a matrix with the neighbors of each particle and returns the largest number of neighbors of a particle. Throws, each
  /// before anything is written: `size_mismatch` unless it has one line per particle, `capacity` with the width needed,
  /// `invalid_argument` for null pointers. Waits.
  template <class Integer>
  offset_t find(const NeighbourMatrix<Integer>& out, const FindOptions& options = {}) {
    return fill(out, options.kind);
  }
  template <class Integer, class Touches>
  offset_t find(const NeighbourMatrix<Integer>& out, const Only<Touches>& only, const FindOptions& options = {}) {
    return fill(out, options.kind, only.touches);
  }

  /// Finds contacts like `find`, but neither waits nor allocates on a CUDA stream: contacts beyond the capacity are counted,
  /// not written. The list is valid in the order of the executor's work. `list.found()` has its number of contacts, and `wait`
  /// brings it to the host. Can be captured in a CUDA graph after a build, and again after list or grid have grown.
  void enqueue(PairList<Exec>& list, const FindOptions& options = {}) {
    enqueue_pairs(detail::Access::arrays(list), options.order);
  }
  template <class Touches>
  void enqueue(PairList<Exec>& list, const Only<Touches>& only, const FindOptions& options = {}) {
    enqueue_pairs(detail::Access::arrays(list), options.order, only.touches);
  }

  /// Enqueues a neighbor list: with more neighbors than its capacity, all lists are empty, and `list.found()` counts them.
  template <class Entry, class... Touches>
  void enqueue(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind(), "enqueue");
    engine_.enqueue_neighbours(exec_, detail::Access::arrays(list), list.kind(), only.touches...);
    detail::Access::arrays(list).confirmed = sizeof...(only) > 0, detail::Access::arrays(list).of_regions = false;
  }

  /// Enqueues a matrix: neighbors beyond its width are counted, not written. `*longest`, in the executor's memory, receives the
  /// largest number of neighbors of a particle, or -1 if the grid had no room for them: all lines are then empty, and `find`
  /// makes room. Errors: `find`.
  template <class Integer>
  void enqueue(const NeighbourMatrix<Integer>& out, offset_t* longest, const FindOptions& options = {}) {
    require_lists(options.kind);
    detail::require_lines(out, particle_count());
    const auto& lists = engine().enqueue_sorted_lists(exec_, options.kind);
    engine_.enqueue_longest_list(exec_, longest);
    detail::write_matrix(exec_, lists, out, out.width);
  }

  /// Waits until the list holds the contacts of the current grid; after `enqueue`, also of the last replay of a graph. Lists
  /// them again, in the order enqueued last, if there was no room, list or grid were filled again, or a graph other than the
  /// last captured was replayed last. Throws `invalid_argument` without the list's predicate, if it has one. Errors: `find`.
  template <class... Touches>
  void wait(PairList<Exec>& list, const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "wait");
    detail::Access::arrays(list).expect_wait(sizeof...(only) > 0);
    engine_.wait(exec_, detail::Access::arrays(list), only.touches...);
    detail::Access::arrays(list).confirmed = sizeof...(only) > 0;
  }
  template <class Entry, class... Touches>
  void wait(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind(), "wait");
    detail::Access::arrays(list).expect_own_wait(sizeof...(only) > 0);
    engine_.wait(exec_, detail::Access::arrays(list), list.kind(), only.touches...);
    detail::Access::arrays(list).confirmed = sizeof...(only) > 0;
  }

  /// Calls f(i, j, image) once for each contact, from many threads at once, in arbitrary order. f must be callable where the
  /// executor runs. Asynchronous on a device. Throws `not_built`, and on a host the exceptions of f; on a device a grid of bad
  /// input (contract C7) has no contacts.
  template <class F>
  void for_each_contact(const F& f) const {
    require_pairs();
    const detail::Visitors::Running visiting(visitors_);
    engine_.template visit<detail::Visit::once>(exec_, f);
  }

  /// Calls f(i, j, image) for all partners j of every particle i. All calls for one i come from one thread, in an order that
  /// depends on input and plan only. Errors as for `for_each_contact`.
  template <class F>
  void for_each_partner(const F& f) const {
    require_built();
    const detail::Visitors::Running visiting(visitors_);
    engine_.template visit<detail::Visit::all>(exec_, f);
  }

  /// Returns the plain view, for the user's own kernels; core/search.hpp has the functions that take it.
  View view() const { return require_built(), engine_.view(); }

  /// Returns the numbers of candidates tested and runs found by one search. Waits.
  WorkCount work() { return require_built(), engine().work(exec_); }

  /// Returns the levels of the built grid, finest first. Waits.
  std::vector<LevelReport> levels() {
    return require_built(), engine_.check(exec_), detail::level_reports(exec_, engine().view(), engine_.plan());
  }

  const Plan<D>& plan() const { return engine_.plan(); }
  /// Returns a number that each build changes, and that no other grid has had. Neither a failed build that leaves the grid
  /// unchanged nor a replay of a captured graph changes it.
  std::uint64_t generation() const { return engine_.generation(); }
  /// Returns a number, which no other grid has had, for everything on which a CUDA graph of this grid depends: plan, box,
  /// memory, and facts about the particles (docs/gpu.md). Replaying a captured build under another number empties the grid, and
  /// the next read-back throws `stale`. A capture that would change the number throws `reentrancy`. Never replay a search
  /// alone.
  std::uint64_t plan_generation() const { return engine_.plan_generation(); }
  const Exec& exec() const { return exec_; }
  /// Returns the number of particles in the last build, including particles that were left out.
  offset_t particle_count() const { return engine_.particle_count(); }
  /// Returns how many particles the non-finite policy left out of the last build. Waits.
  std::int64_t skipped() { return engine_.check(exec_), engine_.skipped(); }
  /// Returns the memory of the grid itself, including its scratch, without lists.
  std::size_t bytes() const { return engine_.bytes() + Asked::bytes(); }

 private:
  auto& engine() { return visitors_.require_none("a member that is not const"), engine_; }
  void require_built() const { engine_.require_built(); }
  void require_pairs() const {
    require_built();
    if (engine_.rule() == Rule::gather) detail::throw_one_sided();
  }
  template <class... Touches>
  void fill(detail::PairArrays<typename Exec::Memory>& list, Order order, const Touches&... touches) {
    const auto visiting = asked(ListKind::half, "find");
    engine_.pairs(exec_, list, order, touches...);
    list.confirmed = sizeof...(touches) > 0;
  }
  template <class Integer, class... Touches>
  offset_t fill(const NeighbourMatrix<Integer>& out, ListKind kind, const Touches&... touches) {
    const auto visiting = asked(kind, "find");
    detail::require_lines(out, particle_count());
    const auto& lists = engine_.sorted_lists(exec_, kind, touches...);
    return detail::fill_matrix(exec_, lists, engine_.longest_list(exec_), out);
  }
  template <class... Touches>
  void enqueue_pairs(detail::PairArrays<typename Exec::Memory>& list, Order order, const Touches&... touches) {
    const auto visiting = asked(ListKind::half, "enqueue");
    engine_.enqueue_pairs(exec_, list, order, touches...);
    list.confirmed = sizeof...(touches) > 0;
  }
  void require_lists(ListKind kind) const { kind == ListKind::half ? require_pairs() : require_built(); }
  detail::Visitors::Running asked(ListKind kind, const char* called) const {
    require_lists(kind);
    return detail::Visitors::Running(visitors_, called);
  }

  Exec exec_;
  typename Exec::template Engine<D> engine_;
  mutable detail::Visitors visitors_;
  friend struct detail::Access;
};
template <class Exec>
Grid(Exec) -> Grid<Exec, 3>;

}  // namespace hgrid::inline v0_2
