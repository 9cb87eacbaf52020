// SPDX-License-Identifier: BSD-3-Clause
// Statistics of a packing from its contacts.
#pragma once

#include <algorithm>
#include <array>
#include <cfloat>
#include <cmath>
#include <cstdint>
#include <optional>
#include <span>

#include "hgrid/core/types.hpp"
#include "hgrid/options.hpp"
#include "io/pair_source.hpp"
#include "io/particle_table.hpp"

namespace hgrid::tool {

/// A sum of terms from 0 on, exact until it is read: a number of 2,240 bits in digits of 32; the last bit counts 2^-1126
/// (Kulisch, Computer Arithmetic and Validity, 2013, ch. 8). A term below 0, or NaN, counts as 0. An infinite term counts as
/// the largest number.
class ExactSum {
 public:
  void add(double term) {
    if (!(term > 0)) return;
    int exponent = 0;
    const auto mantissa = static_cast<std::uint64_t>(std::ldexp(std::frexp(std::min(term, DBL_MAX), &exponent), DBL_MANT_DIG));
    const int place = exponent - DBL_MANT_DIG - last_place, shift = place % bits;
    const std::uint64_t low = (mantissa & most) << shift, high = (mantissa >> bits) << shift;
    std::uint64_t* const digit = &digit_[static_cast<std::size_t>(place / bits)];
    digit[0] += low & most, digit[1] += (low >> bits) + (high & most), digit[2] += high >> bits;
    if (++uncarried_ == carry_after) carry();
  }

  /// Returns the digits, which may be added up over ranks, digit by digit.
  std::span<std::uint64_t> digits() {
    carry();
    return digit_;
  }

  double value() {
    carry();
    double sum = 0;
    for (int k = digits_; k-- > 0;)
      sum += std::ldexp(static_cast<double>(digit_[static_cast<std::size_t>(k)]), k * bits + last_place);
    return sum;
  }

 private:
  static constexpr int bits = 32, last_place = -1126, digits_ = 70;
  static constexpr std::uint64_t most = 0xffffffff;
  static constexpr std::uint32_t carry_after = 1u << 29;  // a term adds less than 2^33 to a digit

  void carry() {
    std::uint64_t carried = 0;
    for (std::uint64_t& digit : digit_) carried += digit, digit = carried & most, carried >>= bits;
    uncarried_ = 0;
  }

  std::array<std::uint64_t, digits_> digit_{};
  std::uint32_t uncarried_ = 0;
};

/// The sizes of particles, before any search.
struct Sizes {
  bool boxes = false;
  std::array<double, 3> half_min{}, half_max{};  ///< radii, or half extents along the axes
  std::array<double, 3> lo{}, hi{};              ///< of the centres
  /// in the box; along open axes between the outermost particles; none if that space is empty
  std::optional<double> packing_fraction = {};
};

Sizes sizes_of(const io::ParticleTable& table, const Box3& box, int dimension);

/// Bounds of particles that are read in parts, and the space that they fill.
struct SizeBounds {
  std::array<double, 3> half_min{HUGE_VAL, HUGE_VAL, HUGE_VAL}, half_max{-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};  ///< as in `Sizes`
  std::array<double, 3> lo = half_min, hi = half_max;                                                       ///< of the centres
  std::array<double, 3> from = lo, to = hi;  ///< of the particles
  bool boxes = false;

  void add(const io::ParticleTable& table, int dimension);
};
ExactSum filled_by(const io::ParticleTable& table, int dimension);
Sizes sizes_of(const SizeBounds& bounds, double filled, const Box3& box, int dimension);

/// Statistics of pairs; pairs with a gap are left out. A rattler has fewer than D + 1 contacts. Without rattlers the
/// coordination number is M/N for the other N particles and their M contacts (Göncü, Durán, Luding, C. R. Mécanique 338, 2010).
struct Analysis {
  io::Coordination particle;
  std::int64_t contacts = 0;
  double coordination = 0;  ///< mean number of contacts of a particle
  std::int64_t rattlers = 0;
  double coordination_without_rattlers = 0;
  double overlap_mean = 0, overlap_max = 0;  ///< of contacts, over the smaller diameter or, for boxes, the least width
};

/// Overlaps of contacts that are read in parts. The next struct counts the contacts of particles.
struct OverlapSums {
  ExactSum sum;
  double most = 0;
  std::int64_t compared = 0;

  void add(double overlap, double diameter);
};
struct ContactSums {
  std::int64_t all = 0, of_others = 0, rattlers = 0;  ///< contacts of all particles, and of particles that are not rattlers

  void add(const std::vector<std::int32_t>& of_particles, int dimension);
};
void finish(Analysis& a, OverlapSums overlaps, const ContactSums& contacts, std::int64_t particles);

/// Analyses pairs by a rule: in a gather a pair counts for its first particle only, otherwise for both.
Analysis analyse(const io::PairSource& pairs, const io::ParticleTable& table, int dimension, Rule rule, double skin);

}  // namespace hgrid::tool
