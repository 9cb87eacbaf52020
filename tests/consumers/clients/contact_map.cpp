// SPDX-License-Identifier: BSD-3-Clause
// A client like Yade and other object-oriented codes: interactions in a hash map by their two ids, with state that lives as
// long as the contact. New contacts are added, ended ones are removed.
#include <hgrid/hgrid.hpp>

#include <unordered_map>

#include "system.hpp"

namespace {

struct Interaction {
  int since = 0, seen = 0;  // steps
};

// [docs: contact_map]
using Interactions = std::unordered_map<std::uint64_t, Interaction>;

std::uint64_t key_of(hgrid::index_t i, hgrid::index_t j) {
  return static_cast<std::uint64_t>(i) << 32 | static_cast<std::uint32_t>(j);
}

/// The list is made on all threads; the map is filled by one, because a hash map is not made for more.
template <class Grid, class List>
void update(Grid& grid, List& list, int step, Interactions& interactions) {
  grid.find(list);
  for (hgrid::offset_t k = 0; k < list.size(); ++k) {
    const auto [i, j] = list.pairs()[k];
    interactions.try_emplace(key_of(i, j), Interaction{step, step}).first->second.seen = step;
  }
  std::erase_if(interactions, [&](const auto& entry) { return entry.second.seen != step; });
}
// [docs: end]

}  // namespace

int main() {
  System system(1000);
  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::open()};
  auto list = grid.make_pairs();
  Interactions interactions;
  std::set<std::pair<int, int>> before;
  std::mt19937 random(5);
  for (int step = 1; step <= 4; ++step) {
    for (double& c : system.x) c += std::uniform_real_distribution<double>(-0.1, 0.1)(random);
    grid.build(system.x, system.r);
    update(grid, list, step, interactions);
    const auto expected = system.contacts([](int, int) { return true; });
    require(interactions.size() == expected.size() && expected.size() > 100, "the number of interactions");
    int kept = 0;
    for (const auto& [i, j] : expected) {
      const auto at = interactions.find(key_of(i, j));
      require(at != interactions.end(), "a contact is missing");
      require((at->second.since == step) == (before.count({i, j}) == 0), "state that lives as long as its contact");
      kept += at->second.since < step ? 1 : 0;
    }
    require(step == 1 || kept > 50, "some contacts last");
    before = expected;
  }
}
