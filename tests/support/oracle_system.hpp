// SPDX-License-Identifier: BSD-3-Clause
// A system for the oracle: particles, the boxes that they live in, and the options of a search.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace oracle {

struct Particle {
  double x[3] = {0, 0, 0};       // as the user passes it
  double radius = 0;             // before the radius scale
  double extent[3] = {0, 0, 0};  // half extents, in a system that has them
  double extra = 0;
  int group = -1;
  bool active = true;
  int type = 0;  // in a table of cut-offs
  int world = 0;
};

/// The interaction distance of two particles: the sum of theirs, the larger one, or in a one-sided (gather) search, for a
/// neighbor of i, the distance of i.
enum class Rule { sum, max, gather };

/// A box for particles.
struct Domain {
  int dimension = 3;
  bool periodic[3] = {false, false, false};
  double lo[3] = {0, 0, 0}, hi[3] = {0, 0, 0};
  double tilt[3] = {0, 0, 0};  // xy, xz, yz; one in two dimensions
  bool turned = false;         // lo, hi and tilts are along these axes, positions are not
  double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
};

struct System : Domain {
  bool extended = false;  // particles are boxes with extents, and have no radii
  Rule rule = Rule::sum;
  int types = 0;                // types in a table of cut-offs, which replaces radii; 0: no table
  std::vector<double> cutoffs;  // [types * types]; 0: never in contact
  int worlds = 0;               // only particles of one world are in contact; 0: there is one
  std::vector<Domain> boxes;    // of the worlds, unless all share the system's
  double radius_scale = 1, skin = 0;
  std::int64_t owned = -1;  // ids from here on are ghosts; -1: none
  bool skip_nonfinite = false;
  std::vector<Particle> particles;
  std::set<std::pair<std::int64_t, std::int64_t>> excluded;  // either id first; never in contact
};

/// The pairs excluded, by other ids: to(id) is the new one, or negative where there is none.
template <class Ids>
std::set<std::pair<std::int64_t, std::int64_t>> renumbered(const std::set<std::pair<std::int64_t, std::int64_t>>& excluded,
                                                           const Ids& to) {
  std::set<std::pair<std::int64_t, std::int64_t>> now;
  for (const auto& [i, j] : excluded) {
    const auto a = static_cast<std::int64_t>(to(i)), b = static_cast<std::int64_t>(to(j));
    if (a >= 0 && b >= 0) now.insert({a, b});
  }
  return now;
}

struct Contact {
  std::int64_t i = 0, j = 0;
  std::array<std::int64_t, 3> m = {0, 0, 0};
  friend auto operator<=>(const Contact&, const Contact&) = default;
  friend bool operator==(const Contact&, const Contact&) = default;  // nvcc does not see the one implied
};

}  // namespace oracle
