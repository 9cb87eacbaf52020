// SPDX-License-Identifier: BSD-3-Clause
// Exclusions, in addition to the random systems: their errors, hgrid's own lists as exclusions, and lists in a time loop.
#include "hgrid/core/names.hpp"
#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Exclusions;
using hgrid::Pair;
using Begin = std::vector<hgrid::offset_t>;
using Ids = std::vector<hgrid::index_t>;

/// The error of a build, and the list or pair, the value and the number of faulty ones that it must name.
struct Listed {
  ErrorCode code;
  std::int64_t index;
  double value;
  std::int64_t count = 1;
};

template <class Exec>
class ExclusionsOf : public ::testing::Test {
 protected:
  const oracle::System system = support::polydisperse(1500, 3, true);
  const support::UserArrays<double, 3> arrays{system};
  const Exec exec = support::make_executor<Exec>(2);
  hgrid::Grid<Exec, 3> grid = support::built(exec, system);

  hgrid::Particles<double, 3> with(const Exclusions& exclusions) const {
    hgrid::Particles<double, 3> view = arrays.view();
    view.exclusions = exclusions;
    return view;
  }

  // The grid is as it was.
  void expect(const Exclusions& exclusions, const Listed& expected) {
    const support::Contacts before = support::pairs_of(grid);
    try {
      grid.build(with(exclusions));
      ADD_FAILURE() << "accepted; expected " << hgrid::name_of(expected.code);
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), expected.code) << e.what();
      EXPECT_EQ(e.detail().argument, "exclusions");
      EXPECT_EQ(e.detail().index, expected.index) << e.what();
      EXPECT_EQ(e.detail().value, expected.value) << e.what();
      EXPECT_EQ(e.detail().count, expected.count) << e.what();
    }
    EXPECT_EQ(support::pairs_of(grid), before) << "the grid has changed";
  }

  void expect_lists(const Listed& expected, void (*spoil)(Begin&, Ids&)) {
    Begin begin(system.particles.size() + 1, 6);
    begin[0] = 0, begin[1] = 2, begin[2] = 3;
    Ids ids = {4, 1499, 0, 2, 5, 5};
    grid.build(with(Exclusions::in_lists(begin.data(), ids.data(), 6)));
    spoil(begin, ids);
    expect(Exclusions::in_lists(begin.data(), ids.data(), 6), expected);
  }

  void expect_pairs(const Listed& expected, const std::vector<Pair>& pairs) {
    expect(Exclusions::in_pairs(pairs.data(), static_cast<hgrid::offset_t>(pairs.size())), expected);
  }
};
TYPED_TEST_SUITE(ExclusionsOf, support::Executors);

TYPED_TEST(ExclusionsOf, FaultyLists) {
  using enum ErrorCode;
  this->expect_lists({range_error, 0, 1500}, [](Begin&, Ids& ids) { ids[1] = 1500; });
  this->expect_lists({range_error, 1, -1, 2}, [](Begin&, Ids& ids) { ids[2] = ids[5] = -1; });
  this->expect_lists({invalid_argument, 2, 1}, [](Begin&, Ids& ids) { ids[4] = 1; });
  this->expect_lists({invalid_argument, 0, -3}, [](Begin& begin, Ids&) { begin[0] = -3; });
  this->expect_lists({invalid_argument, 999, 5}, [](Begin& begin, Ids&) { begin[1000] = 5; });
  this->expect_lists({invalid_argument, 1499, 7}, [](Begin& begin, Ids&) { begin[1500] = 7; });
  this->expect_lists({invalid_argument, 699, 0x1p40, 2}, [](Begin& begin, Ids&) { begin[700] = std::int64_t{1} << 40; });
}

TYPED_TEST(ExclusionsOf, FaultyPairs) {
  using enum ErrorCode;
  this->expect_pairs({range_error, 1, 1500, 2}, {{0, 1}, {0, 1500}, {1500, 0}});
  this->expect_pairs({range_error, 0, -2}, {{-2, 1}});
  this->expect_pairs({invalid_argument, 2, 2}, {{0, 1}, {3, 1}, {2, 9}});
  this->expect_pairs({invalid_argument, 2, 2, 2}, {{0, 1}, {3, 4}, {3, 2}, {3, 1}});
}

TYPED_TEST(ExclusionsOf, FaultyArguments) {
  using enum ErrorCode;
  const hgrid::offset_t begin = 0;
  const hgrid::index_t id = 0;
  const Pair pair{0, 1};
  this->expect({nullptr, nullptr, &pair, -1}, {size_mismatch, -1, -1, 0});
  this->expect({nullptr, nullptr, nullptr, 1}, {invalid_argument, -1, 1, 0});
  this->expect({&begin, nullptr, nullptr, 1}, {invalid_argument, -1, 1, 0});
  this->expect({nullptr, &id, nullptr, 1}, {invalid_argument, -1, 1, 0});
  this->expect({&begin, &id, &pair, 1}, {invalid_argument, -1, 1, 0});
  this->grid.build(this->with({nullptr, nullptr, nullptr, 0}));
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), oracle::contacts(this->system));
}

// A bad particle is named before bad exclusions, whose ids may result from it.
TYPED_TEST(ExclusionsOf, ParticlesAreToBlameFirst) {
  oracle::System s = this->system;
  s.particles[9].radius = -1;
  const support::UserArrays<double, 3> bad(s);
  const Pair pair{0, -1};
  auto view = bad.view();
  view.exclusions = Exclusions::in_pairs(&pair, 1);
  try {
    this->grid.build(view);
    FAIL();
  } catch (const hgrid::Error& e) {
    EXPECT_EQ(e.code(), ErrorCode::negative_radius);
    EXPECT_EQ(e.detail().index, 9);
  }
}

// Particles that touch at first are bonded: the contacts that a grid has found are excluded in the next build, and no longer in
// the last. The user's memory may be freed after the build.
TYPED_TEST(ExclusionsOf, OwnListsServe) {
  const support::Contacts all = oracle::contacts(this->system);
  ASSERT_GT(all.size(), 1000u);
  auto pairs = this->grid.make_pairs();
  this->grid.find(pairs, {.order = hgrid::Order::sorted});
  std::vector<Pair> bonds(pairs.pairs(), pairs.pairs() + pairs.size());
  this->grid.build(this->with(Exclusions::in_pairs(bonds.data(), pairs.size())), {.skin = 0.4});
  std::fill(bonds.begin(), bonds.end(), Pair{-1, -1});
  oracle::System s = this->system;
  s.skin = 0.4;
  for (const oracle::Contact& c : all) s.excluded.insert({c.i, c.j});
  const support::Contacts rest = oracle::contacts(s);
  ASSERT_GT(rest.size(), 100u);
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), rest);
  EXPECT_EQ(this->grid.count(), static_cast<hgrid::offset_t>(rest.size()));
  for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
    this->grid.build(this->arrays.view());
    auto lists = this->grid.make_list(kind);
    this->grid.find(lists);
    this->grid.build(this->with(Exclusions::in_lists(lists.offsets(), lists.neighbours(), lists.size())), {.skin = 0.4});
    EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), rest);
  }
  this->grid.build(this->arrays.view());
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), all);
}

// A list in a time loop holds the exclusions of its build until it is built again.
TYPED_TEST(ExclusionsOf, InATimeLoop) {
  hgrid::VerletList list(this->grid, {.skin = 0.4});
  const auto listed = [&] { return support::as_listed(list.neighbours()); };
  EXPECT_TRUE(list.update(this->arrays.view()));
  const support::Contacts all = listed();
  const Pair bond{static_cast<hgrid::index_t>(all[7].i), static_cast<hgrid::index_t>(all[7].j)};
  const auto bonded = this->with(Exclusions::in_pairs(&bond, 1));
  EXPECT_FALSE(list.update(bonded)) << "exclusions are not compared";
  list.build(bonded);
  support::Contacts rest = all;
  std::erase_if(rest, [&](const oracle::Contact& c) { return c.i == bond.i && c.j == bond.j; });
  ASSERT_LT(rest.size(), all.size());
  EXPECT_EQ(listed(), rest);
  hgrid::History<TypeParam> history(this->exec);
  history.remap(list.before(), list.neighbours());
  EXPECT_EQ(std::count(history.from(), history.from() + history.size(), -1), 0);
  EXPECT_FALSE(list.update(bonded));
  EXPECT_EQ(listed(), rest);
}

// The third build of equal sizes takes no more memory, nor one with fewer exclusions.
TYPED_TEST(ExclusionsOf, MemoryIsKept) {
  const std::size_t without = this->grid.bytes();
  const std::vector<Pair> pairs(100, Pair{3, 4});
  this->grid.build(this->with(Exclusions::in_pairs(pairs.data(), 100)));
  const std::size_t with = this->grid.bytes();
  EXPECT_GE(with, without + 1501 * sizeof(hgrid::offset_t) + 100 * sizeof(hgrid::index_t));
  EXPECT_LE(with, without + 1600 * sizeof(hgrid::offset_t) + 200 * sizeof(hgrid::index_t));
  for (const hgrid::offset_t n : {100, 7, 0}) {
    this->grid.build(this->with(Exclusions::in_pairs(pairs.data(), n)));
    EXPECT_EQ(this->grid.bytes(), with);
  }
}

}  // namespace
