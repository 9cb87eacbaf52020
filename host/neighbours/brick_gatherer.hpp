// SPDX-License-Identifier: BSD-3-Clause
// Collects the candidates of a brick from the rows of cells around it, and sorts them.
#pragma once

#include <algorithm>
#include <bit>

#include "hgrid/core/image_code.hpp"
#include "hgrid/core/region.hpp"
#include "hgrid/memory/list_arrays.hpp"
#include "host/search/brick.hpp"
#include "host/sort/sort_words.hpp"

namespace hgrid::inline v0_2::detail {

/// Consecutive slots of one world: the box around their centres, and the largest radius.
template <int D>
struct NearSlots {
  index_t first, count;
  Vec<double, D> lo, hi;
  double radius;

  /// Takes slots from p on, up to `end`, while they fit into a box of this width along each axis. The first `few` may use
  /// another width.
  NearSlots(const GridView<D>& g, index_t p, index_t end, double width, index_t few = 0, double width_of_few = 0)
      : first(p), count(1), lo(g.position(p)), hi(lo), radius(g.radius[p]) {
    for (index_t q = p + 1; q < end && g.world_of(q) == g.world_of(p); ++q, ++count) {
      Vec<double, D> lower, upper;
      double wide = 0;
      for (int k = 0; k < D; ++k) {
        lower[k] = std::min(lo[k], g.x[k][q]), upper[k] = std::max(hi[k], g.x[k][q]);
        wide = std::max(wide, upper[k] - lower[k]);
      }
      if (wide > (count < few ? width_of_few : width)) return;
      lo = lower, hi = upper, radius = std::max(radius, g.radius[q]);
    }
  }
};

/// The memory of a worker for gathering.
template <int D>
struct GatherRoom {
  index_t slot[Brick<D>::columns], id[Brick<D>::columns];
  std::uint8_t shift[Brick<D>::columns];
  std::uint64_t words[2][Brick<D>::columns];
  SortWords<std::uint16_t> sort;
};

template <int D>
class BrickGatherer {
  using B = Brick<D>;

 public:
  /// Candidates are slots of `grid`, whose ids are below `ids`. The slots of bricks belong to `asking`, which may be the same
  /// grid.
  BrickGatherer(const GridView<D>& asking, const GridView<D>& grid, offset_t ids, GatherRoom<D>& room)
      : asking_(asking), g_(grid), room_(room), id_bits_(std::bit_width(static_cast<std::uint64_t>(ids))) {}

  /// Gathers the candidates of slots. When the brick is full, make_room() must empty it, by `arrange`, or return false to give
  /// up.
  template <class MakeRoom>
  bool gather(B& b, const NearSlots<D>& slots, const MakeRoom& make_room) {
    forget();
    const index_t world = asking_.world_of(slots.first);
    const Box<D>& box = g_.box_of(world);
    const auto scale = [&](int k) { return g_.has_images() ? shift_scale(box, k) : 0.0; };
    BrickBox<D> around;
    double wide = 0, far = 0;
    const double largest = *std::max_element(g_.radius_max, g_.radius_max + g_.level_count);
    for (int k = 0; k < D; ++k) {
      b.centre[k] = 0.5 * slots.lo[k] + 0.5 * slots.hi[k];
      around.half[k] = 0.5 * (slots.hi[k] - slots.lo[k]);
      wide = std::max(wide, around.half[k]);
      far = std::max(far, std::max(std::fabs(slots.lo[k]), std::fabs(slots.hi[k])) + scale(k));
    }
    // The margins of both bounds far exceed all rounding, including the predicate's (search_reach), which is some u of
    // distances and of `far`.
    const double distance = wide + slots.radius + g_.skin + largest;
    around.reach = slots.radius + g_.skin + 0x1p-40 * distance + 0x1p-44 * far + 0x1p-500;
    b.first = slots.first, b.count = slots.count, b.extent = (distance + largest) * (1 + 0x1p-20) + 0x1p-24 * far;
    for (int level = 0; level < g_.level_count; ++level) {
      if (g_.level_begin[level] == g_.level_begin[level + 1]) continue;
      const double reached = listing_distance_in(g_, slots.radius, g_.radius_max[level]);
      Vec<double, D> reach;
      for (int k = 0; k < D; ++k) {
        reach[k] = search_reach(reached, std::max(std::fabs(slots.lo[k]), std::fabs(slots.hi[k])), scale(k));
      }
      bool all = true;
      of_other_levels_ = shifts_;
      const SlotRun there = g_.slots_on(level, world);
      const auto gather_image = [&](const Shift<D>& shift) {
        for (int k = 0; k < D; ++k) around.centre[k] = b.centre[k] - shift.by[k];
        const auto gather_run = [&](index_t first, index_t last) {
          while (first < last && all) {
            const bool full = gathered_ == B::room || shifts_ == B::most_shifts;
            if (full && !make_room()) return void(all = false);
            const index_t some = std::min(last - first, B::room - gathered_), before = gathered_;
            gathered_ = gather_slots(g_, around, first, first + some, room_.slot, room_.id, gathered_);
            if (gathered_ > before) std::fill(room_.shift + before, room_.shift + gathered_, number_of(shift));
            first += some;
          }
        };
        if (there.end - there.begin <= few_slots) return gather_run(there.begin, there.end);
        CellRange<D> range;
        for (int k = 0; k < D; ++k) {
          const CellSpan cells = cells_in_reach(slots.lo[k] - shift.by[k], slots.hi[k] - shift.by[k], reach[k],
                                                [&](double at) { return g_.cell_of(g_.level[level], world, k, at); });
          range.first[k] = cells.first, range.last[k] = cells.last;
        }
        for_each_run_in(g_, level, world, range, gather_run);
      };
      if (g_.has_images()) {
        for_each_image(box, slots.lo, slots.hi, reach, gather_image);
      } else {
        gather_image(Shift<D>{});
      }
      if (!all) return false;
    }
    return true;
  }

  /// Makes the gathered slots the candidates of the brick, and clears the gathered slots.
  void arrange(B& b) {
    index_t rank[B::most_shifts];
    const index_t in_place = arrange_shifts(b, rank);
    const index_t n = b.candidates = gathered_;
    for (index_t k = 0; k < n; ++k) {
      const auto key = static_cast<std::uint64_t>(room_.id[k]) << shift_bits | static_cast<std::uint64_t>(rank[room_.shift[k]]);
      room_.words[0][k] = key << place_bits | static_cast<std::uint64_t>(k);
    }
    const std::uint64_t* const sorted =
        room_.sort(room_.words[0], room_.words[1], n, shifts_ == 1 ? id_shift : place_bits, id_shift + id_bits_);
    std::fill_n(b.place, b.count, -1);
    const double *x[D], *const radius = g_.radius, skin = g_.skin;  // copies, which the stores below cannot alias
    std::copy_n(g_.x, D, x);
    const bool radii_add = g_.adds_radii();
    const Vec<double, D> centre = b.centre;
    const index_t first = b.first, count = &asking_ == &g_ ? b.count : 0;  // own slots that are also candidates
    for (index_t k = 0; k < n; ++k) {
      const auto from = static_cast<index_t>(sorted[k] & ((1u << place_bits) - 1));
      const auto shift = static_cast<std::uint32_t>(sorted[k] >> place_bits & ((1u << shift_bits) - 1));
      const index_t slot = room_.slot[from];
      for (int a = 0; a < D; ++a) b.x[a][k] = static_cast<float>(x[a][slot] + b.by[shift].by[a] - centre[a]);
      b.radius[k] = filter_radius(radius[slot], skin, radii_add);
      b.slot[k] = slot, b.id[k] = static_cast<index_t>(sorted[k] >> id_shift), b.shift[k] = shift;
      const index_t own = slot - first;
      if (own >= 0 && own < count && static_cast<index_t>(shift) == in_place) b.place[own] = k;
    }
    for (index_t k = n; k < n + vector_room; ++k) b.leave_out(k), b.radius[k] = 0;
    forget();
  }

 private:
  static constexpr int shift_bits = 8, place_bits = 14, id_shift = shift_bits + place_bits;
  static_assert(B::most_shifts <= 1 << shift_bits && B::room <= UINT16_MAX && B::room <= 1 << place_bits);

  // Testing this many slots with vectors is faster than finding the cells in reach.
  static constexpr index_t few_slots = 64;

  void forget() { gathered_ = shifts_ = of_other_levels_ = 0; }

  // Returns the number of a shift. Each shift comes once per level, so it is the last one, or one of earlier levels, or new.
  std::uint8_t number_of(const Shift<D>& shift) {
    if (shifts_ > 0 && shift_[shifts_ - 1].m == shift.m) return static_cast<std::uint8_t>(shifts_ - 1);
    index_t s = 0;
    while (s < of_other_levels_ && shift_[s].m != shift.m) ++s;
    if (s == of_other_levels_) shift_[s = shifts_++] = shift;
    return static_cast<std::uint8_t>(s);
  }

  // Sorts the shifts by their images. Returns the index of the shift of zero, or -1.
  index_t arrange_shifts(B& b, index_t* rank) {
    const Box<D>& box = g_.box_of(asking_.world_of(b.first));
    index_t order[B::most_shifts], in_place = -1;
    Image image[B::most_shifts];
    b.positive = 0;
    for (index_t s = 0; s < shifts_; ++s) order[s] = s, image[s] = image_of(box, shift_[s]);
    std::sort(order, order + shifts_, [&](index_t s, index_t t) { return comes_before(0, image[s], 0, image[t]); });
    for (index_t s = 0; s < shifts_; ++s) {
      const index_t from = order[s];
      rank[from] = s, b.by[s] = shift_[from], b.code[s] = has_code(image[from]) ? image_code(image[from]) : B::no_code;
      if (image[from] == Image{}) in_place = s;
      b.positive += lexicographic_sign(image[from]) <= 0;
    }
    b.in_place = shifts_ == 0 || (shifts_ == 1 && in_place == 0);
    return in_place;
  }

  const GridView<D>&asking_, &g_;
  GatherRoom<D>& room_;
  const int id_bits_;
  index_t gathered_ = 0, shifts_ = 0, of_other_levels_ = 0;
  Shift<D> shift_[B::most_shifts];  // of the gathered slots; the shifts of earlier levels come first
};

}  // namespace hgrid::inline v0_2::detail
