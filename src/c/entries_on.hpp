// SPDX-License-Identifier: BSD-3-Clause
// Measures the entries of lists for the C API: of a grid's own particles, or of a query of points, spheres or another grid.
#pragma once

#include <algorithm>
#include <optional>

#include "c/placed_grid.hpp"
#include "c/results.hpp"

namespace hgrid::c {

/// The memory of an hgrid_entry_list.
template <class Exec>
struct EntryArrays {
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  static constexpr bool can_be_offered = requires(Buffer<double> & buffer) { buffer.offer(); };

  /// Offers the memory to the system, when the entries are no longer needed.
  void offer() noexcept requires(can_be_offered) {
    ids.offer(), wide_images.offer(), images.offer(), distances.offer(), vectors.offer();
  }

  /// Prepares for n entries. A small result, which a caller may keep, does not hold the memory of a large one.
  void prepare_for(offset_t n) {
    constexpr offset_t few = 1 << 17;
    if (can_be_offered && ids.size() > 32 * n + few) ids = {}, wide_images = {}, images = {}, distances = {}, vectors = {};
  }

  Buffer<offset_t> offsets;
  Buffer<std::int64_t> ids, wide_images;
  Buffer<Image> images;
  Buffer<double> distances, vectors;
};

/// Checks the worlds of a query.
template <int D>
struct InspectSpheres {
  const Region<D>* spheres;
  index_t worlds;
  HGRID_HD void operator()(offset_t q, NumberCheck& check) const { check.inspect(q, spheres[q].world, worlds); }
};

/// Owns the last entries, until the next ones, unless they are kept.
template <class Exec, int D>
class EntriesOn {
 public:
  explicit EntriesOn(PlacedGrid<Exec, D>& at) : at_(at), check_(grid_.exec(), 1) {}

  /// Returns the spheres and points of a query.
  detail::MeasuredFrom<D> from(const Regions<D>& regions) {
    return detail::measured_from(grid_.exec(), regions, check_.data());
  }
  /// Writes the present particles of the grid that asks into `spheres`.
  detail::MeasuredFrom<D> from(const Grid<Exec, D>& asking, const hgrid_particles* now,
                               typename Exec::template Buffer<Region<D>>& spheres) {
    if (now == nullptr) refuse("asking_now", "is null; entries need the present particles of the grid that asks");
    const auto written = [&](const auto& p) {
      require_number("asking_now", p.count, asking.particle_count());
      detail::reserve_all(grid_.exec(), detail::Need{spheres, p.count});
      return detail::measured_from(grid_.exec(), p, spheres.data());
    };
    return std::visit(written, at_.particles(now));
  }

  /// Fills the entries of lists of the grid's own particles, or of the query that `from` has. `listed(kind)` finds the lists;
  /// it is called if they are not given, and the executor needs them or a predicate says which contacts touch. `last` becomes
  /// the entries.
  template <class Listed>
  hgrid_entry_list fill(const hgrid_particles* now, const detail::MeasuredFrom<D>& from, bool has_predicate,
                        const hgrid_entry_options& options, const Listed& listed, AnyResults*& last) {
    const bool of_query = from.lists >= 0;
    const ListKind kind = choice<ListKind>(options.kind, "kind");
    const AnyParticles<D> particles = at_.particles(now);
    if (options.list == nullptr) grid_.view();  // throws `not_built`; a restored list needs no build
    std::optional<ListView> list;
    if (options.list != nullptr) {
      list = view_of(taken(options.list, "list"));
      if (of_query) require_number("list", list->lists, from.lists);
    } else if (has_predicate || of_query || !detail::GridEntries::without_list<Exec, D>) {
      list.emplace(listed(kind));
    }
    last = nullptr;  // its memory is filled again
    EntryArrays<Exec>& arrays = entries_.next();
    const Plan<D>& plan = grid_.plan();  // with a skin of the size of rounding, nearly all listed entries are nearer
    const double largest = plan.levels.count > 0 ? plan.levels.level[plan.levels.count - 1].radius_bound : 0;
    const bool expects_all = options.all == 1 || (options.list == nullptr && grid_.view().skin <= 0x1p-20 * largest);
    const auto write = [&](const auto& wanted, const detail::EntryOutput& out) {
      if constexpr (detail::GridEntries::without_list<Exec, D>) {
        if (!list) return detail::GridEntries::write(grid_, kind, wanted, out);
      }
      return detail::GridEntries::write(grid_, *list, wanted, out);
    };
    const auto lists = list ? list->lists : static_cast<index_t>(grid_.particle_count());
    const auto measured = [&]<class Real>(const Particles<Real, D>& p) {
      require_number("positions", p.count, of_query ? grid_.particle_count() : lists);
      const VectorsOfBoxes<D> vectors = at_.vectors();
      detail::WantedEntries<Real, D> wanted{p, vectors.shared, vectors.of_worlds, false, false, expects_all, from};
      wanted.itself = yes(options.itself, "itself"), wanted.nearer = !yes(options.all, "all");
      require(wanted, vectors.worlds);
      return entries(lists, wanted, options, arrays, write);
    };
    const hgrid_entry_list found = std::visit(measured, particles);
    last = &entries_;
    return found;
  }

 private:
  static void require_number(const char* argument, offset_t given, offset_t needed) {
    if (given == needed) return;
    throw Error(ErrorCode::size_mismatch, "there are other particles than in the build",
                {.argument = argument, .value = static_cast<double>(given), .needed = needed});
  }

  // Throws if the particles or the query cannot be measured. `boxes`: how many worlds have boxes of their own.
  template <class Real>
  void require(const detail::WantedEntries<Real, D>& wanted, index_t boxes) {
    const Particles<Real, D>& now = wanted.particles;
    const offset_t lists = wanted.from.lists;
    const bool of_query = wanted.of_query();
    const Cutoffs &table = now.cutoffs, &of_lists = wanted.from.cutoffs;
    if (wanted.nearer && now.has_extents())
      refuse("all", "must be 1: particles with extents have no radii to be nearer than", 0, ErrorCode::unsupported);
    if (of_query && wanted.itself) refuse("itself", "is for lists of the grid's own particles", 1);
    if (of_query && wanted.nearer && table.types != of_lists.types) {
      throw Error(ErrorCode::size_mismatch, "the query has cut-offs of other types than the particles, or none; set `all`",
                  {.argument = "types", .value = static_cast<double>(of_lists.types), .needed = table.types});
    }
    if (boxes > 0) {
      if (now.worlds.count != boxes) {
        throw Error(ErrorCode::size_mismatch, "there are not as many worlds as boxes",
                    {.argument = "worlds", .value = static_cast<double>(now.worlds.count), .needed = boxes});
      }
      at_.require("worlds", "world", now.count, InspectNumbers{now.worlds.of, boxes});
      if (of_query) at_.require("worlds", "world", lists, InspectSpheres<D>{wanted.from.spheres, boxes});
    }
    const auto require_types = [&](const Cutoffs& c, offset_t n) {
      if (c.types > 0) at_.require("types", "type of the table of cut-offs", n, InspectNumbers{c.type, c.types});
    };
    require_types(table, now.count), require_types(of_lists, lists);
  }

  // Fills the entries of that many lists; `write(wanted, output)` writes them.
  template <class Wanted, class Write>
  hgrid_entry_list entries(index_t lists, const Wanted& wanted, const hgrid_entry_options& given, EntryArrays<Exec>& to,
                           const Write& write) {
    const bool images = yes(given.images, "images"), wide_images = yes(given.wide_images, "wide_images"),
               distances = yes(given.distances, "distances"), vectors = yes(given.vectors, "vectors"),
               swapped = yes(given.swapped, "swapped");
    detail::reserve_all(grid_.exec(), detail::Need{to.offsets, offset_t{lists} + 1});
    detail::EntryColumns columns{};
    const auto room = [&](offset_t size) {
      to.prepare_for(size);
      const offset_t n = detail::with_margin(size, to.ids.size() / 2);
      detail::reserve_all(grid_.exec(), detail::Need{to.ids, 2 * n}, detail::Need{to.images, images ? n : 0},
                          detail::Need{to.wide_images, wide_images ? D * n : 0}, detail::Need{to.distances, distances ? n : 0},
                          detail::Need{to.vectors, vectors ? D * n : 0});
      columns = {to.ids.data() + (swapped ? size : 0),      to.ids.data() + (swapped ? 0 : size),
                 images ? to.images.data() : nullptr,       wide_images ? to.wide_images.data() : nullptr,
                 distances ? to.distances.data() : nullptr, vectors ? to.vectors.data() : nullptr};
      return columns;
    };
    const offset_t size = write(wanted, detail::EntryOutput{to.offsets.data(), room});
    hgrid_entry_list found{};
    found.lists = lists, found.size = size, found.offsets = to.offsets.data(), found.ids = to.ids.data();
    found.images = numbers_of(columns.images), found.wide_images = columns.wide_images;
    found.distances = columns.distances, found.vectors = columns.vectors;
    return found;
  }

  PlacedGrid<Exec, D>& at_;
  Grid<Exec, D>& grid_ = at_.grid;
  typename Exec::template Buffer<detail::RegionCheck> check_;
  Results<EntryArrays<Exec>, 1> entries_;  // the largest results
};

}  // namespace hgrid::c
