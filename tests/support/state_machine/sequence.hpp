// SPDX-License-Identifier: BSD-3-Clause
// A sequence of operations over grids, lists and worlds: plain data that determines a run completely.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "hgrid/core/types.hpp"
#include "support/state_machine/world.hpp"

namespace support::machine {

/// The fields of an operation, each a number. An operation reads only some of them.
enum Field { grid, other, world, list, rows, verlet, seed, kind, place, count, skin, by, refuse, field_count };
inline constexpr const char* field_names[field_count] = {"grid", "other", "world", "list", "rows", "verlet", "seed",
                                                         "kind", "place", "count", "skin", "by",   "refuse"};

enum class Kind {
  build,
  bad_build,
  set_box,
  set_boxes,
  bad_box,
  plan_again,
  resize,
  move,
  grow,
  mark,
  migrate,
  pairs,
  enqueue,
  wait,
  neighbours,
  into,
  count,
  visit,
  throwing,
  reentrant,
  inspect,
  validity,
  query,
  bad_query,
  update,
  force,
  remap,
  follow,
  reorder,
  move_grid,
  renew,
  move_list,
  move_rows,
};

/// One kind of operation: its name, how often it is drawn, and the fields that it reads.
struct KindInfo {
  const char* name;
  int weight;
  std::vector<Field> fields;
};

/// Returns the kinds in the order of Kind.
inline const std::vector<KindInfo>& kinds() {
  static const std::vector<KindInfo> table = {
      {"build", 24, {grid, world, skin, kind, refuse}},
      {"bad_build", 8, {grid, world, skin, kind, place}},
      {"set_box", 5, {grid, seed}},
      {"set_boxes", 4, {grid, world, seed, kind, refuse}},
      {"bad_box", 1, {grid, kind}},
      {"plan_again", 2, {grid}},
      {"resize", 10, {world, count}},
      {"move", 10, {world, seed, by}},
      {"grow", 3, {world, seed, by}},
      {"mark", 4, {world, seed}},
      {"migrate", 2, {world, seed}},
      {"pairs", 8, {grid, list, kind, refuse}},
      {"enqueue", 8, {grid, list, refuse}},
      {"wait", 8, {grid, list, refuse}},
      {"neighbours", 8, {grid, rows, refuse}},
      {"into", 4, {grid, kind, refuse}},
      {"count", 3, {grid, refuse}},
      {"visit", 3, {grid, kind, refuse}},
      {"throwing", 2, {grid, kind, place}},
      {"reentrant", 2, {grid, world, kind}},
      {"inspect", 3, {grid}},
      {"validity", 3, {grid, world, refuse}},
      {"query", 5, {grid, seed, kind, refuse}},
      {"bad_query", 2, {grid, kind}},
      {"update", 18, {verlet, world, kind, by, refuse}},
      {"force", 2, {verlet, world, refuse}},
      {"remap", 5, {list, verlet, rows, other, kind, refuse}},
      {"follow", 3, {list, refuse}},
      {"reorder", 3, {grid, world, rows, refuse}},
      {"move_grid", 2, {grid, other}},
      {"renew", 1, {grid, other}},
      {"move_list", 1, {list, other}},
      {"move_rows", 1, {rows, other}},
  };
  return table;
}

struct Operation {
  Kind what = Kind::build;
  std::array<double, field_count> field{};

  int operator[](Field f) const { return static_cast<int>(field[f]); }
  std::uint64_t seed_of() const { return static_cast<std::uint64_t>(field[seed]); }
};

/// A grid as it is made. `box` numbers a box as `set_box` does, 0 being an open one.
struct GridSpec {
  int keys = 0, table = 0, sort = 0, schedule = 0, direction = 0, levels = 0, rule = 0;
  std::uint64_t box = 0;
};

/// A VerletList as it is made.
struct VerletSpec {
  int grid = 0;
  bool full = false, choose = false, rebuild = true;
  int check_every = 1;
  double skin = 0;
};

/// Lists and histories are as many in each sequence. Rows with an odd number are full lists.
inline constexpr int pair_lists = 2, row_lists = 4;

struct Sequence {
  std::uint64_t drawn_from = 0;  ///< the seed, for the reader of the file
  int dimension = 3;
  int executor = 0;          ///< number of one of the executors of a program
  std::uint64_t memory = 1;  ///< seed for the contents of fresh memory
  std::vector<GridSpec> grids;
  std::vector<VerletSpec> verlets;
  std::vector<WorldSpec> worlds;
  std::vector<Operation> operations;
};

}  // namespace support::machine
