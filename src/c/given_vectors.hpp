// SPDX-License-Identifier: BSD-3-Clause
// The vectors of a grid's boxes as the caller gave them. A grid may turn its boxes; distances are measured along the given
// vectors.
#pragma once

#include <utility>
#include <vector>

#include "c/inputs.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::c {

template <class Exec, int D>
class GivenVectors {
  using Vectors = detail::BoxVectors<D>;

 public:
  GivenVectors(const Grid<Exec, D>& grid, const hgrid_box* box)
      : box_(grid.box()), vectors_(vectors_of<D>(box)), on_device_(grid.exec(), 0) {}

  /// Sets the vectors after the grid has taken the box.
  void set_box(const Grid<Exec, D>& grid, const hgrid_box* box) { box_ = grid.box(), vectors_ = vectors_of<D>(box); }
  void set_boxes(const Grid<Exec, D>& grid, const hgrid_box* boxes, std::int64_t count) {
    std::vector<Vectors> worlds;
    for (std::int64_t world = 0; world < count; ++world) worlds.push_back(vectors_of<D>(box_at(boxes, world)));
    take(grid, std::move(worlds));
  }
  void built(const Grid<Exec, D>& grid) {
    built_ = now(grid), built_worlds_ = worlds_now(grid), generation_ = grid.generation();
  }

  /// Returns the vectors of the last build's box; if a list built the grid, of the present box.
  Vectors of(const Grid<Exec, D>& grid) const { return generation_ == grid.generation() ? built_ : now(grid); }
  /// Returns how many worlds had boxes of their own in that build.
  index_t worlds(const Grid<Exec, D>& grid) { return static_cast<index_t>(worlds_of(grid).size()); }
  /// Returns the vectors of these worlds, where the grid works; null if there are none.
  const Vectors* of_worlds(const Grid<Exec, D>& grid) {
    const std::vector<Vectors>& vectors = worlds_of(grid);
    if (vectors.empty()) return nullptr;
    const auto n = static_cast<offset_t>(vectors.size());
    detail::reserve_all(grid.exec(), detail::Need{on_device_, n});
    grid.exec().copy_in(on_device_.data(), vectors.data(), n);
    return on_device_.data();
  }

 private:
  // Returns the present vectors. Boxes from a checkpoint have no given vectors.
  Vectors now(const Grid<Exec, D>& grid) const { return grid.box() == box_ ? vectors_ : vectors_of(grid.box()); }
  const std::vector<Vectors>& worlds_of(const Grid<Exec, D>& grid) {
    return generation_ == grid.generation() ? built_worlds_ : worlds_now(grid);
  }
  const std::vector<Vectors>& worlds_now(const Grid<Exec, D>& grid) {
    if (grid.boxes() != boxes_) {
      std::vector<Vectors> worlds;
      for (const Box<D>& box : grid.boxes()) worlds.push_back(vectors_of(box));
      take(grid, std::move(worlds));
    }
    return worlds_;
  }
  // Takes all, or nothing if memory is short.
  void take(const Grid<Exec, D>& grid, std::vector<Vectors> worlds) {
    boxes_ = std::vector<Box<D>>(grid.boxes());
    worlds_ = std::move(worlds);
  }

  Box<D> box_;
  Vectors vectors_, built_{};
  std::vector<Box<D>> boxes_;
  std::vector<Vectors> worlds_, built_worlds_;
  typename Exec::template Buffer<Vectors> on_device_;
  std::uint64_t generation_ = 0;
};

}  // namespace hgrid::c
