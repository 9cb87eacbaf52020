// SPDX-License-Identifier: BSD-3-Clause
// Spheres in three dimensions on hosts: bad input, boxes, crowds, few particles, rules and random systems.
#include "mutants/expect_boxes.hpp"
#include "mutants/expect_crowds.hpp"
#include "mutants/expect_errors.hpp"
#include "mutants/expect_exclusions.hpp"
#include "mutants/expect_few.hpp"
#include "mutants/expect_rows.hpp"
#include "mutants/expect_rules.hpp"
#include "mutants/expect_systems.hpp"
#include "mutants/expect_wraps.hpp"

int main(int argc, char** argv) {
  const std::uint64_t last = systems(argc, argv);
  expect_errors();
  expect_boxes();
  expect_exclusion_errors(HostParts());
  expect_cutoff_errors(HostParts());
  expect_shrinking(HostParts());
  expect_wraps();
  expect_pieces();
  expect_border_of_coarse();
  expect_rows(HostParts());
  expect_crowd_that_disperses(HostParts());
  expect_few(HostParts());
  for (std::uint64_t seed = 1; seed <= last; ++seed) {
    if (seed % 3 != 0) expect_equal<HostParts, 3>({}, make_case<3>(seed));
    if (seed % 3 == 1) expect_bricks<3>(make_case<3>(seed));
  }
  return 0;
}
