// SPDX-License-Identifier: BSD-3-Clause
// A time loop of two sets on ranks: contacts between them hold until one of the sets has used up its skin.
#include "ranks/drifting.hpp"
#include "ranks/two_sets.hpp"

namespace {

using support::Contacts;

/// Two sets that drift through the boxes of the ranks, each with a list of its own and a skin of its own.
class DriftingSets {
 public:
  DriftingSets() {
    b_.grid().take_cuts(a_.grid());
    b_.update();
    for (std::size_t i = 0; i < whole_.v.size(); i += 3) whole_.v[i] += 0.5;  // as both have it
  }

  void move() { a_.move(), b_.move(), whole_.step(support::Drifting<3>::dt); }
  void rebalance() { a_.rebalance(), b_.grid().take_cuts(a_.grid()); }
  /// Contacts between the sets are found when either list is a new one. Returns whether they were.
  bool update() {
    const bool is_new_a = a_.update(), is_new_b = b_.update();
    if (found_ && !is_new_a && !is_new_b) return false;
    found_ = true, pairs_.clear();
    hgrid::DistributedQueries queries(b_.grid());
    const hgrid::ListView list(queries.find(a_.grid()));
    for (hgrid::index_t i = 0; i < list.lists; ++i) {
      for (auto k = list.offsets[i]; k < list.offsets[i + 1]; ++k) pairs_.push_back({i, list.neighbour(k), list.image(k)});
    }
    return true;
  }

  /// Returns the contacts that touch now.
  Contacts touching() {
    std::vector<hgrid::GlobalContact> mine;
    for (const hgrid::Contact& c : pairs_) {
      const auto i = static_cast<std::size_t>(c.i), j = static_cast<std::size_t>(c.j);
      const auto d = hgrid::separation(a_.grid().box(), &a_.share().x[3 * i], &b_.share().x[3 * j], c.image);
      if (support::touches(d, a_.grid().radii()[i] + b_.grid().radii()[j]))
        mine.push_back({a_.grid().ids()[i], b_.grid().ids()[j], c.image});
    }
    return support::of_all_ranks(mine);
  }
  Contacts expected() const {
    Contacts all;
    for (const oracle::Contact& c : oracle::neighbours(whole_.s)) {
      if (c.i >= of_a || c.j < of_a) continue;
      const auto i = static_cast<std::size_t>(c.i), j = static_cast<std::size_t>(c.j - of_a);
      all.push_back({support::global_id(seed_a, i), support::global_id(seed_b, j), c.m});
    }
    return support::sorted(all);
  }

 private:
  static constexpr std::uint64_t seed_a = 1, seed_b = 2;
  static constexpr std::int64_t of_a = 150;

  support::Gas part(std::int64_t first, std::int64_t end) const {
    support::Gas gas = whole_;
    gas.s.particles = {whole_.s.particles.begin() + first, whole_.s.particles.begin() + end};
    gas.v = {whole_.v.begin() + 3 * first, whole_.v.begin() + 3 * end};
    return gas;
  }

  support::Gas whole_{250};
  support::Drifting<3> a_{part(0, of_a), true, seed_a}, b_{part(of_a, 250), true, seed_b, {.skin = 0.25}};
  std::vector<hgrid::Contact> pairs_;
  bool found_ = false;
};

TEST(TwoSetsOnRanks, HoldForAsLongAsBothLists) {
  DriftingSets sets;
  std::size_t compared = 0;
  int searches = 0;
  for (int step = 0; step < 200; ++step, sets.move()) {
    if (step % 40 == 39) sets.rebalance();
    searches += sets.update();
    const Contacts found = sets.touching(), expected = sets.expected();
    ASSERT_TRUE(support::everywhere(found == expected)) << "step " << step << ": " << found.size() << " of " << expected.size();
    compared += found.size();
  }
  EXPECT_GT(compared, 2000u);
  EXPECT_LT(searches, 150);
}

}  // namespace
