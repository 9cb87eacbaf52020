// SPDX-License-Identifier: BSD-3-Clause
// A brick: consecutive slots that are near each other, with all that may be their partners, gathered once for all of them. The
// partners may be those of another grid.
#pragma once

#include <utility>

#include "hgrid/core/grid_view.hpp"
#include "hgrid/core/predicate.hpp"
#include "host/search/run_kernels.hpp"

namespace hgrid::inline v0_2::detail {

/// Candidates are in the order of lists, by id, then image: those that touch a slot come out of a sweep sorted. Their positions
/// are in single precision and decide nearly all of them (FilterColumns has the proof); they are relative to the brick, so they
/// are as good in a huge box as in a small one.
template <int D>
struct Brick {
  static constexpr index_t most_slots = 64, most_shifts = 256;
  static constexpr std::uint32_t no_code = 0xffff;
  static constexpr index_t room = 8192, columns = room + 2 * vector_room;

  index_t first, count;       ///< own slots
  Vec<double, D> centre;      ///< what positions are relative to
  double extent;              ///< of FilterColumns, for these positions
  index_t candidates;         ///< at most `room`
  bool in_place;              ///< none is under a shift
  index_t place[most_slots];  ///< of own slots among the candidates, or -1

  Shift<D> by[most_shifts];         ///< shifts of candidates, in the order of their images
  std::uint32_t code[most_shifts];  ///< of their images, or no_code
  index_t positive;                 ///< from this number on their images are lexicographically positive

  alignas(64) float x[D][columns];
  alignas(64) float radius[columns];  ///< with its part of the skin, as in FilterColumns
  index_t slot[columns];
  index_t id[columns];
  std::uint32_t shift[columns];  ///< number of its shift

  /// Candidate c touches nobody from here on, until it is put back: a particle is no partner of itself.
  float leave_out(index_t c) { return std::exchange(x[0][c], 1e30f); }
  void put_back(index_t c, float kept) { x[0][c] = kept; }
  bool left_out(index_t c) const { return x[0][c] == 1e30f; }
};

/// A brick takes slots whose centre is within `reach` and their own radius of this box.
template <int D>
struct BrickBox {
  Vec<double, D> centre, half;
  double reach;
};

/// Appends those of slots [begin, end) that a brick takes, and their ids, to the first n; returns how many there are then. Up
/// to vector_room elements behind them are overwritten.
template <int D>
index_t gather_slots(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
                     index_t n);

/// Candidates from number `from` on that touch p, which is one of the brick's slots: their elements of one column, and of
/// another unless it is null, in order. Returns how many. Up to vector_room elements behind them are overwritten.
template <int D>
index_t sweep_brick(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                    index_t* out, const std::uint32_t* other, std::uint32_t* other_out);

}  // namespace hgrid::inline v0_2::detail
