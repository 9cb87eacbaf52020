// SPDX-License-Identifier: BSD-3-Clause
// The ranges of a batch of slots, and its hits as pairs, as plain loops, which compilers vectorise. Included inside a
// namespace, once for each instruction set, so this file has no include guard and includes nothing.

/// Slots of a batch that are all of one world.
struct WorldPart {
  index_t world, first, end;  ///< numbers in the batch
};

// Returns the radii of slots, or their half extents along an axis.
template <int D>
const double* sizes_along(const GridView<D>& g, int k) {
  return g.has_extents() ? g.extent[k] : g.radius;
}

// Computes how far from the centres of slots the centres of partners on a level may be along axis k. For spheres, later axes
// keep the distances of the first. Only these loops depend on the rule.
template <int D>
void find_distances(const GridView<D>& g, int target, int k, const double* radius, index_t first, index_t end,
                    double* distance) {
  if (!g.has_extents() && k > 0) return;
  const double largest = g.has_extents() ? g.extent_max[target][k] : g.radius_max[target], skin = g.skin;
  if (g.adds_radii()) {
    for (index_t i = first; i < end; ++i) distance[i] = listing_distance<true>(radius[i], largest, skin);
  } else {
    for (index_t i = first; i < end; ++i) distance[i] = listing_distance<false>(radius[i], largest, skin);
  }
}

template <int D, class CellOf>
void find_ranges_of_axis(const double* x, const GridView<D>& g, const SlotBatch& slots, const WorldPart& part, int k,
                         const double* distance, double scale, const CellOf& cell_of, SearchRanges<D>& out) {
  const Level<D> level = g.level[slots.target];  // a copy, which the stores below cannot alias
  const bool from_own = slots.ascending && k == D - 1;
  const index_t first = part.first, end = part.end;
  for (index_t i = first; i < end; ++i) {
    const double reach = search_reach(distance[i], x[i], scale);
    out.low[k][i] = cell_of(level, k, from_own ? x[i] : x[i] - reach);
    out.high[k][i] = cell_of(level, k, x[i] + reach);
  }
  if (k != 1 || !slots.ascending) return;
  for (index_t i = first; i < end; ++i) out.own[i] = cell_of(level, k, x[i]);
}

// Notes which searches cross a face of a periodic axis.
template <int D>
void find_crossings(const double* x, const GridView<D>& g, const WorldPart& part, int k, const double* distance, double scale,
                    SearchRanges<D>& out) {
  using Ranges = SearchRanges<D>;
  const Box<D>& box = g.box_of(part.world);
  const double period = box.length(k), lo = box.lo[k], hi = box.hi[k];
  const int behind = box.tilted ? Ranges::far_images : Ranges::side_bit(k, -1);
  const int before = box.tilted ? Ranges::far_images : Ranges::side_bit(k, 1);
  const index_t first = part.first, end = part.end;
  for (index_t i = first; i < end; ++i) {
    const double reach = search_reach(distance[i], x[i], scale);
    const int far = begins_below(x[i], -2, period, reach, hi) | ends_above(x[i], 2, period, reach, lo);
    out.crosses[i] |= static_cast<std::uint8_t>(begins_below(x[i], -1, period, reach, hi) * behind |
                                                ends_above(x[i], 1, period, reach, lo) * before | far * Ranges::far_images);
  }
}

// Finds ranges under a shift, of slots that may be anywhere: whole vectors of slots, the last one repeated.
template <int D, class CellOf>
void find_shifted(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const Box<D>& box,
                  const Shift<D>& shift, const CellOf& cell_of, SearchRanges<D>& out) {
  const Level<D> level = g.level[slots.target];
  index_t slot[slots_per_item];
  double x[slots_per_item], size[slots_per_item], distance[slots_per_item];
  for (index_t i = 0; i < slots.count; ++i) slot[i] = slots.slot[i];
  for (index_t i = slots.count; i % vector_room != 0; ++i) slot[i] = slot[i - 1];
  const index_t vectors = (slots.count - 1) / vector_room + 1;
  for (int k = 0; k < D; ++k) {
    const double scale = shift_scale(box, k);
    if (k == 0 || g.has_extents()) {
      const double* const sizes = sizes_along(asking, k);
      for (index_t i = 0; i < vectors * vector_room; ++i) size[i] = sizes[slot[i]];
    }
    find_distances(g, slots.target, k, size, 0, vectors * vector_room, distance);
    for (index_t i = 0; i < vectors * vector_room; ++i) x[i] = asking.x[k][slot[i]];
    for (index_t v = 0; v < vectors; ++v) {
      for (index_t i = v * vector_room; i < (v + 1) * vector_room; ++i) {
        const double reach = search_reach(distance[i], x[i], scale), centre = x[i] - shift.by[k];
        out.low[k][i] = cell_of(level, k, centre - reach);
        out.high[k][i] = cell_of(level, k, centre + reach);
      }
    }
  }
}

// Counts rows. Slots that scan, because their range needs more than `most` runs, get a range without rows. A run covers a row,
// or with Morton keys a cell.
template <int D>
void count_rows(const WorldPart& part, index_t most, bool run_covers_row, SearchRanges<D>& out) {
  index_t y = out.rows[0], z = out.rows[1];
  std::uint8_t crosses = out.any_crosses, scans = out.any_scans;
  const index_t first = part.first, end = part.end;  // copies, which the stores of bytes below cannot alias
  for (index_t i = first; i < end; ++i) {
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
  out.any_crosses = crosses, out.any_scans = scans != 0;
}

template <int D>
void find_ranges_of_world(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const WorldPart& part,
                          SearchRanges<D>& out) {
  const Box<D>& box = g.box_of(part.world);
  double distance[slots_per_item];
  with_cell_of(g, g.level[slots.target], part.world, [&](const auto& cell_of) {
    for (int k = 0; k < D; ++k) {
      find_distances(g, slots.target, k, sizes_along(asking, k) + slots.first, part.first, part.end, distance);
      find_ranges_of_axis<D>(asking.x[k] + slots.first, g, slots, part, k, distance, shift_scale(box, k), cell_of, out);
    }
  });
  for (int k = 0; k < D; ++k) {
    if (!box.wraps[k]) continue;
    if (g.has_extents())
      find_distances(g, slots.target, k, sizes_along(asking, k) + slots.first, part.first, part.end, distance);
    find_crossings(asking.x[k] + slots.first, g, part, k, distance, shift_scale(box, k), out);
  }
  const SlotRun there = g.slots_on(slots.target, part.world);
  count_rows<D>(part, runs_worth_asking(g, there.end - there.begin), g.keys == KeyOrder::row_major, out);
}

template <int D>
void begin_ranges(const SlotBatch& slots, SearchRanges<D>& out) {
  for (index_t i = 0; i < slots.count; ++i) out.crosses[i] = 0;
  out.rows[0] = out.rows[1] = 0, out.any_crosses = 0, out.any_scans = false;
  out.last_segment = out.away = 0;
}

// Gives the slots that fill the last vector a range without rows.
template <int D>
void fill_vector(index_t count, SearchRanges<D>& out) {
  for (index_t i = count; i % vector_room != 0; ++i) out.own[i] = out.low[1][i] = 0, out.high[1][i] = -1;
}

template <int D>
void find_ranges_of_all(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& out) {
  begin_ranges(slots, out);
  for (WorldPart part{0, 0, 0}; part.first < slots.count; part.first = part.end) {
    part.world = asking.world_of(slots.first + part.first);
    part.end = end_of_world(asking, slots.first + part.first, slots.first + slots.count) - slots.first;
    find_ranges_of_world(asking, g, slots, part, out);
  }
  fill_vector(slots.count, out);
}

template <int D>
void find_ranges_under(const GridView<D>& asking, const GridView<D>& g, const SlotBatch& slots, const Shift<D>& shift,
                       SearchRanges<D>& out) {
  begin_ranges(slots, out);
  const index_t world = asking.world_of(slots.slot[0]);
  with_cell_of(g, g.level[slots.target], world,
               [&](const auto& cell_of) { find_shifted<D>(asking, g, slots, g.box_of(world), shift, cell_of, out); });
  const SlotRun there = g.slots_on(slots.target, world);
  count_rows<D>({world, 0, slots.count}, runs_worth_asking(g, there.end - there.begin), g.keys == KeyOrder::row_major, out);
  fill_vector(slots.count, out);
}

void write_all_pairs(const index_t* p, const index_t* q, index_t n, Pair* out) {
  constexpr Image in_place{};  // the rule is evaluated twice, so that compilers see a minimum and a maximum
  for (index_t k = 0; k < n; ++k) {
    out[k] = {is_oriented(p[k], q[k], in_place) ? p[k] : q[k], is_oriented(p[k], q[k], in_place) ? q[k] : p[k]};
  }
}
