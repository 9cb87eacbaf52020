// SPDX-License-Identifier: BSD-3-Clause
// Contacts between the particles of two grids: random systems cut in two, many neighbours, and what is refused.
#include <gtest/gtest.h>

#include <stdexcept>

#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/loop_cases.hpp"
#include "support/random_suite.hpp"
#include "support/two_sets_cases.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using support::expect_error;

template <class Exec>
class TwoSets : public ::testing::Test {
 protected:
  using Grid = hgrid::Grid<Exec, 3>;
  static Exec exec() { return support::make_executor<Exec>(2); }
  static Grid grid_of(const hgrid::Box3& box, const std::vector<double>& x, const std::vector<double>& r,
                      const hgrid::GridOptions& options = {}) {
    Grid grid(exec(), box, options);
    grid.build(x, r);
    return grid;
  }
};
TYPED_TEST_SUITE(TwoSets, support::Executors);

TYPED_TEST(TwoSets, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 500);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::make_case(seed);
    const auto run = [&]<class Real, int D>() { return support::check_two_sets<Real, D>(this->exec(), c); };
    ASSERT_EQ(support::in_types_of(c, run), "") << "seed " << seed << "\n" << support::to_text(c);
  }
}

// So many that whole lists are found, by sizes that are alike, and so many of all sizes that entries are sorted.
TYPED_TEST(TwoSets, OfManyNeighbours) {
  for (const bool periodic : {false, true}) {
    for (const double ratio : {1.0, 3.0, 50.0}) {
      oracle::System whole = support::polydisperse(6000, ratio, periodic, 5);
      for (std::size_t i = 0; i < whole.particles.size(); ++i) {
        whole.particles[i].radius *= ratio > 10 ? 2 : 3.5;
        if (i % 5 == 0) whole.particles[i].group = static_cast<int>(i % 7);
      }
      whole.owned = 5500, whole.skin = 0.1 * whole.particles[0].radius;
      support::Random random(7);
      const support::TwoSets sets = support::cut(whole, random);
      ASSERT_GT(sets.expected.size(), 4 * sets.asking.particles.size()) << ratio;
      auto asking = support::built(this->exec(), sets.asking), asked = support::built(this->exec(), sets.asked);
      hgrid::Queries queries(asked);
      for (int time = 0; time < 2; ++time) {  // by what is expected, and by what was
        ASSERT_EQ(support::difference("listed", support::as_listed(this->exec(), queries.find(asking)), sets.expected), "");
      }
    }
  }
}

TYPED_TEST(TwoSets, ThatAreOneHaveThemselvesToo) {
  const oracle::System s = support::polydisperse(500, 4, true, 3);
  auto grid = support::built(this->exec(), s);
  support::Contacts expected = oracle::neighbours(s);
  for (std::int64_t i = 0; i < 500; ++i) expected.push_back({i, i, {}});
  hgrid::Queries queries(grid);
  EXPECT_EQ(support::difference("listed", support::as_listed(this->exec(), queries.find(grid)), support::sorted(expected)), "");
}

// Half the skin of either grid counts, so a list holds as long as both grids say that it does.
TYPED_TEST(TwoSets, HaveHalfTheSkinOfEither) {
  typename TestFixture::Grid a(this->exec()), b(this->exec());
  hgrid::Queries queries(b);
  const std::vector<double> x{0, 0, 0}, y{2.25, 0, 0}, r{1};
  const auto found = [&](double skin_of_a, double skin_of_b) {
    a.build(x, r, {.skin = skin_of_a}), b.build(y, r, {.skin = skin_of_b});
    return queries.find(a).size();
  };
  EXPECT_EQ(found(0, 0), 0);
  EXPECT_EQ(found(0.5, 0), 1);
  EXPECT_EQ(found(0, 0.5), 1);
  EXPECT_EQ(found(0.25, 0.25), 1);
  EXPECT_EQ(found(0.25, 0.125), 0);
}

TYPED_TEST(TwoSets, AreRefusedWhereTheyCannotBeCompared) {
  const std::vector<double> x{0.5, 0.5, 0.5}, r{0.1};
  const auto box = hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1});
  auto grid = this->grid_of(box, x, r), wider = this->grid_of(hgrid::Box3::periodic({0, 0, 0}, {2, 1, 1}), x, r);
  auto by_max = this->grid_of(box, x, r, {.rule = hgrid::Rule::max});
  typename TestFixture::Grid none(this->exec(), box), worlds(this->exec(), box), typed(this->exec(), box);
  auto view = hgrid::particles<3>(x.data(), r.data(), 1);
  const index_t zero = 0;
  view.worlds = {&zero, 3};
  worlds.build(view);
  const double cutoff = 0.2;
  view.worlds = {}, view.cutoffs = {&zero, &cutoff, 1};
  typed.build(view);
  hgrid::Queries queries(grid);
  EXPECT_EQ(queries.find(grid).size(), 1);
  expect_error(ErrorCode::not_built, [&] { queries.find(none); });
  EXPECT_EQ(expect_error(ErrorCode::invalid_argument, [&] { queries.find(wider); }).argument, "asking");
  expect_error(ErrorCode::invalid_argument, [&] { queries.find(by_max); });
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { queries.find(worlds); }).count, 3);
  expect_error(ErrorCode::unsupported, [&] { queries.find(typed); });
  EXPECT_EQ(queries.neighbours().size(), 1);  // as it was
  typename TestFixture::Grid others(this->exec());
  view.cutoffs = {}, view.worlds = {&zero, 1};
  others.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {1, 1, 1})});
  others.build(view);
  typename TestFixture::Grid wide(this->exec());
  wide.set_boxes({hgrid::Box3::periodic({0, 0, 0}, {1, 1, 2})});
  wide.build(view);
  hgrid::Queries in_worlds(others);
  EXPECT_EQ(in_worlds.find(others).size(), 1);
  expect_error(ErrorCode::invalid_argument, [&] { in_worlds.find(wide); });
}

TYPED_TEST(TwoSets, CallBack) {
  const oracle::System s = support::polydisperse(300, 2, true, 3);
  auto a = support::built(this->exec(), s), b = support::built(this->exec(), s);
  hgrid::Queries queries(b);
  const auto all = queries.find(a).size();
  const auto builds = [&](auto& grid) {
    return [&](index_t, index_t, const Image&) {
      grid.build(std::vector<double>{0, 0, 0}, std::vector<double>{0.1});
      return true;
    };
  };
  expect_error(ErrorCode::reentrancy, [&] { queries.find(a, builds(a)); });
  expect_error(ErrorCode::reentrancy, [&] { queries.find(a, builds(b)); });
  expect_error(ErrorCode::reentrancy, [&] { queries.for_each(a, builds(b)); });
  EXPECT_THROW(queries.find(a, [](index_t i, index_t, const Image&) { return i == 40 ? throw std::runtime_error("") : true; }),
               std::runtime_error);
  EXPECT_EQ(queries.neighbours().size(), all);  // as it was
  EXPECT_THROW(queries.for_each(a, [](index_t, index_t, const Image&) { throw std::runtime_error(""); }), std::runtime_error);
  EXPECT_EQ(queries.find(a, [](index_t i, index_t j, const Image&) { return i == j; }).size(), 300);
}

}  // namespace
