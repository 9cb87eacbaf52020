// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points or of the grid's own particles, by an executor that launches kernels: its memory, and the
// order of its stages.
#pragma once

#include <algorithm>
#include <cfloat>
#include <type_traits>

#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/cells/stages.hpp"
#include "hgrid/find/asked_points.hpp"
#include "hgrid/find/near_density.hpp"
#include "hgrid/find/near_stages.hpp"
#include "hgrid/find/two_sets.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/memory/access.hpp"
#include "hgrid/memory/list_arrays.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, int D>
class DeviceNearest {
 public:
  explicit DeviceNearest(const Exec&) {}

  /// Fills rows of `ids`, `distances` and `images`, one for each point. `points` and `worlds` are in the executor's memory.
  /// Waits for the check of the points, and throws if they or the build are bad.
  void of_points(Grid<Exec, D>& grid, std::span<const Vec<double, D>> points, const index_t* worlds, const NearWanted& wanted) {
    const Exec& exec = grid.exec();
    Access::engine(grid).check(exec);
    reserve_all(exec, Need{check_, 1});
    require_points(exec, grid.view(), points, worlds, check_.data());
    const auto count = static_cast<offset_t>(points.size());
    const bool ordered = count >= ordered_from;
    reserve(grid, slots_of(grid), count, count, ordered ? count : 0, wanted);
    NearAsked<D> asked = NearAsked<D>::of_points(points.data(), worlds);
    if (ordered) asked.order = in_order(grid, asked, count);
    search(exec, grid.view(), asked, count, static_cast<index_t>(grid.particle_count()), wanted);
  }

  /// Fills one row for each particle id of the grid. Waits for the build.
  void of_particles(Grid<Exec, D>& grid, const NearWanted& wanted) {
    Access::engine(grid).check(grid.exec());
    const offset_t slots = slots_of(grid);
    of_slots(grid, slots, NearAsked<D>::of_slots(grid.view(), true), slots, grid.particle_count(), wanted);
  }

  /// Fills one row for each particle id of another grid. Waits for both builds.
  void of_grid(Grid<Exec, D>& grid, Grid<Exec, D>& asking, const NearWanted& wanted) {
    Access::engine(asking).check(asking.exec()), Access::engine(grid).check(grid.exec());
    require_one_space(asking, grid);
    const NearAsked<D> asked = NearAsked<D>::of_slots(asking.view(), false);
    of_slots(grid, slots_of(grid), asked, slots_of(asking), asking.particle_count(), wanted);
  }

  const index_t* ids() const { return ids_.data(); }
  const double* distances() const { return distances_.data(); }
  const Image* images() const { return images_.data(); }
  std::size_t bytes() const {
    return boxes_.bytes() + check_.bytes() + spacing_.bytes() + ids_.bytes() + distances_.bytes() + images_.bytes() +
           found_.bytes() + left_[0].bytes() + left_[1].bytes() + left_counts_.bytes() + order_.bytes();
  }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;
  static constexpr offset_t ordered_from = 4096;  // points are sorted by cells, so that threads of a warp look at equal cells
  static constexpr int rounds = 3;                // searches by cells before the search by boxes

  NearRows rows(const NearWanted& wanted) {
    return {wanted.k, ids_.data(), distances_.data(), wanted.images ? images_.data() : nullptr, found_.data()};
  }

  static offset_t slots_of(Grid<Exec, D>& grid) {
    const GridView<D> g = grid.view();
    return grid.exec().read_back(g.level_begin + g.level_count);
  }

  void of_slots(Grid<Exec, D>& grid, offset_t slots, const NearAsked<D>& asked, offset_t items, offset_t rows,
                const NearWanted& wanted) {
    const Exec& exec = grid.exec();
    const auto none = static_cast<index_t>(grid.particle_count());
    reserve(grid, slots, items, rows, 0, wanted);
    if (items < rows) exec.for_each("hgrid::no_nearest", rows * wanted.k, ClearNearest{this->rows(wanted), none});
    search(exec, grid.view(), asked, items, none, wanted);
  }

  // Builds the boxes of the particles as they are now, since a graph may have built the grid again; measures their spacing; and
  // reserves memory. The results' memory comes last, so that it is unchanged if there is not enough.
  void reserve(Grid<Exec, D>& grid, offset_t slots, offset_t items, offset_t rows, offset_t ordered, const NearWanted& wanted) {
    const Exec& exec = grid.exec();
    const GridView<D> g = grid.view();
    const offset_t n = rows * wanted.k;
    require_room_for_nearest(exec, rows, wanted.k, wanted.images);
    const auto& boxes = Access::engine(grid).built_boxes();
    if (generation_ != grid.generation()) {
      if (boxes.empty()) require_near_images(g.box);
      std::ranges::for_each(boxes, require_near_images<D>);
    }
    generation_ = grid.generation();
    if (ordered > 0) exec.template reserve_sort<cell_key_t>(ordered, key_bits(grid.plan()));
    boxes_.build(exec, g.x, slots);
    const offset_t worlds = g.has_worlds() ? g.worlds : 1;
    reserve_all(exec, Need{ids_, n}, Need{distances_, n}, Need{images_, wanted.images ? n : 0}, Need{found_, items},
                Need{left_[0], items}, Need{left_[1], items}, Need{left_counts_, rounds}, Need{spacing_, worlds},
                Need{order_.key[0], ordered}, Need{order_.key[1], ordered}, Need{order_.id[0], ordered},
                Need{order_.id[1], ordered}, Need{order_.counts, ordered > 0 ? order_.counts_needed(exec, ordered) : 0});
    for_worlds(g, [&](const auto& view) {
      exec.for_each("hgrid::measure_spacing", worlds, MeasureSpacing<std::decay_t<decltype(view)>>{view, spacing_.data()});
    });
  }

  // Sorts the points by their cells.
  const index_t* in_order(Grid<Exec, D>& grid, const NearAsked<D>& asked, offset_t count) {
    order_.current = 0;
    for_worlds(grid.view(), [&](const auto& view) {
      using Cells = CellsOfPoints<std::decay_t<decltype(view)>>;
      grid.exec().for_each("hgrid::cells_of_points", count,
                           Cells{view, asked, spacing_.data(), order_.key[0].data(), order_.id[0].data()});
    });
    grid.exec().sort_keys(order_, count, key_bits(grid.plan()));
    return order_.id[order_.current].data();
  }

  void search(const Exec& exec, const GridView<D>& g, const NearAsked<D>& asked, offset_t items, index_t none,
              const NearWanted& wanted) {
    for_near_kind(g, [&](const auto& view) {
      wanted.surfaces ? search<true>(exec, view, asked, items, none, wanted)
                      : search<false>(exec, view, asked, items, none, wanted);
    });
  }

  template <bool surfaces, class View>
  void search(const Exec& exec, const View& g, const NearAsked<D>& asked, offset_t items, index_t none,
              const NearWanted& wanted) {
    const double limit = std::fmin(NearPoint<surfaces, D>::limit_of(wanted.within), DBL_MAX);
    const NearSought<View> sought{g, asked, rows(wanted), spacing_.data(), limit};
    exec.for_each("hgrid::none_is_left", rounds, Fill<offset_t>{left_counts_.data(), 0});
    NearQueue from{nullptr, nullptr};
    double guess = near_root<D>(near_volume<D>(asked.with_itself(wanted.k)));
    for (int round = 0; round < rounds; ++round, guess *= 1.5) {
      const NearQueue left{left_[round % 2].data(), left_counts_.data() + round};
      exec.for_each("hgrid::near_by_cells", items, NearByCells<Exec, surfaces, View>{sought, guess, from, left});
      from = left;
    }
    exec.for_each("hgrid::near_by_boxes", items, NearByBoxes<surfaces, View>{sought, boxes_.view(), from});
    exec.for_each("hgrid::finish_nearest", items, FinishNearest<surfaces, View>{sought, wanted.within, none});
  }

  SlotBoxes<Exec, D> boxes_;
  std::uint64_t generation_ = 0;  // build whose periodic boxes were checked
  Buffer<PointCheck> check_;
  Buffer<NearSpacing> spacing_;
  Buffer<index_t> ids_;
  Buffer<double> distances_;
  Buffer<Image> images_;
  Buffer<index_t> found_, left_[2];
  Buffer<offset_t> left_counts_;
  SortBuffers<typename Exec::Memory, cell_key_t> order_;
};

}  // namespace hgrid::inline v0_2::detail
