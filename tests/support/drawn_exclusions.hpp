// SPDX-License-Identifier: BSD-3-Clause
// Exclusions of a random system.
#pragma once

#include <algorithm>

#include "support/axes.hpp"
#include "support/oracle.hpp"

namespace support {

/// Excludes some pairs that touch, but not all, and some others; each is named from either side.
inline void draw_exclusions(oracle::System& s, int kind, Random& random) {
  if (kind == values::no_exclusions) return;
  const std::vector<oracle::Contact> contacts = oracle::contacts(s);
  const double share = random.chance(0.2) ? 0.9 : random.real(0, 0.4);
  const auto exclude = [&](std::int64_t i, std::int64_t j) {
    s.excluded.insert(random.chance(0.5) ? std::pair{i, j} : std::pair{j, i});
  };
  for (std::size_t k = 0; k < contacts.size(); ++k) {
    const auto [i, j, m] = contacts[k];
    const bool seen = k > 0 && contacts[k - 1].i == i && contacts[k - 1].j == j;  // under another image
    if (!seen && random.chance(share)) exclude(i, j);
  }
  const int last = static_cast<int>(s.particles.size()) - 1;
  for (int k = random.integer(1, 2 + last / 2); k > 0; --k) exclude(random.integer(0, last), random.integer(0, last));
  const auto is_excluded = [&](const oracle::Contact& c) {
    return s.excluded.contains({c.i, c.j}) || s.excluded.contains({c.j, c.i});
  };
  if (contacts.empty() || !std::all_of(contacts.begin(), contacts.end(), is_excluded)) return;
  s.excluded.erase({contacts[0].i, contacts[0].j}), s.excluded.erase({contacts[0].j, contacts[0].i});
}

}  // namespace support
