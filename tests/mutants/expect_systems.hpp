// SPDX-License-Identifier: BSD-3-Clause
// Random systems, and systems of touching pairs beside the edges of cells.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <vector>

#include "hgrid/hgrid.hpp"
#include "host/sort/crowded_cells.hpp"
#include "support/aim.hpp"
#include "support/border_pairs.hpp"
#include "support/brick_rows.hpp"
#include "support/pieces_exec.hpp"
#include "support/run_case.hpp"

namespace {

using support::fail;

/// Returns how many random systems a part draws: its argument.
inline std::uint64_t systems(int argc, char** argv) { return argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 900; }

/// Runs hosts' engine, cut into three pieces.
class HostParts : public support::PiecesExec<3> {};

template <int D>
support::Case make_case(std::uint64_t seed) {
  support::Random random(seed);
  support::Case c;
  c.seed = seed;
  c.choice = support::draw_choice(random);
  c.choice[support::dimension] = D - 2, c.choice[support::real] = 0;
  c.system = support::SystemGenerator(c.choice, random).make();
  c.levels = support::draw_levels(c.system, c.choice[support::levels], random);
  if (c.choice[support::aim] != support::values::nothing) {
    c.warm_up = c.system;
    support::Aim<double, D>(c, random)();
  }
  support::draw_exclusions(c.system, c.choice[support::exclusions], random);
  return c;
}

// Expects slots in the order of level, cell and, in cells that are not crowded, id. Each particle is on the finest level whose
// bound admits it, and the largest radius of each level belongs to one of its particles.
template <class Exec, int D>
void expect_slots_in_order(const Exec& exec, const support::Case& c) {
  auto grid = support::grid_in<hgrid::Grid<Exec, D>>(exec, c.system, support::options_of(c));
  grid.build(support::UserArrays<double, D>(c.system).view(), {.skin = c.system.skin});
  const auto g = grid.view();
  hgrid::cell_key_t before = 0;
  std::vector<hgrid::cell_key_t> keys;  // of the slots
  double largest[hgrid::max_levels] = {};
  for (hgrid::index_t slot = 0; slot < g.slots(); ++slot) {
    const int h = g.level_of_slot(slot);
    hgrid::Vec<hgrid::index_t, D> cell;
    for (int k = 0; k < D; ++k) cell[k] = g.cell_of(g.level[h], g.world_of(slot), k, g.x[k][slot]);
    const hgrid::cell_key_t key = g.key_of_cell(h, cell);
    if (key < before) fail("slots out of order");
    before = key;
    keys.push_back(key);
    largest[h] = std::fmax(largest[h], g.radius[slot]);
    const double radius = g.radius[slot] + (g.has_extents() ? 0 : 0.5 * g.skin);
    if (h > 0 && radius <= g.level[h - 1].radius_bound) fail("a finer level would have admitted a particle");
    if (h + 1 < g.level_count && radius > g.level[h].radius_bound) fail("a level's bound does not admit its particle");
  }
  for (auto begin = keys.begin(), end = begin; begin != keys.end(); begin = end) {
    end = std::upper_bound(begin, keys.end(), *begin);
    if (Exec::on_host && end - begin > hgrid::detail::CrowdedCells<D>::least) continue;  // may be in an order of place
    const hgrid::index_t* const id = g.id + (begin - keys.begin());
    if (!std::is_sorted(id, id + (end - begin), std::less_equal<>{})) fail("ids of a cell out of order");
  }
  for (int h = 0; h < g.level_count; ++h) {
    if (largest[h] != g.radius_max[h]) fail("a level's largest radius is not that of its particles");
  }
}

// Expects lists by bricks, which hosts choose where there are many neighbors.
template <int D>
void expect_bricks(const support::Case& c) {
  if (c.system.extended) return;  // which have none
  const HostParts exec;
  auto grid = support::grid_in<hgrid::Grid<HostParts, D>>(exec, c.system, support::options_of(c));
  grid.build(support::UserArrays<double, D>(c.system, c.choice[support::layout], c.choice[support::exclusions]).view(),
             {.skin = c.system.skin});
  const bool gathers = c.system.rule == oracle::Rule::gather;
  const support::Contacts listed = support::listed_in(c.system);
  for (const auto kind : {hgrid::ListKind::full, hgrid::ListKind::half}) {
    if (gathers && kind == hgrid::ListKind::half) continue;
    const bool as_listed = gathers || kind == hgrid::ListKind::half;
    const auto rows = support::rows_by_bricks(exec, grid.view(), grid.particle_count(), kind, c.seed % 3);
    if (rows && *rows != (as_listed ? listed : oracle::from_both_sides(listed))) {
      fail("lists by bricks of system " + std::to_string(c.seed));
    }
  }
}

template <class Exec, int D>
void expect_equal(const Exec& exec, const support::Case& c) {
  std::string difference;
  try {
    difference = support::run_case<double, D>(exec, c).difference;
    expect_slots_in_order<Exec, D>(exec, c);
  } catch (const hgrid::Error& e) {
    difference = e.what();
  }
  if (!difference.empty()) fail("system " + std::to_string(c.seed) + ": " + difference);
}

}  // namespace
