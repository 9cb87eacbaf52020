// SPDX-License-Identifier: BSD-3-Clause
// The queries that a grid takes: regions, a mesh, or the particles of another grid.
#pragma once

#include <type_traits>

#include "hgrid/find/asked_grid.hpp"
#include "hgrid/find/asked_lists.hpp"
#include "hgrid/find/excluding.hpp"
#include "hgrid/find/mesh.hpp"
#include "hgrid/find/region_stages.hpp"

namespace hgrid::inline v0_2 {

// Another grid is a query itself: `grid.find(lists, asking)`. Row i holds the ids, ascending, of the particles of this grid
// that touch particle i of `asking` by the grids' rule, with the image of each (contract C3; i is of `asking`, j of this grid).
// Under `Rule::gather`, row i holds the particles within the interaction distance of i. The skin counts with the mean of both
// grids' skins, so a list holds every contact as long as both grids are `valid`. Two ghosts, or two particles of one group, do
// not pair, and worlds do not mix. If both grids have cut-offs by type, the smaller entry of both tables counts. Errors:
// `not_built`; `invalid_argument` for another box, rule or device, or other boxes of worlds; `size_mismatch` for another number
// of worlds or of types (also if only one grid has any); `unsupported` for extents in only one grid. Use both on one stream.

/// Regions as a query: `Region<D>::box`, `sphere` or `point`, in the executor's memory, as in
/// `grid.find(lists, Regions{regions, count})`. Each region is one item of work, so cut a region that holds a large part of the
/// system. Groups and ghosts make no difference for regions.
///
/// `radius_scale` scales the radii of the particles as the grid has them, extra distances included: 1.1 also takes particles
/// that are within a tenth of their radius of a region. It is from 0 to 1e15, else `invalid_argument`. Errors: `size_mismatch`
/// (a negative number of regions), `capacity` (more regions than ids have bits for, or beyond the executor's memory limit;
/// thrown before allocating), `invalid_argument` (null regions), `not_built`. With the index of the region: `nonfinite`;
/// `range_error` (also for a world that does not exist, and a region more than 2^30 periods outside the box, 2^29 if tilted);
/// `invalid_argument` (lo > hi, negative radius); `unsupported` (a region with an extent in a turned box; any region if
/// particles have extents); `box_too_small` (over seven periods wide, five in a tilted box, including the largest particle).
template <int D>
struct Regions {
  const Region<D>* regions;  ///< [count]
  offset_t count;
  Take take = Take::touching;
  double radius_scale = 1;
};
template <int D>
Regions(const Region<D>*, offset_t, Take = {}, double = {}) -> Regions<D>;

/// A mesh as a query: list t holds the particles that touch triangle t. A ball that touches an edge or a corner shared by
/// triangles has one contact there, not one for each triangle (`MeshView`). `particles` are the particles of the build as they
/// are now, in the executor's memory; each has moved and grown by at most `margin` since the build. `History::remap` carries
/// values from triangle to triangle. Errors: the errors of regions; `size_mismatch` for another number of particles;
/// `invalid_argument` for a mesh of another periodic box; `unsupported` if worlds have boxes of their own. With worlds, the
/// mesh is in world 0.
template <class Exec, class Real>
struct OnMesh {
  Mesh<Exec>& mesh;
  Particles<Real, 3> particles;
  double margin = 0;
};
template <class Exec, class Real>
OnMesh(Mesh<Exec>&, const Particles<Real, 3>&, double = {}) -> OnMesh<Exec, Real>;

namespace detail {

/// Finds the contacts of regions.
template <class Exec, int D>
class RegionsAsking {
 public:
  static constexpr bool within_functors = true;

  RegionsAsking(Grid<Exec, D>& grid, const Regions<D>& asker, AskingMemory<Exec, D>& memory)
      : grid_(grid), asker_(asker), taken_(checked(asker.take, asker.radius_scale)), memory_(memory) {
    check_regions(asker.regions, asker.count);
  }

  index_t lists() const { return static_cast<index_t>(asker_.count); }

  /// Throws if the build or a region is bad. Waits. `largest` is the largest radius of particles on other ranks.
  void check(double largest = 0) {
    Access::engine(grid_).check(grid_.exec());
    throw_bad_region(grid_.exec().read_back(inspect(0, largest)));
  }

  /// Fills one list for each region, with the particles for which `touches` is true.
  template <class Touches, class Lists>
  void fill(const Touches& touches, Lists& out) {
    check();
    if constexpr (Exec::on_host && std::is_same_v<Touches, AllTouch>) {
      auto& engine = Access::engine(grid_);
      if (engine.lists_of(grid_.exec(), memory_.engine, asker_.regions, asker_.count, taken_, out)) return;
    }
    fill_asked(grid_.exec(), stages(nullptr), lists(), in_one_type<Exec>(touches), grid_.view().periodic, out);
  }
  template <class Touches, class Lists>
  offset_t count(const Touches& touches, Lists& memory) {
    check();
    if constexpr (Exec::on_host && std::is_same_v<Touches, AllTouch>) {
      auto& engine = Access::engine(grid_);
      if (const auto n = engine.count(grid_.exec(), memory_.engine, asker_.regions, asker_.count, taken_)) return *n;
    }
    return counted(grid_.exec(), stages(nullptr), lists(), in_one_type<Exec>(touches), memory);
  }
  /// Calls f(q, id, image) for each contact. Does not wait on a device: if a region is bad, f is not called there, and
  /// `Grid::check` throws.
  template <class F>
  void visit(const F& f) {
    if (Exec::on_host) check();
    memory_.blame = throw_bad_region;
    visit_asked(grid_.exec(), stages(Exec::on_host ? nullptr : inspect(1)), asker_.count, f);
  }
  template <class Touches, class Lists>
  void enqueue(const Touches& touches, offset_t call, Lists& out) {
    const RegionCheck* const check = inspect(0);
    enqueue_asked(grid_.exec(), stages(check), lists(), in_one_type<Exec>(touches), &check->bad, grid_.view().periodic, call,
                  out);
  }

 private:
  AskingRegions<D> stages(const RegionCheck* check) const { return {grid_.view(), asker_.regions, taken_, check}; }

  // Checks the regions, and returns the place of the result in the executor's memory.
  const RegionCheck* inspect(int place, double largest = 0) {
    require_spheres(grid_.view().has_extents(), "regions and meshes");
    reserve_all(grid_.exec(), Need{memory_.check, 2});  // a moved-from grid has no memory
    RegionCheck* const found = memory_.check.data() + place;
    for_worlds(grid_.view(), [&](const auto& view) {
      using Inspect = InspectRegion<D, std::decay_t<decltype(view)>>;
      grid_.exec().reduce("hgrid::inspect_regions", asker_.count, Inspect{asker_.regions, view, taken_, largest}, RegionCheck{},
                          found);
    });
    return found;
  }

  Grid<Exec, D>& grid_;
  Regions<D> asker_;
  Taken taken_;
  AskingMemory<Exec, D>& memory_;
};

/// Finds the contacts of a mesh: the boxes of its triangles as regions, then an exact test by the mesh.
template <class Exec, class Real>
class MeshAsking {
 public:
  static constexpr bool within_functors = true;

  MeshAsking(Grid<Exec, 3>& grid, const OnMesh<Exec, Real>& asker, AskingMemory<Exec, 3>& memory)
      : touches_{asker.mesh.view(), asker.particles}, boxes_(grid, boxes_of(grid, asker), memory) {}

  index_t lists() const { return boxes_.lists(); }
  void check() { boxes_.check(); }

  template <class Touches, class Lists>
  void fill(const Touches& touches, Lists& out) {
    boxes_.fill(with_mesh(touches), out);
  }
  template <class Touches, class Lists>
  offset_t count(const Touches& touches, Lists& memory) {
    return boxes_.count(with_mesh(touches), memory);
  }
  template <class Touches, class Lists>
  void enqueue(const Touches& touches, offset_t call, Lists& out) {
    boxes_.enqueue(with_mesh(touches), call, out);
  }
  template <class F>
  void visit(const F& f) {
    boxes_.visit(VisitTouching<F>{touches_, f});
  }

 private:
  template <class Touches>
  struct Both {
    TouchesMesh<Real> mesh;
    Touches touches;
    HGRID_HD bool operator()(index_t t, index_t id, const Image& image) const {
      return mesh(t, id, image) && touches(t, id, image);
    }
  };
  template <class Touches>
  Both<Touches> with_mesh(const Touches& touches) const {
    return {touches_, touches};
  }
  const TouchesMesh<Real>& with_mesh(const AllTouch&) const { return touches_; }

  template <class F>
  struct VisitTouching {
    TouchesMesh<Real> mesh;
    F f;
    HGRID_HD void operator()(index_t t, index_t id, const Image& image) const {
      if (mesh(t, id, image)) f(t, id, image);
    }
  };

  static Regions<3> boxes_of(Grid<Exec, 3>& grid, const OnMesh<Exec, Real>& asker) {
    require_mesh_of(grid, asker.mesh.box(), asker.particles);
    return {asker.mesh.boxes(asker.margin), asker.mesh.size(), Take::touching, 1 + 0x1p-40};  // a little larger, because the
                                                                                              // boxes are rounded differently
  }

  TouchesMesh<Real> touches_;
  RegionsAsking<Exec, 3> boxes_;
};

template <class Exec, int D>
struct AskingOf<Exec, D, Regions<D>> {
  using type = RegionsAsking<Exec, D>;
};
template <class Exec, int D>
struct AskingOf<Exec, D, Grid<Exec, D>> {
  using type = GridAsking<Exec, D>;
};
template <class Exec, class Real>
struct AskingOf<Exec, 3, OnMesh<Exec, Real>> {
  using type = MeshAsking<Exec, Real>;
};

}  // namespace detail

}  // namespace hgrid::inline v0_2
