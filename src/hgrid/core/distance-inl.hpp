// SPDX-License-Identifier: BSD-3-Clause
// The arithmetic of the predicate (contract, P), for doubles and for vectors of them: each operation is rounded once, in this
// order. Included inside a namespace that offers add_rn, sub_rn, mul_rn, larger_of and at_most of such numbers, so it has no
// include guard and includes nothing.

/// x_i - x_j - m L along one axis, `by` being m L; seen from j under -m it is the same number with the other sign.
template <class Number>
HGRID_HD inline Number separated(Number x_i, Number x_j, Number by) {
  return sub_rn(sub_rn(x_i, x_j), by);
}

/// The distance at which two particles, of interaction distances a_i and a_j, are listed: by their sum, or by the larger one.
/// It is symmetric in i and j.
template <bool radii_add, class Number>
HGRID_HD inline Number listing_distance(Number a_i, Number a_j, Number skin) {
  if constexpr (radii_add) {
    return add_rn(add_rn(a_i, a_j), skin);
  } else {
    return add_rn(larger_of(a_i, a_j), skin);
  }
}

/// Whether |d| <= distance.
template <int D, class Number>
HGRID_HD inline auto is_within(const Number (&d)[D], Number distance) {
  Number squared = mul_rn(d[0], d[0]);
  for (int k = 1; k < D; ++k) squared = add_rn(squared, mul_rn(d[k], d[k]));
  return at_most(squared, mul_rn(distance, distance));
}
