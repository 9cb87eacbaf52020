// SPDX-License-Identifier: BSD-3-Clause
// Rules other than the sum of radii, beside the right pairs: lists that are trusted no longer than they hold, and tables of
// cut-offs that no build accepts.
#pragma once

#include "support/fail.hpp"
#include "support/packings.hpp"

/// Shrinks a particle and moves it towards another, whose radius then counts.
template <class Exec>
void expect_shrinking(const Exec& exec) {
  for (const auto rule : {oracle::Rule::sum, oracle::Rule::max, oracle::Rule::gather}) {
    oracle::System s;
    s.rule = rule, s.skin = 0.2;
    s.particles = {{.x = {0, 0, 0}, .radius = 1}, {.x = {1.3, 0, 0}, .radius = 1}};
    auto grid = support::built(exec, s);
    s.particles[0].x[0] = 0.4, s.particles[0].radius = 0.5;
    if (grid.valid(support::UserArrays<double, 3>(s).view()) != (rule == oracle::Rule::sum))
      support::fail("a radius that shrank");
  }
}

template <class Exec>
void expect_cutoff_errors(const Exec& exec) {
  oracle::System good = support::polydisperse(100, 1.01, true);
  good.types = 2, good.cutoffs = {2, 1, 1, 0};
  for (std::size_t i = 0; i < 100; ++i) good.particles[i].type = i % 2 == 1, good.particles[i].radius = i % 2 == 1 ? 0.5 : 1;
  auto grid = support::built(exec, good);
  const auto refuses = [&](const oracle::System& s, hgrid::ErrorCode code, std::int64_t first, std::int64_t count) {
    bool accepted = true;
    try {
      grid.build(support::UserArrays<double, 3>(s).view());
    } catch (const hgrid::Error& e) {
      accepted = false;
      if (e.code() != code || e.detail().index != first || e.detail().count != count) support::fail(e.what());
    }
    if (accepted) support::fail("bad cut-offs are accepted");
  };
  oracle::System bad = good;
  bad.cutoffs[1] = 0.9;
  refuses(bad, hgrid::ErrorCode::invalid_argument, 0, 100);
  bad = good, bad.cutoffs[3] = -1;
  refuses(bad, hgrid::ErrorCode::invalid_argument, 1, 50);
  bad = good, bad.particles[6].radius = 0.9;
  refuses(bad, hgrid::ErrorCode::invalid_argument, 6, 1);
  bad = good, bad.particles[7].type = 2;
  refuses(bad, hgrid::ErrorCode::range_error, 7, 1);
  bad = good, bad.particles[6].type = 1;
  if (grid.valid(support::UserArrays<double, 3>(bad).view())) support::fail("a particle of another type");
}
