// SPDX-License-Identifier: BSD-3-Clause
// A grid over the ranks of a communicator. Each rank holds its own particles and the ghosts that it needs, and reports its
// share of the contacts.
#pragma once

#include <utility>
#include <vector>

#include "hgrid/grid.hpp"
#include "hgrid/ranks/deferred_contacts.hpp"
#include "hgrid/ranks/device_messages.hpp"
#include "hgrid/ranks/field_traffic.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/global_lists.hpp"
#include "hgrid/ranks/held.hpp"
#include "hgrid/ranks/migration.hpp"
#include "hgrid/ranks/neighbours_of_ranks.hpp"
#include "hgrid/ranks/pair_lists.hpp"
#include "hgrid/ranks/rebalance.hpp"

namespace hgrid::inline v0_2 {

/// A grid over particles that are spread over the ranks of a communicator (docs/scale-out.md). A rank's *owned* particles are
/// [0, owned()); after a build its *ghosts*, which other ranks own, follow up to held(). Each contact of the whole system is
/// reported on exactly one rank. All ranks together report the contacts of one `Grid` of all particles.
///
/// All ranks call *collective* members in the same order, with the same options and widths of fields. If such a call throws on
/// some rank, it throws on all: that rank throws its own error, the others throw an error with the same code that names the
/// rank. Contacts are by the sum or the larger one of radii, by the sum of half extents, or by cut-offs of types; `gather` has
/// neighbors and no contacts. To use extra distances, add them to the radii.
///
/// Sizes `r` are an array of radii, or on all ranks a `Field{extents, D}` of half extents of boxes. Arrays are in the memory
/// where the grid works: vectors on a host, `DeviceVector`s on a device, with messages through the host unless MPI takes these.
template <class Exec, int D>
class DistributedGrid : public detail::Access::GhostFields<DistributedGrid<Exec, D>>,
                        public detail::Access::HeldOfGrid<DistributedGrid<Exec, D>>,
                        public detail::Access::NeighboursOfGrid<DistributedGrid<Exec, D>, Exec, D> {
  using OfGrid = detail::Access::HeldOfGrid<DistributedGrid<Exec, D>>;
  using Neighbours = detail::Access::NeighboursOfGrid<DistributedGrid<Exec, D>, Exec, D>;
  using Memory = detail::RankMemory<Exec::on_host>;

 public:
  using OfGrid::owned, OfGrid::ghosts, OfGrid::held, Neighbours::find;
  template <class T>
  using Array = typename Memory::template Array<Exec, T>;

  /// Collective. Throws `environment` before MPI_Init; `unsupported` for `DeviceMessages::on` if MPI does not support it; and
  /// the errors of `Grid`.
  DistributedGrid(Exec exec, Box<D> box, MPI_Comm comm, GridOptions options = {}, DeviceMessages messages = DeviceMessages::ask)
      : comm_(comm),
        is_direct_(!Exec::on_host && detail::are_direct(messages)),
        rule_(options.rule),
        grid_(std::move(exec), box, std::move(options)),
        search_(this->exec()),
        mail_(this->exec(), is_direct_),
        held_(this->exec(), is_direct_),
        excluded_(this->exec()),
        traffic_(this->exec(), is_direct_),
        filter_(this->exec()),
        deferred_(this->exec()) {
    cuts_.clear(comm_.size(), this->box());
  }
  DistributedGrid(DistributedGrid&&) = default;
  /// Collective. If an exception leaves the scope on one rank, the next collective call of the other ranks throws `stopped`,
  /// and this grid ends on all.
  ~DistributedGrid() {
    if (!comm_.is_open()) return;
    std::uncaught_exceptions() > exceptions_ ? (routes_.abandon(comm_), exchange_.leave(comm_), comm_.leave()) : comm_.close();
  }

  /// Sets the box of later calls, on all ranks the same; a `DistributedVerletList` takes it for the current box. Only tilts may
  /// change, as in a shear, or also axes and periods: cuts keep their shares of the periods. After a change of the axes that
  /// are periodic, call `rebalance`. Local. Throws `invalid_box`.
  void set_box(const Box<D>& box) {
    const Box<D> before = this->box();
    grid_.set_box(box);
    if (before.wraps == this->box().wraps) return cuts_.move(before, this->box());
    cuts_.clear(comm_.size(), this->box()), built_ = false;
  }

  /// Cuts space again, so that all ranks get about equal work: the cost of a build and a search by the counted steps of the
  /// last build, or equal numbers of particles before the first build. Boxes change little if particles have moved little. `x`
  /// has D coordinates for each particle of this rank, and `r` its size. Particles stay where they are: call `migrate`, then
  /// `build`. Collective; costs as much as some builds. Errors of particles are as in `build`.
  template <class Real, class Sizes>
  void rebalance(const Array<Real>& x, const Sizes& r) {
    detail::ParticlesOnHost<Exec, Real, D> on_host;
    cut([&] { return on_host.of(exec(), as_particles<D>(exec(), x, r)); });
  }

  /// Takes the cuts of another grid, so that `DistributedQueries` can find contacts between both. Particles stay where they
  /// are: call `migrate` to move them to the ranks of their boxes, then `build`. Collective. Throws `not_built` if the other
  /// grid has no cuts, `invalid_argument` if it has another box or other ranks; this grid is then unchanged.
  void take_cuts(const DistributedGrid& other) {
    comm_.settle();
    detail::RankBoxes<D> taken;
    detail::agree(comm_, detail::with_cuts(operation("take_cuts"), other.cuts_.next()), [&] {
      detail::require_same_space(comm_, box(), other.comm_, other.box(), "other");
      detail::require_cut(other.cuts_.next());
      taken = other.cuts_.next();
    });
    last_cuts_ = {}, cut_at(std::move(taken));
  }

  /// Returns the boxes of the ranks in the last build, along the axes of the box; empty before space is cut. On one rank there
  /// is one box that contains everything.
  const std::vector<RankBox<D>>& boxes() const { return cuts_.now().of_ranks(); }

  /// Moves each particle to the rank whose box contains it, with its entries of all fields:
  /// `migrate(x, r, id, Field{v, 3}, colour)`. Particles that stay come first, in order. Fields have entries only for owned
  /// particles. Build the grid again afterwards. Collective. If it throws, nothing has moved: `not_built` before `rebalance`,
  /// `size_mismatch`, and the errors of particles as in `build`.
  template <class Real, class Sizes, class... Fields>
  void migrate(Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Fields&&... fields) {
    const auto own = [&] {
      const auto particles = as_particles<D>(exec(), x, r);
      detail::check_ids(id, particles.count);
      (detail::require_size(Field{fields}, id.size()), ...);
      return std::pair{particles, std::as_const(id).data()};
    };
    move(
        own, [](auto&&...) {}, Field{x, D}, Field{r}, Field{id}, Field{fields}...);
  }

  /// Builds from this rank's particles. `x` has D coordinates for each, `r` its size, and `id` a number, 0 or more, that no
  /// other particle of any rank has. A particle may lie outside the box of its rank: this costs messages, and changes no
  /// result. `labels` are groups, types with cut-offs, and partners that are excluded. Collective. Throws `not_built` before
  /// `rebalance`, `range_error` for a negative id, `size_mismatch`, and all errors of `Grid::build`. The grid is then
  /// unchanged; if memory ran out, it is not built.
  template <class Real, class Sizes>
  void build(const Array<Real>& x, const Sizes& r, const Array<std::int64_t>& id, BuildOptions options = {},
             const RankLabels<Exec>& labels = {}) {
    comm_.settle();
    Particles<Real, D> particles{};
    const bool excludes = labels.partners != nullptr;
    const std::exception_ptr error = detail::attempt([&] {
      detail::require_cut(cuts_.next());
      particles = as_particles<D>(exec(), x, r);
      detail::check_ids(id, particles.count);
      detail::check_labels(labels, particles.count);
      detail::label(particles, labels);
      detail::check_arguments(particles, options.skin), detail::check_types(exec(), particles);
      detail::require_rule_for(particles, {.rule = rule_}, box().turned);
      if (comm_.size() == 1 && Exec::on_host) return;
      search_.run(exec(), box(), cuts_.next(), comm_, particles, id.data(), options.skin,
                  detail::margin_of(rule_, options.skin));
      mail_.pack(particles, id.data(), detail::ids_of_ghost(labels), search_.routes());
    });
    const auto call = operation("build") << options.skin << detail::width_of(r) << detail::kinds_of(labels);
    if (excludes) excluded_.send(exchange_, comm_, error, call, search_.routes(), id, labels);
    detail::announce(exchange_, comm_, error, call, mail_.parcels());
    if (comm_.size() > 1) rearrange();  // on all ranks, even if one of them throws
    const std::size_t record = detail::record_bytes<D>(detail::width_of(r), labels);
    const std::exception_ptr no_room =
        detail::carry(exchange_, comm_, mail_.parcels(), record, [&] { return held_.room_for(exchange_.records() * record); });
    options.check_now = true;
    detail::agree(comm_, operation("built"), [&] {
      if (no_room) std::rethrow_exception(no_room);
      const bool alone = exchange_.received().empty();
      if (alone && excludes) particles.exclusions = excluded_.among(detail::on_host(id));
      if (alone) grid_.build(particles, options);
      rearrange();
      held_.take(particles, id.data(), labels, exchange_.received(), comm_.rank());
      std::swap(routes_, search_.routes());
      routes_.set_receives(exchange_.received());
      traffic_.follow(mail_.ids());
      if (alone) return;
      auto all = held_.view();
      if (excludes) all.exclusions = excluded_.among(held_.ids_on_host());
      grid_.build(all, options);
    });
    built_ = true, skin_ = options.skin;
  }

  /// Calls f(i, j, image) once for each contact of this rank, like `Grid::for_each_contact`. i < j are particles that it holds.
  /// One or both may be ghosts: `add_back` then adds the forces on ghosts to the forces of their owners.
  template <class F>
  void for_each_contact(const F& f) const {
    require_built();
    grid_.for_each_contact(detail::VisitReported<Exec, D, typename Memory::template Passed<F>>{held_view(), f});
  }

  /// Throws `unsupported` under `Rule::gather`, which has neighbors and no pairs.
  PairList<Exec> make_pairs() const {
    if (rule_ == Rule::gather) detail::throw_one_sided();
    return grid_.make_pairs();
  }

  /// Fills the list with the contacts of this rank, in the order of `Grid::find`.
  void find(PairList<Exec>& list, const FindOptions& options = {}) { fill(list, options); }
  /// Fills it with the contacts for which `touches(i, j, image)` is true. Calls it for contacts of other ranks, too.
  template <class Touches>
  void find(PairList<Exec>& list, const Only<Touches>& only, const FindOptions& options = {}) {
    fill(list, only, options);
  }

  /// Returns a contact of this rank by global ids. On a device the first call after a build copies ids: not from two threads.
  GlobalContact global(index_t i, index_t j, const Image& image) const {
    const std::vector<std::int64_t>& ids = held_.ids_on_host();
    return detail::oriented(ids[static_cast<std::size_t>(i)], ids[static_cast<std::size_t>(j)], image);
  }

  /// Calls `update`, and f like `for_each_contact`. Contacts of two owned particles come while the entries are on the way,
  /// contacts with ghosts afterwards. Allocates memory for the latter; searches for them again if it is too small. Collective.
  template <class F, class Entries>
  void update_and_visit(Entries&& field, const F& f) {
    using Passed = typename Memory::template Passed<F>;
    this->update_during([&] { deferred_.template visit_owned<Passed>(grid_, held_view(), f); }, field);
    deferred_.template visit_ghosts<Passed>(grid_, held_view(), f);
  }

  /// Waits, and throws if another rank has thrown in the last `update` or `add_back`. Collective.
  void check() { comm_.settle(); }

  const Box<D>& box() const { return grid_.box(); }
  const Exec& exec() const { return grid_.exec(); }
  /// Returns the grid of all particles on this rank, by this rank's ids. It also has contacts that other ranks report.
  const Grid<Exec, D>& local() const { return grid_; }

 private:
  friend struct detail::Access;
  template <class E, int Dimension>
  friend class DistributedVerletList;
  template <class E, int Dimension>
  friend class DistributedQueries;

  detail::Arguments operation(const char* name) const { return detail::Arguments(name) << box(); }

  Box<D> built_box() const { return grid_.view().box; }
  void require_built() const {
    if (!built_) throw Error(ErrorCode::not_built, "call build() first, on all ranks");
  }

  detail::HeldView<D> held_view() const { return held_.view_in(built_box(), cuts_.of(comm_.rank()), skin_, rule_); }

  template <class... How>
  void fill(PairList<Exec>& list, const How&... how) {
    require_built();
    grid_.find(list, how...);
    if (ghosts() > 0) filter_.keep_reported(detail::Access::arrays(list), held_view());
  }

  template <class ParticlesOf>
  void cut(const ParticlesOf& own) {
    const auto add_work = [&](detail::Blocks<D>& blocks) {
      if (built_ && comm_.size() > 1) blocks.set_work(detail::work_of(exec(), grid_), owned());
    };
    cut_at(detail::balanced(detail::host_of(exec()), comm_, exchange_, box(), own, add_work, last_cuts_));
  }
  void cut_at(detail::RankBoxes<D> boxes) {
    cuts_.set(std::move(boxes));
    grid_.plan_again();  // for the particles of another box
    built_ = false;
  }

  // Moves the particles. own() returns this rank's particles and ids, and throws if the arrays are bad.
  template <class ParticlesOf, class Riders, class... T, class... Values>
  void move(const ParticlesOf& own, const Riders& riders, Field<T, Values>... fields) {
    comm_.settle();
    const auto to = [&] {
      detail::require_cut(cuts_.next());
      const auto [particles, id] = own();
      return search_.owners(exec(), box(), cuts_.next(), comm_.rank(), particles, id);
    };
    detail::migrate(exec(), is_direct_, comm_, exchange_, operation("migrate"), to, riders, fields...);
    rearrange();
  }

  void rearrange() { cuts_.take_next(), built_ = false, ++arrangement_; }  // until all of a build is complete

  auto fields() {
    return detail::FieldCalls{comm_, routes_, traffic_, static_cast<std::size_t>(owned()), static_cast<std::size_t>(held())};
  }

  detail::Communicator comm_;
  bool is_direct_;  // messages are in the device's memory
  Rule rule_;
  Grid<Exec, D> grid_;
  detail::Cuts<D> cuts_;
  detail::LastCuts last_cuts_;
  detail::Exchange exchange_;
  std::conditional_t<Exec::on_host, detail::GhostSearch<D>, detail::DeviceGhostSearch<Exec, D>> search_;
  detail::GhostMail<Exec, D> mail_;
  detail::Routes routes_;
  detail::HeldParticles<Exec, D> held_;
  detail::HeldExclusions<Exec> excluded_;
  detail::FieldTraffic<Exec> traffic_;
  std::conditional_t<Exec::on_host, detail::HostPairFilter, detail::DevicePairFilter<Exec>> filter_;
  detail::DeferredContacts<Exec> deferred_;
  double skin_ = 0;
  bool built_ = false;
  std::uint64_t arrangement_ = 0;  // changes with each build and migration
  int exceptions_ = std::uncaught_exceptions();
};

}  // namespace hgrid::inline v0_2
