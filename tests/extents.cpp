// SPDX-License-Identifier: BSD-3-Clause
// Particles with extents: exact at faces that just touch, and refused by name where they are not supported. Random systems draw
// them, too.
#include <gtest/gtest.h>

#include "hgrid/queries.hpp"
#include "support/boxes.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/random.hpp"

namespace {

using hgrid::ErrorCode;
using support::all_pairs;
using support::Boxes;
using support::dear_candidates;
using support::expect_error;

constexpr double none = std::numeric_limits<double>::quiet_NaN();

// Whole numbers, so that many faces just touch, and doubles have all sums and differences exactly.
Boxes whole_numbers(support::Random& random, int n, int size, int widest) {
  Boxes b;
  for (int i = 0; i < 3 * n; ++i) b.x.push_back(random.integer(0, size - 1)), b.h.push_back(random.integer(0, widest));
  return b;
}

template <class Exec>
class Extents : public ::testing::Test {
 protected:
  using Grid = hgrid::Grid<Exec, 3>;
  static Exec exec() { return support::make_executor<Exec>(2); }
};
TYPED_TEST_SUITE(Extents, support::Executors);

TYPED_TEST(Extents, FacesThatJustTouchTouch) {
  support::Random random(3);
  for (int system = 0; system < 300; ++system) {
    const int widest = random.integer(1, 6), period = system % 3 == 0 ? 0 : 32;
    const Boxes b = whole_numbers(random, random.integer(2, 120), 32, widest);
    const double skin = random.integer(0, 2);
    const auto box = period == 0 ? hgrid::Box3::open() : hgrid::Box3::periodic({0, 0, 0}, {32, 32, 32});
    hgrid::GridOptions options;
    if (system % 2 == 0) options.schedule = hgrid::Schedule::plain;
    if (system % 5 == 0) options.keys = hgrid::KeyOrder::morton;
    if (system % 7 < 5) options.costs = dear_candidates;
    typename TestFixture::Grid grid(this->exec(), box, options);
    grid.build(b.view(), {.skin = skin});
    auto pairs = grid.make_pairs();
    grid.find(pairs, {.order = hgrid::Order::sorted});
    ASSERT_EQ(support::difference("pairs", support::as_listed(this->exec(), pairs), all_pairs(b, period, skin)), "") << system;
  }
}

TYPED_TEST(Extents, AndSpheresInTurnInOneGrid) {
  support::Random random(7);
  const Boxes b = whole_numbers(random, 60, 32, 3);
  const std::vector<double> r(60, 2.0);
  typename TestFixture::Grid grid(this->exec()), spheres(this->exec());
  const auto view = hgrid::particles<3>(b.x.data(), r.data(), 60);
  spheres.build(view);
  for (int step = 0; step < 3; ++step) {
    grid.build(b.view());
    EXPECT_TRUE(grid.valid(b.view()));
    EXPECT_FALSE(grid.valid(view));
    EXPECT_EQ(grid.count(), static_cast<hgrid::offset_t>(all_pairs(b, 0, 0).size()));
    grid.build(view);
    EXPECT_FALSE(grid.valid(b.view()));
    EXPECT_EQ(grid.count(), spheres.count());
  }
}

TYPED_TEST(Extents, OfABadParticleAreNamed) {
  const auto refused = [&](ErrorCode code, double bad, hgrid::NonFinite policy = hgrid::NonFinite::error) {
    Boxes b{{0, 0, 0, 1, 0, 0, 5, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1}};
    typename TestFixture::Grid grid(this->exec(), hgrid::Box3::periodic({0, 0, 0}, {8, 8, 8}));
    grid.build(b.view());
    const auto before = grid.count();
    b.h[3 * 1 + 2] = bad;
    auto view = b.view();
    view.nonfinite = policy;
    const auto detail = expect_error(code, [&] { grid.build(view); });
    EXPECT_EQ(detail.argument, "extents");
    EXPECT_EQ(detail.index, 1);
    EXPECT_EQ(detail.count, 1);
    EXPECT_EQ(grid.count(), before);
  };
  refused(ErrorCode::nonfinite, none);
  refused(ErrorCode::nonfinite, HUGE_VAL);
  refused(ErrorCode::negative_radius, -1);
  refused(ErrorCode::negative_radius, -1, hgrid::NonFinite::skip);
  refused(ErrorCode::range_error, 1e16);
  refused(ErrorCode::range_error, 1e-16);
  refused(ErrorCode::box_too_small, 40);
}

TYPED_TEST(Extents, HaveExtraDistancesThatAreInspected) {
  const std::pair<double, ErrorCode> all[] = {{none, ErrorCode::nonfinite},
                                              {HUGE_VAL, ErrorCode::nonfinite},
                                              {-1, ErrorCode::negative_radius},
                                              {1e16, ErrorCode::range_error}};
  for (const auto& [bad, code] : all) {
    const Boxes b{{0, 0, 0, 1, 0, 0, 5, 0, 0}, {1, 1, 1, 1, 1, 1, 1, 1, 1}};
    const std::vector<double> extra{0, bad, 0};
    auto view = b.view();
    view.extra = extra.data();
    typename TestFixture::Grid grid(this->exec());
    const auto detail = expect_error(code, [&] { grid.build(view); });
    EXPECT_EQ(detail.argument, "extra");
    EXPECT_EQ(detail.index, 1);
    view.nonfinite = hgrid::NonFinite::skip;
    if (code != ErrorCode::nonfinite) continue;
    grid.build(view);
    EXPECT_EQ(grid.skipped(), 1);
    EXPECT_EQ(grid.count(), 0);
    EXPECT_TRUE(grid.valid(view));
  }
}

// No contact is lost either where a period is hardly longer than the shortest length.
TYPED_TEST(Extents, OfABoxOfTheShortestPeriod) {
  support::Random random(8);
  Boxes b;
  for (int i = 0; i < 400; ++i) {
    const double h = random.log_real(0.1, 100);
    b.x.insert(b.x.end(), {0, random.real(0, 1000), random.real(0, 1000)}), b.h.insert(b.h.end(), {0, h, h});
  }
  hgrid::GridOptions options;
  options.costs = dear_candidates;
  typename TestFixture::Grid open(this->exec(), hgrid::Box3::open(), options),
      tiny(this->exec(), hgrid::Box3::periodic({0, 0, 0}, {1e-15, 1, 1}, {{true, false, false}}), options);
  open.build(b.view()), tiny.build(b.view());
  EXPECT_GT(tiny.levels().size(), 1u);
  EXPECT_EQ(tiny.count(), open.count());
  tiny.build(b.view());
  EXPECT_EQ(tiny.count(), open.count());
}

TYPED_TEST(Extents, OfNoneAreOfEitherKind) {
  const Boxes b{{0, 0, 0}, {1, 1, 1}};
  typename TestFixture::Grid grid(this->exec()), empty(this->exec());
  grid.build(b.view()), empty.build(hgrid::extended_particles<3, double>(nullptr, nullptr, 0));
  EXPECT_EQ(grid.count(empty), 0);
  EXPECT_EQ(empty.count(grid), 0);
}

TYPED_TEST(Extents, OfNoNumberAreLeftOut) {
  Boxes b{{0, 0, 0, 1, 0, 0, 2, 0, 0}, {1, 1, 1, 1, none, 1, 1, 1, 1}};
  auto view = b.view();
  view.nonfinite = hgrid::NonFinite::skip;
  typename TestFixture::Grid grid(this->exec());
  grid.build(view);
  EXPECT_EQ(grid.skipped(), 1);
  EXPECT_EQ(grid.count(), 1);  // for the others, which just touch
}

TYPED_TEST(Extents, AreRefusedWhereNothingKnowsThem) {
  const Boxes b{{0, 0, 0, 1, 0, 0}, {1, 1, 1, 1, 1, 1}};
  const std::vector<double> r{1, 1};
  const auto refuses = [&](const hgrid::GridOptions& options, const hgrid::Box3& box, auto view, ErrorCode code) {
    typename TestFixture::Grid grid(this->exec(), box, options);
    return expect_error(code, [&] { grid.build(view); }).argument;
  };
  auto both = b.view(), half = b.view(), typed = b.view();
  both.radius = r.data(), half.extent[2] = nullptr;
  const hgrid::index_t type[2] = {0, 0};
  const double cutoff = 1;
  typed.cutoffs = {type, &cutoff, 1};
  const auto open = hgrid::Box3::open(), cube = hgrid::Box3::periodic({0, 0, 0}, {9, 9, 9});
  EXPECT_EQ(refuses({}, open, both, ErrorCode::invalid_argument), "extents");
  EXPECT_EQ(refuses({}, open, half, ErrorCode::invalid_argument), "extents");
  EXPECT_EQ(refuses({.rule = hgrid::Rule::max}, open, b.view(), ErrorCode::invalid_argument), "extents");
  EXPECT_EQ(refuses({}, open, typed, ErrorCode::unsupported), "cutoffs");
  EXPECT_EQ(refuses({.levels = {{2, {4, 4, 4}}}}, open, b.view(), ErrorCode::unsupported), "levels");
  const double c = std::sqrt(0.5);
  EXPECT_EQ(refuses({}, hgrid::turned(cube, {{{{c, c, 0}}, {{-c, c, 0}}, {{0, 0, 1}}}}), b.view(), ErrorCode::unsupported),
            "extents");

  typename TestFixture::Grid grid(this->exec()), spheres(this->exec());
  grid.build(b.view()), spheres.build(hgrid::particles<3>(b.x.data(), r.data(), 2));
  auto list = grid.make_list(hgrid::ListKind::full);
  const auto region = hgrid::Region<3>::sphere({0, 0, 0}, 1);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { grid.count(hgrid::Regions{&region, 1}); }).argument, "extents");
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { grid.enqueue(list, hgrid::Regions{&region, 1}); }).argument, "extents");
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { grid.count(spheres); }).argument, "asking");
  EXPECT_EQ(grid.count(grid), 4);
  hgrid::Insertions insertions(grid);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { insertions.insert({0, 0, 0}, 1); }).argument, "extents");
  hgrid::Nearest nearest(grid);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { nearest.of_particles({.by = hgrid::NearestBy::surfaces}); }).argument,
            "extents");
  EXPECT_EQ(nearest.of_particles().ids.size(), 2u);
}

}  // namespace
