// SPDX-License-Identifier: BSD-3-Clause
// A random system cut into two sets, each in a grid of its own, against the contacts between the sets in the whole system.
#pragma once

#include <vector>

#include "support/answers.hpp"

namespace support {

struct TwoSets {
  oracle::System asking, asked;
  Contacts expected;                 ///< i of the first, j of the second
  UserExclusions::Entries excluded;  ///< as these
};

inline TwoSets cut(const oracle::System& whole, Random& random) {
  TwoSets sets{whole, whole, {}, {}};
  for (oracle::System* set : {&sets.asking, &sets.asked})
    set->particles.clear(), set->excluded.clear(), set->owned = whole.owned < 0 ? -1 : 0;
  std::vector<std::pair<bool, std::int64_t>> to;  // whether a particle is a query, and its id in its own set
  const double share = random.chance(0.2) ? 0 : random.real(0, 1);
  for (std::size_t i = 0; i < whole.particles.size(); ++i) {
    const bool asks = random.chance(share);
    oracle::System& set = asks ? sets.asking : sets.asked;
    to.push_back({asks, static_cast<std::int64_t>(set.particles.size())});
    set.particles.push_back(whole.particles[i]);
    if (static_cast<std::int64_t>(i) < whole.owned) ++set.owned;
  }
  for (const oracle::Contact& c : oracle::neighbours(whole)) {
    const auto [i_asks, i] = to[static_cast<std::size_t>(c.i)];
    const auto [j_asks, j] = to[static_cast<std::size_t>(c.j)];
    if (i_asks && !j_asks) sets.expected.push_back({i, j, c.m});
  }
  std::ranges::sort(sets.expected);
  for (auto [first, second] : whole.excluded) {
    auto [i_asks, i] = to[static_cast<std::size_t>(first)];
    auto [j_asks, j] = to[static_cast<std::size_t>(second)];
    if (i_asks == j_asks)
      (i_asks ? sets.asking : sets.asked).excluded.insert({i, j});
    else
      sets.excluded.insert(i_asks ? std::pair{i, j} : std::pair{j, i});
  }
  bool open = true;
  for (const oracle::Domain& box : whole.boxes) open = open && !(box.periodic[0] || box.periodic[1] || box.periodic[2]);
  if (open && !(whole.periodic[0] || whole.periodic[1] || whole.periodic[2])) {  // or both skins are the skin of the pairs
    const int whose = random.integer(0, 2);
    if (whose == 0) sets.asking.skin = 2 * whole.skin, sets.asked.skin = 0;
    if (whose == 1) sets.asking.skin = 0, sets.asked.skin = 2 * whole.skin;
  }
  return sets;
}

template <class Real, int D, class Exec>
std::string check_two_sets(const Exec& exec, const Case& c) {
  Random random(c.seed + 77);
  const TwoSets sets = cut(c.system, random);
  auto asking = grid_in<hgrid::Grid<Exec, D>>(exec, sets.asking, options_of(c));
  auto asked = grid_in<hgrid::Grid<Exec, D>>(exec, sets.asked, options_of(c));
  const UserArrays<Real, D> of_asking(sets.asking, c.choice[layout], c.choice[exclusions]),
      of_asked(sets.asked, c.choice[layout], c.choice[exclusions]);
  const UserExclusions between(sets.excluded, sets.asking.particles.size(), c.choice[exclusions]);
  hgrid::Particles<Real, D> excluding = of_asking.view();
  excluding.exclusions = between.view();
  const auto first = placed(exec, of_asking.view()), second = placed(exec, of_asked.view());
  asking.build(first.view(), {.skin = sets.asking.skin});
  asked.build(second.view(), {.skin = sets.asked.skin});
  const hgrid::Excluding bonds(asked, asking, placed(exec, excluding).view().exclusions);
  const auto askers = static_cast<hgrid::offset_t>(sets.asking.particles.size());
  std::string text = check_answers(asked, bonds, askers, sets.expected, c.seed);
  if (sets.excluded.empty()) text += check_answers(asked, asking, askers, sets.expected, c.seed);
  if constexpr (Exec::on_host) {
    Contacts asked_for;
    std::mutex mutex;
    asked.count(bonds, hgrid::only(DrawnAndNoted{Drawn{c.seed}, Collect{&asked_for, &mutex}}));
    std::ranges::sort(asked_for);
    if (asked_for.size() == 2 * sets.expected.size())  // where images have large numbers
      asked_for.erase(std::unique(asked_for.begin(), asked_for.end()), asked_for.end());
    text += difference("asked for", asked_for, sets.expected);
  }
  return text;
}

}  // namespace support
