// SPDX-License-Identifier: BSD-3-Clause
// The checks that a mutant must pass to count as unnoticed: a short random suite on one thread and a few fixed systems. Returns
// 1 at the first fault. It compiles in seconds, because it is compiled once a mutant.
#include <cstdlib>

#include "expect_boxes.hpp"
#include "expect_buckets.hpp"
#include "expect_checkpoints.hpp"
#include "expect_copies.hpp"
#include "expect_exclusions.hpp"
#include "expect_extents.hpp"
#include "expect_followers.hpp"
#include "expect_in_place.hpp"
#include "expect_insertions.hpp"
#include "expect_kept.hpp"
#include "expect_lists_in_place.hpp"
#include "expect_narrow.hpp"
#include "expect_nearest.hpp"
#include "expect_planning.hpp"
#include "expect_pool.hpp"
#include "expect_ranks.hpp"
#include "expect_rows.hpp"
#include "expect_rules.hpp"
#include "expect_sorts.hpp"
#include "expect_state.hpp"
#include "expect_walls.hpp"
#include "expect_worlds.hpp"
#include "expect_wraps.hpp"
#include "hgrid/cells/radix_cells.hpp"
#include "hgrid/core/names.hpp"
#include "hgrid/device/device_engine.hpp"
#include "hgrid/lists/plain_search.hpp"
#include "support/aim.hpp"
#include "support/border_pairs.hpp"
#include "support/brick_rows.hpp"
#include "support/pieces_exec.hpp"
#include "support/run_case.hpp"

namespace {

using support::fail;

class HostParts : public support::PiecesExec<3> {};

/// The device engine in host memory, with a sort by keys.
class DeviceParts : public support::PiecesExec<3> {
 public:
  using Memory = DeviceParts;
  template <int D>
  using Engine = hgrid::detail::DeviceEngine<DeviceParts, D>;
  template <int D>
  using Search = hgrid::detail::PlainSearch<DeviceParts, D>;
  template <int D>
  using CellSort = hgrid::detail::RadixCells<DeviceParts, D>;
  using ListSort = hgrid::detail::ScatterEntries<DeviceParts>;
  static constexpr bool on_host = false, is_host_code = true, keeps_filter = true, gathers_records = true;
  static constexpr hgrid::SearchCosts search_costs{};

  void require_may_wait() const {}
  template <class Key>
  void sort_keys(hgrid::detail::SortBuffers<DeviceParts, Key>& s, hgrid::offset_t n, int key_bits) const {
    hgrid::detail::radix_sort(*this, s, n, key_bits);
  }
};

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

// Expects slots in the order of level, cell and id. Each particle is on the finest level whose bound admits it, and the largest
// radius of each level belongs to one of its particles.
template <class Exec, int D>
void expect_slots_in_order(const Exec& exec, const support::Case& c) {
  auto grid = support::grid_in<hgrid::Grid<Exec, D>>(exec, c.system, support::options_of(c));
  grid.build(support::UserArrays<double, D>(c.system).view(), {.skin = c.system.skin});
  const auto g = grid.view();
  hgrid::cell_key_t before = 0;
  double largest[hgrid::max_levels] = {};
  for (hgrid::index_t slot = 0; slot < g.slots(); ++slot) {
    const int h = g.level_of_slot(slot);
    hgrid::Vec<hgrid::index_t, D> cell;
    for (int k = 0; k < D; ++k) cell[k] = g.cell_of(g.level[h], g.world_of(slot), k, g.x[k][slot]);
    const hgrid::cell_key_t key = g.key_of_cell(h, cell);
    if (key < before) fail("slots out of order");
    if (slot > 0 && key == before && g.id[slot] <= g.id[slot - 1] && g.boxes.heights == 0) fail("ids of a cell out of order");
    before = key;
    largest[h] = std::fmax(largest[h], g.radius[slot]);
    const double radius = g.radius[slot] + (g.has_extents() ? 0 : 0.5 * g.skin);
    if (h > 0 && radius <= g.level[h - 1].radius_bound) fail("a finer level would have admitted a particle");
    if (h + 1 < g.level_count && radius > g.level[h].radius_bound) fail("a level's bound does not admit its particle");
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

/// Returns whether only a periodic axis refuses the particle.
bool needs_period(const oracle::Particle& p) {
  return p.radius > 3 || (std::fabs(p.x[0]) + std::fabs(p.x[1]) + std::fabs(p.x[2]) < 1e15 && p.radius == 1 && p.extra == 0);
}

void expect_error(hgrid::ErrorCode code, oracle::System s, oracle::Particle bad) {
  const auto first = static_cast<std::int64_t>(s.particles.size());
  s.particles.insert(s.particles.end(), 2, bad);
  for (const bool periodic : {true, false}) {
    for (bool& wraps : s.periodic) wraps = periodic;
    bool accepted = true;
    try {
      support::built(HostParts{}, s);
    } catch (const hgrid::Error& e) {
      accepted = false;
      if (e.code() != code || e.detail().index != first || e.detail().count != 2) fail(e.what());
    }
    if (accepted && (periodic || !needs_period(bad))) fail(std::string("accepted: ") + hgrid::name_of(code));
  }
}

void expect_errors() {
  using hgrid::ErrorCode;
  const oracle::System s = support::polydisperse(100, 2, true);
  const double length = s.hi[0] - s.lo[0];
  for (int k = 0; k < 3; ++k) {
    oracle::Particle p{.radius = 1};
    p.x[k] = std::nan("");
    expect_error(ErrorCode::nonfinite, s, p);
    p.x[k] = 1.1e15;
    expect_error(ErrorCode::range_error, s, p);
    p.x[k] = 0x1p31 * length;
    expect_error(ErrorCode::range_error, s, p);
  }
  expect_error(ErrorCode::nonfinite, s, {.radius = HUGE_VAL});
  expect_error(ErrorCode::negative_radius, s, {.radius = -1e-3});
  expect_error(ErrorCode::range_error, s, {.radius = 1e-16});
  expect_error(ErrorCode::negative_radius, s, {.radius = 1, .extra = -1});
  expect_error(ErrorCode::box_too_small, s, {.radius = 3.6 * length});
}

// Puts fine particles about a coarse one, at the distance of touching, give or take the resolution of single precision.
void expect_border_of_coarse() {
  support::Random random(3);
  oracle::System s;
  s.particles.push_back({.radius = 300});
  for (int i = 0; i < 600; ++i) {
    double e[3], norm = 0;
    for (double& c : e) c = random.real(-1, 1), norm += c * c;
    const double to = 301 * (1 + random.real(-4, 4) * 0x1p-24) / std::sqrt(norm);
    s.particles.push_back({.x = {to * e[0], to * e[1], to * e[2]}, .radius = 1});
  }
  auto grid = support::built(HostParts{}, s, {.levels = {{1, {80, 80, 80}}, {300, {700, 700, 700}}}});
  if (support::pairs_of(grid, hgrid::Order::sorted) != oracle::contacts(s)) fail("fine particles about a coarse one");
}

// More particles than one thread takes, so that stages are cut into pieces; built again after they have moved, and refused with
// a bad one.
void expect_pieces() {
  const oracle::System at_first = support::polydisperse(2500, 5, true);
  oracle::System later = at_first;
  for (oracle::Particle& p : later.particles) p.x[2] += 0.4 * (later.hi[2] - later.lo[2]);
  const support::Contacts expected[] = {oracle::contacts(at_first), oracle::contacts(later)};
  for (int variant = 0; variant < 5; ++variant) {
    hgrid::GridOptions options{.keys = static_cast<hgrid::KeyOrder>(variant & 1),
                               .table = static_cast<hgrid::TableKind>(variant >> 1 & 1)};
    if (variant == 4) options.levels = {{5, {16, 16, 16}}};  // few cells, so that a build tries one pass
    auto grid = support::built(HostParts{}, at_first, options);
    const auto expect = [&](const char* what, bool moved) {
      if (support::pairs_of(grid, hgrid::Order::sorted) != expected[moved]) fail(what);
    };
    for (const bool moved : {false, false, true}) {
      grid.build(support::UserArrays<double, 3>(moved ? later : at_first).view());
      expect("stages in pieces", moved);
    }
    grid = support::built(HostParts{}, later, options);
    oracle::System broken = at_first;
    broken.particles.back().radius = -1;
    try {
      grid.build(support::UserArrays<double, 3>(broken).view());
      fail("a bad radius is accepted");
    } catch (const hgrid::Error&) {
      expect("a refused build changes the grid", true);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::uint64_t systems = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 900;
  expect_errors();
  expect_boxes();
  expect_exclusion_errors(HostParts());
  expect_extents(HostParts()), expect_extents(DeviceParts());
  expect_ranks();
  expect_kept();
  expect_pool(), expect_regions();
  expect_cutoff_errors(HostParts());
  expect_shrinking(HostParts());
  expect_wraps();
  expect_little_work(HostParts());
  expect_islands(HostParts());
  expect_partly_filled(HostParts());
  expect_pieces();
  expect_border_of_coarse();
  expect_rows(HostParts());
  expect_rows(DeviceParts());
  expect_sorts(), expect_floats(HostParts());
  expect_buckets(DeviceParts());
  expect_in_place();
  expect_lists_in_place(DeviceParts());
  expect_radius_classes<DeviceParts>();
  expect_judged();
  expect_lists(HostParts());
  expect_enqueued(HostParts());
  expect_overtaken(HostParts());
  expect_remembered(HostParts());
  expect_remembered(DeviceParts());
  expect_sheared(DeviceParts());
  expect_checkpoints(HostParts());
  expect_checkpoints(DeviceParts());
  expect_forgeries(HostParts());
  expect_forgeries(DeviceParts());
  expect_walls(HostParts());
  expect_walls(DeviceParts());
  expect_copies(HostParts());
  expect_insertions(HostParts());
  expect_narrow(HostParts());
  expect_nearest(HostParts());
  expect_one_nearest(HostParts());
  expect_nearest(DeviceParts());
  expect_followers(HostParts());
  expect_followers(DeviceParts());
  expect_worlds(HostParts());
  expect_worlds(DeviceParts());
  expect_sparse_worlds(HostParts());
  expect_skins();
  expect_short_lists(HostParts());
  expect_replay_refused();
  support::Random random(7);
  for (int n = 0; n < 600; ++n) {
    const support::Case c = support::BorderPairs(random).make(16);
    expect_equal<DeviceParts, 2>({}, c);
    if (n % 3 == 0) expect_bricks<2>(c);
    if (n % 3 == 1) expect_equal<HostParts, 2>({}, support::BorderPairs(random).make_tilted(4));
  }
  for (std::uint64_t seed = 1; seed <= systems; ++seed) {
    seed % 3 == 0 ? expect_equal<DeviceParts, 2>({}, make_case<2>(seed)) : expect_equal<HostParts, 3>({}, make_case<3>(seed));
    if (seed % 3 == 1) expect_bricks<3>(make_case<3>(seed));
    if (seed % 3 == 2) expect_insertions<3>(HostParts(), support::of_spheres(make_case<3>(seed)));
    if (seed % 3 == 1) expect_nearest<3>(HostParts(), support::of_spheres(make_case<3>(seed)));
    if (seed % 3 == 0) expect_nearest<3>(DeviceParts(), support::of_spheres(make_case<3>(seed)));
    if (seed > 100) continue;  // enough systems for the next checks
    seed % 2 == 0 ? expect_narrow<3>(HostParts(), make_case<3>(seed)) : expect_narrow<2>(DeviceParts(), make_case<2>(seed));
  }
  return 0;
}
