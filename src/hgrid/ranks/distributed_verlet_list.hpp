// SPDX-License-Identifier: BSD-3-Clause
// A list of contacts that lives through a time loop on ranks: checked at each step, built again on all ranks when one must.
#pragma once

#include <tuple>
#include <utility>
#include <vector>

#include "hgrid/loop/verlet_list.hpp"
#include "hgrid/ranks/distributed_grid.hpp"
#include "hgrid/ranks/distributed_pair_array.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

template <class T>
inline constexpr bool is_pair_array = false;
template <class T, class Exec>
inline constexpr bool is_pair_array<DistributedPairArray<T, Exec>> = true;

/// Returns a field of particles as a tuple of one, and no field for an array of pairs.
template <class F>
auto as_field(F&& follower) {
  if constexpr (is_pair_array<std::remove_cvref_t<F>>) {
    return std::tuple<>();
  } else {
    return std::tuple(Field{follower});
  }
}
template <class F, class Call>
void if_pair_array(F&& follower, const Call& call) {
  if constexpr (is_pair_array<std::remove_cvref_t<F>>) call(follower);
}

}  // namespace detail

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

  /// All options count except `choose_skin`, which is `unsupported`, like any kind but half: the list has each contact once, on
  /// one rank. Other errors are as in `VerletList`.
  explicit DistributedVerletList(DistributedGrid<Exec, D>& grid, const VerletOptions& options = {})
      : grid_(grid),
        options_(options),
        found_(grid.make_pairs()),
        list_(grid.exec()),
        own_(grid.exec(), options.wrapped, false),
        validity_(grid.exec(), 1),
        at_home_(detail::rank_array<Exec, std::int64_t>(grid.exec())),
        next_at_home_(at_home_),
        since_(detail::rank_array<Exec, Image>(grid.exec())) {
    if (options.choose_skin || options.kind != ListKind::half) {
      throw Error(ErrorCode::unsupported, "on ranks a list is a half one, and its skin is given", {.argument = "options"});
    }
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
    ++counters_.steps;
    if (stands() && grid_.built_) {
      follow_wraps(x, Field{r}, id, [] { return true; });
      if (++unchecked_ < options_.check_every) {
        grid_.update_during(work, Field{x, D});
        return false;
      }
      ++counters_.checks;
      const int waited = std::exchange(unchecked_, 0);  // on all ranks, even if one of them throws
      if (!someone_is_due(work, x, Field{r}, id)) return false;
      if (waited > 1) ++counters_.dangerous;
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
    const auto for_each_array = [&](const auto& f) { (detail::if_pair_array(followers, f), ...); };
    const detail::PairTraffic ranks{grid_.comm_, values_};
    if (options_.wrapped) detail::WrappedLoop::require_skin(options_.skin, detail::WrappedLoop::least_period(grid_.box()));
    grid_.comm_.settle();
    detail::agree(grid_.comm_, grid_.operation("list"), [&] { for_each_array([&](auto& a) { require_of_list(a); }); });
    if (stands()) {
      follow_wraps(x, Field{r}, id, [&] { return detail::are_same(at_home_, id); });
      for_each_array([&](auto& a) { a.bring_home(ranks, view(), grid_.held_, grid_.routes_); });
    } else if (built_) {
      ++counters_.overtaken;
      for_each_array([](auto& a) { a.forget(); });
    }
    std::apply(
        [&](auto... fields) {
          const auto own = [&] {
            (require_own(fields, id), ...);
            const auto particles = own_particles(x, Field{r}, id);
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
    built_ = false;
    for_each_array([](auto& a) { a.arrive(); });
    std::swap(at_home_, next_at_home_);
    grid_.build(x, r, id, {.skin = options_.skin}, labels_);
    detail::agree(grid_.comm_, grid_.operation("listed"), [&] { take(x, Field{r}, id); });
    MPI_Allreduce(MPI_IN_PLACE, &reach_, 1, MPI_DOUBLE, MPI_MAX, grid_.comm_.get());
    for_each_array([&](auto& a) { a.follow(ranks, view(), grid_.owned(), grid_.routes_); });
    built_ = true, arrangement_ = grid_.arrangement_, unchecked_ = 0, ++counters_.builds;
    for_each_array([&](auto& a) { a.belong_to(counters_.builds); });
  }

  /// Cuts space again like `DistributedGrid::rebalance`, and builds.
  template <class Real, class Sizes, class... Followers>
  void rebalance(Array<Real>& x, Sizes&& r, Array<std::int64_t>& id, Followers&&... followers) {
    detail::ParticlesOnHost<Exec, Real, D> on_host;
    grid_.cut([&] { return on_host.of(grid_.exec(), own_particles(x, Field{r}, id)); });
    build(x, r, id, followers...);
  }

  /// Returns the number of contacts that this rank reports, by its own ids.
  offset_t size() const { return list_.size(); }
  /// Returns the contacts, in the executor's memory: in `contacts()[k]`, i is the particle with the smaller global id, and the
  /// image is seen from i (with `wrapped`, for present positions). Either may be a ghost, or both. Contacts are sorted by i,
  /// then the global id of j, then image, and keep their places until the list is new.
  PairColumns<const index_t> contacts() const { return list_.contacts(); }
  const VerletCounters& counters() const { return counters_; }
  double skin() const { return options_.skin; }

 private:
  detail::OrientedView view() const { return list_.view(grid_.ids().data()); }

  // Returns whether the grid still has the particles of the list; space may have been cut again.
  bool stands() const { return built_ && arrangement_ == grid_.arrangement_; }

  template <class T, class E>
  void require_of_list(const DistributedPairArray<T, E>& values) const {
    static_assert(Exec::on_host ? E::on_host : std::is_same_v<E, Exec>, "values of pairs lie where the list does");
    values.require_of(counters_.builds);
    if (built_ && !stands() && values.size() > 0) {
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
  Particles<Real, D> own_particles(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id) const {
    require_own(Field{x, D}, id), require_own(r, id);
    const auto count = static_cast<offset_t>(id.size());
    detail::check_ids(id, count);
    auto own = detail::particles_of_width<D, Real>(x.data(), r.values.data(), detail::checked_width<D>(r.width), count);
    detail::label(own, labels_);
    return own;
  }

  // Updates the images of contacts for positions wrapped since the last step, if the particles are the build's.
  template <class Real, class AreOfBuild>
  void follow_wraps(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id, const AreOfBuild& are_of_build) {
    if (!options_.wrapped || !grid_.box().any_periodic()) return;
    const auto count = [&] {
      const Particles<Real, D> now = own_particles(x, r, id);
      detail::set_size(since_, static_cast<std::size_t>(own_.count()));
      auto each = own_.counting(now, grid_.box(), nullptr);
      each.counted = 0, each.since = since_.data();  // in this step
      if (now.count != own_.count() || !are_of_build()) each.count = 0;
      grid_.exec().for_each("hgrid::count_periods", own_.count(), each);
    };
    const auto no_work = [] {};
    grid_.fields().forward(grid_.operation("wraps"), count, no_work, Field{since_});
    const detail::MoveImages each{list_.contacts(), since_.data(), list_.images()};
    grid_.exec().for_each("hgrid::move_images", list_.size(), each);
  }

  template <class Real>
  bool is_due(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id) {
    const Particles<Real, D> now = own_particles(x, r, id);
    if (now.count != grid_.owned() || now.has_extents() != grid_.held_.has_extents()) return true;
    BuiltParticles<D> built = detail::WrappedLoop::judged(own_, grid_.box());
    built.used = now.count, built.reach = reach_;
    const Validity validity =
        detail::measure_validity<Exec, Real, D>(grid_.exec(), now, built, grid_.box(), nullptr, validity_.data());
    if (!options_.rebuild) detail::throw_if_stale(validity, options_.skin);
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
    detail::Report report = detail::report_of(grid_.comm_, grid_.operation("step") << sizeof(Real) << r.width, error);
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

  template <class Real>
  void take(Array<Real>& x, Field<Real, Array<Real>> r, const Array<std::int64_t>& id) {
    grid_.find(found_);
    list_.take(grid_.exec(), grid_.ids(), found_);
    const Particles<Real, D> own = own_particles(x, r, id);
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

  DistributedGrid<Exec, D>& grid_;
  VerletOptions options_;
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
  VerletCounters counters_;
  std::uint64_t arrangement_ = 0;
  int unchecked_ = 0;
  bool built_ = false;
};

}  // namespace hgrid::inline v0_2
