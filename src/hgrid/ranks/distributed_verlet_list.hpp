// SPDX-License-Identifier: BSD-3-Clause
// A list of contacts that lives through a time loop on ranks: checked at each step, built again on all ranks when one must.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "hgrid/loop/verlet_list.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/followers.hpp"
#include "hgrid/ranks/rank_skin.hpp"
#include "hgrid/ranks/rank_wraps.hpp"

namespace hgrid::inline v0_2 {

/// The contacts of a time loop on ranks. Between two builds it holds, on some rank, every contact of the whole system, by
/// contract C5, and pairs that do not touch. The grid must outlive it, and belongs to the list alone, except for `rebalance`
/// and `take_cuts`. Members that change the list are collective: if one throws on some rank, it throws on all.
///
/// The arrays of particles are the user's, vectors on a host and `DeviceVector`s on a device: `x` with D coordinates for each,
/// `r` with its radius, or `Field{extents, D}`, and `id` with its global id, as in `DistributedGrid::build`. `id` has only the
/// owned particles. The others may have entries of ghosts after the owned ones; a build drops these. `followers` are all data
/// that must follow: fields of particles, such as `Field{v, 3}`, and `DistributedPairArray`s.
template <class Exec, int D>
class DistributedVerletList {
  using Memory = detail::RankMemory<Exec::on_host>;

 public:
  template <class T>
  using Array = typename Memory::template Array<Exec, T>;

  /// All options count. Kinds other than half are `unsupported`: the list has each contact once, on one rank. With
  /// `choose_skin` all ranks choose the same skin, by the longest of their times. Other errors are as in `VerletList`.
  explicit DistributedVerletList(DistributedGrid<Exec, D>& grid, const VerletOptions& options = {})
      : grid_(grid),
        options_(options),
        loop_{.chooser = detail::SkinChooser(options.skin)},
        found_(grid.make_pairs()),
        list_(grid.exec()),
        own_(grid.exec(), options.wrapped, false),
        validity_(grid.exec(), 1),
        at_home_(detail::rank_array<Exec, std::int64_t>(grid.exec())),
        next_at_home_(at_home_),
        since_(detail::rank_array<Exec, Image>(grid.exec())) {
    if (options.kind != ListKind::half)
      throw Error(ErrorCode::unsupported, "on ranks a list is a half one", {.argument = "options"});
    detail::check_options(options);
  }
  DistributedVerletList(const DistributedVerletList&) = delete;

  /// Sets the labels of later builds. Their arrays must outlive the list. Pass groups and types as followers, too.
  void set_labels(const RankLabels<Exec>& labels) { labels_ = labels; }

  /// Call at each step, after the particles have moved and before forces are summed. Gives the ghosts in `x` their present
  /// positions, and returns whether the list is new. It is built as soon as a particle of any rank has used up its margin, so a
  /// list that lacks a contact is never seen. While the list holds, nothing is allocated, and a reduction of 32 bytes overlaps
  /// with the positions; the call waits for both. Throws `stale` if rebuilding is off; other errors are as in `build`.
  template <class Real, class Sizes, class... Followers>
  bool update(Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Followers&&... followers) {
    return update_during([] {}, x, r, id, followers...);
  }
  /// Calls `update`, and work() once it is known that the list holds, while positions of ghosts are on the way, or when the
  /// list is built. So work() may sum the forces of contacts of two owned particles. It must make no collective call of the
  /// grid (`reentrancy`), and its exception is thrown after the positions have arrived.
  template <class Work, class Real, class Sizes, class... Followers>
  bool update_during(const Work& work, Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Followers&&... followers) {
    VerletCounters& counters = loop_.counters;
    ++counters.steps;
    if (stands() && grid_.built_) {
      detail::RankWraps::follow(*this, x, Field{r}, id, [] { return true; });
      if (++loop_.unchecked < options_.check_every) {
        grid_.update_during(work, Field{x, D});
        return false;
      }
      ++counters.checks;
      const int waited = std::exchange(loop_.unchecked, 0);  // on all ranks, even if one of them throws
      if (!someone_is_due(work, x, Field{r}, id)) return false;
      if (waited > 1) ++counters.dangerous;
    }
    build(x, r, id, followers...);
    work();
    return true;
  }

  /// Builds at once, for instance after particles were inserted or removed: particles go to the ranks whose boxes contain them,
  /// with all followers. Errors are as in `DistributedGrid::migrate` and `build`; `size_mismatch`; `stale` for an array that
  /// missed a build, or whose grid another caller has built or migrated. If `migrate` throws, nothing has changed. If `build`
  /// does, particles have moved, values of pairs wait with them, and the next update builds.
  template <class Real, class Sizes, class... Followers>
  void build(Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Followers&&... followers) {
    const auto arrays = std::tuple_cat(detail::as_pair_array(followers)...);
    const auto for_each_array = [&](const auto& f) { detail::for_each_in(arrays, f); };
    const detail::PairTraffic ranks{grid_.comm_, values_};
    const bool chooses = options_.choose_skin;
    if (options_.wrapped && !chooses) detail::WrappedLoop::require_skin(skin(), detail::WrappedLoop::least_period(grid_.box()));
    grid_.comm_.settle();
    const double began = chooses ? options_.clock() : 0;
    const double since = detail::agree(
        grid_.comm_, operation("list") << std::size_t{chooses}, [&] { for_each_array([&](auto& a) { require_of_list(a); }); },
        began - built_at_);
    if (stands()) {
      detail::RankWraps::follow(*this, x, Field{r}, id, [&] { return detail::are_same(at_home_, id); });
      for_each_array([&](auto& a) { a.bring_home(ranks, view(), grid_.held_, grid_.routes_); });
    } else if (loop_.built) {
      ++loop_.counters.overtaken;
      for_each_array([](auto& a) { a.forget(); });
    }
    std::apply(
        [&](auto... fields) {
          const auto own = [&] {
            (require_own(fields, id), ...);
            const auto particles = own_particles(x, Field{r}, id, labels_);
            number_.clear();
            if (at_home_.size() > 0 && !detail::are_same(at_home_, id)) {
              number_ = detail::numbers_of(detail::on_host(at_home_), detail::on_host(id));
            }
            next_at_home_ = id;
            return std::pair{particles, std::as_const(id).data()};
          };
          const auto values = [&](const detail::Migration<Exec>& migration, const std::vector<detail::Parcel>& particles) {
            for_each_array([&](auto& a) { a.travel(ranks, number_, migration, particles); });
          };
          grid_.move(own, values, Field{x, D}, Field{r}, Field{id}, Field{next_at_home_}, fields...);
        },
        std::tuple_cat(detail::as_field(followers)...));
    const bool was_built = std::exchange(loop_.built, false);
    for_each_array([](auto& a) { a.arrive(); });
    std::swap(at_home_, next_at_home_);
    if (chooses) {
      if (was_built) loop_.chooser.observe(since, loop_.counters.steps - loop_.steps_at_build);
      built_at_ = began;
      detail::RankSkin::list_contacts(*this, x, Field{r}, id);
    } else {
      list_contacts(x, Field{r}, id, labels_);
    }
    loop_.steps_at_build = loop_.counters.steps, ++loop_.counters.builds;
    finish(arrays);
    loop_.unchecked = 0;
  }

  /// Cuts space again like `DistributedGrid::rebalance`, and builds.
  template <class Real, class Sizes, class... Followers>
  void rebalance(Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Followers&&... followers) {
    detail::ParticlesOnHost<Exec, Real, D> on_host;
    grid_.cut([&] { return on_host.of(grid_.exec(), own_particles(x, Field{r}, id, labels_)); });
    build(x, r, id, followers...);
  }

  /// Returns the number of contacts that this rank reports, by its own ids.
  offset_t size() const { return list_.size(); }
  /// Returns the contacts, in the executor's memory: in `contacts()[k]`, i is the particle with the smaller global id, and the
  /// image is seen from i (with `wrapped`, for present positions). Either may be a ghost, or both. Contacts are sorted by i,
  /// then the global id of j, then image, and keep their places until the list is new.
  PairColumns<const index_t> contacts() const { return list_.contacts(); }
  const VerletCounters& counters() const { return loop_.counters; }
  double skin() const { return loop_.chooser.skin(); }

 private:
  friend struct detail::Access;
  static constexpr std::size_t dimension = D;

  detail::Communicator& comm() { return grid_.comm_; }
  detail::Arguments operation(const char* name) const { return grid_.operation(name); }
  detail::OrientedView view() const { return list_.view(grid_.ids().data()); }

  template <class Prepare, class T, class Values>
  void forward(const char* name, const Prepare& prepare, Field<T, Values> field) {
    grid_.fields().forward(
        operation(name), prepare, [] {}, field);
  }

  // Returns whether the grid still has the particles of the list; space may have been cut again.
  bool stands() const { return loop_.built && arrangement_ == grid_.arrangement_; }

  template <class T, class E>
  void require_of_list(const DistributedPairArray<T, E>& values) const {
    static_assert(Exec::on_host ? E::on_host : std::is_same_v<E, Exec>, "values of pairs lie where the list does");
    values.require_of(loop_.counters.builds);
    if (loop_.built && !stands() && values.size() > 0) {
      throw Error(ErrorCode::stale,
                  "somebody else has built or migrated the grid of this list, so values of pairs cannot follow",
                  {.argument = "grid"});
    }
  }

  // Throws unless a field has entries for the owned particles, with or without ghosts.
  template <class T, class Values>
  void require_own(const Field<T, Values>& field, const Array<std::int64_t>& id) const {
    const auto held = static_cast<std::size_t>(grid_.held()), own = static_cast<std::size_t>(grid_.owned());
    if (id.size() != own || field.values.size() != held * field.width) detail::require_size(field, id.size());
  }

  template <class Real>
  Particles<Real, D> own_particles(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id,
                                   const RankLabels<Exec>& labels) const {
    require_own(Field{x, D}, id), require_own(r, id);
    const auto count = static_cast<offset_t>(id.size());
    detail::check_ids(id, count);
    auto own = detail::particles_of_width<D, Real>(x.data(), r.values.data(), detail::checked_width<D>(r.width), count);
    detail::label(own, labels);
    return own;
  }

  template <class Real>
  bool is_due(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id) {
    const Particles<Real, D> now = own_particles(x, r, id, labels_);
    if (now.count != grid_.owned() || now.has_extents() != grid_.held_.has_extents()) return true;
    BuiltParticles<D> built = detail::WrappedLoop::judged(own_, grid_.box());
    built.used = now.count, built.reach = reach_;
    const Validity validity =
        detail::measure_validity<Exec, Real, D>(grid_.exec(), now, built, grid_.box(), nullptr, validity_.data());
    if (!options_.rebuild) detail::throw_if_stale(validity, built.skin);
    return !validity.holds();
  }

  // Returns whether a rank must build. No rank sums a force before all have said that the list holds, because a particle beyond
  // its margin may touch a particle of a rank that gets no message from here. Meanwhile, and during work, messages travel.
  template <class Work, class Real>
  bool someone_is_due(const Work& work, Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id) {
    grid_.comm_.settle();
    bool due = false;
    detail::Routes::Passage positions{};
    const std::exception_ptr error = detail::attempt([&] {
      due = is_due(x, r, id);
      if (due) return;
      x.resize(static_cast<std::size_t>(D * grid_.held()));
      positions = grid_.traffic_.to_ghosts(grid_.routes_, Field{x, D}, static_cast<std::size_t>(grid_.owned()));
    });
    detail::Report report = detail::report_of(grid_.comm_, operation("step") << sizeof(Real) << r.width, error);
    if (due) report.add_request();
    grid_.comm_.post(report, error != nullptr);
    if (error) positions = {};
    constexpr auto heading = detail::Routes::Heading::to_ghosts;
    grid_.routes_.send(grid_.comm_, heading, positions.from, D * sizeof(Real));
    const std::exception_ptr bad = error ? error : detail::attempt([&] { grid_.comm_.settle(); });
    const bool stands = !bad && !grid_.comm_.asked();
    const std::exception_ptr of_work = stands ? grid_.comm_.run_meanwhile(work) : nullptr;
    grid_.routes_.receive(grid_.comm_, heading, positions.to, D * sizeof(Real));
    if (bad) std::rethrow_exception(bad);
    if (!stands) return true;
    grid_.traffic_.take_ghosts(grid_.routes_, Field{x, D}, static_cast<std::size_t>(grid_.owned()));
    if (of_work) std::rethrow_exception(of_work);
    return false;
  }

  // Builds the grid with the present skin, and takes its contacts for the list.
  template <class Real>
  void list_contacts(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id,
                     const RankLabels<Exec>& labels) {
    grid_.build(x, r, id, {.skin = skin()}, labels);
    detail::agree(comm(), operation("listed"), [&] { take(x, r, id, labels); });
  }
  template <class Real>
  void take(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id, const RankLabels<Exec>& labels) {
    grid_.find(found_);
    list_.take(grid_.exec(), grid_.ids(), found_);
    const Particles<Real, D> own = own_particles(x, r, id, labels);
    own_.reserve(own, grid_.grid_.view());
    if (options_.wrapped) own_.reserve_periods(own.count);
    own_.take(own, grid_.grid_.view());
    reach_ = own_.particles().reach;
    const std::size_t first = x.size(), all = grid_.positions().size();
    x.resize(all);
    grid_.exec().for_each("hgrid::take_positions", static_cast<offset_t>(all - first),
                          detail::RoundTo<Real>{grid_.positions().data() + first, x.data() + first});
    grid_.traffic_.reserve(grid_.routes_, D * sizeof(Real));  // for the steps in which the list holds
  }

  // Gives arrays of pairs the values of the new list. From then on the list stands.
  template <class Arrays>
  void finish(const Arrays& arrays) {
    const detail::PairTraffic ranks{grid_.comm_, values_};
    MPI_Allreduce(MPI_IN_PLACE, &reach_, 1, MPI_DOUBLE, MPI_MAX, grid_.comm_.get());
    detail::for_each_in(arrays, [&](auto& a) { a.follow(ranks, view(), grid_.owned(), grid_.routes_); });
    loop_.built = true, arrangement_ = grid_.arrangement_;
    detail::for_each_in(arrays, [&](auto& a) { a.belong_to(loop_.counters.builds); });
  }

  DistributedGrid<Exec, D>& grid_;
  VerletOptions options_;
  detail::LoopProgress loop_;
  RankLabels<Exec> labels_;
  PairList<Exec> found_;
  std::conditional_t<Exec::on_host, detail::OrientedList, detail::DeviceOrientedList<Exec>> list_;
  detail::RememberedBuild<Exec, D> own_;  // the owned particles from which the list was made
  typename Exec::template Buffer<Validity> validity_;
  double reach_ = 0;  // over all ranks, because a particle's partners may be known only to another rank
  detail::Exchange values_{104};
  Array<std::int64_t> at_home_, next_at_home_;  // ids of the particles that hold values of pairs
  std::vector<index_t> number_;
  Array<Image> since_;  // by how many vectors each held particle was wrapped in a step
  std::uint64_t arrangement_ = 0;
  double built_at_ = 0;
};

}  // namespace hgrid::inline v0_2
