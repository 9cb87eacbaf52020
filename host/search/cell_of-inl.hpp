// SPDX-License-Identifier: BSD-3-Clause
// The cell of a coordinate, as a function for loops that compilers vectorise. Included inside a namespace, once for each
// instruction set, so this file has no include guard and includes nothing.

/// Computes `cell_coordinate` on a level with at most two islands along each axis, for example on both sides of a gap.
template <int D>
struct CellOnTwoIslands {
  double begin[D][2], last[D][2];
  double before[D];  ///< cells before the second island

  static bool suits(const Level<D>& level) {
    index_t most = 0;
    for (int k = 0; k < D; ++k) most = level.islands[k] > most ? level.islands[k] : most;
    return most <= 2;
  }

  CellOnTwoIslands(const Level<D>& level, const Island* islands) {
    for (int k = 0; k < D; ++k) {
      begin[k][0] = level.origin[k], last[k][0] = level.cells[k] - 1;
      begin[k][1] = HUGE_VAL, last[k][1] = before[k] = 0;
      if (level.islands[k] < 2) continue;
      const Island* const island = islands + level.first_island[k];
      begin[k][1] = island[1].begin, before[k] = island[1].cell;
      last[k][0] = before[k] - 1, last[k][1] = level.cells[k] - before[k] - 1;
    }
  }

  index_t operator()(const Level<D>& level, int k, double x) const {
    const double first = begin[k][0], next = begin[k][1], last_of_first = last[k][0], last_of_next = last[k][1];
    const double cells_before = before[k];  // all read before the choices, which then need no branches
    const bool beyond = x >= next;
    const double t = mul_rn(sub_rn(x, beyond ? next : first), level.inverse[k]);
    return static_cast<index_t>(beyond ? cells_before : 0.0) + clamped_cell(t, beyond ? last_of_next : last_of_first);
  }
};

// Calls find(cell_of) with a function that returns the cell of a coordinate on a level in this world.
template <int D, class Find>
void with_cell_of(const GridView<D>& g, const Level<D>& of, index_t world, const Find& find) {
  if (g.has_worlds()) {
    find([=, origin = g.world_origin[world]](const Level<D>& level, int axis, double x) {
      const index_t before = axis == D - 1 ? world * level.cells[axis] : 0;
      return before + cell_coordinate(level, axis, sub_rn(x, origin[axis]));
    });
  } else if (g.is_even()) {
    find([](const Level<D>& level, int axis, double x) { return cell_coordinate(level, axis, x); });
  } else if (CellOnTwoIslands<D>::suits(of)) {
    find(CellOnTwoIslands<D>(of, g.islands));
  } else {
    find([&](const Level<D>& level, int axis, double x) { return g.cell_of(level, 0, axis, x); });
  }
}
