// SPDX-License-Identifier: BSD-3-Clause
// A brick: consecutive slots that are near each other, with all candidates for their partners, gathered once for all of them.
// Candidates may belong to another grid.
#pragma once

#include <utility>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/predicate.hpp"
#include "host/search/run_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Candidates are in the order of lists, by id, then image, so a sweep finds the partners of a slot in sorted order.
/// Single-precision positions decide nearly all of them (FilterColumns has the proof). Positions are relative to the brick, so
/// they are as accurate in a huge box as in a small one.
template <int D>
struct Brick {
  static constexpr index_t most_slots = 64, most_shifts = 256;
  static constexpr std::uint32_t no_code = 0xffff;
  static constexpr index_t room = 8192, columns = room + 2 * vector_room;

  index_t first, count;       ///< own slots
  Vec<double, D> centre;      ///< origin of the positions
  double extent;              ///< for FilterColumns, for these positions
  index_t candidates;         ///< at most `room`
  bool in_place;              ///< no candidate is under a shift
  index_t place[most_slots];  ///< of own slots among the candidates, or -1

  Shift<D> by[most_shifts];         ///< shifts of candidates, in the order of their images
  std::uint32_t code[most_shifts];  ///< of their images, or no_code
  index_t positive;                 ///< from this number on their images are lexicographically positive

  alignas(64) float x[D][columns];
  alignas(64) float radius[columns];  ///< with its part of the skin, like FilterColumns
  index_t slot[columns];
  index_t id[columns];
  std::uint32_t shift[columns];  ///< number of its shift

  /// Makes candidate c touch nothing, until it is put back: a particle is not a partner of itself.
  float leave_out(index_t c) { return std::exchange(x[0][c], 1e30f); }
  void put_back(index_t c, float kept) { x[0][c] = kept; }
  bool left_out(index_t c) const { return x[0][c] == 1e30f; }
};

/// A box around the slots of a brick. A brick takes slots whose centre is within `reach` plus their own radius of it.
template <int D>
struct BrickBox {
  Vec<double, D> centre, half;
  double reach;
};

/// Appends the slots in [begin, end) that a brick takes, and their ids, to the first n. Returns the new number. Up to
/// vector_room elements after them are overwritten.
template <int D>
index_t gather_slots(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
                     index_t n);

/// Finds candidates from number `from` on that touch p, a slot of the brick. Writes their elements of one column, and of
/// another unless it is null, in order, and returns their number. Up to vector_room elements after them are overwritten.
template <int D>
index_t sweep_brick(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                    index_t* out, const std::uint32_t* other, std::uint32_t* other_out);

}  // namespace hgrid::inline v0_2::detail
