// SPDX-License-Identifier: BSD-3-Clause
// Contacts between the particles of two grids.
#pragma once

#include "support/fail.hpp"
#include "support/gas.hpp"
#include "support/random_case.hpp"
#include "support/region_cases.hpp"
#include "support/two_sets_cases.hpp"

/// Of random systems cut in two, or asked by spheres; so near to each other that whole lists are found; grids that cannot be
/// compared.
template <class Exec>
void expect_two_sets(const Exec& exec) {
  for (std::uint64_t seed = 1; seed <= 250; ++seed) {
    const support::Case c = support::make_case(seed);
    std::string difference;
    if (c.choice[support::dimension] == 0) {
      difference = support::check_two_sets<double, 2>(exec, c) + support::check_regions<double, 2>(exec, c, true);
    } else {
      difference = support::check_two_sets<double, 3>(exec, c) + support::check_regions<double, 3>(exec, c, true);
    }
    if (!difference.empty()) support::fail("two sets in system " + std::to_string(seed) + ": " + difference);
  }
  oracle::System whole = support::polydisperse(1500, 2, true, 5);
  for (std::size_t i = 0; i < whole.particles.size(); ++i) {
    whole.particles[i].radius *= 3.5, whole.particles[i].group = static_cast<int>(i % 5) - 1;
    if (i % 11 == 0) whole.particles[i].x[i % 3] += whole.hi[0];
  }
  support::Random random(7);
  const support::TwoSets sets = support::cut(whole, random);
  auto asking = support::built(exec, sets.asking), asked = support::built(exec, sets.asked);
  hgrid::Queries queries(asked);
  if (support::as_listed(exec, queries.find(asking)) != sets.expected) support::fail("two sets that are near");
  oracle::System wider = sets.asking;
  wider.hi[0] *= 1.5;
  auto elsewhere = support::built(exec, wider);
  try {
    queries.find(elsewhere);
    support::fail("two boxes that differ");
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::invalid_argument) throw;
  }
}
