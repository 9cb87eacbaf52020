// SPDX-License-Identifier: BSD-3-Clause
// The axes along which random systems differ, as a table of axes and their values, and which pairs of values were drawn.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "support/random.hpp"

namespace support {

enum Axis {
  dimension,
  box,
  tilt,
  sizes,
  positions,
  origin,
  aim,
  real,
  skin,
  extra,
  groups,
  ghosts,
  exclusions,
  rule,
  worlds,
  mask,
  bad_rows,
  scale,
  levels,
  direction,
  keys,
  table,
  cell_sort,
  order,
  schedule,
  workers,
  layout,
  route,
  neighbours,
  shape,
  axis_count
};

// Values, in the order of the names below.
namespace values {
enum Box { open, periodic, mixed, tiny };
enum Tilt { upright, slight, half, many_periods, turned };
enum Sizes { mono, bidisperse, power_law, giant, wide, points };
enum Positions { random, lattice, coincident, collinear, coplanar, clustered, outlier, far_clusters };
enum Origin { zero, near, far };
enum Aim { nothing, borders, kissing, borders_and_kissing };
enum Skin { none, small, large };
enum Rule { sum, max, gather, cutoffs };
enum Worlds { one_world, together, mixed_up, own_boxes };
enum Exclusions { no_exclusions, half_lists, full_lists, excluded_pairs };
enum Levels { planned, fitted, wrong, fine };
enum Workers { serial, openmp_1, openmp_2, openmp_7 };
enum Layout { interleaved, columns, padded };
enum Route { pairs, into_int32, into_uint32, half_rows, full_rows, packed, contact_functor, partner_functor, enqueued, count };
enum Shape { spheres, cubes, long_and_flat };
enum Neighbours { few, many, thousands };
}  // namespace values

struct AxisInfo {
  std::string name;
  std::vector<std::string> value;
};

inline const std::array<AxisInfo, axis_count>& axes() {
  static const std::vector<std::string> off_on = {"no", "yes"};
  static const std::array<AxisInfo, axis_count> table = {{
      {"dimension", {"2", "3"}},
      {"box", {"open", "periodic", "mixed", "tiny"}},
      {"tilt", {"none", "slight", "half", "many periods", "turned"}},
      {"sizes", {"mono", "bidisperse", "power law", "one giant", "ratio 1e9", "points"}},
      {"positions", {"random", "lattice", "coincident", "collinear", "coplanar", "clustered", "outlier", "far clusters"}},
      {"origin", {"zero", "near", "far"}},
      {"aim", {"nothing", "borders", "kissing", "borders and kissing"}},
      {"real", {"double", "float"}},
      {"skin", {"none", "small", "large"}},
      {"extra", off_on},
      {"groups", off_on},
      {"ghosts", off_on},
      {"exclusions", {"no", "half lists", "full lists", "pairs"}},
      {"rule", {"sum", "max", "gather", "cut-offs"}},
      {"worlds", {"one", "together", "mixed up", "boxes of their own"}},
      {"mask", off_on},
      {"bad rows", off_on},
      {"radius scale", {"1", "0.5", "2"}},
      {"levels", {"planned", "fitted", "wrong", "fine"}},
      {"direction", {"top-down", "bottom-up"}},
      {"keys", {"row", "morton"}},
      {"table", {"auto", "dense", "compacted"}},
      {"cell sort", {"auto", "radix", "counting"}},
      {"order", {"fixed", "sorted"}},
      {"schedule", {"fast", "plain"}},
      {"workers", {"serial", "openmp 1", "openmp 2", "openmp 7"}},
      {"layout", {"interleaved", "columns", "padded"}},
      {"route",
       {"pairs", "into int32", "into uint32", "half rows", "full rows", "packed", "functor", "gather", "enqueued", "count"}},
      {"neighbours", {"few", "many", "thousands of one"}},
      {"shape", {"spheres", "cubes", "long and flat"}},
  }};
  return table;
}

/// One value on each axis. Most systems are of spheres.
using Choice = std::array<int, axis_count>;

inline Choice draw_choice(Random& random) {
  Choice choice;
  for (int a = 0; a < axis_count; ++a) choice[a] = random.integer(0, static_cast<int>(axes()[a].value.size()) - 1);
  if (random.chance(0.6)) choice[shape] = values::spheres;
  return choice;
}

inline std::string to_text(const Choice& choice) {
  std::string text;
  for (int a = 0; a < axis_count; ++a) text += "  " + axes()[a].name + ": " + axes()[a].value[choice[a]] + "\n";
  return text;
}

/// How often each pair of values of two axes was drawn.
class PairCoverage {
 public:
  PairCoverage() {
    for (int a = 0; a < axis_count; ++a) {
      for (int b = 0; b < a; ++b) seen_[a][b].assign(axes()[a].value.size() * axes()[b].value.size(), 0);
    }
  }

  void add(const Choice& choice) {
    for (int a = 0; a < axis_count; ++a) {
      for (int b = 0; b < a; ++b) ++seen_[a][b][choice[a] * axes()[b].value.size() + choice[b]];
    }
  }

  std::vector<std::string> missing() const {
    std::vector<std::string> list;
    for (int a = 0; a < axis_count; ++a) {
      for (int b = 0; b < a; ++b) {
        const std::size_t width = axes()[b].value.size();
        for (std::size_t v = 0; v < seen_[a][b].size(); ++v) {
          if (seen_[a][b][v] > 0) continue;
          list.push_back(axes()[a].name + " " + axes()[a].value[v / width] + " with " + axes()[b].name + " " +
                         axes()[b].value[v % width]);
        }
      }
    }
    return list;
  }

 private:
  std::vector<int> seen_[axis_count][axis_count];
};

}  // namespace support
