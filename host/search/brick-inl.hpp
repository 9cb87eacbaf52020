// SPDX-License-Identifier: BSD-3-Clause
// The loops of bricks. Included inside a namespace, once for each instruction set, so this file has no include guard and
// includes nothing.

template <int D>
index_t gather(const GridView<D>& g, const BrickBox<D>& box, index_t begin, index_t end, index_t* slot, index_t* id,
               index_t n) {
  constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(doubles));
  const hn::CappedTag<std::int32_t, lanes> d32;
  const auto iota = hn::Iota(d32, 0);
  const double *x[D], *const radius = g.radius;  // copies, which stores cannot alias
  const index_t* const ids = g.id;
  std::copy_n(g.x, D, x);
  Doubles centre[D], half[D];
  for (int k = 0; k < D; ++k) centre[k] = hn::Set(doubles, box.centre[k]), half[k] = hn::Set(doubles, box.half[k]);
  const Doubles reach = hn::Set(doubles, box.reach), zero = hn::Zero(doubles);
  for (index_t q = begin; q < end; q += lanes) {
    const Doubles distance = hn::Add(reach, hn::LoadU(doubles, radius + q));
    Doubles rest = hn::Mul(distance, distance);
    for (int k = 0; k < D; ++k) {
      const Doubles apart = hn::Abs(hn::Sub(hn::LoadU(doubles, x[k] + q), centre[k]));
      const Doubles beyond = hn::Max(hn::Sub(apart, half[k]), zero);
      rest = hn::NegMulAdd(beyond, beyond, rest);
    }
    const unsigned there = end - q < lanes ? (1u << (end - q)) - 1 : ~0u;
    const unsigned bits = bits_of(doubles, hn::Ge(rest, zero)) & there;
    const Selection<decltype(d32)> selection(d32, bits);
    selection.store(hn::Add(iota, hn::Set(d32, q)), slot + n);
    selection.store(hn::LoadU(d32, ids + q), id + n);
    n += static_cast<index_t>(hwy::PopCount(bits));
  }
  return n;
}

template <int D, bool radii_add, bool two>
index_t sweep_by(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                 index_t* out, const std::uint32_t* other, std::uint32_t* other_out) {
  constexpr index_t lanes = static_cast<index_t>(hn::MaxLanes(floats));
  const hn::CappedTag<std::int32_t, lanes> d32;
  const MarginOfDistance margin_of(brick.extent);
  const Floats squared = hn::Set(floats, margin_of.squared), linear = hn::Set(floats, margin_of.linear);
  const Floats least = hn::Set(floats, margin_of.least);
  const Floats a = hn::Set(floats, filter_radius(p.a, g.skin, radii_add));
  Floats at[D];
  for (int k = 0; k < D; ++k) at[k] = hn::Set(floats, static_cast<float>(p.x[k] - brick.centre[k]));
  const index_t candidates = brick.candidates;
  index_t n = 0;
  unsigned counted = ~0u << from % lanes;  // in the first vector
  for (index_t q = from / lanes * lanes; q < candidates; q += lanes) {
    const Floats b = hn::Load(floats, brick.radius + q), distance = radii_add ? hn::Add(a, b) : hn::Max(a, b);
    const Floats margin = hn::MulAdd(hn::MulAdd(distance, squared, linear), distance, least);
    Floats t = hn::Mul(distance, distance);
    for (int k = 0; k < D; ++k) {
      const Floats apart = hn::Sub(at[k], hn::Load(floats, brick.x[k] + q));
      t = hn::NegMulAdd(apart, apart, t);
    }
    unsigned bits = bits_of(floats, hn::Gt(t, margin));
    const auto in_doubt = hn::Le(hn::Abs(t), margin);
    if (HWY_UNLIKELY(!hn::AllFalse(floats, in_doubt))) {
      for (unsigned left = bits_of(floats, in_doubt); left != 0; left &= left - 1) {
        const index_t c = q + static_cast<index_t>(hwy::Num0BitsBelowLS1Bit_Nonzero32(left));
        if (in_contact(g, p, brick.slot[c], brick.by[brick.shift[c]])) bits |= left & (~left + 1);
      }
    }
    bits &= counted;
    counted = ~0u;
    const Selection<decltype(d32)> selection(d32, bits);
    selection.store(hn::LoadU(d32, column + q), out + n);
    if constexpr (two) {
      const auto also = hn::BitCast(d32, hn::LoadU(hn::CappedTag<std::uint32_t, lanes>(), other + q));
      selection.store(also, reinterpret_cast<std::int32_t*>(other_out) + n);
    }
    n += static_cast<index_t>(hwy::PopCount(bits));
  }
  return n;
}

template <int D, bool radii_add>
index_t sweep_rule(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column,
                   index_t* out, const std::uint32_t* other, std::uint32_t* other_out) {
  return other == nullptr ? sweep_by<D, radii_add, false>(g, brick, p, from, column, out, other, other_out)
                          : sweep_by<D, radii_add, true>(g, brick, p, from, column, out, other, other_out);
}

template <int D>
index_t sweep(const GridView<D>& g, const Brick<D>& brick, const Asker<D>& p, index_t from, const index_t* column, index_t* out,
              const std::uint32_t* other, std::uint32_t* other_out) {
  return g.adds_radii() ? sweep_rule<D, true>(g, brick, p, from, column, out, other, other_out)
                        : sweep_rule<D, false>(g, brick, p, from, column, out, other, other_out);
}
