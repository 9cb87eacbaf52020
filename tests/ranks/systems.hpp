// SPDX-License-Identifier: BSD-3-Clause
// Many random systems on ranks, each seen by all of them.
#pragma once

#include "ranks/shared_system.hpp"
#include "support/random_suite.hpp"

namespace support {

/// Some particles lie just on the cuts between ranks, or an ulp before them; in a turned box as nearly as they can.
template <class Real, int D>
void put_on_cuts(oracle::System& s, std::uint64_t seed, const std::vector<hgrid::RankBox<D>>& boxes) {
  Random random(seed + 1);
  const auto box = hgrid::detail::used_part(box_of<D>(s));
  for (oracle::Particle& p : s.particles) {
    const auto& of_rank = boxes[static_cast<std::size_t>(random.integer(0, static_cast<int>(boxes.size()) - 1))];
    hgrid::Vec<double, D> x;
    std::copy_n(p.x, D, x.v);
    x = hgrid::detail::in_frame(box, x);
    for (int k = 0; k < D; ++k) {
      if (!random.chance(0.3) || !std::isfinite(of_rank.lo[k])) continue;
      x[k] = random.chance(0.5) ? of_rank.lo[k] : ulps_away(of_rank.lo[k], -1);
    }
    if (box.turned) x = hgrid::detail::from_axes(box, x);
    for (int k = 0; k < D; ++k) p.x[k] = static_cast<Real>(x[k]);
  }
}

/// Compares drawn systems: difference.operator()<Real, D>(seed, contacts) returns the difference in a system on this rank, or
/// nothing, and counts contacts.
template <class Difference>
void expect_systems_of_ranks(const Difference& difference) {
  const std::uint64_t seed = from_environment("HGRID_SEED", 20261123);
  const std::uint64_t systems = from_environment("HGRID_SYSTEMS", 300);
  std::size_t contacts = 0;
  for (std::uint64_t k = seed; k < seed + systems; ++k) {
    Random random(k);
    const Choice choice = draw_choice(random);
    const bool floats = choice[real] == 1, flat = choice[dimension] == 0;
    const std::string found = flat     ? floats ? difference.template operator()<float, 2>(k, contacts)
                                                : difference.template operator()<double, 2>(k, contacts)
                                  : floats ? difference.template operator()<float, 3>(k, contacts)
                                       : difference.template operator()<double, 3>(k, contacts);
    if (!found.empty()) std::cerr << found << std::endl;  // only rank 0 writes results of tests
    if (!everywhere(found.empty())) {
      FAIL() << "system " << k - seed << "; again with HGRID_SEED=" << k << " HGRID_SYSTEMS=1\n" << found;
    }
  }
  if (this_rank() == 0) {
    std::cout << systems << " systems, " << contacts << " contacts, on " << all_ranks() << " ranks" << std::endl;
  }
}

}  // namespace support
