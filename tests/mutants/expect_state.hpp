// SPDX-License-Identifier: BSD-3-Clause
// The state of earlier builds that grids, lists and skins keep, and when they must not keep it.
#pragma once

#include "hgrid/loop/verlet_list.hpp"
#include "support/fail.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

/// Expects that a list holds its last contents, and nothing after it was moved away.
template <class Exec>
void expect_lists(const Exec& exec) {
  const oracle::System some = support::polydisperse(60, 2, true, 3), more = support::polydisperse(90, 2, true, 5);
  auto first = support::built(exec, some), second = support::built(exec, more);
  auto list = first.make_pairs();
  first.enqueue(list);
  second.find(list);
  first.wait(list);
  if (support::sorted(support::as_listed(list)) != oracle::contacts(some)) support::fail("a list of another grid");
  first.enqueue(list);
  first.build(support::UserArrays<double, 3>(support::polydisperse(40, 2, true, 3)).view());
  const support::Contacts now = support::pairs_of(first, hgrid::Order::sorted);
  first.wait(list);
  if (support::sorted(support::as_listed(list)) != now) support::fail("a list of another build");
  first.enqueue(list);
  first.find(list);
  const auto same_build = support::as_listed(list);
  hgrid::PairList<Exec> taken = std::move(list);
  if (list.size() != 0 || support::as_listed(taken) != same_build) support::fail("a list that was moved away");
}

/// Expects that enqueued neighbors are all there, or none, and counted.
template <class Exec>
void expect_enqueued(const Exec& exec) {
  for (const oracle::Rule rule : {oracle::Rule::sum, oracle::Rule::gather}) {
    oracle::System s = support::polydisperse(90, 2, true, 5);
    s.rule = rule;
    auto grid = support::built(exec, s);
    const support::Contacts expected = support::rows_of(grid, hgrid::ListKind::full);
    const auto n = static_cast<hgrid::offset_t>(expected.size());
    auto list = grid.make_list(hgrid::ListKind::full);
    grid.enqueue(list);
    if (*list.found() < n || list.offsets()[list.lists()] != 0) support::fail("neighbours without room");
    grid.wait(list);
    grid.enqueue(list);
    if (*list.found() != n) support::fail("the number of neighbours enqueued");
    grid.wait(list);
    if (support::as_listed(list) != expected) support::fail("neighbours enqueued");
  }
}

/// Checks a list in a time loop when other code builds its grid.
template <class Exec>
void expect_overtaken(const Exec& exec) {
  const oracle::System s = support::polydisperse(60, 2, true, 3);
  const support::UserArrays<double, 3> arrays(s);
  hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
  hgrid::VerletList list(grid, {.skin = 0.2});
  list.update(arrays.view());
  if (list.update(arrays.view())) support::fail("a list that holds is built anew");
  grid.build(arrays.view());
  if (!list.update(arrays.view())) support::fail("a build by another goes unnoticed");
  grid.build(arrays.view());
  try {
    list.update(arrays.view());
    support::fail("lists may alternate on a grid");
  } catch (const hgrid::Error&) {
  }
}

/// Checks the build that a list in a time loop keeps: particles outside the box, in groups, left out.
template <class Exec>
void expect_remembered(const Exec& exec) {
  oracle::System s = support::polydisperse(60, 2, true, 3);
  s.particles[3].x[1] += 2 * (s.hi[1] - s.lo[1]), s.particles[5].group = 7, s.particles[9].active = false;
  const auto expect = [&](const char* what, bool built_anew, const auto& change) {
    hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
    hgrid::VerletList list(grid, {.skin = 0.2});
    oracle::System now = s;
    list.update(support::UserArrays<double, 3>(s).view());
    change(now.particles);
    if (list.update(support::UserArrays<double, 3>(now).view()) != built_anew) support::fail(what);
  };
  expect("a list that holds is built anew", false, [](auto&) {});
  expect("a list within its margins is built anew", false, [](auto& p) { p[3].x[2] += 0.09, p[7].radius += 0.09; });
  expect("a particle has moved too far", true, [](auto& p) { p[3].x[2] += 0.11; });
  expect("a particle has grown too much", true, [](auto& p) { p[8].radius += 0.11; });
  expect("a particle has changed its group", true, [](auto& p) { p[5].group = 8; });
  expect("a particle takes part again", true, [](auto& p) { p[9].active = true; });
  expect("a particle takes part no more", true, [](auto& p) { p[10].active = false; });
  s.particles.pop_back(), s.particles[5].group = -1, s.particles[9].active = true;  // hosts go by batches then
  expect("a list that holds is built anew, by batches", false, [](auto&) {});
  expect("a particle is taken back into the box", true, [&](auto& p) { p[3].x[1] -= 2 * (s.hi[1] - s.lo[1]); });
  expect("the last particle has moved too far", true, [](auto& p) { p.back().x[2] += 0.11; });
}

/// Checks 256 particles of a list that were rounded, each beyond its margin by far less than rounding changes.
template <class Exec>
void expect_rounded(const Exec& exec) {
  const auto line = [](double apart, double bend) {
    oracle::System s;
    for (int i = 0; i < 256; ++i) {
      oracle::Particle& p = s.particles.emplace_back();
      p.x[0] = apart * i, p.x[1] = bend * i * i, p.radius = 0.5 + 0.001 * (i * i % 601);
    }
    return s;
  };
  const auto expect = [&](const char* what, const oracle::System& s, const auto& change) {
    hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
    hgrid::VerletList list(grid, {.skin = 0.2});
    const support::UserArrays<double, 3> before(s);
    list.update(before.view());
    for (std::size_t i = 1; i < s.particles.size(); i += 12) {
      oracle::System now = s;
      change(now.particles[i]);
      list.build(before.view());
      if (list.update(before.view())) support::fail("rounded particles that rest are taken to have moved");
      if (!list.update(support::UserArrays<double, 3>(now).view())) support::fail(what);
    }
  };
  expect("a rounded particle has moved too far", line(2, 0.001), [](oracle::Particle& p) { p.x[1] += 0.1 + 1e-9; });
  expect("a rounded particle has moved back too far", line(2, 0.001), [](oracle::Particle& p) { p.x[1] -= 0.1 + 1e-9; });
  // Steps are whole, so places are not changed by rounding.
  expect("a rounded particle has grown too much", line(257, 0), [](oracle::Particle& p) { p.radius += 0.1 + 1e-9; });

  const oracle::System s = line(2, 0.001);
  oracle::System moved = s;
  for (oracle::Particle& p : moved.particles) p.x[2] += 0.15;
  const support::UserArrays<double, 3> before(s), after(moved);
  hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
  hgrid::VerletList list(grid, {.skin = 0.2});
  list.update(before.view()), list.update(before.view());
  list.build(after.view());
  if (!list.update(before.view())) support::fail("particles are compared with the build before");
}

/// Checks a list in a box that shears. All particles but one go with the box.
template <class Exec>
void expect_sheared(const Exec& exec) {
  oracle::System s = support::polydisperse(60, 2, true, 3);
  s.tilt[0] = 0.3, s.tilt[1] = -1.1, s.tilt[2] = 2.4;
  s.particles[3].x[1] += 2 * (s.hi[1] - s.lo[1]), s.particles[4].x[2] -= 5 * (s.hi[2] - s.lo[2]);
  const auto expect = [&](const char* what, bool built_anew, double strain, int along, int across, double alone) {
    hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
    hgrid::VerletList list(grid, {.skin = 0.2});
    list.update(support::UserArrays<double, 3>(s).view());
    oracle::System now = s;
    // The vectors after `across` move with the particles: they have a part across it.
    for (int j = across; j < 3; ++j)
      now.tilt[along + j - 1] += strain * (j == across ? s.hi[across] - s.lo[across] : s.tilt[across + j - 1]);
    for (oracle::Particle& p : now.particles) p.x[along] += strain * (p.x[across] - s.lo[across]);
    now.particles[7].x[2] += alone;
    grid.set_box(support::box_of<3>(now));
    if (list.update(support::UserArrays<double, 3>(now).view()) != built_anew) support::fail(what);
  };
  for (const auto& [along, across] : {std::pair{0, 1}, {0, 2}, {1, 2}}) {
    expect("a list whose particles go with the box is built anew", false, 0.03, along, across, 0);
    expect("a list within its margins in a sheared box is built anew", false, 0.02, along, across, 0.04);
    expect("a box has sheared too much", true, 0.06, along, across, 0);
    expect("a particle in a sheared box has moved too far", true, 0.02, along, across, 0.07);
  }
}

/// A skin stays within its limit, and goes back where it cannot be built with.
inline void expect_skins() {
  hgrid::detail::SkinChooser limited(1), refused(1);
  limited.limit(2);
  for (int build = 0; build < 30; ++build) {
    limited.observe(1 / limited.skin(), 1);
    if (limited.skin() > 2) support::fail("a skin beyond its limit");
    refused.accept();
    refused.observe(1 / refused.skin(), 1);
    if (refused.skin() > 1.5 && (!refused.retreat() || refused.retreat())) support::fail("a skin that does not go back");
  }
}

/// Expects that a list that is far longer than the list of contacts is given up, where only builds cost anything.
template <class Exec>
void expect_short_lists(const Exec& exec) {
  static double now = 0;
  oracle::System s = support::polydisperse(200, 2, false, 3);
  hgrid::Grid<Exec, 3> grid(exec, support::box_of<3>(s));
  hgrid::VerletList list(grid, {.choose_skin = true, .clock = [] { return now += 1; }});
  const std::size_t most = 10 * (s.particles.size() + oracle::contacts(s).size());
  for (int step = 0; step < 400; ++step) {
    list.update(support::UserArrays<double, 3>(s).view());
    if (static_cast<std::size_t>(list.neighbours().size()) > most) return support::fail("a list that is far too long");
    for (oracle::Particle& p : s.particles) p.x[0] += 0.1;
  }
}

/// A captured build that is replayed under another plan.
inline void expect_replay_refused() {
  const auto inspected = hgrid::detail::InputSummary<3>::identity();
  hgrid::detail::SeenInput<3> seen{inspected, inspected, 7, 1};
  double radius_max = 0;
  hgrid::index_t level_begin = 0;
  hgrid::detail::AcceptInput<3>{&inspected, nullptr, nullptr, nullptr, &seen, 6, 2, false, &radius_max, &level_begin}(0);
  if (seen.last.bad == 0 || seen.first_bad.bad == 0) support::fail("a replay under another plan");
}
