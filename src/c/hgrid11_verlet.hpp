// SPDX-License-Identifier: BSD-3-Clause
// A list for a time loop, and values that follow its pairs. Include hgrid11.hpp.
#ifndef HGRID11_VERLET_HPP
#define HGRID11_VERLET_HPP

#include "hgrid11_grid.hpp"

namespace hgrid11 {
inline namespace v0_2 {

namespace detail {
class Lists;
}

/// A follower: one value for each entry of a VerletList or for each contact of a Mesh, which stays with its pair from list to
/// list. It is passed to each update, and begins with the list of its first update.
template <class T>
class PairArray {
  static_assert(!std::is_same<T, bool>::value, "values of pairs have addresses; take char");

 public:
  /// New pairs get the value `fresh`.
  explicit PairArray(const T& fresh = T()) : fresh_(fresh), list_(0) {}

  T* data() { return values_.data(); }
  const T* data() const { return values_.data(); }
  std::int64_t size() const { return detail::size_of(values_); }
  T& operator[](std::int64_t entry) { return values_[static_cast<std::size_t>(entry)]; }
  const T& operator[](std::int64_t entry) const { return values_[static_cast<std::size_t>(entry)]; }

  /// Sets the values for the list to which the array is passed next, such as values of a checkpoint; none: all its pairs are
  /// new.
  void assign(std::vector<T> values) { values_ = std::move(values), list_ = 0; }

 private:
  friend class detail::Lists;

  void require_size(std::int64_t needed) const {
    if (size() == needed) return;
    throw Error(ErrorCode::size_mismatch,
                "have values of " + std::to_string(size()) + " entries; " + std::to_string(needed) + " are needed", "followers",
                size(), needed);
  }
  /// Takes the values to the list of `history`, from the list before it.
  void carry(const hgrid_history& history) {
    require_size(history.size_before);
    std::vector<T> now;
    now.reserve(static_cast<std::size_t>(history.size));
    for (std::int64_t k = 0; k < history.size; ++k) {
      const std::int64_t from = history.from[k];
      now.push_back(from < 0 ? fresh_ : (*this)[from]);
    }
    values_.swap(now);
  }

  T fresh_;
  std::vector<T> values_;
  std::uint64_t list_;  // list of these values; 0: not yet known
};

namespace detail {

/// A sequence of lists, and values that follow their entries.
class Lists {
 public:
  Lists() : number_(next_ticket()), before_(0) {}

  void next() { before_ = number_, number_ = next_ticket(); }
  void restart() { number_ = next_ticket(), before_ = 0; }

  /// Gives followers the values of the present list. A follower that still has values of the previous list, because memory was
  /// short when the list was made, catches up now.
  void follow(const hgrid_history&) const {}
  template <class First, class... Others>
  void follow(const hgrid_history& now, PairArray<First>& follower, PairArray<Others>&... others) const {
    if (follower.list_ == before_ && before_ != 0) {
      follower.carry(now);
    } else if (follower.list_ == 0 && follower.size() == 0) {
      follower.values_.assign(static_cast<std::size_t>(now.size), follower.fresh_);
    } else if (follower.list_ == 0 || follower.list_ == number_) {
      follower.require_size(now.size);
    } else {
      throw Error(ErrorCode::stale, "have values of another list; pass them to each update of one list", "followers");
    }
    follower.list_ = number_;
    follow(now, others...);
  }

 private:
  std::uint64_t number_, before_;  // numbers of the present list, and of the previous one
};

}  // namespace detail

struct VerletOptions {
  ListKind kind = ListKind::half;
  double skin = 0;           ///< with choose_skin the first one, at most a mean radius; 0: a tenth of that
  bool choose_skin = false;  ///< find the skin that makes the loop fastest, by measuring while it runs
  bool rebuild = true;       ///< false: an update throws `stale` where it would build again
  int check_every = 1;       ///< steps per check
  bool wrapped = false;      ///< coordinates may be wrapped at any step, by whole vectors of the present box
};

/// The list of a grid's particles in a time loop, which holds every contact at each step. Build the grid with this list only.
/// The two may be destroyed in either order. All functions throw Error.
template <int D>
class VerletList {
 public:
  explicit VerletList(Grid<D>& grid, const VerletOptions& options = VerletOptions()) {
    hgrid_verlet_options given = detail::sized<hgrid_verlet_options>();
    given.skin = options.skin, given.kind = static_cast<std::int32_t>(options.kind), given.choose_skin = options.choose_skin;
    given.no_rebuild = !options.rebuild, given.check_every = options.check_every;
    given.wrapped = options.wrapped;
    list_.reset(detail::written<hgrid_verlet*>(hgrid_verlet_create, grid.get(), &given));
  }

  hgrid_verlet* get() const { return list_.get(); }

  /// Call at each step, after the particles have moved: builds again if the list may miss a contact, and then returns true.
  /// Pass the same followers each time.
  template <class... T>
  bool update(const Particles<D>& now, PairArray<T>&... followers) {
    return updated(now, nullptr, followers...);
  }
  /// Updates with margins: `widened` are the particles with margins in `extra`, read only when the list is built.
  template <class... T>
  bool update(const Particles<D>& now, const Particles<D>& widened, PairArray<T>&... followers) {
    return updated(now, widened.get(), followers...);
  }
  /// Builds at once, for instance because pairs were excluded, which updates do not notice.
  template <class... T>
  void build(const Particles<D>& particles, PairArray<T>&... followers) {
    follow(followers...);
    call([&] { return hgrid_verlet_build(get(), particles.get()); });
    follow(followers...);
  }

  /// Returns the list, valid until the next update or build. Images are for the positions that were passed last.
  NeighbourList neighbours() const {
    return NeighbourList(detail::filled<hgrid_neighbour_list>(hgrid_verlet_neighbours, get()), 0);
  }
  /// Returns by how many vectors of the box each particle was wrapped since the list was made. [lists][3]; null without the
  /// option `wrapped`.
  const std::int32_t* periods() const { return detail::written<const std::int32_t*>(hgrid_verlet_periods, get()); }
  /// Returns where the entries were in the previous list.
  hgrid_history history() const { return detail::filled<hgrid_history>(hgrid_verlet_history, get()); }
  hgrid_verlet_counters counters() const { return detail::filled<hgrid_verlet_counters>(hgrid_verlet_counts, get()); }

  /// Returns the checkpoint of list and grid, without followers: save their values, and assign() them after restore().
  std::vector<unsigned char> save() const { return detail::bytes_of(hgrid_verlet_save, get()); }
  void restore(const std::vector<unsigned char>& bytes) {
    detail::require(hgrid_verlet_restore(get(), bytes.data(), detail::size_of(bytes)));
    lists_.restart(), builds_ = counters().builds;
  }

 private:
  template <class... T>
  bool updated(const Particles<D>& now, const hgrid_particles* widened, PairArray<T>&... followers) {
    follow(followers...);
    int rebuilt = 0;
    call([&] { return hgrid_verlet_update(get(), now.get(), widened, &rebuilt); });
    follow(followers...);
    return rebuilt != 0;
  }

  // Counts the builds, because after an error, too, the list may be new.
  template <class F>
  void call(const F& f) {
    const int status = f();
    const std::int64_t builds = counters().builds;
    if (builds != builds_) lists_.next(), builds_ = builds;
    detail::require(status);
  }

  template <class... T>
  void follow(PairArray<T>&... followers) const {
    if (sizeof...(followers) > 0) lists_.follow(history(), followers...);
  }

  std::unique_ptr<hgrid_verlet, detail::Destroy> list_;
  detail::Lists lists_;
  std::int64_t builds_ = 0;
};
using VerletList2 = VerletList<2>;
using VerletList3 = VerletList<3>;

}  // namespace v0_2
}  // namespace hgrid11

#endif
