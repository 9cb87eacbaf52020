// SPDX-License-Identifier: BSD-3-Clause
// Tests single particles against a built grid, one after the other: does a new particle touch any other, including those
// inserted since the build? Inflows and generators of packings use this thousands of times between two builds.
#pragma once

#include <optional>

#include "hgrid/find/inserted_particles.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2 {

/// Inserts particles into a built grid, on hosts, and finds the particles that a new one touches: particles of the build and
/// inserted ones, by the predicate of `find`, for any sizes. A call reports exactly the pairs of a grid of all these particles
/// that is built without skin, groups, ghosts, exclusions and cut-offs. The time of a call does not grow with their number. But
/// a new particle that is far larger than the inserted ones is compared with all of them.
///
/// A new particle is a position as builds take it, a `radius` (scaled, and with its extra distance), and its world if there are
/// worlds. Ids of inserted particles continue after the ids of the build. The grid itself does not change: pass all particles
/// to its next build, which forgets the inserted ones; ids then continue after the ids of that build. So the grid must be built
/// from current positions. Under `Rule::sum`, if particles have moved by at most s since the build, add s to the new particle's
/// radius.
///
/// Each call throws `not_built`, `unsupported` under `Rule::gather`, and the errors of a build with such a particle
/// (`nonfinite`, `negative_radius`, `range_error`, `box_too_small`), with the id that it would have had in `index`; nothing is
/// inserted then. Const calls may run at one time, but not beside an insertion or a build. The grid must outlive the object,
/// and stay where it is. Memory is the executor's: 80 to 160 bytes in three dimensions for each of the largest number of
/// particles inserted at one time.
template <class Exec, int D>
class Insertions {
  static_assert(Exec::on_host, "insertions are for hosts");

 public:
  explicit Insertions(const Grid<Exec, D>& grid) : grid_(grid), inserted_(grid.exec()) {}

  /// Returns whether the particle would touch another one, or an image of itself.
  bool touches(const Vec<double, D>& x, double radius, index_t world = 0) const {
    const GridView<D> g = view();
    return touches(g, checked(g, x, radius, world));
  }

  /// Calls f(id, image) for each particle that the new one touches, under each image (contract C3; the new particle is i), in
  /// no particular order. Images of the new particle have the id that it would get. f must neither insert nor build:
  /// `reentrancy`.
  template <class F>
  void for_each_touching(const Vec<double, D>& x, double radius, const F& f, index_t world = 0) const {
    const GridView<D> g = view();
    const detail::Stored<D> s = checked(g, x, radius, world);
    const detail::Visitors::Running visiting(detail::Access::visitors(grid_));
    search(g, s, [&f](index_t id, const Image& image) {
      f(id, image);
      return true;
    });
  }

  /// Inserts the particle even if it touches others, and returns its id. Throws `too_many_particles`, `out_of_memory`.
  index_t insert(const Vec<double, D>& x, double radius, index_t world = 0) {
    const GridView<D> g = view();
    return insert(g, checked(g, x, radius, world));
  }

  /// Inserts the particle if it touches no other, and returns its id; otherwise returns no id.
  std::optional<index_t> insert_if_free(const Vec<double, D>& x, double radius, index_t world = 0) {
    const GridView<D> g = view();
    const detail::Stored<D> s = checked(g, x, radius, world);
    if (touches(g, s)) return {};
    return insert(g, s);
  }

  /// Returns the number of particles inserted since the build.
  index_t count() const { return is_of_this_build() ? inserted_.count() : 0; }

  /// Removes all inserted particles. Throws `reentrancy` like `insert`.
  void clear() {
    detail::Access::visitors(grid_).require_none("clear");
    inserted_.clear();
  }

  std::size_t bytes() const { return inserted_.bytes(); }

 private:
  bool is_of_this_build() const { return generation_ == grid_.generation(); }
  offset_t next_id() const { return grid_.particle_count() + count(); }

  GridView<D> view() const {
    const GridView<D> g = grid_.view();
    detail::require_spheres(g.has_extents(), "insertions");
    if (!g.is_one_sided()) return g;
    throw Error(ErrorCode::unsupported, "in a gather what one particle touches need not touch it; insert by another rule",
                {.argument = "rule"});
  }

  // Returns the particle as a build would store it, after a build's checks.
  detail::Stored<D> checked(const GridView<D>& g, const Vec<double, D>& x, double radius, index_t world) const {
    Particles<double, D> one = particles<D>(x.v, &radius, 1);
    one.worlds = {&world, g.has_worlds() ? g.worlds : 1};
    const detail::BoxesOfWorlds<D> boxes = detail::boxes_on_host(g);
    detail::InputSummary<D> summary = detail::InputSummary<D>::identity();
    detail::InspectParticle<double, D, detail::BoxesOfWorlds<D>>{one, boxes, g.skin}(0, summary);
    if (summary.bad == 0) return detail::stored(one, boxes, 0);
    summary.first_bad = next_id();
    detail::throw_if_bad(summary, boxes[summary.world()], g.skin, false);
    return {};
  }

  bool touches(const GridView<D>& g, const detail::Stored<D>& s) const {
    return !search(g, s, [](index_t, const Image&) { return false; });
  }

  // Calls f(id, image) for each particle that `s` touches, until f returns false. Returns false then, else true.
  template <class F>
  bool search(const GridView<D>& g, const detail::Stored<D>& s, const F& f) const {
    const Box<D>& box = g.box_of(s.world);
    const auto built = static_cast<index_t>(grid_.particle_count());
    const auto of_inserted = [&](index_t number, const Image& image) { return f(built + number, image); };
    return detail::for_each_touching_built(g, box, s, f) &&
           (count() == 0 || inserted_.for_each_touching(g, box, s, of_inserted)) &&
           detail::for_each_touching_image(g, box, s, static_cast<index_t>(next_id()), f);
  }

  index_t insert(const GridView<D>& g, const detail::Stored<D>& s) {
    detail::Access::visitors(grid_).require_none("insert");
    const offset_t id = next_id();
    if (id >= most_particles) {
      throw Error(ErrorCode::too_many_particles, "ids are 32-bit: at most 2147475455 particles, inserted ones included",
                  {.index = id});
    }
    if (!is_of_this_build()) inserted_.start(g), generation_ = grid_.generation();
    inserted_.insert(s);
    return static_cast<index_t>(id);
  }

  const Grid<Exec, D>& grid_;
  detail::InsertedParticles<Exec, D> inserted_;
  std::uint64_t generation_ = 0;  // build into which the particles were inserted
};

}  // namespace hgrid::inline v0_2
