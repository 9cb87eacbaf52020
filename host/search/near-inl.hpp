// SPDX-License-Identifier: BSD-3-Clause
// The loops of the nearest-neighbor search. Included inside a namespace, once for each instruction set, so this file has no
// include guard and includes nothing.

#ifdef HGRID_WITH_HIGHWAY
constexpr hn::CappedTag<double, NearPiece::most> keys_at_once;
constexpr index_t key_lanes = static_cast<index_t>(hn::MaxLanes(keys_at_once));
constexpr hn::CappedTag<std::int32_t, key_lanes> slots_at_once;
constexpr hn::CappedTag<std::uint8_t, key_lanes> bytes_at_once;

using Keys = hn::Vec<decltype(keys_at_once)>;

template <int D>
struct NearLanes {
  Keys x[D], by[D], bound;

  explicit NearLanes(const NearAsker<D>& p) : bound(hn::Set(keys_at_once, p.bound)) {
    for (int k = 0; k < D; ++k) x[k] = hn::Set(keys_at_once, p.x[k]), by[k] = hn::Set(keys_at_once, p.by[k]);
  }
};

// Stores the keys and slots of a piece within the bound. The bits of `there` select its slots.
template <bool surfaces, int D>
index_t add_piece(const NearLanes<D>& p, const double* const* x, const double* radius, index_t begin, unsigned there,
                  double* key, index_t* slot) {
  index_t n = 0;
  for (index_t l = 0; l < NearPiece::most; l += key_lanes, there >>= key_lanes) {
    Keys keys = hn::Zero(keys_at_once);
    for (int k = 0; k < D; ++k) {
      const Keys d = hn::Sub(hn::Sub(p.x[k], hn::LoadU(keys_at_once, x[k] + begin + l)), p.by[k]);
      keys = k == 0 ? hn::Mul(d, d) : hn::Add(keys, hn::Mul(d, d));
    }
    if constexpr (surfaces) keys = hn::Sub(hn::Sqrt(keys), hn::LoadU(keys_at_once, radius + begin + l));
    const unsigned bits = bits_of(keys_at_once, hn::Le(keys, p.bound)) & there;
    // With our own table: lane_numbers.hpp has the reason.
    const auto lanes = hn::PromoteTo(slots_at_once, hn::LoadU(bytes_at_once, lane_numbers[bits].data()));
    const auto wide = hn::IndicesFromVec(keys_at_once, hn::PromoteTo(hn::RebindToSigned<decltype(keys_at_once)>(), lanes));
    hn::StoreU(hn::TableLookupLanes(keys, wide), keys_at_once, key + n);
    const auto found = hn::Add(hn::Set(slots_at_once, begin + l), lanes);
    hn::StoreU(found, slots_at_once, slot + n);
    n += static_cast<index_t>(hwy::PopCount(bits));
  }
  return n;
}

// Finds the nearest slot of the pieces: each lane keeps the nearest one that it has seen.
template <int D>
NearOne nearest_in_pieces(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t count) {
  constexpr hn::RebindToSigned<decltype(keys_at_once)> wide_slots;
  constexpr index_t vectors = NearPiece::most / key_lanes;
  const double* x[D];
  std::copy_n(g.x, D, x);
  const NearLanes<D> lanes(p);
  const auto itself = hn::Set(wide_slots, p.itself), numbers = hn::Iota(wide_slots, 0);
  Keys least[vectors];
  hn::Vec<decltype(wide_slots)> slots[vectors];
  hn::Mask<decltype(keys_at_once)> tied[vectors];
  for (index_t v = 0; v < vectors; ++v) {
    least[v] = hn::Set(keys_at_once, HUGE_VAL), slots[v] = hn::Set(wide_slots, -1), tied[v] = hn::FirstN(keys_at_once, 0);
  }
  for (index_t i = 0; i < count; ++i) {
    const NearPiece piece = pieces[i];
    const auto end = hn::Set(wide_slots, piece.begin + piece.count);
    for (index_t v = 0; v < vectors; ++v) {  // all vectors, because a branch on the count would be mispredicted
      const index_t begin = piece.begin + v * key_lanes;
      Keys keys = hn::Zero(keys_at_once);
      for (int k = 0; k < D; ++k) {
        const Keys d = hn::Sub(lanes.x[k], hn::LoadU(keys_at_once, x[k] + begin));
        keys = k == 0 ? hn::Mul(d, d) : hn::Add(keys, hn::Mul(d, d));
      }
      const auto here = hn::Add(hn::Set(wide_slots, begin), numbers);
      const auto is_there = hn::AndNot(hn::Eq(here, itself), hn::Lt(here, end));
      const auto there = hn::RebindMask(keys_at_once, is_there);
      const auto nearer = hn::And(hn::Lt(keys, least[v]), there);
      tied[v] = hn::Or(hn::AndNot(nearer, tied[v]), hn::And(hn::Eq(keys, least[v]), there));
      least[v] = hn::IfThenElse(nearer, keys, least[v]);
      slots[v] = hn::IfThenElse(hn::RebindMask(wide_slots, nearer), here, slots[v]);
    }
  }
  NearOne one;
  for (index_t v = 0; v < vectors; ++v) {
    const Keys smallest = hn::MinOfLanes(keys_at_once, least[v]);
    const double key = hn::GetLane(smallest);
    if (key > one.key) continue;
    const unsigned at = bits_of(keys_at_once, hn::Eq(least[v], smallest));
    std::int64_t slot[key_lanes];
    hn::StoreU(slots[v], wide_slots, slot);
    const bool is_tied = (at & (at - 1)) != 0 || (at & bits_of(keys_at_once, tied[v])) != 0;
    one = {key, static_cast<index_t>(slot[std::countr_zero(at)]), is_tied || key == one.key};
  }
  return one;
}

// Counted together, so that no addition waits for another.
constexpr index_t counted_at_once = 4 * key_lanes;

// Counts how many of the keys are smaller than each of some.
void count_smaller(const double* keys, index_t count, const double* some, index_t* smaller) {
  constexpr index_t vectors = counted_at_once / key_lanes;
  const Keys one = hn::Set(keys_at_once, 1);
  Keys own[vectors], before[vectors];
  for (index_t v = 0; v < vectors; ++v)
    own[v] = hn::LoadU(keys_at_once, some + v * key_lanes), before[v] = hn::Zero(keys_at_once);
  for (index_t i = 0; i < count; ++i) {
    const Keys other = hn::Set(keys_at_once, keys[i]);
    for (index_t v = 0; v < vectors; ++v) before[v] = hn::Add(before[v], hn::IfThenElseZero(hn::Lt(other, own[v]), one));
  }
  for (index_t v = 0; v < vectors; ++v)
    hn::StoreU(hn::DemoteTo(slots_at_once, before[v]), slots_at_once, smaller + v * key_lanes);
}
#else
template <int D>
using NearLanes = NearAsker<D>;

template <bool surfaces, int D>
index_t add_piece(const NearAsker<D>& p, const double* const* x, const double* radius, index_t begin, unsigned there,
                  double* key, index_t* slot) {
  index_t n = 0;
  for (index_t q = begin; q < begin + NearPiece::most; ++q, there >>= 1) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = separated(p.x[k], x[k][q], p.by[k]);
      squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
    }
    key[n] = surfaces ? sub_rn(std::sqrt(squared), radius[q]) : squared, slot[n] = q;
    n += static_cast<index_t>(key[n] <= p.bound) & static_cast<index_t>(there & 1);
  }
  return n;
}

template <int D>
NearOne nearest_in_pieces(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t count) {
  NearOne one;
  for (index_t i = 0; i < count; ++i) {
    for (index_t q = pieces[i].begin; q < pieces[i].begin + pieces[i].count; ++q) {
      if (q == p.itself) continue;
      double squared = 0;
      for (int k = 0; k < D; ++k) {
        const double d = sub_rn(p.x[k], g.x[k][q]);
        squared = k == 0 ? mul_rn(d, d) : add_rn(squared, mul_rn(d, d));
      }
      if (squared < one.key) {
        one = {squared, q, false};
      } else if (squared == one.key) {
        one.is_tied = true;
      }
    }
  }
  return one;
}

constexpr index_t counted_at_once = 8;

void count_smaller(const double* keys, index_t count, const double* some, index_t* smaller) {
  for (index_t l = 0; l < counted_at_once; ++l) {
    smaller[l] = 0;
    for (index_t i = 0; i < count; ++i) smaller[l] += static_cast<index_t>(keys[i] < some[l]);
  }
}
#endif

template <bool surfaces, int D>
index_t add_pieces(const GridView<D>& g, const NearAsker<D>& p, const NearPiece* pieces, index_t from, index_t end,
                   const NearColumns& found, index_t& count, offset_t room) {
  const double *x[D], *const radius = g.radius;  // copies, which stores cannot alias
  std::copy_n(g.x, D, x);
  const NearLanes<D> lanes(p);
  index_t n = count;
  for (; from < end && n + NearPiece::most <= room; ++from) {
    const NearPiece piece = pieces[from];
    const auto itself = static_cast<std::uint32_t>(p.itself - piece.begin);
    const std::uint64_t there = ((std::uint64_t{1} << piece.count) - 1) & ~(std::uint64_t{1} << std::min(itself, 63u));
    n += add_piece<surfaces>(lanes, x, radius, piece.begin, static_cast<unsigned>(there), found.key + n, found.slot + n);
  }
  count = n;
  return from;
}

// Up to this number are sorted by counting, for each, how many come before it: no branch depends on a key.
constexpr index_t most_counted = 192;

// Sorts entries with equal keys, which are adjacent in the order, by ids.
void order_equal(const NearColumns& found, index_t count, const index_t* id) {
  const double* const key = found.key;
  index_t* const order = found.order;
  for (index_t e = 1; e < count; ++e) {
    const index_t own = order[e];
    index_t to = e;
    for (; to > 0 && key[order[to - 1]] == key[own] && id[found.slot[order[to - 1]]] > id[found.slot[own]]; --to)
      order[to] = order[to - 1];
    order[to] = own;
  }
}

void order_by_counts(const NearColumns& found, index_t count, const index_t* id) {
  index_t* const order = found.order;
  std::fill_n(order, count, -1);
  bool is_any_equal = false;
  static_assert(counted_at_once <= NearColumns::behind_last);
  for (index_t begin = 0; begin < count; begin += counted_at_once) {
    index_t place[counted_at_once];
    count_smaller(found.key, count, found.key + begin, place);
    for (index_t l = 0; l < std::min(counted_at_once, count - begin); ++l) {
      index_t at = place[l];
      for (; order[at] >= 0; ++at) is_any_equal = true;
      order[at] = begin + l;
    }
  }
  if (is_any_equal) order_equal(found, count, id);
}

void order_any(const NearColumns& found, index_t count, index_t first, const index_t* id) {
  if (count == 1) {
    found.order[0] = 0;
    return;
  }
  if (count <= most_counted) return order_by_counts(found, count, id);
  const auto comes_before = [&](index_t a, index_t b) {
    const double key_a = found.key[a], key_b = found.key[b];
    return key_a < key_b || (key_a == key_b && id[found.slot[a]] < id[found.slot[b]]);
  };
  index_t* const order = found.order;
  std::iota(order, order + count, 0);
  if (first < count) std::nth_element(order, order + first, order + count, comes_before);
  std::sort(order, order + first, comes_before);
}
