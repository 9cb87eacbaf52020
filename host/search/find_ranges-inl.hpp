// SPDX-License-Identifier: BSD-3-Clause
// The ranges of a batch of slots, and its hits as pairs, as plain loops, which compilers vectorise. Included inside a
// namespace, once for each instruction set, so it has no include guard and includes nothing.

template <bool radii_add, int D, class CellOf>
void find_ranges_of_axis(const GridView<D>& g, const SlotBatch& slots, int k, const CellOf& cell_of, SearchRanges<D>& out) {
  const int j = slots.target;
  const Level<D> level = g.level[j];  // a copy, which the stores below cannot alias
  const double period = g.box.length(k), lo = g.box.lo[k], hi = g.box.hi[k], scale = shift_scale(g.box, k);
  const double radius_max = g.radius_max[j], skin = g.skin;
  const auto distance = [=](double a) { return radii_add ? a + radius_max + skin : (a < radius_max ? radius_max : a) + skin; };
  const double* const x = g.x[k] + slots.first;
  const double* const radius = g.radius + slots.first;
  const bool from_own = slots.ascending && k == D - 1;
  const index_t count = slots.count;
  for (index_t i = 0; i < count; ++i) {
    const double reach = search_reach(distance(radius[i]), x[i], scale);
    out.low[k][i] = cell_of(level, k, from_own ? x[i] : x[i] - reach);
    out.high[k][i] = cell_of(level, k, x[i] + reach);
  }
  if (k == 1 && slots.ascending) {
    for (index_t i = 0; i < count; ++i) out.own[i] = cell_of(level, k, x[i]);
  }
  if (!g.box.wraps[k]) return;
  // Images with no m > 0 have their partners from the other side; beyond one face of a tilted box, all signs may be.
  const double hi_or_none = slots.once && !g.box.tilted ? -HUGE_VAL : hi;
  for (index_t i = 0; i < count; ++i) {
    const double reach = search_reach(distance(radius[i]), x[i], scale);
    out.crosses[i] |= begins_below(x[i], -1, period, reach, hi_or_none) | ends_above(x[i], 1, period, reach, lo);
  }
}

// Slots that scan, because their range needs more than `most` runs, and those that fill the last vector, get a range
// without rows. A run covers a row, or under Morton keys a cell.
template <int D>
void count_rows(index_t most, bool run_covers_row, index_t count, SearchRanges<D>& out) {
  index_t y = 0, z = 0;
  std::uint8_t crosses = 0, scans = 0;
  for (index_t i = 0; i < count; ++i) {
    const index_t wide = out.high[1][i] - out.low[1][i] + 1;
    const index_t deep = D == 3 ? out.high[D - 1][i] - out.low[D - 1][i] + 1 : 1;
    const index_t per_row = run_covers_row ? 1 : out.high[0][i] - out.low[0][i] + 1;
    const bool scan = static_cast<double>(wide) * deep * per_row > most;
    out.scans[i] = scan;
    out.high[1][i] = scan ? -1 : out.high[1][i];
    const index_t rows = scan ? 0 : wide, layers = scan ? 0 : deep;
    y = rows > y ? rows : y;
    z = layers > z ? layers : z;
    crosses |= out.crosses[i], scans |= out.scans[i];
  }
  out.rows[0] = y, out.rows[1] = z;
  out.any_crosses = crosses != 0, out.any_scans = scans != 0;
  for (index_t i = count; i % vector_room != 0; ++i) out.own[i] = out.low[1][i] = 0, out.high[1][i] = -1;
}

template <int D>
void find_ranges_of_all(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& out) {
  for (index_t i = 0; i < slots.count; ++i) out.crosses[i] = 0;
  const auto even = [](const Level<D>& level, int axis, double x) { return cell_coordinate(level, axis, x); };
  const auto any = [&](const Level<D>& level, int axis, double x) { return g.cell_of(level, axis, x); };
  const auto find = [&](const auto& cell_of) {
    for (int k = 0; k < D; ++k) {
      g.adds_radii() ? find_ranges_of_axis<true, D>(g, slots, k, cell_of, out)
                     : find_ranges_of_axis<false, D>(g, slots, k, cell_of, out);
    }
  };
  g.is_even() ? find(even) : find(any);
  count_rows<D>(g.level_begin[slots.target + 1] - g.level_begin[slots.target], g.keys == KeyOrder::row_major, slots.count, out);
  out.segment = 0;
}

void write_all_pairs(const index_t* p, const index_t* q, index_t n, Pair* out) {
  constexpr Image in_place{};  // the rule asked twice: compilers then see a minimum and a maximum
  for (index_t k = 0; k < n; ++k) {
    out[k] = {is_oriented(p[k], q[k], in_place) ? p[k] : q[k], is_oriented(p[k], q[k], in_place) ? q[k] : p[k]};
  }
}
