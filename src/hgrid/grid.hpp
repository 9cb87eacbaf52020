// SPDX-License-Identifier: BSD-3-Clause
// The library's main class: a grid that is built from particles and asked for contacts.
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
/// `build` sorts the particles into cells, everything else asks the built grid. The reported set is exactly {P true} of the
/// contract, the same for every choice of levels, direction, keys, table and executor. A grid owns its memory and keeps its
/// capacity: from the third build of equal sizes on nothing is allocated while the plan holds. Use a grid from one thread at a
/// time; const members may run concurrently, and in its functors, where others throw `reentrancy`. On copies of one CudaExec
/// they share its scratch: one thread.
template <class Exec, int D>
class Grid : public detail::AskedGrid<Grid<Exec, D>, Exec, D> {
  using Asked = detail::AskedGrid<Grid<Exec, D>, Exec, D>;  ///< what others may ask

 public:
  using Asked::count, Asked::enqueue, Asked::find, Asked::for_each_partner, Asked::wait;
  using View = GridView<D>;

  /// Throws `invalid_box` or `invalid_levels`.
  explicit Grid(Exec exec, Box<D> box = Box<D>::open(), GridOptions options = {})
      : exec_(std::move(exec)), engine_(exec_, box, std::move(options)) {}

  /// Builds the grid from the particles, in the executor's memory space. Levels are planned at the first build and again when
  /// number, sizes or extents have drifted. Throws a typed error for bad input and then leaves the grid as it was; on a device,
  /// after the first build, bad input is thrown by the next read-back or `check()` unless `check_now` (contract C7), and the
  /// grid is then not built. The particles' memory is not used after that.
  template <class Real>
  void build(const Particles<Real, D>& particles, const BuildOptions& options = {}) {
    engine().build(exec_, particles, options);
  }

  /// The same from containers that the executor's door turns into a view of particles, such as two Kokkos Views.
  template <class Positions, class Radii>
  requires(!std::is_same_v<std::decay_t<Radii>, BuildOptions>) void build(const Positions& positions, const Radii& radii,
                                                                          const BuildOptions& options = {}) {
    build(as_particles<D>(exec_, positions, radii), options);
  }

  /// Waits, and throws what was wrong with the build, or with regions visited last. Functors may call it, and skipped().
  void check() { engine_.check(exec_), Asked::check_visit(exec_); }
  /// Sets who looks on at builds and searches from now on; nobody unless told.
  void watch(const Watch& watch) { engine().watch(watch); }

  /// Whether lists of this build still hold every contact of the particles as they are now, in the box of the next
  /// build (contract C5). An image number belongs to positions as they were passed: a coordinate that the user wraps has
  /// moved by a period. `extra` counts as part of a contact; extra distances of the build beyond those of now are margins
  /// of each particle, beside half the skin. Waits.
  template <class Real>
  Validity validity(const Particles<Real, D>& now) {
    return require_built(), engine().validity(exec_, now, nullptr);
  }
  /// The same by particles of this build that the caller has kept in the order of ids (RememberedBuild), which is faster.
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

  /// The box of the builds that follow; for `valid`, the box as it is now. Throws `invalid_box`.
  void set_box(const Box<D>& box) { engine().set_box(box); }
  const Box<D>& box() const { return engine_.next_box(); }
  /// The box of each world in the builds that follow, in host memory, in place of the one above, which all share if this is
  /// empty; for `valid`, the boxes as they are now. Throws `invalid_box` with the number of the world; `build` throws
  /// `size_mismatch` for another number of worlds. On a device the build that follows copies them, and waits.
  void set_boxes(std::vector<Box<D>> boxes) { engine().set_boxes(std::move(boxes)); }
  /// The boxes of the builds that follow; none if worlds share a box. A grid that was moved from has none.
  const std::vector<Box<D>>& boxes() const { return engine_.next_boxes(); }

  /// The id in each slot: the order in which particles lie close to their neighbours. [slots], in the executor's memory.
  const index_t* order() const { return view().id; }
  /// Plans the levels anew at the next build.
  void plan_again() { engine().plan_again(); }

  /// Returns the number of pairs within their radii + skin by the grid's rule; with `only(touches)`, for which
  /// `touches(i, j, image)` is true. Throws `unsupported` under `Rule::gather`, as all for pairs. Waits.
  template <class... Touches>
  offset_t count(const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "count");
    return engine_.count(exec_, only.touches...);
  }

  PairList<Exec> make_pairs() const { return PairList<Exec>(exec_); }
  NeighbourList<Exec> make_list(ListKind kind = ListKind::half) const { return NeighbourList<Exec>(exec_, kind); }
  /// One of 8 bytes an entry, in a periodic box, too, where the other takes 16.
  PackedList<Exec> make_packed_list(ListKind kind = ListKind::half) const { return PackedList<Exec>(exec_, kind); }

  /// Fills the list with all contacts. Order::fixed: as found, the same bytes for the same input, plan and executor whatever
  /// the threads; sorted: by i, j, image, the same bytes everywhere. If the list cannot hold them within the executor's memory
  /// limit: `capacity`, with the number needed, before allocating. After an error the list is empty or as it was. Waits for the
  /// number of contacts; on a device the contents are valid in the order of the executor's work.
  void find(PairList<Exec>& list, const FindOptions& options = {}) { fill(list.a_, options.order); }

  /// Fills the list with the contacts of which `touches(i, j, image)` is true (docs/shapes.md). That is called as the functor
  /// of `for_each_contact`, once for each contact, on devices again if the list has to grow. Order, errors and waiting are as
  /// above, but on devices the list is always sorted; on a host `touches` may throw, and the list is then as it was.
  template <class Touches>
  void find(PairList<Exec>& list, const Only<Touches>& only, const FindOptions& options = {}) {
    fill(list.a_, options.order, only.touches);
  }

  /// Fills the neighbour list, sorted. Waits, and errors, as for pairs; a packed one is `unsupported` in a box that is tilted
  /// by dozens of periods. A predicate is asked as for pairs: i < j, or i = j, also for full lists, where under Rule::gather
  /// devices ask for each neighbour.
  template <class Entry, class... Touches>
  void find(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind_, "find");
    engine_.neighbours(exec_, list.a_, list.kind_, only.touches...);
    list.a_.confirmed = sizeof...(only) > 0, list.a_.of_regions = false;
  }

  /// Fills the user's own memory with the contacts, sorted by i, j, image, and returns their number. Too small:
  /// `capacity` with the number needed, nothing written. Waits.
  template <class Integer, class... Touches>
  offset_t find(const PairColumns<Integer>& out, const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "find");
    return detail::fill_columns(exec_, engine_.sorted_lists(exec_, ListKind::half, only.touches...), out);
  }

  /// Fills a matrix with the neighbours of each particle and returns how many the one with the most has. Errors, each before
  /// anything is written: `size_mismatch` unless it has as many lines as there are particles, `capacity` with the width needed,
  /// `invalid_argument` for null pointers. Waits.
  template <class Integer>
  offset_t find(const NeighbourMatrix<Integer>& out, const FindOptions& options = {}) {
    return fill(out, options.kind);
  }
  template <class Integer, class Touches>
  offset_t find(const NeighbourMatrix<Integer>& out, const Only<Touches>& only, const FindOptions& options = {}) {
    return fill(out, options.kind, only.touches);
  }

  /// Finds contacts as `find` does, but neither waits nor allocates on a CUDA stream: those beyond the capacity are counted,
  /// not written. The list is valid in the order of the executor's work. `list.found()` has its number of contacts, and
  /// `wait` tells the host. It can be captured in a CUDA graph behind a build, and again after list or grid have grown.
  void enqueue(PairList<Exec>& list, const FindOptions& options = {}) { enqueue_pairs(list.a_, options.order); }
  template <class Touches>
  void enqueue(PairList<Exec>& list, const Only<Touches>& only, const FindOptions& options = {}) {
    enqueue_pairs(list.a_, options.order, only.touches);
  }

  /// Does so for a neighbour list: if there are more neighbours than its capacity, all lists are empty, and `list.found()`
  /// counts them.
  template <class Entry, class... Touches>
  void enqueue(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind_, "enqueue");
    engine_.enqueue_neighbours(exec_, list.a_, list.kind_, only.touches...);
    list.a_.confirmed = sizeof...(only) > 0, list.a_.of_regions = false;
  }

  /// Does so for a matrix: neighbours beyond its width are counted, not written. `*longest`, in the executor's memory, receives
  /// how many the particle with the most has, or -1 if the grid had no room for them: all lines are then empty, and `find`
  /// makes room. Errors: `find`.
  template <class Integer>
  void enqueue(const NeighbourMatrix<Integer>& out, offset_t* longest, const FindOptions& options = {}) {
    require_lists(options.kind);
    detail::require_lines(out, particle_count());
    const auto& lists = engine().enqueue_sorted_lists(exec_, options.kind);
    engine_.enqueue_longest_list(exec_, longest);
    detail::write_matrix(exec_, lists, out, out.width);
  }

  /// Waits until the list holds the contacts of the grid as it is: for `enqueue`, the last replay of a graph included. Lists
  /// them once more, in the order enqueued last, if they had no room, list or grid were filled anew, or a graph that was not
  /// captured last was replayed last. Takes the predicate of the list, if it has one, else `invalid_argument`. Errors: `find`.
  template <class... Touches>
  void wait(PairList<Exec>& list, const Only<Touches>&... only) {
    const auto visiting = asked(ListKind::half, "wait");
    list.a_.expect_wait(sizeof...(only) > 0);
    engine_.wait(exec_, list.a_, only.touches...);
    list.a_.confirmed = sizeof...(only) > 0;
  }
  template <class Entry, class... Touches>
  void wait(NeighbourList<Exec, Entry>& list, const Only<Touches>&... only) {
    const auto visiting = asked(list.kind_, "wait");
    list.a_.expect_own_wait(sizeof...(only) > 0);
    engine_.wait(exec_, list.a_, list.kind_, only.touches...);
    list.a_.confirmed = sizeof...(only) > 0;
  }

  /// Calls f(i, j, image) once for each contact, from many threads at once, in no particular order. f must be
  /// callable where the executor runs. Asynchronous on a device. Throws `not_built`, and on a host what f throws; on a device
  /// a grid of bad input (contract C7) has no contacts.
  template <class F>
  void for_each_contact(const F& f) const {
    require_pairs();
    const detail::Visitors::Running visiting(visitors_);
    engine_.template visit<detail::Visit::once>(exec_, f);
  }

  /// Calls f(i, j, image) for all partners j of every particle i; all calls for one i come from one thread, in an
  /// order that depends on input and plan only. Errors as for `for_each_contact`.
  template <class F>
  void for_each_partner(const F& f) const {
    require_built();
    const detail::Visitors::Running visiting(visitors_);
    engine_.template visit<detail::Visit::all>(exec_, f);
  }

  /// The plain view, for the user's own kernels; core/search.hpp has the functions that take it.
  View view() const { return require_built(), engine_.view(); }

  /// Candidates tested and runs looked up by one search. Waits.
  WorkCount work() { return require_built(), engine().work(exec_); }

  /// Levels of the built grid, finest first. Waits.
  std::vector<LevelReport> levels() {
    return require_built(), engine_.check(exec_), detail::level_reports(exec_, engine().view(), engine_.plan());
  }

  const Plan<D>& plan() const { return engine_.plan(); }
  /// A number that each build changes, and that no other grid has had. A build that fails and leaves the grid as it was leaves
  /// the number, too; replays of a captured graph do not change it.
  std::uint64_t generation() const { return engine_.generation(); }
  /// The same for all that a CUDA graph of this grid depends on: plan, box, where memory lies, and what the host knows of the
  /// particles (docs/gpu.md). A captured build that is replayed under another number empties the grid, and the next read-back
  /// throws `stale`; a capture that would change the number throws `reentrancy`. Never replay a search alone.
  std::uint64_t plan_generation() const { return engine_.plan_generation(); }
  const Exec& exec() const { return exec_; }
  /// Of the last build, those left out included.
  offset_t particle_count() const { return engine_.particle_count(); }
  /// Particles that the non-finite policy left out of the last build. Waits.
  std::int64_t skipped() { return engine_.check(exec_), engine_.skipped(); }
  /// Memory of the grid itself, scratch included; not lists.
  std::size_t bytes() const { return engine_.bytes() + Asked::bytes(); }

 private:
  auto& engine() { return visitors_.require_none("a member that is not const"), engine_; }
  void require_built() const { engine_.require_built(); }
  void require_pairs() const {
    require_built();
    if (engine_.view().is_one_sided()) detail::throw_one_sided();
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
  friend struct detail::VisitorsOf;
  friend struct detail::Checkpoints;
  friend struct detail::GridEntries;
  friend struct detail::EngineOf;
  friend struct detail::CapturedLoop;
};
template <class Exec>
Grid(Exec) -> Grid<Exec, 3>;

}  // namespace hgrid::inline v0_2
