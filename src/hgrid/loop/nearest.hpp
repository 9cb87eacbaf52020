// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points, or of the particles themselves, in a built grid.
#pragma once

#include <atomic>
#include <limits>
#include <span>
#include <string>
#include <type_traits>

#include "hgrid/cells/radix_sort.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/loop/asked_points.hpp"
#include "hgrid/loop/device_nearest.hpp"
#include "hgrid/loop/nearest_search.hpp"

namespace hgrid::inline v0_2 {

/// Which distance counts: that of centres, |x_i - q|, or from the surface, |x_i - q| - r_i, which is negative inside. r_i is
/// scaled, and has the extra distance in it.
enum class NearestBy { centres, surfaces };

struct NearestOptions {
  index_t k = 1;
  NearestBy by = NearestBy::centres;
  double within = std::numeric_limits<double>::infinity();  ///< none is farther
  bool images = false;                                      ///< the image of each is wanted
};

/// Results, in order, `k` for each point: entry [q * k + e] is of the e-th nearest particle of point q. Equally near ones are
/// ordered by id. Where there are no more particles (within reach), the id is the number of particles of the build, and the
/// distance infinite. All are in the executor's memory.
struct NearestResults {
  offset_t points;
  index_t k;
  std::span<const index_t> ids;       ///< [points * k]
  std::span<const double> distances;  ///< [points * k]
  std::span<const Image> images;      ///< [points * k] or empty: q - x - m L is the distance vector, as in contract C3
};

/// The nearest particles of a built grid, in memory that is used again. All particles that take part count, whatever their
/// groups, ghosts and exclusions. Of a particle's periodic images only the nearest counts, so each is there at most once.
/// Distances are computed in double, each operation rounded once (contract, P), and have the same bits for every plan,
/// executor and number of threads. A point takes time in proportion to k, and to how many particles share a cell, and more by
/// the logarithm of their number where it lies far from them. The first call after a build goes through all particles once, on
/// a device each call does.
///
/// On a device a call waits for the build, and for the check of its points. Its results are valid in the order of the
/// executor's work.
///
/// Each call throws `not_built`, `unsupported` (a box that is tilted along an open axis, or tilted with a period over eight
/// times as long as another), `invalid_argument` (k below 1, `within` not a number), `capacity` (more results than the
/// executor's memory limit) and `out_of_memory`; on a device also what was wrong with the input of the build. Results last
/// until the next call, also one that throws. The grid must outlive the object, and stay where it is. The grid's watch is not
/// asked.
template <class Exec, int D>
class Nearest {
 public:
  explicit Nearest(const Grid<Exec, D>& grid) requires(Exec::on_host) : grid_(grid), exec_(grid.exec()) {}
  explicit Nearest(Grid<Exec, D>& grid) requires(!Exec::on_host) : grid_(grid), exec_(grid.exec()) {}

  /// The nearest particles of each point; `worlds` has its world, if there are worlds. Both are in the executor's memory.
  /// Points are as builds take positions: `nonfinite` or `range_error` name the first that is not, `size_mismatch` worlds of
  /// another number.
  NearestResults of_points(std::span<const Vec<double, D>> points, const NearestOptions& options = {},
                           std::span<const index_t> worlds = {}) {
    const GridView<D> g = grid_.view();
    detail::require_spheres(g.has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
    const auto count = static_cast<offset_t>(points.size());
    if (!worlds.empty() && worlds.size() != points.size()) {
      throw Error(ErrorCode::size_mismatch, std::to_string(worlds.size()) + " worlds of " + detail::counted(count, "point"),
                  {.argument = "worlds", .value = static_cast<double>(worlds.size())});
    }
    const index_t* const of = worlds.empty() ? nullptr : worlds.data();
    check_options(options);
    if constexpr (!Exec::on_host) {
      on_device_.of_points(grid_, points, of, wanted(options));
      return on_device(count, options);
    } else {
      detail::PointCheck found;
      detail::require_points(exec_, g, points, of, &found);
      reserve(g, count, options, count >= ordered_from ? count : 0);
      const index_t* const order = count >= ordered_from ? in_order(g, points.data(), of, count) : nullptr;
      const auto point_of = [&](offset_t item) {
        const offset_t q = order == nullptr ? item : order[item];
        const index_t world = of == nullptr ? 0 : of[q];
        const WrappedPosition<D> in = wrap(g.box_of(world), points[static_cast<std::size_t>(q)]);
        return detail::AskedPoint<D>{q, in.inside, in.periods, world, -1};
      };
      return search(g, count, count, options, point_of);
    }
  }

  /// The nearest other particles of each particle, by id; none of those that take no part.
  NearestResults of_particles(const NearestOptions& options = {}) {
    const GridView<D> g = grid_.view();
    detail::require_spheres(g.has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
    check_options(options);
    if constexpr (!Exec::on_host) {
      on_device_.of_particles(grid_, wanted(options));
      return on_device(grid_.particle_count(), options);
    } else {
      reserve(g, grid_.particle_count(), options, 0);
      const auto slot_of = [&](offset_t item) {
        const auto slot = static_cast<index_t>(item);
        Image wraps{};
        for (int k = 0; k < D; ++k) wraps[k] = g.periods(slot, k);
        return detail::AskedPoint<D>{g.id[slot], g.position(slot), wraps, g.world_of(slot), slot};
      };
      return search(g, g.slots(), grid_.particle_count(), options, slot_of);
    }
  }

  std::size_t bytes() const {
    return ids_.bytes() + distances_.bytes() + images_.bytes() + boxes_.bytes() + order_.bytes() + runs_.bytes() +
           key_.bytes() + slot_.bytes() + sorted_.bytes() + image_.bytes() + on_device_.bytes();
  }

 private:
  static constexpr offset_t ordered_from = 4096;  // points are asked cell by cell, so that they find memory in the cache
  static constexpr offset_t at_once = 64;         // that a thread takes
  static constexpr offset_t room_for_runs = detail::NearestSearch<false, Exec, D>::room_for_runs;

  static void check_options(const NearestOptions& options) {
    if (options.k < 1) {
      throw Error(ErrorCode::invalid_argument, "k is " + std::to_string(options.k) + "; it must be at least 1",
                  {.argument = "k", .value = static_cast<double>(options.k)});
    }
    if (std::isnan(options.within))
      throw Error(ErrorCode::invalid_argument, "within is not a number", {.argument = "within", .value = options.within});
  }

  static detail::NearWanted wanted(const NearestOptions& options) {
    return {options.k, options.by == NearestBy::surfaces, options.within, options.images};
  }
  NearestResults on_device(offset_t rows, const NearestOptions& options) const {
    const auto n = static_cast<std::size_t>(rows * options.k);
    return {rows, options.k, {on_device_.ids(), n}, {on_device_.distances(), n}, {on_device_.images(), options.images ? n : 0}};
  }

  // All memory, or none; and the boxes of this build.
  void reserve(const GridView<D>& g, offset_t points, const NearestOptions& options, offset_t ordered) {
    using detail::Need;
    const offset_t n = points * options.k, threads = exec_.concurrency();
    detail::require_room(exec_, n, sizeof(double) + sizeof(index_t), options.images);
    room_ = detail::NearColumns::room(std::min(options.k, g.slots()));
    if (generation_ != grid_.generation()) {
      for (index_t world = 0; world < (g.has_worlds() && g.world_box_step > 0 ? g.worlds : 1); ++world)
        detail::require_near_images(g.box_of(world));
      boxes_.build(exec_, g);
      generation_ = grid_.generation();
    }
    detail::reserve_all(exec_, Need{ids_, n}, Need{distances_, n}, Need{images_, options.images ? n : 0},
                        Need{runs_, threads * room_for_runs}, Need{key_, threads * room_}, Need{slot_, threads * room_},
                        Need{image_, threads * room_}, Need{sorted_, threads * room_}, Need{order_.key[0], ordered},
                        Need{order_.key[1], ordered}, Need{order_.id[0], ordered}, Need{order_.id[1], ordered},
                        Need{order_.counts, ordered > 0 ? order_.counts_needed(exec_, ordered) : 0});
  }

  // The points by the cells that they lie in.
  const index_t* in_order(const GridView<D>& g, const Vec<double, D>* points, const index_t* worlds, offset_t count) {
    int h = 0;
    for (int other = 1; other < g.level_count; ++other) {
      if (g.level_begin[other + 1] - g.level_begin[other] > g.level_begin[h + 1] - g.level_begin[h]) h = other;
    }
    order_.current = 0;
    cell_key_t* const key = order_.key[0].data();
    index_t* const id = order_.id[0].data();
    exec_.for_each("hgrid::cells_of_points", count, [&](offset_t q) {
      const index_t world = worlds == nullptr ? 0 : worlds[q];
      const Vec<double, D> x = detail::into_box(g.box_of(world), points[q]).inside;
      Vec<index_t, D> cell;
      for (int k = 0; k < D; ++k) cell[k] = g.cell_of(g.level[h], world, k, x[k]);
      key[q] = g.key_of_cell(h, cell), id[q] = static_cast<index_t>(q);
    });
    cell_key_t most = 0;
    for (offset_t q = 0; q < count; ++q) most = std::max(most, key[q]);
    exec_.sort_keys(order_, count, std::bit_width(most));
    return order_.id[order_.current].data();
  }

  // asked_of(item) for `items`, of which each has a row.
  template <class AskedOf>
  NearestResults search(const GridView<D>& g, offset_t items, offset_t rows, const NearestOptions& options,
                        const AskedOf& asked_of) {
    if (items < rows) {
      exec_.for_each("hgrid::no_nearest", rows, [&](offset_t row) { write_none(row, 0, options); });
    }
    if (options.by == NearestBy::surfaces) {
      search<true>(g, items, options, asked_of);
    } else {
      search<false>(g, items, options, asked_of);
    }
    const auto n = static_cast<std::size_t>(rows * options.k);
    return {rows, options.k, {ids_.data(), n}, {distances_.data(), n}, {images_.data(), options.images ? n : 0}};
  }

  template <bool surfaces, class AskedOf>
  void search(const GridView<D>& g, offset_t items, const NearestOptions& options, const AskedOf& asked_of) {
    using Point = detail::NearPoint<surfaces, D>;
    std::atomic<offset_t> next{0};
    exec_.for_each_worker("hgrid::nearest", (items + at_once - 1) / at_once, [&](offset_t worker) {
      const detail::NearColumns columns{key_.data(), slot_.data(), image_.data(), sorted_.data()};
      detail::NearestSearch<surfaces, Exec, D> nearest(g, boxes_, options.k, options.within,
                                                       runs_.data() + worker * room_for_runs, columns + worker * room_);
      Point points[at_once];
      for (offset_t begin; (begin = next.fetch_add(at_once, std::memory_order_relaxed)) < items;) {
        const offset_t count = std::min(at_once, items - begin);
        for (offset_t i = 0; i < count; ++i) points[i] = Point(g, asked_of(begin + i));
        nearest(points, count, [&](const Point& p, auto& found) { write(g, p, found, options); });
      }
    });
  }

  template <class Point, class Found>
  void write(const GridView<D>& g, const Point& p, Found& found, const NearestOptions& options) {
    const offset_t to = p.row * options.k;
    index_t end = 0;
    found.for_each([&](index_t place, double key, index_t slot, Image image) {
      const double distance = Point::distance_of(key);
      if (distance > options.within) return;
      end = std::max(end, place + 1);
      ids_.data()[to + place] = g.id[slot], distances_.data()[to + place] = distance;
      if (!options.images) return;
      for (int k = 0; k < D && g.periodic; ++k) image[k] += p.wraps[k] - g.periods(slot, k);
      images_.data()[to + place] = g.periodic ? image : Image{};
    });
    write_none(p.row, end, options);
  }

  void write_none(offset_t row, index_t from, const NearestOptions& options) {
    for (offset_t e = row * options.k + from; e < (row + 1) * options.k; ++e) {
      ids_.data()[e] = static_cast<index_t>(grid_.particle_count()), distances_.data()[e] = HUGE_VAL;
      if (options.images) images_.data()[e] = {};
    }
  }

  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  std::conditional_t<Exec::on_host, const Grid<Exec, D>, Grid<Exec, D>>& grid_;
  Exec exec_;
  std::conditional_t<Exec::on_host, detail::NoneOnDevice, detail::DeviceNearest<Exec, D>> on_device_;
  detail::SlotBoxes<Exec, D> boxes_;
  std::uint64_t generation_ = 0;  // of the build whose boxes they are
  Buffer<index_t> ids_;
  Buffer<double> distances_;
  Buffer<Image> images_;
  // Of each thread, for the search.
  Buffer<detail::NearRun<D>> runs_;
  Buffer<double> key_;
  Buffer<index_t> slot_, sorted_;
  Buffer<Image> image_;
  offset_t room_ = 0;
  detail::SortBuffers<typename Exec::Memory, cell_key_t> order_;
};

}  // namespace hgrid::inline v0_2
