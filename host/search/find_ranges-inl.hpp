// SPDX-License-Identifier: BSD-3-Clause
// The ranges of a batch of slots, and its hits as pairs, as plain loops, which compilers vectorise. Included inside a
// namespace, once for each instruction set, so it has no include guard and includes nothing.

/// Slots of a batch that are all of one world.
struct WorldPart {
  index_t world, first, end;  ///< numbers in the batch
};

template <bool radii_add, int D, class CellOf>
void find_ranges_of_axis(const GridView<D>& g, const SlotBatch& slots, const WorldPart& part, int k, const CellOf& cell_of,
                         SearchRanges<D>& out) {
  const int j = slots.target;
  const Level<D> level = g.level[j];  // a copy, which the stores below cannot alias
  const Box<D>& box = g.box_of(part.world);
  const double period = box.length(k), lo = box.lo[k], hi = box.hi[k], scale = shift_scale(box, k);
  const double radius_max = g.radius_max[j], skin = g.skin;
  const auto distance = [=](double a) { return radii_add ? a + radius_max + skin : (a < radius_max ? radius_max : a) + skin; };
  const double* const x = g.x[k] + slots.first;
  const double* const radius = g.radius + slots.first;
  const bool from_own = slots.ascending && k == D - 1;
  const index_t first = part.first, end = part.end;
  for (index_t i = first; i < end; ++i) {
    const double reach = search_reach(distance(radius[i]), x[i], scale);
    out.low[k][i] = cell_of(level, k, from_own ? x[i] : x[i] - reach);
    out.high[k][i] = cell_of(level, k, x[i] + reach);
  }
  if (k == 1 && slots.ascending) {
    for (index_t i = first; i < end; ++i) out.own[i] = cell_of(level, k, x[i]);
  }
  if (!box.wraps[k]) return;
  // Images with no m > 0 have their partners from the other side; beyond one face of a tilted box, all signs may be.
  const double hi_or_none = slots.once && !box.tilted ? -HUGE_VAL : hi;
  for (index_t i = first; i < end; ++i) {
    const double reach = search_reach(distance(radius[i]), x[i], scale);
    out.crosses[i] |= begins_below(x[i], -1, period, reach, hi_or_none) | ends_above(x[i], 1, period, reach, lo);
  }
}

// Slots that scan, because their range needs more than `most` runs, get a range without rows. A run covers a row, or under
// Morton keys a cell.
template <int D>
void count_rows(const WorldPart& part, index_t most, bool run_covers_row, SearchRanges<D>& out) {
  index_t y = out.rows[0], z = out.rows[1];
  std::uint8_t crosses = out.any_crosses, scans = out.any_scans;
  for (index_t i = part.first; i < part.end; ++i) {
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
}

template <int D>
void find_ranges_of_world(const GridView<D>& g, const SlotBatch& slots, const WorldPart& part, SearchRanges<D>& out) {
  const auto even = [](const Level<D>& level, int axis, double x) { return cell_coordinate(level, axis, x); };
  const auto any = [&](const Level<D>& level, int axis, double x) { return g.cell_in_world(level, axis, x); };
  const auto find = [&](const auto& cell_of) {
    for (int k = 0; k < D; ++k) {
      g.adds_radii() ? find_ranges_of_axis<true, D>(g, slots, part, k, cell_of, out)
                     : find_ranges_of_axis<false, D>(g, slots, part, k, cell_of, out);
    }
  };
  if (g.has_worlds()) {
    find([=, origin = g.world_origin[part.world]](const Level<D>& level, int axis, double x) {
      const index_t before = axis == D - 1 ? part.world * level.cells[axis] : 0;
      return before + cell_coordinate(level, axis, sub_rn(x, origin[axis]));
    });
  } else {
    g.is_even() ? find(even) : find(any);
  }
  const SlotRun there = g.slots_on(slots.target, part.world);
  count_rows<D>(part, there.end - there.begin, g.keys == KeyOrder::row_major, out);
}

// Slots that fill the last vector get a range without rows.
template <int D>
void find_ranges_of_all(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& out) {
  for (index_t i = 0; i < slots.count; ++i) out.crosses[i] = 0;
  out.rows[0] = out.rows[1] = 0, out.any_crosses = out.any_scans = false;
  for (WorldPart part{0, 0, 0}; part.first < slots.count; part.first = part.end) {
    part.world = g.world_of(slots.first + part.first), part.end = slots.count;
    if (g.has_worlds()) {
      const index_t* const world = g.world + slots.first;
      part.end = static_cast<index_t>(std::find_if(world + part.first, world + slots.count,
                                                   [&](index_t w) { return w != part.world; }) - world);
    }
    find_ranges_of_world(g, slots, part, out);
  }
  for (index_t i = slots.count; i % vector_room != 0; ++i) out.own[i] = out.low[1][i] = 0, out.high[1][i] = -1;
  out.segment = 0;
}

void write_all_pairs(const index_t* p, const index_t* q, index_t n, Pair* out) {
  constexpr Image in_place{};  // the rule asked twice: compilers then see a minimum and a maximum
  for (index_t k = 0; k < n; ++k) {
    out[k] = {is_oriented(p[k], q[k], in_place) ? p[k] : q[k], is_oriented(p[k], q[k], in_place) ? q[k] : p[k]};
  }
}
