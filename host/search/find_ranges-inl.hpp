// SPDX-License-Identifier: BSD-3-Clause
// The ranges of a block of slots as plain loops, which compilers vectorise. Included inside a namespace, once for each
// instruction set, so it has no include guard and includes nothing.

template <int D>
void find_ranges_of_axis(const GridView<D>& g, int j, bool ascending, index_t first, index_t count, int k,
                         SearchRanges<D>& out) {
  const Level<D> level = g.level[j];  // a copy, which the stores below cannot alias
  const double period = g.box.length(k), lo = g.box.lo[k], hi = g.box.hi[k];
  const double radius_max = g.radius_max[j], skin = g.skin;
  const double* const x = g.x[k] + first;
  const double* const radius = g.radius + first;
  const bool from_own = ascending && k == D - 1;
  for (index_t i = 0; i < count; ++i) {
    const double reach = search_reach(radius[i] + radius_max + skin, x[i], period);
    out.low[k][i] = cell_coordinate(level, k, from_own ? x[i] : x[i] - reach);
    out.high[k][i] = cell_coordinate(level, k, x[i] + reach);
  }
  if (k == 1) {
    for (index_t i = 0; i < count; ++i) out.own[i] = cell_coordinate(level, k, x[i]);
  }
  if (!g.box.wraps[k]) return;
  for (index_t i = 0; i < count; ++i) {  // the test of images_in_reach for m = -1 and 1
    const double reach = search_reach(radius[i] + radius_max + skin, x[i], period);
    out.crosses[i] |= (x[i] + period - reach <= hi) | (x[i] - period + reach >= lo);
  }
}

template <int D>
void find_ranges_of_all(const GridView<D>& g, int j, bool ascending, index_t first, index_t count,
                        SearchRanges<D>& out) {
  for (index_t i = 0; i < count; ++i) out.crosses[i] = 0;
  for (int k = 0; k < D; ++k) find_ranges_of_axis<D>(g, j, ascending, first, count, k, out);
}
