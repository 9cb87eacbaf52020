// SPDX-License-Identifier: BSD-3-Clause
// The device engine: builds and searches by an executor that launches kernels, scans and sorts (DeviceExecutor). After the
// first build it neither waits nor allocates while nothing grows. So the device finds bad input, and the host reports it later
// (contract C7).
#pragma once

#include <utility>

#include "hgrid/device/device_inputs.hpp"
#include "hgrid/engine/build.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/plan_facts.hpp"
#include "hgrid/engine/saved_grid.hpp"
#include "hgrid/find/list_filler.hpp"
#include "hgrid/find/lists_of_pairs.hpp"
#include "hgrid/find/narrow_filler.hpp"
#include "hgrid/find/neighbours.hpp"
#include "hgrid/inputs/environment.hpp"
#include "hgrid/inputs/reachable.hpp"
#include "hgrid/memory/executor.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

/// Has the interface of HostEngine.
template <DeviceExecutor Exec, int D>
class DeviceEngine {
 public:
  struct Asking {};  ///< query particles need no memory except their lists

  DeviceEngine(const Exec& exec, const Box<D>& box, GridOptions options)
      : grid_(box, std::move(options)), lists_(exec), inputs_(exec), validity_(exec, 1) {
    check_environment();
  }

  template <class Real>
  void build(const Exec& exec, const Particles<Real, D>& p, const BuildOptions& options) {
    watch_.ask();
    if constexpr (requires { exec.can_reach(p.radius); }) arrays_.require(exec, p);
    grid_.in_next_box([&] { build_grid(exec, grid_, *this, p, options); });
  }

  /// Waits for the build and throws the errors of its input.
  void check(const Exec& exec) {
    if (!grid_.is_built()) return;
    const SeenInput<D> seen = inputs_.read(exec);  // a graph may have built again
    grid_.skipped = seen.last.skipped;
    ran_last_ = seen.build == grid_.generation;
    grid_.built = seen.last.bad == 0;
    // If true, the next build waits, and may plan again.
    if (grid_.built) look_again_ = grid_.is_moved(seen.last) || grid_.drifted(exec, seen.last) || grid_.gone_astray(exec);
    if (seen.first_bad.bad > 0) inputs_.forget_bad(exec);
    throw_if_bad(seen.first_bad, grid_.box_of(seen.first_bad.world()), grid_.skin);
  }

  void watch(const Watch& watch) { watch_ = watch; }
  void set_box(const Box<D>& box) { grid_.set_next_box(box); }
  const Box<D>& next_box() const { return grid_.next_box(); }
  void set_boxes(typename WorldBoxes<Exec, D>::List boxes) { grid_.set_next_boxes(std::move(boxes)); }
  const typename WorldBoxes<Exec, D>::List& next_boxes() const { return grid_.boxes.next(); }
  void plan_again() { grid_.keeper.forget(); }
  const Plan<D>& plan() const { return grid_.keeper.plan(); }
  Rule rule() const { return grid_.keeper.options().rule; }
  std::uint64_t generation() const { return grid_.generation; }
  std::uint64_t plan_generation() const { return grid_.plan_generation; }
  offset_t particle_count() const { return grid_.count; }
  std::int64_t skipped() const { return grid_.skipped; }
  /// Returns the boxes of worlds at the last build.
  const typename WorldBoxes<Exec, D>::List& built_boxes() const { return grid_.boxes.now(); }
  std::size_t bytes() const { return build_bytes() + lists_.bytes() + periods_.bytes(); }
  void require_built() const {
    check_environment();
    grid_.require_built();
  }
  void require_last_build() const {
    check_environment();
    grid_.require_last_build();
  }
  void save(const Exec& exec, Saver& saver) {
    check(exec);
    saver(look_again_);
    save_grid(exec, grid_, saver);
  }
  DeviceEngine restored(const Exec& exec, Restorer& restorer) const {
    DeviceEngine fresh(exec, {}, {});
    restorer(fresh.look_again_);
    restore_grid(exec, fresh.grid_, restorer);
    restorer.finish();
    fresh.inputs_.forget_bad(exec);
    fresh.watch_ = watch_;
    return fresh;
  }
  GridView<D> view() const { return grid_.view(); }

  template <class Real>
  Validity validity(const Exec& exec, const Particles<Real, D>& now, const BuiltParticles<D>* built) {
    check_arguments(now, 0);
    check(exec);
    if (!grid_.is_comparable(now)) return {.comparable = false};
    reserve_all(exec, Need{validity_, 1});
    return measure_validity(exec, now, built != nullptr ? *built : BuiltParticles<D>::of(exec, view()), next_box(),
                            grid_.boxes.changes(exec), validity_.data());
  }

  auto box_changes(const Exec& exec) { return grid_.box_changes(exec); }
  offset_t count(const Exec& exec) {
    watch_.ask();
    const offset_t n = lists_.search.count(exec, view(), grid_.slots);
    check(exec);
    return n;
  }
  void pairs(const Exec& exec, PairArrays<Exec>& list, Order order) {
    watch_.ask();
    order == Order::sorted ? lists_.sorted_pairs(exec, grid_, list, checker(exec))
                           : lists_.pairs(exec, grid_, list, checker(exec));
  }
  template <class Touches>
  offset_t count(const Exec& exec, const Touches& touches) {
    watch_.ask();
    typename Exec::template Buffer<offset_t> found(exec, 1);
    const offset_t n = filler_by(touches).count(exec, grid_.slots, found.data());
    check(exec);
    return n;
  }
  template <class Touches>
  void pairs(const Exec& exec, PairArrays<Exec>& list, Order order, const Touches& touches) {
    watch_.ask(), lists_.pairs_by(exec, filler_by(touches), grid_, list, order, checker(exec));
  }
  template <class Entry, class Touches>
  void neighbours(const Exec& exec, NeighbourArrays<Exec, Entry>& list, ListKind kind, const Touches& touches) {
    watch_.ask(), lists_.neighbours_by(exec, filler_by(touches), grid_, list, kind, checker(exec));
  }
  template <class... Touches>
  void enqueue_pairs(const Exec& exec, PairArrays<Exec>& list, Order order, const Touches&... touches) {
    const bool beside_build = notice_capture(exec) == capture_;
    if constexpr (sizeof...(touches) > 0) {
      lists_.enqueue_pairs_by(exec, filler_by(touches...), grid_, list, order);
    } else {
      lists_.enqueue_pairs(exec, grid_, list, order);
    }
    if (!beside_build) list.enqueued = 0;
  }
  template <class... Touches>
  void wait(const Exec& exec, PairArrays<Exec>& list, const Touches&... touches) {
    check(exec);
    if (!ran_last_ || !lists_.is_whole(exec, grid_, list, [] {})) pairs(exec, list, list.order, touches...);
  }
  template <class Entry>
  void neighbours(const Exec& exec, NeighbourArrays<Exec, Entry>& list, ListKind kind) {
    watch_.ask(), lists_.neighbours(exec, grid_, list, kind, checker(exec));
  }
  template <class Entry, class... Touches>
  void enqueue_neighbours(const Exec& exec, NeighbourArrays<Exec, Entry>& list, ListKind kind, const Touches&... touches) {
    const bool beside_build = notice_capture(exec) == capture_;
    if constexpr (sizeof...(touches) > 0) {
      lists_.enqueue_neighbours_by(exec, filler_by(touches...), grid_, list, kind);
    } else {
      lists_.enqueue_neighbours(exec, grid_, list, kind);
    }
    if (!beside_build) list.enqueued = 0;
  }
  template <class Entry, class... Touches>
  void wait(const Exec& exec, NeighbourArrays<Exec, Entry>& list, ListKind kind, const Touches&... touches) {
    check(exec);
    if (!ran_last_ || !lists_.is_whole(exec, grid_, list, [] {})) neighbours(exec, list, kind, touches...);
  }
  const NeighbourArrays<Exec>& sorted_lists(const Exec& exec, ListKind kind) {
    return lists_.sorted_lists(exec, grid_, kind, checker(exec));
  }
  template <class Touches>
  const NeighbourArrays<Exec>& sorted_lists(const Exec& exec, ListKind kind, const Touches& touches) {
    return lists_.sorted_lists_by(exec, filler_by(touches), grid_, kind, checker(exec));
  }
  const NeighbourArrays<Exec>& enqueue_sorted_lists(const Exec& exec, ListKind kind) {
    notice_capture(exec);
    return lists_.enqueue_sorted_lists(exec, grid_, kind);
  }
  offset_t longest_list(const Exec& exec) { return lists_.longest_list(exec); }
  void enqueue_longest_list(const Exec& exec, offset_t* longest) { lists_.enqueue_longest_list(exec, longest); }

  WorkCount work(const Exec& exec) {
    check(exec);
    typename Exec::template Buffer<WorkCount> out(exec, 1);
    exec.reduce("hgrid::count_work", grid_.slots, CountWork<D>{view()}, WorkCount{}, out.data());
    return exec.read_back(static_cast<const WorkCount*>(out.data()));
  }

  template <Visit which, class F>
  void visit(const Exec& exec, const F& f) const {
    notice_capture(exec);
    if constexpr (which == Visit::once) {
      lists_.search.contacts(exec, view(), grid_.slots, f);
    } else {
      lists_.search.partners(exec, view(), grid_.slots, f);
    }
  }

  // The steps of a build, for `build_grid`.
  static constexpr bool keeps_filter = Exec::keeps_filter;

  template <class Real>
  bool begin(const Exec& exec, const Particles<Real, D>& p, const BuildOptions& options, bool must) {
    notice_capture(exec);
    const bool waits = must || options.check_now || look_again_;
    // Throws in a capture, before anything is enqueued, if the host must wait or if another box or other facts of the particles
    // make graphs stale: the graph that is being captured would not notice. Memory is no reason to check the input: a loop
    // continued from a checkpoint plans exactly when it would have planned.
    const bool other_graph = grid_.has_moved_boxes() || !grid_.is_like_last(p, options.skin);
    if (waits || other_graph || !sort_.has_room(p, grid_.keeper.plan())) exec.require_may_wait();
    inputs_.reserve(exec);  // cleared with the storage
    if (grid_.storage.empty()) inputs_.forget_bad(exec);
    return waits;
  }

  template <class Real>
  InputSummary<D> inspect(const Exec& exec, const Particles<Real, D>& p, double skin, bool waits) {
    return inputs_.inspect(exec, grid_, p, skin, waits);
  }
  template <class Real>
  void inspect_extents(const Exec& exec, const Particles<Real, D>& p, double skin, bool waits, InputSummary<D>& input) {
    inputs_.inspect_extents(exec, grid_, p, skin, waits, input);
  }

  template <class Real>
  PlanInput<D> facts(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) const {
    PlanInput<D> facts = facts_of(exec, p, grid_, input, skin, Exec::search_costs, samples);
    if (p.count <= samples || p.has_extents()) return facts;
    typename Exec::template Buffer<offset_t> counts(exec, radius_classes);
    exec.for_each("hgrid::clear_counts", radius_classes, Fill<offset_t>{counts.data(), 0});
    exec.for_each("hgrid::count_radii", p.count, CountRadius<Exec, Real, D>{p, counts.data()});
    exec.copy_out(facts.counts_of(radius_classes), counts.data(), radius_classes);
    return facts;
  }

  template <class Real>
  void gather_extents(const Exec& exec, const Particles<Real, D>& p, double, const std::int64_t* bad) {
    const SlotArrays<D> out = grid_.arrays();
    exec.for_each("hgrid::clear_extents", max_levels, Fill<Vec<double, D>>{out.extent_max, {}});
    exec.for_each("hgrid::gather_extents", grid_.slots, GatherExtents<Exec, Real, D>{p, view(), bad, out});
  }

  template <class Real>
  void reserve(const Exec& exec, const Particles<Real, D>& p, const Plan<D>& plan) {
    sort_.reserve(exec, p, plan);
  }

  template <class Real>
  void accept(const Exec& exec, const Particles<Real, D>& p, bool another_plan) {
    inputs_.accept(exec, grid_, p, another_plan);
    look_again_ = false;
    capture_ = notice_capture(exec);
  }

  // The device knows this, and the host may not.
  static bool may_wrap(const InputSummary<D>&) { return true; }

  template <class Real>
  void sort(const Exec& exec, const Particles<Real, D>& p, const InputSummary<D>&, bool) {
    sort_.run(exec, p, &inputs_.seen()->last, grid_.keeper.plan(), view(), grid_.arrays());
  }

  const std::int64_t* bad(const InputSummary<D>&) const { return &inputs_.seen()->last.bad; }

  std::size_t build_bytes() const {
    return grid_.storage.bytes() + grid_.boxes.bytes() + grid_.level_radii.bytes() + sort_.bytes();
  }

 private:
  friend struct Access;

  template <class Touches>
  TouchingFiller<Exec, D, Touches> filler_by(const Touches& touches) {
    return {lists_.search, grid_.view(), grid_.count, touches, periods_};
  }

  auto checker(const Exec& exec) {
    return [this, &exec] { check(exec); };
  }

  GridState<Exec, D> grid_;
  typename Exec::template CellSort<D> sort_;
  ListFiller<Exec, typename Exec::template Search<D>, ListsOfPairs<Exec, typename Exec::ListSort>> lists_;
  DeviceInputs<Exec, D> inputs_;
  typename Exec::template Buffer<Validity> validity_;
  typename Exec::template Buffer<Image> periods_;  // of ids, if a client's predicate confirms entries of a packed list
  ReachableArrays arrays_;
  Watch watch_;
  bool look_again_ = false;
  // An enqueued list belongs to the current grid only if list and build are in one capture, or both in none, and no graph has
  // built the grid since.
  std::uint64_t capture_ = 0;
  bool ran_last_ = true;  // false if `check` found that the last build to run was not the host's last call
};

}  // namespace hgrid::inline v0_2::detail
