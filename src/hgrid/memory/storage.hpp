// SPDX-License-Identifier: BSD-3-Clause
// The memory behind a view, in the executor's space: grow-only, reserved together before a build writes anything.
#pragma once

#include "hgrid/core/filter.hpp"
#include "hgrid/core/grid_view.hpp"
#include "hgrid/memory/generation.hpp"
#include "hgrid/memory/reserve.hpp"

namespace hgrid::inline v0_2::detail {

/// Numbers of things for which a build needs room.
struct StorageSize {
  offset_t particles = 0;
  cell_key_t cells = 0;
  TableKind table = TableKind::dense;
  KeyOrder keys = KeyOrder::row_major;
  bool groups = false, periodic = false;
  offset_t islands = 0, exclusions = 0;
  index_t types = 0;  ///< in a table of cut-offs
  index_t levels = 1, worlds = 0;
  bool filter = false;   ///< the search reads filter records
  bool extents = false;  ///< particles are boxes

  bool operator==(const StorageSize&) const = default;
};

/// The arrays that a build writes: the arrays of GridView, not yet const.
template <int D>
struct SlotArrays {
  double* x[D];
  double* radius;
  double* extent[D];           // or null, also the next
  Vec<double, D>* extent_max;  // [max_levels]
  index_t* id;
  index_t* group;        // or null
  index_t* world;        // or null
  Image* wraps;          // or null
  FilterRecord* filter;  // or null
  double* radius_max;    // [max_levels]
  index_t* level_begin;  // [max_levels + 1]
  index_t* cell_begin;
  index_t* cell_end;  // dense Morton
  Segment* segment;   // compacted, also the next two
  index_t* segment_first;
  index_t* segments;
  index_t* world_begin;  // [levels * worlds + 1]
};

/// The exclusions that a build writes: the arrays of ExclusionTable, not yet const.
struct ExclusionArrays {
  ListedIds* listed;
  offset_t* begin;
  index_t* ids;
};

/// The cut-offs that a build keeps: the arrays of CutoffTable, not yet const.
struct CutoffArrays {
  index_t* type;
  double* distance;
};

/// A dense table is filled in parts of this number of cells.
inline constexpr int cells_per_part = 16;

/// Returns the number of entries of a dense table: a start for each cell and the end, in whole parts.
inline offset_t room_of_starts(cell_key_t cells) {
  return static_cast<offset_t>((cells / cells_per_part + 1) * cells_per_part);
}

template <class Exec, int D>
class Storage {
 public:
  /// Reserves all arrays. Throws `out_of_memory` and is then unchanged.
  void reserve(const Exec& exec, const StorageSize& s) {
    if (s == reserved_ && !empty()) return;
    const offset_t n = s.particles, padded = n + slot_padding, cells = static_cast<offset_t>(s.cells);
    const bool dense = s.table == TableKind::dense, morton = s.keys == KeyOrder::morton;
    const auto all = [&](auto... coordinates) {
      bytes_ = reserve_all(
          exec, coordinates..., Need{radius_, padded}, Need{id_, padded}, Need{group_, s.groups ? padded : 0},
          Need{wraps_, s.periodic ? padded : 0}, Need{filter_, s.filter ? padded : 0}, Need{levels_, s.levels},
          Need{radius_max_, max_levels}, Need{level_begin_, max_levels + 1},
          Need{cell_begin_, dense ? room_of_starts(s.cells) : n + 1}, Need{cell_end_, dense && morton ? cells : 0},
          Need{segment_, dense ? 0 : n + 1}, Need{segment_first_, dense ? 0 : n + 1}, Need{segments_, dense ? 0 : 1},
          Need{islands_, s.islands}, Need{exclusions_listed_, s.exclusions > 0 ? words_of_ids(n) : 0},
          Need{exclusions_begin_, s.exclusions > 0 ? n + 1 : 0},
          Need{exclusions_, with_margin(s.exclusions, exclusions_.size())}, Need{type_, s.types > 0 ? n : 0},
          Need{cutoffs_, offset_t{s.types} * s.types}, Need{world_, s.worlds > 0 ? padded : 0},
          Need{world_begin_, s.worlds > 0 ? offset_t{s.levels} * s.worlds + 1 : 0}, Need{world_origin_, s.worlds},
          Need{extents_, s.extents ? D * padded : 0}, Need{extent_max_, s.extents ? max_levels : 0});
    };
    if constexpr (D == 2) {
      all(Need{x_[0], padded}, Need{x_[1], padded});
    } else {
      all(Need{x_[0], padded}, Need{x_[1], padded}, Need{x_[2], padded});
    }
    reserved_ = s;
  }

  SlotArrays<D> arrays(bool groups, bool wraps, bool worlds, bool extents) {
    SlotArrays<D> a{};
    for (int k = 0; k < D; ++k) a.x[k] = x_[k].data();
    a.radius = radius_.data(), a.id = id_.data();
    const offset_t column = extents_.size() / D;
    for (int k = 0; k < D && extents; ++k) a.extent[k] = extents_.data() + k * column;
    a.extent_max = extents ? extent_max_.data() : nullptr;
    a.group = groups ? group_.data() : nullptr;
    a.wraps = wraps ? wraps_.data() : nullptr;
    a.world = worlds ? world_.data() : nullptr;
    a.world_begin = world_begin_.data();
    a.filter = filter_.data();
    a.radius_max = radius_max_.data(), a.level_begin = level_begin_.data();
    a.cell_begin = cell_begin_.data(), a.cell_end = cell_end_.data();
    a.segment = segment_.data(), a.segment_first = segment_first_.data(), a.segments = segments_.data();
    return a;
  }

  ExclusionArrays exclusions() { return {exclusions_listed_.data(), exclusions_begin_.data(), exclusions_.data()}; }
  CutoffArrays cutoffs() { return {type_.data(), cutoffs_.data()}; }
  Level<D>* levels() { return levels_.data(); }
  Island* islands() { return islands_.data(); }
  Vec<double, D>* world_origin() { return world_origin_.data(); }
  std::size_t bytes() const { return bytes_; }
  bool empty() const { return bytes_ == 0; }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  StorageSize reserved_;  // last
  ClearedByMove<std::size_t> bytes_;
  Buffer<double> x_[D], radius_, radius_max_;
  Buffer<index_t> id_, group_, level_begin_, cell_begin_, cell_end_, segment_first_, segments_;
  Buffer<Image> wraps_;
  Buffer<FilterRecord> filter_;
  Buffer<Level<D>> levels_;
  Buffer<Segment> segment_;
  Buffer<Island> islands_;
  Buffer<ListedIds> exclusions_listed_;
  Buffer<offset_t> exclusions_begin_;
  Buffer<index_t> exclusions_, type_;
  Buffer<double> cutoffs_;
  Buffer<index_t> world_, world_begin_;
  Buffer<Vec<double, D>> world_origin_;
  Buffer<double> extents_;  // the columns of all axes
  Buffer<Vec<double, D>> extent_max_;
};

}  // namespace hgrid::inline v0_2::detail
