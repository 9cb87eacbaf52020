// SPDX-License-Identifier: BSD-3-Clause
// Particles with extents: exact at faces that just touch, levels by the axes along which they are long, and what is refused.
// Random systems draw them, too.
#include <gtest/gtest.h>

#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/random.hpp"
#include "support/run_case.hpp"

namespace {

using hgrid::ErrorCode;
using support::Contacts;
using support::expect_error;

// Plans for them have many levels and cells.
constexpr hgrid::SearchCosts dear_candidates{1, 0.5, 60, 0.5, 0.5, 1};
constexpr double none = std::numeric_limits<double>::quiet_NaN();

struct Boxes {
  std::vector<double> x, h;

  std::int64_t count() const { return static_cast<std::int64_t>(x.size() / 3); }
  hgrid::Particles<double, 3> view() const {
    hgrid::Particles<double, 3> p{};
    for (int k = 0; k < 3; ++k) p.position[k] = x.data() + k, p.extent[k] = h.data() + k;
    p.count = count();
    return p;
  }
};

// Whole numbers, so that many faces just touch, and doubles have all sums and differences exactly.
Boxes whole_numbers(support::Random& random, int n, int size, int widest) {
  Boxes b;
  for (int i = 0; i < 3 * n; ++i) b.x.push_back(random.integer(0, size - 1)), b.h.push_back(random.integer(0, widest));
  return b;
}

// All pairs; each axis has this period, or is open if it is 0.
Contacts all_pairs(const Boxes& b, int period, double skin) {
  Contacts found;
  for (std::int64_t i = 0; i < b.count(); ++i) {
    for (std::int64_t j = i; j < b.count(); ++j) {
      std::int64_t first[3] = {0, 0, 0}, last[3] = {0, 0, 0};
      for (int k = 0; k < 3; ++k) {
        const auto at = [&](std::int64_t p) { return static_cast<std::size_t>(3 * p + k); };
        const double d = b.x[at(i)] - b.x[at(j)], reach = b.h[at(i)] + b.h[at(j)] + skin;
        if (period > 0) {  // |d - m L| <= reach
          first[k] = static_cast<std::int64_t>(std::ceil((d - reach) / period));
          last[k] = static_cast<std::int64_t>(std::floor((d + reach) / period));
        } else if (std::fabs(d) > reach) {
          last[k] = -1;
        }
      }
      for (auto mx = first[0]; mx <= last[0]; ++mx) {
        for (auto my = first[1]; my <= last[1]; ++my) {
          for (auto mz = first[2]; mz <= last[2]; ++mz) {
            const oracle::Contact c{i, j, {mx, my, mz}};
            if (i < j || c.m > std::array<std::int64_t, 3>{}) found.push_back(c);
          }
        }
      }
    }
  }
  return found;
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
    grid.pairs(pairs, hgrid::Order::sorted);
    ASSERT_EQ(support::difference("pairs", support::as_listed(this->exec(), pairs), all_pairs(b, period, skin)), "") << system;
  }
}

// A thousand times as long as they are wide, along each of the axes, and as flat.
TYPED_TEST(Extents, LongAndFlatOnesLieOnLevelsOfTheirOwn) {
  for (const bool flat : {false, true}) {
    support::Random random(5);
    Boxes b;
    for (int i = 0; i < 6000; ++i) {
      const int axis = random.integer(0, 2);
      for (int k = 0; k < 3; ++k) b.x.push_back(random.real(0, 1000)), b.h.push_back((k == axis) == flat ? 0.1 : 100);
    }
    hgrid::GridOptions options;
    options.costs = dear_candidates;
    typename TestFixture::Grid grid(this->exec(), hgrid::Box3::open(), options);
    grid.build(b.view());
    const auto levels = grid.levels();
    ASSERT_GE(levels.size(), 3u);
    for (const hgrid::LevelReport& level : levels) {
      EXPECT_EQ(std::count(level.extent_max, level.extent_max + 3, 100), flat ? 2 : 1);
      EXPECT_EQ(level.radius_max, 100);
    }
    auto list = grid.make_pairs();
    grid.pairs(list, hgrid::Order::sorted);
    EXPECT_EQ(support::difference("pairs", support::as_listed(this->exec(), list), all_pairs(b, 0, 0)), "");
    const hgrid::WorkCount work = grid.work();
    EXPECT_LT(work.candidates, 6000 * 200) << "of 18 million pairs";
  }
}

// Levels follow when sizes change, and a single giant does not take the others to its level.
TYPED_TEST(Extents, AGiantIsAlone) {
  support::Random random(6);
  Boxes b;
  for (int i = 0; i < 3 * 20000; ++i) b.x.push_back(random.real(0, 100)), b.h.push_back(1);
  typename TestFixture::Grid grid(this->exec());
  grid.build(b.view());
  EXPECT_EQ(grid.levels().size(), 1u);
  for (std::size_t k = 0; k < 3; ++k) b.h[3 * 777 + k] = k == 1 ? 0.01 : 300;
  grid.build(b.view());
  const auto levels = grid.levels();
  ASSERT_EQ(levels.size(), 2u);
  EXPECT_EQ(levels[0].particles + levels[1].particles, 20000);
  EXPECT_EQ(std::min(levels[0].particles, levels[1].particles), 1);
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

// Nor are they lost where a period is hardly longer than the shortest length.
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

// One odd extent, as rounding leaves it, or one giant takes no steps from those that are many.
TYPED_TEST(Extents, OddOnesChangeNoOthersLevels) {
  const auto candidates = [&](double odd) {
    support::Random random(9);
    Boxes b;
    for (int i = 0; i < 30000; ++i) {
      const double h = std::pow(1 - random.real() * (1 - 1e-6), -1.0 / 3);  // to 100
      for (int k = 0; k < 3; ++k) b.x.push_back(random.real(0, 150)), b.h.push_back(h);
    }
    if (odd > 0) b.h[3 * 100 + 1] = odd;
    typename TestFixture::Grid grid(this->exec());
    grid.build(b.view());
    return static_cast<double>(grid.work().candidates);
  };
  const double usual = candidates(0);
  EXPECT_LT(candidates(1e-14), 1.5 * usual);
  EXPECT_LT(candidates(1e10), 1.5 * usual);
}

TYPED_TEST(Extents, OfNoneAreOfEitherKind) {
  const Boxes b{{0, 0, 0}, {1, 1, 1}};
  typename TestFixture::Grid grid(this->exec()), empty(this->exec());
  grid.build(b.view()), empty.build(hgrid::extended_particles<3, double>(nullptr, nullptr, 0));
  hgrid::Queries queries(grid), of_none(empty);
  EXPECT_EQ(queries.find(empty).size(), 0);
  EXPECT_EQ(of_none.find(grid).size(), 0);
}

TYPED_TEST(Extents, OfNoNumberAreLeftOut) {
  Boxes b{{0, 0, 0, 1, 0, 0, 2, 0, 0}, {1, 1, 1, 1, none, 1, 1, 1, 1}};
  auto view = b.view();
  view.nonfinite = hgrid::NonFinite::skip;
  typename TestFixture::Grid grid(this->exec());
  grid.build(view);
  EXPECT_EQ(grid.skipped(), 1);
  EXPECT_EQ(grid.count(), 1);  // of the others, which just touch
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
  hgrid::Queries queries(grid);
  const auto region = hgrid::Region<3>::sphere({0, 0, 0}, 1);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { queries.find(&region, 1); }).argument, "extents");
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { queries.enqueue_find(&region, 1); }).argument, "extents");
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { queries.find(spheres); }).argument, "asking");
  EXPECT_EQ(queries.find(grid).size(), 4);
  hgrid::Insertions insertions(grid);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { insertions.insert({0, 0, 0}, 1); }).argument, "extents");
  hgrid::Nearest nearest(grid);
  EXPECT_EQ(expect_error(ErrorCode::unsupported, [&] { nearest.of_particles({.by = hgrid::NearestBy::surfaces}); }).argument,
            "extents");
  EXPECT_EQ(nearest.of_particles().ids.size(), 2u);
}

}  // namespace
