// SPDX-License-Identifier: BSD-3-Clause
// Collects runs of one row for a batch of slots, by vectors. Included inside a namespace, once for each instruction set, so
// this file has no include guard and includes nothing.

// Appends the runs [begin, end) of slots p in the selected lanes. Long runs are cut into vectors_per_run parts, of the length
// that is tested at once; the last part takes the rest.
constexpr int vectors_per_run = 3;

template <class Tag>
index_t append_runs(Tag d, unsigned selected, hn::Vec<Tag> p, hn::Vec<Tag> begin, hn::Vec<Tag> end, RunList& runs,
                    index_t count) {
  const auto longest = hn::Set(d, runs.cut);
  for (int vector = 0; vector < vectors_per_run; ++vector) {
    const unsigned some = selected & bits_of(d, hn::Lt(begin, end));
    if (some == 0) break;
    const auto stop = vector + 1 < vectors_per_run ? hn::Min(end, hn::Add(begin, longest)) : end;
    const Selection<Tag> selection(d, some);
    selection.store(p, runs.p + count);
    selection.store(begin, runs.begin + count);
    selection.store(hn::Sub(stop, begin), runs.length + count);
    count += static_cast<index_t>(hwy::PopCount(some));
    begin = stop;
  }
  return count;
}

// Returns the lanes, from slot number i on, whose search range has this row. Its first cell along axis 1 is in first_y.
template <int D, class Tag>
hn::Mask<Tag> has_row(Tag d, const SearchRanges<D>& ranges, const index_t* first_y, RowNumber row, index_t i) {
  auto none = hn::Gt(hn::Add(hn::Load(d, first_y + i), hn::Set(d, row.y)), hn::Load(d, ranges.high[1] + i));
  if constexpr (D == 3) {
    const auto z = hn::Add(hn::Load(d, ranges.low[D - 1] + i), hn::Set(d, row.z));
    none = hn::Or(none, hn::Gt(z, hn::Load(d, ranges.high[D - 1] + i)));
  }
  return hn::Not(none);
}

template <int D>
index_t collect_dense(const GridView<D>& g, const SlotBatch& slots, const SearchRanges<D>& ranges, RowNumber row, index_t from,
                      RunList& runs) {
  constexpr index_t at_once = 64;
  const hn::CappedTag<std::int32_t, vector_room> d;
  using V = hn::Vec<decltype(d)>;
  const index_t lanes = static_cast<index_t>(hn::Lanes(d));
  const Level<D>& level = g.level[slots.target];
  const volatile index_t* const table = g.table.begin + level.first_cell;  // one by one: gathers are slower
  const index_t* const first_y = slots.ascending && row.z == 0 ? ranges.own : ranges.low[1];
  alignas(64) index_t p[at_once + vector_room], begin[at_once + vector_room], end[at_once + vector_room];
  index_t i = from, count = runs.count;
  while (i < slots.count && count + vectors_per_run * at_once <= runs_per_batch) {
    const index_t stop = std::min(slots.count, i + at_once);
    index_t looks = 0;
    for (; i < stop; i += lanes) {
      const auto some = has_row<D>(d, ranges, first_y, row, i);
      if (hn::AllFalse(d, some)) continue;
      V line = hn::Add(hn::Load(d, first_y + i), hn::Set(d, row.y));
      if constexpr (D == 3) {
        const V z = hn::Add(hn::Load(d, ranges.low[D - 1] + i), hn::Set(d, row.z));
        line = hn::Add(hn::Mul(z, hn::Set(d, level.cells[1])), line);
      }
      const V cell = hn::Mul(line, hn::Set(d, level.cells[0]));
      const unsigned bits = bits_of(d, some);
      const Selection<decltype(d)> selection(d, bits);
      selection.store(hn::Load(d, slots.slot + i), p + looks);
      selection.store(hn::Add(cell, hn::Load(d, ranges.low[0] + i)), begin + looks);
      selection.store(hn::Add(cell, hn::Load(d, ranges.high[0] + i)), end + looks);
      looks += static_cast<index_t>(hwy::PopCount(bits));
    }
    for (index_t k = 0; k < looks; ++k) begin[k] = table[begin[k]], end[k] = table[end[k] + 1];
    for (index_t k = 0; k < looks; k += lanes) {
      const unsigned some = looks - k < lanes ? (1u << (looks - k)) - 1 : ~0u;
      const V slot = hn::Load(d, p + k);
      V b = hn::Load(d, begin + k);
      if (slots.once) b = hn::Max(b, hn::Add(slot, hn::Set(d, 1)));
      count = append_runs(d, some, slot, b, hn::Load(d, end + k), runs, count);
    }
  }
  runs.count = count;
  return std::min(i, slots.count);
}

// GridView::run_of_keys in two steps, for batches of slots. Compiled here for each instruction set, because counting bits is a
// function call in the baseline.
template <int D>
class Segments {
 public:
  explicit Segments(const GridView<D>& g)
      : g_(g), segment_(g.table.segment), first_(g.table.first), begin_(g.table.begin), count_(*g.table.segments) {}

  // Returns the first segment whose number is at least the number of the key. `hint` is usually near it.
  index_t find(cell_key_t key, index_t hint) const {
    const cell_key_t number = key / Segment::cells;
    return segment_[hint].number == number ? hint : g_.first_segment_from(number, hint);
  }

  // Returns that segment for a slot of segment `own`. If it is not `last`, the segment of the previous slot, it is probably one
  // of a few around the segment at distance `away` from `own`. Searched without branches, because in a gas they would be hard
  // to predict.
  index_t find(cell_key_t key, index_t last, index_t own, index_t& away) const {
    const cell_key_t number = key / Segment::cells;
    if (segment_[last].number == number) return last;
    if (HWY_UNLIKELY(count_ < around)) return g_.first_segment_from(number, last);
    const index_t low = std::clamp(own + away - around / 2, 0, count_ + 1 - around);
    const hn::CappedTag<std::uint64_t, around> d;
    index_t below = 0;
    for (index_t k = 0; k < 2 * around; k += std::max<index_t>(2, static_cast<index_t>(hn::Lanes(d)))) {
      const auto numbers = hn::LoadU(d, reinterpret_cast<const std::uint64_t*>(segment_ + low) + k);  // in each second lane
      below += static_cast<index_t>(hwy::PopCount(bits_of(d, hn::Lt(numbers, hn::Set(d, number))) & 0x55));
    }
    const bool found = ((below > 0) | (low == 0)) & (below < around);
    if (HWY_LIKELY(found)) return low + below;
    const index_t at = g_.first_segment_from(number, low);
    away = at - own;
    return at;
  }

  // Returns the first slot of the cells from the key on, in segment `at`.
  index_t first_slot(cell_key_t key, index_t at) const {
    if (segment_[at].number != key / Segment::cells) return first_[at];
    const std::uint64_t occupied = segment_[at].occupied, rest = occupied >> (key % Segment::cells);
    if (rest == 0) return first_[at + 1];
    return begin_[first_[at] + static_cast<index_t>(hwy::PopCount(occupied) - hwy::PopCount(rest))];
  }

 private:
  static constexpr index_t around = 8;
  static_assert(sizeof(Segment) == 2 * sizeof(std::uint64_t) && offsetof(Segment, number) == 0);

  const GridView<D>& g_;
  const Segment* const segment_;  // copies, which stores cannot alias
  const index_t *const first_, *const begin_;
  const index_t count_;
};

// Collects the runs of the row one by one, then cuts them by vectors.
template <int D>
index_t collect_compacted(const GridView<D>& g, const SlotBatch& slots, SearchRanges<D>& ranges, RowNumber row, RunList& runs) {
  const hn::CappedTag<std::int32_t, vector_room> d;
  const index_t lanes = static_cast<index_t>(hn::Lanes(d));
  const Level<D> level = g.level[slots.target];  // a copy, which the stores below cannot alias
  const index_t* const first_y = slots.ascending && row.z == 0 ? ranges.own : ranges.low[1];
  alignas(64) index_t p[slots_per_item + vector_room], begin[slots_per_item + vector_room], end[slots_per_item + vector_room];
  index_t looks = 0;
  for (index_t i = 0; i < slots.count; i += lanes) {
    const unsigned some = bits_of(d, has_row<D>(d, ranges, first_y, row, i));
    Selection<decltype(d)>(d, some).store(hn::Iota(d, i), p + looks);
    looks += static_cast<index_t>(hwy::PopCount(some));
  }
  static_assert(vectors_per_run * slots_per_item <= runs_per_batch);  // so that an empty list has room
  if (runs.count + vectors_per_run * looks > runs_per_batch) return 0;
  const Segments<D> segments(g);
  const bool own = slots.ascending && row.y == 0 && row.z == 0;  // the own rows, whose runs begin after their slots
  index_t last = ranges.last_segment, away = ranges.away;
  for (index_t k = 0; k < looks; ++k) {
    const index_t i = p[k], slot = slots.slot[i];
    Vec<index_t, D> cell;
    cell[0] = ranges.low[0][i], cell[1] = first_y[i] + row.y;
    if (D == 3) cell[D - 1] = ranges.low[D - 1][i] + row.z;
    const cell_key_t first = linear_cell(level, cell),
                     behind = first + static_cast<cell_key_t>(ranges.high[0][i] - cell[0] + 1);
    p[k] = slot;
    if (own) {
      ranges.segment[i] = last = segments.find(behind, last);
      begin[k] = slot + 1, end[k] = segments.first_slot(behind, last);
      continue;
    }
    last = slots.ascending ? segments.find(first, last, ranges.segment[i], away) : segments.find(first, last);
    const index_t from = segments.first_slot(first, last);
    begin[k] = slots.once && from <= slot ? slot + 1 : from;
    end[k] = segments.first_slot(behind, segments.find(behind, last));
  }
  ranges.last_segment = last, ranges.away = away;
  for (index_t k = 0; k < looks; k += lanes) {
    const unsigned some = looks - k < lanes ? (1u << (looks - k)) - 1 : ~0u;
    runs.count = append_runs(d, some, hn::Load(d, p + k), hn::Load(d, begin + k), hn::Load(d, end + k), runs, runs.count);
  }
  return slots.count;
}
