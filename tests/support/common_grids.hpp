// SPDX-License-Identifier: BSD-3-Clause
// Random systems made common: a device has kernels for grids of the common kind, which few systems have with all that can
// be drawn.
#pragma once

#include <algorithm>

#include "support/random_suite.hpp"

namespace support {

/// Returns the case in an upright box, in rows of a dense table, by the sum of radii, without cut-offs, groups, ghosts, worlds
/// and exclusions. Few drawn cases are so. Such grids have kernels of their own, and the open ones among them have others.
inline Case made_common(Case c, bool open) {
  c.choice[direction] = c.choice[keys] = 0, c.choice[table] = 1;
  for (oracle::System* s : {&c.system, &c.warm_up}) {
    if (open) std::fill(s->periodic, s->periodic + 3, false);
    std::fill(s->tilt, s->tilt + 3, 0.0), s->turned = false;
    s->owned = -1, s->excluded.clear();
    s->rule = oracle::Rule::sum, s->types = 0;
    s->worlds = 0, s->boxes.clear();
    s->extended = false;
    for (oracle::Particle& p : s->particles) p.group = -1;
  }
  return c;
}

/// Returns whether that box is near the particles. It is far from them where they had another box, or it was turned.
inline bool is_near_upright_box(const Case& c) { return c.system.boxes.empty() && !c.system.turned; }

/// Compares the contacts that `run` finds with brute force in the given number of systems, in open boxes and as they were
/// drawn; or in half of HGRID_SYSTEMS, if it is set. Few systems have most of the contacts, so fewer than a hundred may have
/// few in open ones.
template <class Run>
void expect_common_grids(std::uint64_t systems, const Run& run) {
  const std::uint64_t seeds = from_environment("HGRID_SYSTEMS", 2 * systems) / 2;
  hgrid::offset_t of_both = 0;
  for (const bool open : {false, true}) {
    hgrid::offset_t contacts = 0;
    for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
      const Case drawn = make_case(seed);
      if (!is_near_upright_box(drawn)) continue;
      const Outcome outcome = run(made_common(drawn, open));
      ASSERT_TRUE(outcome.difference.empty()) << "seed " << seed << (open ? ", open" : "") << "\n" << outcome.difference;
      contacts += static_cast<hgrid::offset_t>(outcome.contacts);
    }
    EXPECT_GT(contacts, static_cast<hgrid::offset_t>((seeds < 100 ? 10 : 100) * seeds));
    of_both += contacts;
  }
  EXPECT_GT(of_both, static_cast<hgrid::offset_t>(200 * seeds));
}

}  // namespace support
