// SPDX-License-Identifier: BSD-3-Clause
// A system of several populations of particles: a recipe says of what sizes they are and where they lie.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgrid/packing/packing.hpp"

namespace hgrid::inline v0_2 {

/// Radii from `least` to `least * ratio`.
struct PopulationSizes {
  enum class Law {
    power,      ///< density r^-exponent, exponent 0, 1, 2, 3 or 5: their inverses need square roots at most
    log_normal  ///< ln r nearly normal, three standard deviations each way
  };
  double least = 1, ratio = 1;
  Law law = Law::power;
  int exponent = 0;
};

/// Where the centres of a population lie in the region that it is given.
struct PopulationPlace {
  enum class Kind {
    homogeneous,
    clustered,  ///< in `parts` equal cubes anywhere, which fill a `share` of the region, overlaps twice
    layered,    ///< in `parts` layers across an axis, as far from each other; they fill a `share` of it
    graded      ///< density falls along an axis as 2^(-doublings * t), t in [0, 1]
  };
  Kind kind = Kind::homogeneous;
  int parts = 1, axis = 0;
  double share = 1, doublings = 1;
};

struct Population {
  double share = 1;  ///< by number; shares need not add up to 1, but each population has a particle
  PopulationSizes sizes = {};
  PopulationPlace place = {};
  bool everywhere = false;  ///< in the whole box, not in its dense part alone
};

struct Recipe {
  int dimension = 3;
  double fraction = 0.6;  ///< volume of the particles (area in 2-D) over that of the box, overlaps twice
  double dense_part = 1;  ///< share of the box, of its shape, in which all but the populations `everywhere` lie
  int flat_axis = 2;
  double flatness = 1;  ///< the other axes of the box over that one
  bool periodic[3] = {false, false, false};
  bool shuffled = true;       ///< else one population after the other
  double most_contacts = 30;  ///< partners that a particle touches on the average; more make the system thinner
  std::vector<Population> populations = {};
};

/// Particles in a box from 0 to `length` on each axis (2-D: z is 0).
struct PackedSystem {
  int dimension = 3;
  double length[3] = {0, 0, 0};
  bool periodic[3] = {false, false, false};
  std::vector<double> x, y, z, r;

  std::vector<double>& axis(int k) { return k == 0 ? x : (k == 1 ? y : z); }
  const std::vector<double>& axis(int k) const { return k == 0 ? x : (k == 1 ? y : z); }
};

/// The system of a recipe: the same bits for the same seed on every platform. Periods are at least a seventh of the largest
/// diameter, as grids need them. Positions are then scaled up with the box until a particle touches no more than
/// `most_contacts` others, by an estimate of a sample of particles. Throws `invalid_argument` for fewer particles than
/// populations, or none.
PackedSystem make_system(const Recipe& recipe, std::int64_t n, std::uint64_t seed);

/// How many others a particle touches on the average: what some particles, evenly by id, find among those not smaller.
double estimated_contacts(const PackedSystem& system);

/// A recipe in one line, for people.
std::string to_text(const Recipe& recipe);

}  // namespace hgrid::inline v0_2
