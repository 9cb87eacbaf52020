// SPDX-License-Identifier: BSD-3-Clause
// The nearest particles of points, or of the particles themselves, in a built grid.
#pragma once

#include <atomic>
#include <limits>
#include <span>
#include <string>

#include "hgrid/cells/radix_sort.hpp"
#include "hgrid/grid.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/loop/asked_points.hpp"
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
/// distance infinite.
struct NearestResults {
  offset_t points;
  index_t k;
  std::span<const index_t> ids;       ///< [points * k]
  std::span<const double> distances;  ///< [points * k]
  std::span<const Image> images;      ///< [points * k] or empty: q - x - m L is the distance vector, as in contract C3
};

/// The nearest particles of a built grid, on hosts, in memory that is used again. All particles that take part count, whatever
/// their groups, ghosts and exclusions. Of a particle's periodic images only the nearest counts, so each is there at most once.
/// Distances are computed in double, each operation rounded once (contract, P), and have the same bits for every plan,
/// executor and number of threads. A point takes time in proportion to k, and to how many particles share a cell, and more by
/// the logarithm of their number where it lies far from them. The first call after a build goes through all particles once.
///
/// Each call throws `not_built`, `unsupported` (a box that is tilted along an open axis, or tilted with a period over eight
/// times as long as another), `invalid_argument` (k below 1, `within` not a number), `capacity` (more results than the
/// executor's memory limit) and `out_of_memory`. Results last until the next call, also one that throws. The grid must outlive
/// the object, and stay where it is. The grid's watch is not asked.
template <class Exec, int D>
class Nearest {
  static_assert(Exec::on_host, "the nearest are found on hosts");

 public:
  explicit Nearest(const Grid<Exec, D>& grid) : grid_(grid), exec_(grid.exec()) {}

  /// The nearest particles of each point; `worlds` has its world, if there are worlds. Points are as builds take positions:
  /// `nonfinite` or `range_error` name the first that is not, `size_mismatch` worlds of another number.
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
    detail::require_points(exec_, g, points, of);
    reserve(g, count, count, options);
    const auto world_of = [&](offset_t q) { return of == nullptr ? 0 : of[q]; };
    const index_t* const order = in_order(g, count, options.k, world_of, [&](offset_t q) {
      return detail::into_box(g.box_of(world_of(q)), points[static_cast<std::size_t>(q)]).inside;
    });
    const auto number_of = [order](offset_t item) { return order == nullptr ? item : offset_t{order[item]}; };
    const auto fetch = [&](offset_t item) { detail::fetch(points.data() + number_of(item)); };
    const auto point_of = [&](offset_t item) {
      const offset_t q = number_of(item);
      const index_t world = world_of(q);
      const WrappedPosition<D> in = wrap(g.box_of(world), points[static_cast<std::size_t>(q)]);
      return detail::AskedPoint<D>{q, in.inside, in.periods, world, -1};
    };
    return search(g, count, count, options, fetch, point_of);
  }

  /// The nearest other particles of each particle, by id; none of those that take no part.
  NearestResults of_particles(const NearestOptions& options = {}) {
    const GridView<D> g = grid_.view();
    detail::require_spheres(g.has_extents() && options.by == NearestBy::surfaces, "nearest surfaces");
    check_options(options);
    reserve(g, g.slots(), grid_.particle_count(), options);
    const index_t* const order = in_order(
        g, g.slots(), options.k, [&](offset_t slot) { return g.world_of(static_cast<index_t>(slot)); },
        [&](offset_t slot) { return g.position(static_cast<index_t>(slot)); });
    const auto number_of = [order](offset_t item) { return order == nullptr ? static_cast<index_t>(item) : order[item]; };
    const auto fetch = [&](offset_t item) {
      for (int k = 0; k < D; ++k) detail::fetch(g.x[k] + number_of(item));
    };
    const auto slot_of = [&](offset_t item) {
      const index_t slot = number_of(item);
      Image wraps{};
      for (int k = 0; k < D; ++k) wraps[k] = g.periods(slot, k);
      return detail::AskedPoint<D>{g.id[slot], g.position(slot), wraps, g.world_of(slot), slot};
    };
    return search(g, g.slots(), grid_.particle_count(), options, fetch, slot_of);
  }

  std::size_t bytes() const {
    return ids_.bytes() + distances_.bytes() + images_.bytes() + boxes_.bytes() + order_.bytes() + parts_.bytes() +
           pieces_.bytes() + key_.bytes() + slot_.bytes() + sorted_.bytes() + image_.bytes();
  }

 private:
  using Parts = detail::NearParts<D>;

  static constexpr offset_t ordered_from = 256;  // from that many on points are asked block by block
  static constexpr offset_t at_once = 128;       // that a thread takes

  static void check_options(const NearestOptions& options) {
    if (options.k < 1) {
      throw Error(ErrorCode::invalid_argument, "k is " + std::to_string(options.k) + "; it must be at least 1",
                  {.argument = "k", .value = static_cast<double>(options.k)});
    }
    if (std::isnan(options.within))
      throw Error(ErrorCode::invalid_argument, "within is not a number", {.argument = "within", .value = options.within});
  }

  // All memory, or none; and the boxes of this build.
  void reserve(const GridView<D>& g, offset_t items, offset_t rows, const NearestOptions& options) {
    using detail::Need;
    const offset_t n = rows * options.k, threads = exec_.concurrency(), ordered = items < ordered_from ? 0 : items;
    detail::require_room(exec_, n, sizeof(double) + sizeof(index_t), options.images);
    room_ = detail::NearColumns::room(std::min(options.k, g.slots())) + detail::NearColumns::behind_last;
    if (generation_ != grid_.generation()) {
      for (index_t world = 0; world < (g.has_worlds() && g.world_box_step > 0 ? g.worlds : 1); ++world)
        detail::require_near_images(g.box_of(world));
      boxes_.build(exec_, g);
      generation_ = grid_.generation();
    }
    detail::reserve_all(exec_, Need{ids_, n}, Need{distances_, n}, Need{images_, options.images ? n : 0},
                        Need{parts_, threads * Parts::most}, Need{pieces_, threads * Parts::most_pieces},
                        Need{key_, threads * room_}, Need{slot_, threads * room_}, Need{image_, threads * room_},
                        Need{sorted_, threads * room_}, Need{order_.key[0], ordered}, Need{order_.key[1], ordered},
                        Need{order_.id[0], ordered}, Need{order_.id[1], ordered},
                        Need{order_.counts, ordered > 0 ? order_.counts_needed(exec_, ordered) : 0});
  }

  // The items by the blocks of cells that they lie in, so that those that ask together follow one another, and find memory in
  // the cache. Null if they are few.
  template <class WorldOf, class PositionOf>
  const index_t* in_order(const GridView<D>& g, offset_t count, index_t k, const WorldOf& world_of,
                          const PositionOf& position_of) {
    if (count < ordered_from) return nullptr;
    const detail::NearDensity<D> density(g, world_of(0), k);
    const int h = density.level(), cells = density.block(g);
    order_.current = 0;
    cell_key_t* const key = order_.key[0].data();
    index_t* const id = order_.id[0].data();
    exec_.for_each("hgrid::blocks_of_points", count, [&](offset_t q) {
      const index_t world = world_of(q);
      const Vec<double, D> x = position_of(q);
      Vec<index_t, D> block;
      for (int a = 0; a < D; ++a) block[a] = g.cell_of(g.level[h], world, a, x[a]) >> cells;
      key[q] = g.key_of_cell(h, block), id[q] = static_cast<index_t>(q);
    });
    cell_key_t most = 0;
    for (offset_t q = 0; q < count; ++q) most = std::max(most, key[q]);
    exec_.sort_keys(order_, count, std::bit_width(most));
    return order_.id[order_.current].data();
  }

  // asked_of(item) for `items`, of which each has a row; fetch(item) asks for their memory.
  template <class Fetch, class AskedOf>
  NearestResults search(const GridView<D>& g, offset_t items, offset_t rows, const NearestOptions& options, const Fetch& fetch,
                        const AskedOf& asked_of) {
    if (items < rows) {
      exec_.for_each("hgrid::no_nearest", rows, [&](offset_t row) { write_none(row, 0, options); });
    }
    if (options.by == NearestBy::surfaces) {
      search<true>(g, items, options, fetch, asked_of);
    } else {
      search<false>(g, items, options, fetch, asked_of);
    }
    const auto n = static_cast<std::size_t>(rows * options.k);
    return {rows, options.k, {ids_.data(), n}, {distances_.data(), n}, {images_.data(), options.images ? n : 0}};
  }

  template <bool surfaces, class Fetch, class AskedOf>
  void search(const GridView<D>& g, offset_t items, const NearestOptions& options, const Fetch& fetch,
              const AskedOf& asked_of) {
    using Point = detail::NearPoint<surfaces, D>;
    std::atomic<offset_t> next{0};
    exec_.for_each_worker("hgrid::nearest", (items + at_once - 1) / at_once, [&](offset_t worker) {
      const detail::NearColumns columns{key_.data(), slot_.data(), image_.data(), sorted_.data()};
      detail::NearestSearch<surfaces, Exec, D> nearest(g, boxes_, options.k, options.within,
                                                       parts_.data() + worker * Parts::most,
                                                       pieces_.data() + worker * Parts::most_pieces, columns + worker * room_);
      Point points[at_once];
      for (offset_t begin; (begin = next.fetch_add(at_once, std::memory_order_relaxed)) < items;) {
        const offset_t count = std::min(at_once, items - begin);
        for (offset_t i = 0; i < count; ++i) fetch(begin + i);
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

  const Grid<Exec, D>& grid_;
  Exec exec_;
  detail::SlotBoxes<Exec, D> boxes_;
  std::uint64_t generation_ = 0;  // of the build whose boxes they are
  Buffer<index_t> ids_;
  Buffer<double> distances_;
  Buffer<Image> images_;
  // Of each thread, for the search.
  Buffer<detail::NearPart<D>> parts_;
  Buffer<detail::NearPiece> pieces_;
  Buffer<double> key_;
  Buffer<index_t> slot_, sorted_;
  Buffer<Image> image_;
  offset_t room_ = 0;
  detail::SortBuffers<typename Exec::Memory, cell_key_t> order_;
};

}  // namespace hgrid::inline v0_2
