// SPDX-License-Identifier: BSD-3-Clause
// From particles to the grid on this machine's cores: inspect, plan (rarely), reserve, then stages that cannot fail. Where the
// last build tells how, inspecting and partitioning are one pass (PartitionCells).
#include "hgrid/host/host_engine.hpp"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "hgrid/engine/environment.hpp"
#include "hgrid/engine/grid_state.hpp"
#include "hgrid/engine/list_filler.hpp"
#include "hgrid/engine/plan_facts.hpp"
#include "hgrid/host/serial_exec.hpp"
#include "host/engine/partition_cells.hpp"
#include "host/engine/partition_entries.hpp"
#include "host/search/host_search.hpp"

void hgrid::Watch::throw_stopped() {
  throw Error(ErrorCode::stopped, "the work was stopped by whoever watches it; call again to do it");
}

namespace hgrid::inline v0_1::detail {

template <int D>
struct HostEngine<D>::Impl {
  // Memory is the same for all host executors.
  Impl(const Box<D>& box, GridOptions options) : grid(box, std::move(options)), lists(SerialExec()) {
    lists.search.use(grid.keeper.options().schedule);
  }

  template <class Real>
  void build(const HostExec& exec, const Particles<Real, D>& p, double skin) {
    check_environment();
    check_arguments(p, skin);
    grid.require_rule_for(p.cutoffs);
    grid.require_boxes_for(p.worlds);
    if (p.worlds.count > 0) grid.boxes.upload(exec, grid.box);
    PlanKeeper<D>& keeper = grid.keeper;
    if (grid.storage.empty()) keeper.forget();
    InputSummary<D> input;
    lists.search.lose_columns();  // whose memory this build writes to
    const bool partitioned = inspect(exec, p, skin, input);
    inspect_others(exec, p, input);
    throw_if_bad(input, grid.box_of(input.world()), skin);
    const bool must = !keeper.has_plan() || keeper.outgrown(p.count, p.worlds.count, skin) ||
                      keeper.moved(input, [this](int k) { return grid.is_open_along(k); }) || grid.gone_astray(exec);
    const bool judged = must || grid.drifted(exec, input);
    std::optional<Plan<D>> fresh;
    if (judged) {
      fresh = keeper.judge(grid.box, must, [&](offset_t samples) { return facts(exec, p, input, skin, samples); });
    }
    const std::size_t bytes_before = bytes();
    cells.reserve(exec, p.count, fresh ? *fresh : keeper.plan());
    grid.reserve(exec, p, fresh ? *fresh : keeper.plan(), false);
    grid.open(fresh || bytes() != bytes_before || grid.has_moved_boxes());
    const bool ready = partitioned && !fresh;
    if (fresh) grid.adopt(exec, std::move(*fresh), input, p.count);
    if (judged) keeper.accept(input);
    keeper.trust();
    grid.describe(p, skin);
    grid.slots = input.used, grid.skipped = input.skipped;
    grid.has_wraps = grid.any_periodic() && input.outside > 0;
    run_stages(exec, p, input, ready);
    grid.keep(exec, p.cutoffs, &input.bad);
    grid.keep(exec, p.exclusions, &input.bad);
    grid.built = true;
  }

  std::size_t bytes() const { return grid.storage.bytes() + grid.boxes.bytes() + cells.bytes(); }

  GridState<HostExec, D> grid;
  PartitionCells<D> cells;
  ListFiller<HostExec, HostSearch<D>, PartitionEntries> lists;
  Watch watch;

 private:
  // True if the particles were partitioned along the way, by the plan in use.
  template <class Real>
  bool inspect(const HostExec& exec, const Particles<Real, D>& p, double skin, InputSummary<D>& input) {
    watch.ask();
    const InspectOnHost<Real, D> each{p, grid.boxes_on_host(p.worlds), skin};
    const PlanKeeper<D>& keeper = grid.keeper;
    if (keeper.has_plan() && grid.built && !keeper.outgrown(p.count, p.worlds.count, skin)) {
      GridView<D> last = grid.view();
      last.skin = skin;
      if (cells.inspect_and_partition(exec, each, keeper.plan(), last, watch, &input)) return true;
    }
    exec.fold_parts(
        "hgrid::inspect", p.count,
        [&](offset_t begin, offset_t end, InputSummary<D>& found) { inspect_range(each, watch, begin, end, found); },
        InputSummary<D>::identity(), &input);
    return false;
  }

  template <class Real>
  PlanInput<D> facts(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, double skin,
                     offset_t samples) const {
    PlanInput<D> facts = facts_of(exec, p, grid, input, skin, SearchCosts{}, samples);
    const offset_t parts = exec.parts_of(p.count);
    count_radii(exec, p, parts, facts.counts_of(parts * radius_classes));
    return facts;
  }

  template <class Real>
  void run_stages(const HostExec& exec, const Particles<Real, D>& p, const InputSummary<D>& input, bool partitioned) {
    const SlotArrays<D> out = grid.arrays();
    std::fill_n(out.radius_max, max_levels, 0.0);
    std::fill_n(out.level_begin, max_levels + 1, 0);
    if (partitioned) {
      cells.finish(exec, p, grid.keeper.plan(), grid.view(), input, out);
    } else {
      cells.run(exec, p, input, grid.keeper.plan(), grid.view(), out);
    }
    grid.find_worlds(exec);
    lists.search.use(cells.filter_columns());
  }
};

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
template <class Real>
void HostEngine<D>::build(const HostExec& exec, const Particles<Real, D>& particles, const BuildOptions& options) {
  Impl& engine = impl();
  engine.grid.in_next_box([&] { engine.build(exec, particles, options.skin); });
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
std::size_t HostEngine<D>::bytes() const {
  return impl().bytes() + impl().lists.bytes();
}

template <int D>
void HostEngine<D>::require_built() const {
  check_environment();
  impl().grid.require_built();
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
  Validity result;
  return measure_validity(exec, now, built != nullptr ? *built : BuiltParticles<D>::of(exec, grid.view()), grid.next_box(),
                          grid.boxes.changes(exec), &result);
}

template <int D>
offset_t HostEngine<D>::count(const HostExec& exec) const {
  Impl& engine = impl();
  return engine.lists.search.count(exec, engine.grid.view(), engine.grid.slots);
}

namespace {
constexpr auto checked = [] {};  // a build has thrown what was wrong with its input
}

template <int D>
void HostEngine<D>::pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order) {
  Impl& engine = impl();
  order == Order::sorted ? engine.lists.sorted_pairs(exec, engine.grid, list, checked)
                         : engine.lists.pairs(exec, engine.grid, list, checked);
}

template <int D>
void HostEngine<D>::enqueue_pairs(const HostExec& exec, PairArrays<HostExec>& list) {
  impl().lists.enqueue_pairs(exec, impl().grid, list);
}

template <int D>
void HostEngine<D>::wait(const HostExec& exec, PairArrays<HostExec>& list) {
  impl().lists.wait(exec, impl().grid, list, checked);
}

template <int D>
void HostEngine<D>::neighbours(const HostExec& exec, NeighbourArrays<HostExec>& list, ListKind kind) {
  impl().lists.neighbours(exec, impl().grid, list, kind, checked);
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

template class HostEngine<2>;
template class HostEngine<3>;

#define HGRID_INSTANCES(Real, D)                                                                       \
  template void HostEngine<D>::build(const HostExec&, const Particles<Real, D>&, const BuildOptions&); \
  template Validity HostEngine<D>::validity(const HostExec&, const Particles<Real, D>&, const BuiltParticles<D>*) const;
HGRID_INSTANCES(float, 2)
HGRID_INSTANCES(float, 3)
HGRID_INSTANCES(double, 2)
HGRID_INSTANCES(double, 3)

}  // namespace hgrid::inline v0_1::detail
