// SPDX-License-Identifier: BSD-3-Clause
// The vectors of a grid's boxes as the caller gave them. A grid may turn its boxes; distances are measured along the given
// vectors.
#pragma once

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

#include "c/inputs.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::c {

/// The vectors of the box that all worlds share, or of each world's box.
template <int D>
struct VectorsOfBoxes {
  detail::BoxVectors<D> shared;
  const detail::BoxVectors<D>* of_worlds;  // where the grid works; null: the worlds have no boxes of their own
  index_t worlds;                          // how many have
};

template <class Exec, int D>
class GivenVectors {
  using Vectors = std::vector<detail::BoxVectors<D>>;  // of the box that all share, then of each world's

 public:
  GivenVectors(const Grid<Exec, D>& grid, const hgrid_box* box) : boxes_{grid.box()}, now_{vectors_of<D>(box)} {}

  /// Sets the box of the grid, or the boxes of its worlds.
  void set_box(Grid<Exec, D>& grid, const hgrid_box* box) {
    Vectors next = before_change(grid);
    grid.set_box(box_of<D>(box));
    next.front() = vectors_of<D>(box);
    take(grid, std::move(next));
  }
  void set_boxes(Grid<Exec, D>& grid, const hgrid_box* boxes, std::int64_t count) {
    Vectors next = before_change(grid);
    grid.set_boxes(boxes_of<D>(boxes, count));
    next.resize(1);
    for (std::int64_t world = 0; world < count; ++world) next.push_back(vectors_of<D>(box_at(boxes, world)));
    take(grid, std::move(next));
  }
  /// Called after each build, except by a list.
  void built(const Grid<Exec, D>& grid) { built_.reset(), generation_ = grid.generation(); }

  /// Returns the vectors of the last build's boxes; if a list built the grid, of the present boxes.
  VectorsOfBoxes<D> of(const Grid<Exec, D>& grid) {
    const Vectors& all = built_ && generation_ == grid.generation() ? *built_ : present(grid);
    const auto worlds = static_cast<index_t>(all.size()) - 1;
    if (worlds == 0) return {all.front(), nullptr, 0};
    detail::reserve_all(grid.exec(), detail::Need{on_device_, worlds});
    grid.exec().copy_in(on_device_.data(), all.data() + 1, worlds);
    return {all.front(), on_device_.data(), worlds};
  }

 private:
  // Boxes from a checkpoint have no given vectors.
  const Vectors& present(const Grid<Exec, D>& grid) {
    if (boxes_.front() != grid.box() || !std::ranges::equal(std::span(boxes_).subspan(1), grid.boxes())) {
      Vectors vectors{vectors_of(grid.box())};
      for (const Box<D>& box : grid.boxes()) vectors.push_back(vectors_of(box));
      take(grid, std::move(vectors));
    }
    return now_;
  }
  // Keeps the vectors of the last build, and returns the present ones.
  Vectors before_change(const Grid<Exec, D>& grid) {
    const Vectors& now = present(grid);
    if (!built_ && generation_ > 0) built_ = now;
    return now;
  }
  // Takes all, or nothing if memory is short.
  void take(const Grid<Exec, D>& grid, Vectors vectors) {
    std::vector<Box<D>> boxes{grid.box()};
    boxes.insert(boxes.end(), grid.boxes().begin(), grid.boxes().end());
    boxes_ = std::move(boxes), now_ = std::move(vectors);
  }

  std::vector<Box<D>> boxes_;  // to which these belong:
  Vectors now_;
  std::optional<Vectors> built_;  // vectors of the last build, if boxes were set since
  std::uint64_t generation_ = 0;  // of that build; 0: there was none
  typename Exec::template Buffer<detail::BoxVectors<D>> on_device_;
};

}  // namespace hgrid::c
