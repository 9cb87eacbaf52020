// SPDX-License-Identifier: BSD-3-Clause
// The rules by which particles are in contact, in addition to the random systems: refusals of a one-sided (gather) search,
// lists in a time loop, plans.
#include "hgrid/core/names.hpp"
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::ListKind;
using hgrid::Rule;
using support::Contacts;

template <class Exec>
class RulesOf : public ::testing::Test {
 protected:
  static oracle::System system(Rule rule, bool periodic = true) {
    oracle::System s = support::polydisperse(1500, 3, periodic);
    s.rule = static_cast<oracle::Rule>(rule);
    s.skin = 0.3;
    return s;
  }

  const Exec exec = support::make_executor<Exec>(2);
};
TYPED_TEST_SUITE(RulesOf, support::Executors);

TYPED_TEST(RulesOf, EachHoldsItsPairsAndNoOthers) {
  std::size_t before = SIZE_MAX;
  for (const Rule rule : {Rule::sum, Rule::max, Rule::gather}) {
    const oracle::System s = this->system(rule);
    auto grid = support::built(this->exec, s);
    const Contacts neighbours = oracle::neighbours(s);
    EXPECT_EQ(support::rows_of(grid, ListKind::full), neighbours) << hgrid::name_of(rule);
    EXPECT_EQ(support::visited_partners(grid), neighbours) << hgrid::name_of(rule);
    EXPECT_GT(neighbours.size(), 300u);
    EXPECT_LT(neighbours.size(), before) << "each rule holds part of what the one before holds";
    before = neighbours.size();
    if (rule == Rule::gather) continue;
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), oracle::contacts(s));
    EXPECT_EQ(support::rows_of(grid, ListKind::half), oracle::contacts(s));
  }
}

// Where radii are equal, all rules have one answer, and the larger radius is the sum of halves, which rounds nothing.
TYPED_TEST(RulesOf, EqualRadiiMakeThemEqual) {
  oracle::System s = this->system(Rule::max);
  for (oracle::Particle& p : s.particles) p.radius = 2.3;
  auto larger = support::built(this->exec, s);
  const Contacts by_max = support::rows_of(larger, ListKind::full);
  s.rule = oracle::Rule::gather;
  auto gather = support::built(this->exec, s);
  EXPECT_EQ(support::rows_of(gather, ListKind::full), by_max);
  s.rule = oracle::Rule::sum;
  for (oracle::Particle& p : s.particles) p.radius /= 2;
  auto sum = support::built(this->exec, s);
  EXPECT_EQ(support::rows_of(sum, ListKind::full), by_max);
  EXPECT_GT(by_max.size(), 1500u);
}

TYPED_TEST(RulesOf, AGatherHasNoPairs) {
  const oracle::System s = this->system(Rule::gather);
  auto grid = support::built(this->exec, s);
  const auto refuses = [](const char* what, const auto& f) {
    try {
      f();
      ADD_FAILURE() << what << " is not refused";
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), ErrorCode::unsupported) << what << ": " << e.what();
      EXPECT_EQ(e.detail().argument, "rule") << what;
    }
  };
  auto pairs = grid.make_pairs();
  auto half = grid.make_list();
  refuses("count", [&] { grid.count(); });
  refuses("pairs", [&] { grid.find(pairs); });
  refuses("sorted pairs", [&] { grid.find(pairs, {.order = hgrid::Order::sorted}); });
  refuses("enqueue_pairs", [&] { grid.enqueue(pairs); });
  refuses("enqueue_pairs in order", [&] { grid.enqueue(pairs, {.order = hgrid::Order::sorted}); });
  refuses("enqueue_neighbours", [&] { grid.enqueue(half); });
  refuses("wait", [&] { grid.wait(pairs); });
  refuses("wait for lists", [&] { grid.wait(half); });
  refuses("pairs_into", [&] { grid.find(hgrid::PairColumns<std::int32_t>{}); });
  refuses("a half list", [&] { grid.find(half); });
  refuses("a half matrix", [&] {
    grid.find(hgrid::NeighbourMatrix<std::int32_t>{nullptr, 1500, 0}, {.kind = ListKind::half});
  });
  refuses("for_each_contact", [&] { grid.for_each_contact([](hgrid::index_t, hgrid::index_t, const hgrid::Image&) {}); });
  refuses("a list in a time loop",
          [&] { hgrid::VerletList(grid, {.skin = s.skin}).update(support::UserArrays<double, 3>(s).view()); });
  EXPECT_EQ(support::rows_of(grid, ListKind::full), oracle::neighbours(s));
}

TYPED_TEST(RulesOf, AMatrixHoldsAGather) {
  const oracle::System s = this->system(Rule::gather, false);
  auto grid = support::built(this->exec, s);
  const Contacts expected = oracle::neighbours(s);
  std::vector<std::int32_t> ids(1500 * 200), counts(1500);
  grid.find(hgrid::NeighbourMatrix<std::int32_t>{ids.data(), 1500, 200, counts.data()});
  Contacts found;
  for (int i = 0; i < 1500; ++i) {
    for (int k = 0; k < counts[i]; ++k) found.push_back({i, ids[200 * i + k]});
  }
  EXPECT_EQ(found, expected);
}

// A radius that shrinks makes room for movement only where radii add: else the other particle's may be the one that counts.
TYPED_TEST(RulesOf, ShrinkingMakesNoRoom) {
  oracle::System then;
  then.skin = 0.2;
  then.particles = {{.x = {0, 0, 0}, .radius = 1}, {.x = {1.3, 0, 0}, .radius = 1}, {.x = {9, 0, 0}, .radius = 1}};
  for (const Rule rule : {Rule::sum, Rule::max, Rule::gather}) {
    then.rule = static_cast<oracle::Rule>(rule);
    auto grid = support::built(this->exec, then);
    const Contacts listed = support::listed_of(grid);
    oracle::System now = then;
    now.skin = 0;
    now.particles[0].x[0] = 0.4, now.particles[0].radius = 0.5;
    const hgrid::Validity validity = grid.validity(support::UserArrays<double, 3>(now).view());
    EXPECT_EQ(validity.holds(), rule == Rule::sum) << hgrid::name_of(rule);
    EXPECT_NEAR(validity.excess, rule == Rule::sum ? 0 : 0.4, 1e-9);
    const Contacts contacts = support::listed_in(now);
    EXPECT_EQ(contacts.empty(), false);
    EXPECT_EQ(listed.empty(), rule != Rule::sum) << "what the list of the build lacks";
    now = then;
    now.particles[0].radius = 0.5;
    EXPECT_TRUE(grid.valid(support::UserArrays<double, 3>(now).view())) << "it shrinks where it is";
    now.particles[1].radius = 1.11;
    EXPECT_FALSE(grid.valid(support::UserArrays<double, 3>(now).view())) << "and another grows";
  }
}

// Particles grow, shrink and drift; a list that passes its check holds each neighbor of now.
TYPED_TEST(RulesOf, ListsInATimeLoop) {
  for (const Rule rule : {Rule::max, Rule::gather}) {
    oracle::System s = this->system(rule);
    auto grid = support::built(this->exec, s);
    hgrid::VerletList list(grid, {.kind = ListKind::full, .skin = s.skin});
    hgrid::History<TypeParam> history(this->exec);
    hgrid::PairArray<TypeParam, int> ages(this->exec);
    support::Random random(4);
    int kept = 0;
    for (int step = 0; step < 30; ++step) {
      for (oracle::Particle& p : s.particles) {
        for (double& x : p.x) x += random.real(-0.02, 0.02);
        p.radius *= random.real(0.99, 1.01);
      }
      if (list.update(support::UserArrays<double, 3>(s).view())) {
        history.remap(list.before(), list.neighbours());
        ages.follow(history);
      }
      for (hgrid::offset_t k = 0; k < ages.size(); ++k) ++ages.data()[k];
      oracle::System now = s;
      now.skin = 0;
      const Contacts listed = support::as_listed(list.neighbours()), contacts = oracle::neighbours(now);
      ASSERT_TRUE(std::includes(listed.begin(), listed.end(), contacts.begin(), contacts.end())) << hgrid::name_of(rule);
    }
    for (hgrid::offset_t k = 0; k < ages.size(); ++k) kept += ages.data()[k] == 30;
    EXPECT_GT(list.counters().builds, 2);
    EXPECT_LT(list.counters().builds, 30);
    EXPECT_GT(kept, 500) << "entries of the first list that are still there";
  }
}

// Plans are made for the rule: equal radii by the larger one are searched as half as large ones by the sum.
TYPED_TEST(RulesOf, PlansKnowTheRule) {
  oracle::System s = this->system(Rule::max, false);
  s.skin = 0;
  for (oracle::Particle& p : s.particles) p.radius = 2;
  auto larger = support::built(this->exec, s);
  s.rule = oracle::Rule::sum;
  for (oracle::Particle& p : s.particles) p.radius = 1;
  auto sum = support::built(this->exec, s);
  EXPECT_EQ(larger.work().candidates, sum.work().candidates);
  EXPECT_EQ(larger.work().rows, sum.work().rows);
  for (int k = 0; k < 3; ++k) EXPECT_EQ(larger.levels()[0].cell_size[k], sum.levels()[0].cell_size[k]);
}

}  // namespace
