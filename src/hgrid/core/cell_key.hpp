// SPDX-License-Identifier: BSD-3-Clause
// Cell keys. In both orders the level has the highest bits, so one sort of all keys sorts each level.
#pragma once

#include "hgrid/core/levels.hpp"

namespace hgrid::inline v0_2::detail {

inline constexpr cell_key_t no_key = ~cell_key_t{0};  ///< key of particles that are left out; larger than the key of any cell

/// Returns how many bits per axis a Morton key can hold besides the level. In 3-D: 21 for one or two levels, 20 for up to 16
/// levels, 19 for up to 64. In 2-D: at most 31. Levels have at most 2^b - 1 cells along an axis, so no cell's key equals
/// `no_key`.
template <int D>
HGRID_HD constexpr int morton_bits(index_t levels) {
  int level_bits = 0;
  while ((index_t{1} << level_bits) < levels) ++level_bits;
  const int bits = (64 - level_bits) / D;
  return bits < 31 ? bits : 31;
}

/// Spreads the low bits of v so that D - 1 zeros lie between adjacent bits.
template <int D>
HGRID_HD constexpr cell_key_t spread_bits(cell_key_t v) {
  if constexpr (D == 2) {
    v = (v | (v << 16)) & 0x0000ffff0000ffffULL;
    v = (v | (v << 8)) & 0x00ff00ff00ff00ffULL;
    v = (v | (v << 4)) & 0x0f0f0f0f0f0f0f0fULL;
    v = (v | (v << 2)) & 0x3333333333333333ULL;
    v = (v | (v << 1)) & 0x5555555555555555ULL;
  } else {
    v = (v | (v << 32)) & 0x001f00000000ffffULL;
    v = (v | (v << 16)) & 0x001f0000ff0000ffULL;
    v = (v | (v << 8)) & 0x100f00f00f00f00fULL;
    v = (v | (v << 4)) & 0x10c30c30c30c30c3ULL;
    v = (v | (v << 2)) & 0x1249249249249249ULL;
  }
  return v;
}

/// Returns the index of a cell among all cells of all levels. x runs fastest, so the cells of a row are consecutive. The cells
/// of a world follow all cells of earlier worlds, as if the worlds were stacked along the last axis.
template <int D>
HGRID_HD inline cell_key_t linear_cell(const Level<D>& level, const Vec<index_t, D>& cell) {
  cell_key_t linear = 0;
  for (int k = D - 1; k >= 0; --k) {
    linear = linear * static_cast<cell_key_t>(level.cells[k]) + static_cast<cell_key_t>(cell[k]);
  }
  return level.first_cell + linear;
}

/// Returns a key: the level (with worlds: the number of this world on this level), then the interleaved bits of the cell
/// coordinates.
template <int D>
HGRID_HD inline cell_key_t morton_cell(index_t level, int bits, const Vec<index_t, D>& cell) {
  cell_key_t code = 0;
  for (int k = 0; k < D; ++k) code |= spread_bits<D>(static_cast<cell_key_t>(cell[k])) << k;
  return bits * D < 64 ? (static_cast<cell_key_t>(level) << (bits * D)) | code : code;
}

}  // namespace hgrid::inline v0_2::detail
