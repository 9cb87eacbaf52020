// SPDX-License-Identifier: BSD-3-Clause
// A system of several populations of particles: a recipe defines their sizes and places.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hgrid/packing/packing.hpp"

namespace hgrid::inline v0_2 {

/// Radii from `least` to `least * ratio`.
struct PopulationSizes {
  enum class Law {
    power,      ///< density r^-exponent, exponent 0, 1, 2, 3 or 5: their inverses need only square roots
    log_normal  ///< ln r nearly normal, three standard deviations each way
  };
  double least = 1, ratio = 1;
  Law law = Law::power;
  int exponent = 0;
};

/// How the centres of a population are distributed in its region.
struct PopulationPlace {
  enum class Kind {
    homogeneous,
    clustered,  ///< in `parts` equal cubes anywhere, which fill a `share` of the region; overlaps count twice
    layered,    ///< in `parts` equidistant layers across an axis, which fill a `share` of it
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
  bool everywhere = false;  ///< in the whole box, not only in its dense part
};

struct Recipe {
  int dimension = 3;
  double fraction = 0.6;  ///< volume of the particles (area in 2-D) over the volume of the box; overlaps count twice
  double dense_part = 1;  ///< share of the box, in its shape, for all populations that are not `everywhere`
  int flat_axis = 2;
  double flatness = 1;  ///< ratio of the other axes of the box to this one
  bool periodic[3] = {false, false, false};
  bool shuffled = true;       ///< false: one population after the other
  double most_contacts = 30;  ///< mean number of partners that a particle touches; systems with more are thinned out
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

/// Returns the system of a recipe. A seed gives the same bits on every platform. Periods are at least a seventh of the largest
/// diameter, which grids require. Positions and box are then scaled up until a particle touches at most `most_contacts` others
/// on average, estimated from a sample of particles. Throws `invalid_argument` for fewer particles than populations, or for no
/// populations.
PackedSystem make_system(const Recipe& recipe, std::int64_t n, std::uint64_t seed);

/// Returns how many others a particle touches on average, estimated from the contacts of some particles, evenly by id, with
/// particles that are not smaller.
double estimated_contacts(const PackedSystem& system);

/// Returns a recipe in one line, for people.
std::string to_text(const Recipe& recipe);

}  // namespace hgrid::inline v0_2
