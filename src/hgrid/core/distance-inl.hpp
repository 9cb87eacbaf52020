// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the predicate (contract, P), for doubles and for vectors of doubles: each operation is rounded once, in
// this order. This file has no include guard and includes nothing. Include it inside a namespace that has add_rn, sub_rn,
// mul_rn, larger_of and at_most for these numbers.

/// Returns x_i - x_j - m L along one axis; `by` is m L. From the side of j, under -m, the number is equal with the other sign.
template <class Number>
HGRID_HD inline Number separated(Number x_i, Number x_j, Number by) {
  return sub_rn(sub_rn(x_i, x_j), by);
}

/// Returns the distance at which two particles with interaction distances a_i and a_j are listed: the sum of both or the larger
/// one, plus the skin. It is symmetric in i and j.
template <bool radii_add, class Number>
HGRID_HD inline Number listing_distance(Number a_i, Number a_j, Number skin) {
  if constexpr (radii_add) {
    return add_rn(add_rn(a_i, a_j), skin);
  } else {
    return add_rn(larger_of(a_i, a_j), skin);
  }
}

/// Returns whether |d| <= distance.
template <int D, class Number>
HGRID_HD inline auto is_within(const Number (&d)[D], Number distance) {
  Number squared = mul_rn(d[0], d[0]);
  for (int k = 1; k < D; ++k) squared = add_rn(squared, mul_rn(d[k], d[k]));
  return at_most(squared, mul_rn(distance, distance));
}
