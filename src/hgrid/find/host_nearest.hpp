// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points or of the grid's own particles, on hosts: the memory, and the search by many threads.
#pragma once

#include <atomic>
#include <bit>
#include <span>

#include "hgrid/cells/radix_sort.hpp"
#include "hgrid/find/asked_points.hpp"
#include "hgrid/find/near_asked.hpp"
#include "hgrid/find/near_tree.hpp"
#include "hgrid/find/near_tree_search.hpp"
#include "hgrid/find/nearest_search.hpp"
#include "hgrid/find/two_sets.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"

namespace hgrid::inline v0_2::detail {

template <class Exec, int D>
class HostNearest {
 public:
  explicit HostNearest(const Exec& exec) : exec_(exec) {}

  /// Fills rows of `ids`, `distances` and `images`, one for each point. Throws if a point is bad.
  void of_points(const Grid<Exec, D>& grid, std::span<const Vec<double, D>> points, const index_t* worlds,
                 const NearWanted& wanted) {
    PointCheck found;
    require_points(exec_, grid.view(), points, worlds, &found);
    const auto count = static_cast<offset_t>(points.size());
    search(grid, NearAsked<D>::of_points(points.data(), worlds), count, count, wanted);
  }

  /// Fills one row for each particle id of the grid.
  void of_particles(const Grid<Exec, D>& grid, const NearWanted& wanted) {
    search(grid, NearAsked<D>::of_slots(grid.view(), true), grid.view().slots(), grid.particle_count(), wanted);
  }
  /// Fills one row for each particle id of another grid.
  void of_grid(const Grid<Exec, D>& grid, const Grid<Exec, D>& asking, const NearWanted& wanted) {
    require_one_space(asking, grid);
    search(grid, NearAsked<D>::of_slots(asking.view(), false), asking.view().slots(), asking.particle_count(), wanted);
  }

  const index_t* ids() const { return ids_.data(); }
  const double* distances() const { return distances_.data(); }
  const Image* images() const { return images_.data(); }
  std::size_t bytes() const {
    return ids_.bytes() + distances_.bytes() + images_.bytes() + boxes_.bytes() + tree_.bytes() + order_.bytes() +
           parts_.bytes() + pieces_.bytes() + key_.bytes() + slot_.bytes() + sorted_.bytes() + image_.bytes();
  }

 private:
  using Parts = NearParts<D>;

  static constexpr offset_t ordered_from = 256;  // number of points from which they are sorted by blocks of cells
  static constexpr offset_t at_once = 128;       // points that a thread takes at a time
  static constexpr offset_t most_samples = 256;
  // In slots that a search by cells looks at: a particle of the tree that is built, a search in it, and each entry found.
  static constexpr double work_of_tree = 50, work_in_tree = 150, work_of_entry = 8;

  // Searches for `items` points; `rows` is the number of rows of the results.
  void search(const Grid<Exec, D>& grid, NearAsked<D> asked, offset_t items, offset_t rows, const NearWanted& wanted) {
    const GridView<D> g = grid.view();
    reserve(grid, asked, items, rows, wanted);
    if (has_tree_ && asked.slots.are_own) {
      asked.order = tree_.view().slot;
    } else if (items >= ordered_from) {
      asked.order = has_tree_ ? by_leaves(g, asked, items) : in_order(g, asked, items, wanted.k);
    }
    const auto none = static_cast<index_t>(grid.particle_count());
    if (items < rows) {
      exec_.for_each("hgrid::no_nearest", rows, [&](offset_t row) { write_none(row, 0, none, wanted); });
    }
    wanted.surfaces ? search<true>(g, asked, items, none, wanted) : search<false>(g, asked, items, none, wanted);
  }

  // Reserves all memory, or none, and prepares the boxes or the tree of this build.
  void reserve(const Grid<Exec, D>& grid, const NearAsked<D>& asked, offset_t items, offset_t rows, const NearWanted& wanted) {
    const GridView<D> g = grid.view();
    const offset_t n = rows * wanted.k, threads = exec_.concurrency(), ordered = items < ordered_from ? 0 : items;
    require_room_for_nearest(exec_, rows, wanted.k, wanted.images);
    if (generation_ != grid.generation()) {
      for (index_t world = 0; world < (g.has_worlds() && g.world_box_step > 0 ? g.worlds : 1); ++world)
        require_near_images(g.box_of(world));
      generation_ = grid.generation(), has_tree_ = has_boxes_ = false, missed_ = 0;
    }
    reserve_all(exec_, Need{parts_, threads * Parts::most}, Need{pieces_, threads * Parts::most_pieces});
    if (!has_tree_) {
      missed_ += wanted.surfaces ? missed<true>(g, asked, items, wanted) : missed<false>(g, asked, items, wanted);
      if (missed_ > work_of_tree * g.slots()) tree_.build(exec_, g), has_tree_ = true;
    }
    if (!has_tree_ && !has_boxes_) boxes_.build(exec_, g.x, g.slots()), has_boxes_ = true;
    room_ = NearColumns::room(std::min(wanted.k, g.slots())) + NearColumns::behind_last;
    reserve_all(exec_, Need{ids_, n}, Need{distances_, n}, Need{images_, wanted.images ? n : 0}, Need{key_, threads * room_},
                Need{slot_, threads * room_}, Need{image_, threads * room_}, Need{sorted_, threads * room_},
                Need{order_.key[0], ordered}, Need{order_.key[1], ordered}, Need{order_.id[0], ordered},
                Need{order_.id[1], ordered}, Need{order_.counts, ordered > 0 ? order_.counts_needed(exec_, ordered) : 0});
  }

  // Returns about how much more work these points are without the tree than with it, or a part of this that pays for the tree.
  // Looks at a sample.
  template <bool surfaces>
  double missed(const GridView<D>& g, const NearAsked<D>& asked, offset_t items, const NearWanted& wanted) {
    const offset_t samples = std::min<offset_t>((items + 31) / 32, most_samples);
    NearestSearch<surfaces, Exec, D> search(g, boxes_, wanted.k, wanted.within, parts_.data(), pieces_.data(), {});
    const double of_sample = static_cast<double>(items) / static_cast<double>(std::max<offset_t>(samples, 1)),
                 in_tree = (work_in_tree + work_of_entry * wanted.k) * static_cast<double>(items);
    double more = -in_tree;
    for (offset_t s = 0; s < samples && missed_ + more <= work_of_tree * g.slots(); ++s)
      more += of_sample * search.work_around({g, asked(g, (2 * s + 1) * items / (2 * samples))});
    return std::max(more, 0.0);
  }

  // Sorts the points by the blocks of cells that hold them, so that points which are searched together find their data in the
  // cache.
  const index_t* in_order(const GridView<D>& g, const NearAsked<D>& asked, offset_t count, index_t k) {
    const NearDensity<D> density(g, asked(g, 0).world, asked.with_itself(k));
    const int h = density.level(), cells = density.block(g);
    order_.current = 0;
    cell_key_t* const key = order_.key[0].data();
    index_t* const id = order_.id[0].data();
    exec_.for_each("hgrid::blocks_of_points", count, [&](offset_t q) {
      const AskedPoint<D> at = asked(g, q);
      Vec<index_t, D> block;
      for (int a = 0; a < D; ++a) block[a] = g.cell_of(g.level[h], at.world, a, at.x[a]) >> cells;
      key[q] = g.key_of_cell(h, block), id[q] = static_cast<index_t>(q);
    });
    cell_key_t most = 0;
    for (offset_t q = 0; q < count; ++q) most = std::max(most, key[q]);
    exec_.sort_keys(order_, count, std::bit_width(most));
    return order_.id[order_.current].data();
  }

  // Sorts the points by the nearest leaves of the tree.
  const index_t* by_leaves(const GridView<D>& g, const NearAsked<D>& asked, offset_t count) {
    order_.current = 0;
    exec_.for_each_part("hgrid::leaves_of_points", count, [&](offset_t begin, offset_t end) {
      NearRanges<D> ranges;
      for (offset_t q = begin; q < end; ++q) {
        const AskedPoint<D> at = asked(g, q);
        if (at.world != ranges.world()) ranges = {g, at.world};
        order_.key[0].data()[q] = 0, order_.id[0].data()[q] = static_cast<index_t>(q);
        if (ranges.particles() > 0) find_leaves(tree_.view(), *ranges.begin(), &at.x, 1, order_.key[0].data() + q);
      }
    });
    exec_.sort_keys(order_, count, std::bit_width(static_cast<std::uint64_t>(g.slots()) / 8));
    return order_.id[order_.current].data();
  }

  template <bool surfaces>
  void search(const GridView<D>& g, const NearAsked<D>& asked, offset_t items, index_t none, const NearWanted& wanted) {
    using Point = NearPoint<surfaces, D>;
    std::atomic<offset_t> next{0};
    exec_.for_each_worker("hgrid::nearest", (items + at_once - 1) / at_once, [&](offset_t worker) {
      const NearColumns columns{key_.data(), slot_.data(), image_.data(), sorted_.data()};
      NearTreeSearch<surfaces, D> in_tree(g, tree_.view(), wanted.k, wanted.within, {columns + worker * room_, 0, 0, 0, 0});
      NearestSearch<surfaces, Exec, D> nearest(g, boxes_, wanted.k, wanted.within, parts_.data() + worker * Parts::most,
                                               pieces_.data() + worker * Parts::most_pieces, columns + worker * room_);
      Point points[at_once];
      Vec<double, D> x[at_once];
      for (offset_t begin; (begin = next.fetch_add(at_once, std::memory_order_relaxed)) < items;) {
        const offset_t count = std::min(at_once, items - begin);
        // Positions lie anywhere in memory. The loop is short so that many loads are in flight at once.
        for (offset_t i = 0; i < count; ++i) x[i] = asked.position(begin + i);
        for (offset_t i = 0; i < count; ++i) {
          points[i] = Point(g, asked(g, begin + i, x[i]));
          fetch(ids_.data() + points[i].row * wanted.k), fetch(distances_.data() + points[i].row * wanted.k);
        }
        if (!has_tree_) {
          nearest(points, count, [&](const Point& p, auto& found) { write(g, p, found, none, wanted); });
          continue;
        }
        for (offset_t i = 0; i < count; ++i) {
          if (asked.slots.are_own) points[i].itself = static_cast<index_t>(begin + i);
          write(g, points[i], in_tree(points[i]), none, wanted);
        }
      }
    });
  }

  template <class Point, class Found>
  void write(const GridView<D>& g, const Point& p, Found& found, index_t none, const NearWanted& wanted) {
    const offset_t to = p.row * wanted.k;
    index_t end = 0;
    found.for_each([&](index_t place, double key, index_t slot, Image image) {
      const double distance = Point::distance_of(key);
      if (distance > wanted.within) return;
      end = std::max(end, place + 1);
      ids_.data()[to + place] = g.id[slot], distances_.data()[to + place] = distance;
      if (!wanted.images) return;
      for (int k = 0; k < D && g.periodic; ++k) image[k] += p.wraps[k] - g.periods(slot, k);
      images_.data()[to + place] = g.periodic ? image : Image{};
    });
    write_none(p.row, end, none, wanted);
  }

  void write_none(offset_t row, index_t from, index_t none, const NearWanted& wanted) {
    for (offset_t e = row * wanted.k + from; e < (row + 1) * wanted.k; ++e) {
      ids_.data()[e] = none, distances_.data()[e] = HUGE_VAL;
      if (wanted.images) images_.data()[e] = {};
    }
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  bool has_tree_ = false, has_boxes_ = false;  // of this build; the search uses the tree, or cells and boxes
  double missed_ = 0;                          // work that a tree of this build would have saved so far
  NearTree<Exec, D> tree_;
  SlotBoxes<Exec, D> boxes_;
  std::uint64_t generation_ = 0;  // build whose boxes are kept
  Buffer<index_t> ids_;
  Buffer<double> distances_;
  Buffer<Image> images_;
  // Memory of the threads for the search.
  Buffer<NearPart<D>> parts_;
  Buffer<NearPiece> pieces_;
  Buffer<double> key_;
  Buffer<index_t> slot_, sorted_;
  Buffer<Image> image_;
  offset_t room_ = 0;
  SortBuffers<typename Exec::Memory, cell_key_t> order_;
};

}  // namespace hgrid::inline v0_2::detail
