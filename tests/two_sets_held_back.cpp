// SPDX-License-Identifier: BSD-3-Clause
// Contacts between the particles of two grids that are held back: by exclusions between the sets, and by cut-offs by type.
#include <gtest/gtest.h>

#include <span>

#include "support/asked.hpp"
#include "support/gas.hpp"
#include "support/grids_test.hpp"
#include "support/two_sets_cases.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;
using support::expect_error;

template <class Exec>
class TwoSetsHeldBack : public support::GridsTest<Exec> {};
TYPED_TEST_SUITE(TwoSetsHeldBack, support::Executors);

// If both sets have a table, the smaller cut-off counts, which either set's radii reach.
TYPED_TEST(TwoSetsHeldBack, ByTheSmallerCutoffOfTheirTables) {
  const std::vector<double> x{0, 0, 0, 0, 0, 0}, y{0.7, 0, 0, 0.9, 0, 0}, r{0.5, 0.5}, first{1, 0.8, 0.8, 0},
      second{0.6, 1, 1, 1};
  const std::vector<index_t> types{0, 1};
  const auto built = [&](const std::vector<double>& at, const std::vector<double>& table, index_t count) {
    typename TestFixture::Grid grid(this->exec());
    auto view = hgrid::particles<3>(at.data(), r.data(), 2);
    view.cutoffs = {types.data(), table.data(), count};
    grid.build(view);
    return grid;
  };
  auto asking = built(x, first, 2), asked = built(y, second, 2), one_type = this->grid_of({}, x, r);
  // 0 and 0 within 0.6, 0 and 1 within 0.8, 1 and 1 never: of 0.7, 0.9 and 0.7.
  const support::Contacts expected{{1, 0, {}}};
  EXPECT_EQ(support::difference("listed", support::as_listed(this->exec(), support::asked(asked, asking)), expected), "");
  EXPECT_EQ(support::difference("back", support::as_listed(this->exec(), support::asked(asking, asked)), {{0, 1, {}}}), "");
  EXPECT_EQ(expect_error(ErrorCode::size_mismatch, [&] { asked.count(one_type); }).needed, 2);
}

TYPED_TEST(TwoSetsHeldBack, ByExclusions) {
  const std::vector<double> x{0, 0, 0, 1, 0, 0, 2, 0, 0}, r{1, 1, 1}, one{0, 0, 0};
  auto asking = this->grid_of({}, x, r), asked = this->grid_of({}, one, {1.0});
  typename TestFixture::Grid none(this->exec());
  EXPECT_EQ(asked.count(asking), 3);
  const std::vector<hgrid::Pair> pairs{{0, 0}, {2, 0}}, disordered{{2, 0}, {0, 0}}, of_nobody{{3, 0}}, with_nobody{{2, 1}};
  const hgrid::Excluding bonds(asked, asking, hgrid::Exclusions::in_pairs(pairs.data(), 2));
  const auto found = [&] { return support::as_listed(this->exec(), support::asked(asked, bonds)); };
  EXPECT_EQ(found(), (support::Contacts{{1, 0, {}}}));
  asking.build(x, r), asked.build(one, std::vector<double>{1});
  EXPECT_EQ(found(), (support::Contacts{{1, 0, {}}})) << "builds do not forget";
  EXPECT_EQ(asked.count(asking), 3) << "without them";
  const auto wrong = [&](ErrorCode code, const std::vector<hgrid::Pair>& entries) {
    const hgrid::Error::Detail e = expect_error(
        code, [&] { hgrid::Excluding(asked, asking, hgrid::Exclusions::in_pairs(entries.data(), std::ssize(entries))); });
    EXPECT_EQ(e.argument, std::string("exclusions"));
    return std::pair(e.index, e.value);
  };
  EXPECT_EQ(wrong(ErrorCode::invalid_argument, disordered), (std::pair<std::int64_t, double>(1, 0)));
  EXPECT_EQ(wrong(ErrorCode::range_error, of_nobody), (std::pair<std::int64_t, double>(0, 3)));
  EXPECT_EQ(wrong(ErrorCode::range_error, with_nobody), (std::pair<std::int64_t, double>(0, 1)));
  expect_error(ErrorCode::not_built, [&] { hgrid::Excluding(asked, none, {}); });
  EXPECT_EQ(asked.count(hgrid::Excluding(asked, asking, {})), 3);
}

// Exclusions refer to the particles of the earlier build.
TYPED_TEST(TwoSetsHeldBack, ByExclusionsOfTheSetsThatTheyWereGivenFor) {
  const std::vector<double> x{0, 0, 0, 1, 0, 0}, r{1, 1}, one{0, 0, 0}, r_of_one{1};
  auto asking = this->grid_of({}, x, r), asked = this->grid_of({}, one, r_of_one);
  auto list = asked.make_list(hgrid::ListKind::full);
  const hgrid::Pair pair{1, 0};
  const hgrid::Excluding bonds(asked, asking, hgrid::Exclusions::in_pairs(&pair, 1));
  asked.enqueue(list, bonds);
  asked.wait(list, bonds);
  EXPECT_EQ(list.size(), 1);
  asked.enqueue(list, bonds);
  const auto wrong = [&](int of_ask, int of_asked) {
    asking.build(std::span(x).first(3 * static_cast<std::size_t>(of_ask)),
                 std::span(r).first(static_cast<std::size_t>(of_ask)));
    asked.build(std::span(x).first(3 * static_cast<std::size_t>(of_asked)),
                std::span(r).first(static_cast<std::size_t>(of_asked)));
    const auto e = expect_error(ErrorCode::size_mismatch, [&] { asked.wait(list, bonds); });
    EXPECT_EQ(e.argument, std::string("exclusions"));
    return std::pair(e.count, e.needed);
  };
  EXPECT_EQ(wrong(1, 1), (std::pair<std::int64_t, std::int64_t>(1, 2)));
  EXPECT_EQ(wrong(2, 2), (std::pair<std::int64_t, std::int64_t>(2, 1)));
  asked.build(one, r_of_one);
  asked.wait(list, bonds);
  EXPECT_EQ(list.size(), 1) << "an error does not forget the list";
}

}  // namespace
