// SPDX-License-Identifier: BSD-3-Clause
// Bad particles, particles that touch give or take the resolution of single precision, and builds in pieces.
#pragma once

#include "expect_systems.hpp"
#include "hgrid/core/names.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

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
