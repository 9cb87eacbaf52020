// SPDX-License-Identifier: BSD-3-Clause
// The grid. Include hgrid11.hpp.
#ifndef HGRID11_GRID_HPP
#define HGRID11_GRID_HPP

#include <atomic>
#include <vector>

#include "hgrid11_lists.hpp"
#include "hgrid11_particles.hpp"

namespace hgrid11 {
inline namespace v0_2 {

namespace detail {

/// Returns a number that was never returned before.
inline std::uint64_t next_ticket() {
  static std::atomic<std::uint64_t> last(0);
  return ++last;
}

template <class Handle>
std::vector<unsigned char> bytes_of(int (*save)(Handle*, const void**, std::int64_t*), Handle* handle) {
  const void* bytes = nullptr;
  std::int64_t size = 0;
  require(save(handle, &bytes, &size));
  const unsigned char* const first = static_cast<const unsigned char*>(bytes);
  return std::vector<unsigned char>(first, first + size);
}

}  // namespace detail

/// The neighbors of each particle as a matrix in the caller's memory; `Integer` has 32 or 64 bits.
template <class Integer>
struct NeighbourMatrix {
  Integer* neighbours;  ///< [particles][width]
  std::int64_t particles, width;
  Integer* counts = nullptr;       ///< [particles]: the number of neighbors; or null
  std::int32_t* images = nullptr;  ///< [particles][width][3]; or null in an open box
  std::int64_t padding = -1;       ///< after the last neighbor: -1, or the number of particles

  NeighbourMatrix(Integer* to, std::int64_t particle_count, std::int64_t most)
      : neighbours(to), particles(particle_count), width(most) {}
};

/// Finds contacts. A grid can be moved but not copied; use it from one thread at a time. Its results are views, valid until its
/// next build, or its next list of that kind. All functions throw Error.
template <int D>
class Grid {
 public:
  explicit Grid(const Box<D>& box = Box<D>(), const GridOptions& options = GridOptions()) : ticket_(0) {
    hgrid_options given = detail::sized<hgrid_options>();
    given.dimension = D, given.threads = options.threads, given.rule = static_cast<std::int32_t>(options.rule);
    given.direction = static_cast<std::int32_t>(options.direction), given.keys = static_cast<std::int32_t>(options.keys);
    given.table = static_cast<std::int32_t>(options.table);
    given.levels = options.levels.empty() ? nullptr : options.levels.data(),
    given.level_count = detail::size_of(options.levels);
    const hgrid_box domain = box.get();
    grid_.reset(detail::written<hgrid_grid*>(hgrid_create, &given, &domain));
  }

  /// For functions of hgrid.h that have no name here.
  hgrid_grid* get() const { return grid_.get(); }

  /// Sets the box of later builds.
  void set_box(const Box<D>& box) {
    const hgrid_box given = box.get();
    detail::require(hgrid_set_box(get(), &given));
  }
  /// Sets one box for each world; none: all share one again.
  void set_boxes(const std::vector<Box<D>>& boxes) {
    std::vector<hgrid_box> given;
    for (const Box<D>& box : boxes) given.push_back(box.get());
    detail::require(hgrid_set_boxes(get(), given.data(), detail::size_of(given)));
  }

  /// Builds from arrays that are not used afterwards. Pairs up to `skin` beyond touching are listed, too. A build that fails
  /// leaves the grid unchanged.
  void build(const Particles<D>& particles, double skin = 0) { detail::require(hgrid_build(get(), particles.get(), skin)); }

  /// Returns the number of contacts.
  std::int64_t count() const { return detail::written<std::int64_t>(hgrid_count, get()); }

  PairList pairs(Order order = Order::sorted) { return given<PairList>(hgrid_pairs, static_cast<int>(order)); }

  NeighbourList neighbours(ListKind kind = ListKind::half) {
    return given<NeighbourList>(hgrid_neighbours, static_cast<int>(kind));
  }

  /// Lists only the contacts for which touches(i, j, image) is true: for other shapes within the spheres. It is called once for
  /// each, by several threads. Inside it, generation() and touches() of the grid are allowed; other members throw `reentrancy`.
  /// Its exceptions are passed on.
  template <class Touches>
  PairList pairs(const Touches& touches, Order order = Order::sorted) {
    return touching<PairList>(hgrid_touching_pairs, static_cast<int>(order), touches);
  }
  template <class Touches>
  NeighbourList neighbours(const Touches& touches, ListKind kind = ListKind::half) {
    return touching<NeighbourList>(hgrid_touching_neighbours, static_cast<int>(kind), touches);
  }

  PackedList packed_neighbours(ListKind kind = ListKind::half) {
    return given<PackedList>(hgrid_packed_neighbours, static_cast<int>(kind));
  }

  /// Lists the neighbors of each particle with vectors and distances, from the present particles, as many as in the build: all
  /// entries, or, if `nearer`, only the entries nearer than r_i + r_j, or than the cut-off of their types.
  EntryList<D> entries(const Particles<D>& now, ListKind kind = ListKind::half, bool nearer = false) {
    return entries_by(now, kind, nearer, nullptr);
  }
  /// Measures the entries of a list of the grid's particles, such as a VerletList's. Without `nearer`, entry k is entry k of
  /// the list, and a PairArray has its value there.
  EntryList<D> entries(const Particles<D>& now, const NeighbourList& list, bool nearer = false) {
    return entries_by(now, ListKind::half, nearer, &list.get());
  }

  /// Lists the particles of the last build in each region.
  NeighbourList query(const Regions<D>& regions) { return given<NeighbourList>(hgrid_query, regions.get()); }

  /// Lists for each particle of another grid the particles of this one that touch it. See hgrid_between.
  NeighbourList between(Grid& asking) { return given<NeighbourList>(hgrid_between, asking.get()); }
  /// Lists contacts with another grid without pairs i0 j0 i1 j1 ..., sorted; i of `asking` and j of this grid.
  NeighbourList between_excluding(Grid& asking, const Ids& pairs) {
    const hgrid_array excluded = detail::array_2d(pairs.data(), pairs.count() / 2, 2);
    return given<NeighbourList>(hgrid_between_excluding, asking.get(), &excluded, nullptr, nullptr);
  }

  /// Returns the k nearest particles of each of m points, D numbers each: rows of k ids, and of distances if wanted. See
  /// hgrid_nearest.
  std::vector<std::int32_t> nearest(const double* x, std::int64_t m, std::int32_t k, std::vector<double>* distances = nullptr,
                                    hgrid_nearest_by by = HGRID_BY_CENTRES) const {
    hgrid_nearest_points points = detail::sized<hgrid_nearest_points>();
    points.x = hgrid_array_2d(x, HGRID_FLOAT64, m, D), points.k = k, points.by = by;
    std::vector<std::int32_t> ids;
    std::vector<double> found;
    if (k > 0) detail::make_room(ids, m, k, 0, "m"), detail::make_room(found, m, k, 0.0, "m");
    detail::require(hgrid_nearest(get(), &points, ids.data(), found.data(), nullptr));
    if (distances != nullptr) distances->swap(found);
    return ids;
  }

  /// Returns whether one more particle, at x of D numbers, would touch one of the last build, an inserted one, or its own
  /// image.
  bool touches(const double* x, double radius, std::int32_t world = 0) const {
    return detail::written<int>(hgrid_touches, get(), x, radius, world) != 0;
  }
  /// Inserts a particle, even if it touches others, and returns its id. Ids continue after the build's. The next build forgets
  /// it: pass it all particles.
  std::int32_t insert(const double* x, double radius, std::int32_t world = 0) {
    return detail::written<std::int32_t>(hgrid_insert, get(), x, radius, world);
  }
  /// Inserts a particle unless it touches another; then returns `not_free`.
  std::int32_t insert_if_free(const double* x, double radius, std::int32_t world = 0) {
    return detail::written<std::int32_t>(hgrid_insert_if_free, get(), x, radius, world);
  }
  enum : std::int32_t { not_free = -1 };

  /// Gives the caller the list that the grid made last, without a copy: grid.keep(grid.pairs()). Throws `stale` for another
  /// list.
  template <class List>
  Kept<List> keep(const List& list) {
    if (list.ticket_ == 0 || list.ticket_ != ticket_) {
      throw Error(ErrorCode::stale, "is not the one that the grid gave last", "list");
    }
    return Kept<List>(list, detail::written<hgrid_memory*>(hgrid_keep, get()));
  }

  /// Writes all contacts, sorted, into `pairs`, [room][2] of 32 or 64 bits, and `images`, [room][3], or null in an open box;
  /// returns their number. Throws `capacity` if there is too little room: nothing is written, and needed() would have sufficed.
  template <class Integer>
  std::int64_t pairs_into(Integer* pairs, std::int64_t room, std::int32_t* images = nullptr) const {
    const hgrid_array to = detail::array_2d(pairs, room, 2), shifts = detail::array_2d(images, room, 3);
    return detail::written<std::int64_t>(hgrid_pairs_into, get(), &to, images == nullptr ? nullptr : &shifts);
  }

  /// Fills the matrix, and returns the largest number of neighbors. Throws `capacity`, with needed(), if the width is less.
  template <class Integer>
  std::int64_t neighbours_into(const NeighbourMatrix<Integer>& matrix, ListKind kind = ListKind::half) const {
    hgrid_neighbour_matrix to = detail::sized<hgrid_neighbour_matrix>();
    to.neighbours = detail::array_2d(matrix.neighbours, matrix.particles, matrix.width), to.padding = matrix.padding;
    if (matrix.counts != nullptr) to.counts = detail::array_1d(matrix.counts, matrix.particles);
    if (matrix.images != nullptr) {
      const std::int64_t shape[3] = {matrix.particles, matrix.width, 3};
      to.images = hgrid_array_of(matrix.images, HGRID_INT32, 3, shape, nullptr);
    }
    return detail::written<std::int64_t>(hgrid_matrix, get(), static_cast<int>(kind), &to);
  }

  /// Returns whether lists of the build still hold every contact of the present particles.
  hgrid_validity_report validity(const Particles<D>& now) const {
    return detail::filled<hgrid_validity_report>(hgrid_validity, get(), now.get());
  }
  bool valid(const Particles<D>& now) const { return validity(now).holds != 0; }

  /// Returns a number that each build changes; 0 before the first.
  std::uint64_t generation() const { return detail::written<std::uint64_t>(hgrid_generation, get()); }
  /// Returns the plan in use; hgrid_types.h explains the numbers.
  hgrid_plan_report plan() const { return detail::filled<hgrid_plan_report>(hgrid_plan, get()); }
  /// Returns a report of a level; 0 is the finest.
  hgrid_level_report level(std::int32_t number) const { return detail::filled<hgrid_level_report>(hgrid_level, get(), number); }
  /// Runs a search, and returns its counted work.
  hgrid_work_report work() const { return detail::filled<hgrid_work_report>(hgrid_work, get()); }

  /// Returns the checkpoint of options, box and plan, without particles.
  std::vector<unsigned char> save() const { return detail::bytes_of(hgrid_save, get()); }
  /// Gives the grid the state of a checkpoint; build it then.
  void restore(const std::vector<unsigned char>& bytes) {
    detail::require(hgrid_restore(get(), bytes.data(), detail::size_of(bytes)));
  }

 private:
  EntryList<D> entries_by(const Particles<D>& now, ListKind kind, bool nearer, const hgrid_neighbour_list* list) {
    hgrid_entry_options options = detail::sized<hgrid_entry_options>();
    options.kind = static_cast<std::int32_t>(kind), options.all = nearer ? 0 : 1, options.list = list;
    options.images = options.distances = options.vectors = 1;
    return given<EntryList<D>>(hgrid_entries, now.get(), &options);
  }

  // Returns the list that a function of hgrid.h gives.
  template <class List, class F, class... Arguments>
  List given(const F& f, Arguments... arguments) {
    const auto all = detail::filled<typename List::All>(f, get(), arguments...);
    return List(all, ticket_ = detail::next_ticket());
  }
  template <class List, class F, class Touches>
  List touching(const F& f, int choice, const Touches& touches) {
    auto those = detail::sized<typename List::All>();
    detail::Asked<Touches> asked(touches);
    const hgrid_predicate predicate = asked.get();
    asked.require(f(get(), choice, &predicate, &those));
    return List(those, ticket_ = detail::next_ticket());
  }

  std::unique_ptr<hgrid_grid, detail::Destroy> grid_;
  std::uint64_t ticket_;  // number of the list that was made last
};
using Grid2 = Grid<2>;
using Grid3 = Grid<3>;

}  // namespace v0_2
}  // namespace hgrid11

#endif
