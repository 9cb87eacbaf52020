// SPDX-License-Identifier: BSD-3-Clause
// Every error that input can cause: its code, the index and value it names, and a grid that is as it was.
#include <cfenv>
#if defined(__SSE2__)
#include <xmmintrin.h>
#endif
#include <limits>

#include "hgrid/core/names.hpp"
#include "support/executors.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::ErrorCode;
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

template <class Exec>
class Errors : public ::testing::Test {
 protected:
  const oracle::System good = support::polydisperse(1500, 3, true);
  const support::Contacts contacts = oracle::contacts(good);
  hgrid::Grid<Exec, 3> grid = support::built(support::make_executor<Exec>(2), good);

  // A build that must fail, and must not have changed the grid.
  template <class Build>
  hgrid::Error::Detail expect(ErrorCode code, const Build& build) {
    hgrid::Error::Detail detail;
    try {
      build();
      ADD_FAILURE() << "accepted; expected " << hgrid::name_of(code);
    } catch (const hgrid::Error& e) {
      EXPECT_EQ(e.code(), code) << e.what();
      EXPECT_NE(std::string(e.what()).find(hgrid::name_of(code)), std::string::npos);
      detail = e.detail();
    }
    EXPECT_EQ(support::pairs_of(grid, hgrid::Order::sorted), contacts) << "the grid has changed";
    return detail;
  }

  void expect_bad(ErrorCode code, const oracle::System& s, std::int64_t index, double value) {
    const auto detail = expect(code, [&] { grid.build(support::UserArrays<double, 3>(s).view(), {.skin = s.skin}); });
    EXPECT_EQ(detail.index, index);
    EXPECT_TRUE(detail.value == value || (std::isnan(detail.value) && std::isnan(value))) << detail.value;
    EXPECT_GE(detail.count, 1);
  }
};
TYPED_TEST_SUITE(Errors, support::Executors);

TYPED_TEST(Errors, NonFiniteAnywhere) {
  for (int i : {0, 700, 1499}) {
    for (double bad : {nan, HUGE_VAL, -HUGE_VAL}) {
      for (int k = 0; k < 3; ++k) {
        oracle::System s = this->good;
        s.particles[i].x[k] = bad;
        this->expect_bad(ErrorCode::nonfinite, s, i, bad);
      }
      oracle::System s = this->good;
      s.particles[i].radius = bad;
      if (bad != -HUGE_VAL) this->expect_bad(ErrorCode::nonfinite, s, i, bad);
      s = this->good;
      s.particles[i].extra = bad;
      if (bad != -HUGE_VAL) this->expect_bad(ErrorCode::nonfinite, s, i, bad);
    }
  }
  oracle::System all = this->good;
  for (oracle::Particle& p : all.particles) p.x[0] = p.x[1] = p.x[2] = p.radius = nan;
  this->expect_bad(ErrorCode::nonfinite, all, 0, nan);
}

// In such a box each axis depends on all coordinates.
TYPED_TEST(Errors, InfiniteInATurnedOrTiltedBox) {
  const hgrid::Box3 cube = hgrid::Box3::periodic({0, 0, 0}, {10, 10, 10});
  const hgrid::Box3 turned = hgrid::box_of_vectors<3>({{{{9, 4, 1}}, {{-3, 8, 2}}, {{1, 0, 9}}}}, {true, true, true});
  for (const hgrid::Box3& box : {cube, hgrid::tilted(cube, {3, 0, 1}), turned}) {
    hgrid::Grid<TypeParam, 3> grid(support::make_executor<TypeParam>(2), box);
    for (int k = 0; k < 3; ++k) {
      std::vector<double> x = {1, 1, 1, 2, 2, 2};
      x[static_cast<std::size_t>(3 + k)] = -HUGE_VAL;
      try {
        grid.build(x, std::vector<double>{1, 1});
        ADD_FAILURE() << "accepted";
      } catch (const hgrid::Error& e) {
        EXPECT_EQ(e.code(), ErrorCode::nonfinite) << e.what();
        EXPECT_EQ(e.detail().index, 1);
        EXPECT_EQ(e.detail().value, -HUGE_VAL);
      }
    }
  }
}

TYPED_TEST(Errors, CountsOffendersAndNamesTheFirst) {
  oracle::System s = this->good;
  for (int i : {900, 40, 1499}) s.particles[i].radius = -i;
  const auto detail =
      this->expect(ErrorCode::negative_radius, [&] { this->grid.build(support::UserArrays<double, 3>(s).view()); });
  EXPECT_EQ(detail.index, 40);
  EXPECT_EQ(detail.value, -40);
  EXPECT_EQ(detail.count, 3);
  EXPECT_EQ(detail.argument, "radii");
}

TYPED_TEST(Errors, SkippedRowsAreCounted) {
  oracle::System s = this->good;
  s.skip_nonfinite = true;
  s.particles[3].x[1] = nan;
  s.particles[4].radius = HUGE_VAL;
  s.particles[5].extra = nan;
  this->grid.build(support::UserArrays<double, 3>(s).view());
  EXPECT_EQ(this->grid.skipped(), 3);
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), oracle::contacts(s));
}

TYPED_TEST(Errors, Ranges) {
  const auto with = [&](auto change) {
    oracle::System s = this->good;
    change(s.particles[11]);
    return s;
  };
  for (double x : {1.1e15, 1e16, -1e38}) {
    this->expect_bad(ErrorCode::range_error, with([&](oracle::Particle& p) { p.x[2] = x; }), 11, x);
  }
  for (double r : {1e-16, 1e-40, 1e-310}) {
    this->expect_bad(ErrorCode::range_error, with([&](oracle::Particle& p) { p.radius = r; }), 11, r);
  }
  this->expect_bad(ErrorCode::negative_radius, with([](oracle::Particle& p) { p.radius = -1; }), 11, -1);
  this->expect_bad(ErrorCode::negative_radius, with([](oracle::Particle& p) { p.extra = -1; }), 11, -1);
  const oracle::System zero = with([](oracle::Particle& p) { p.radius = -0.0; });
  EXPECT_NO_THROW(this->grid.build(support::UserArrays<double, 3>(zero).view()));
}

// The policy skips values passed as NaN, not values that become NaN: found by fuzzing.
TYPED_TEST(Errors, AFiniteRadiusThatScalesBeyondAllDoublesIsNotSkipped) {
  oracle::System s = this->good;
  s.skip_nonfinite = true, s.radius_scale = 2;
  s.particles[11].radius = 1.7e308;
  EXPECT_THROW(this->grid.build(support::UserArrays<double, 3>(s).view()), hgrid::Error);
  s.particles[11].radius = HUGE_VAL;
  EXPECT_NO_THROW(this->grid.build(support::UserArrays<double, 3>(s).view()));
}

TYPED_TEST(Errors, RangesOfAnOpenBox) {
  const auto build = [](double x, double r) {
    const double xyz[] = {x, 0, 0}, radius[] = {r};
    hgrid::Grid<TypeParam, 3> one(support::make_executor<TypeParam>(2));
    one.build(hgrid::particles<3>(xyz, radius, 1));
    return one.count();
  };
  EXPECT_EQ(build(1e15, 1e15), 0);
  EXPECT_EQ(build(-1e15, 1e-15), 0);
  EXPECT_THROW(build(1e15, 1.01e15), hgrid::Error);
  EXPECT_THROW(build(1.01e15, 1), hgrid::Error);
}

TYPED_TEST(Errors, ArgumentsOfABuild) {
  const support::UserArrays<double, 3> arrays(this->good);
  const auto build_with = [&](auto change, double skin = 0) {
    return [&, change, skin] {
      auto view = arrays.view();
      change(view);
      this->grid.build(view, {.skin = skin});
    };
  };
  const auto nothing = [](auto&) {};
  for (double skin : {-1.0, -1e-300, nan, HUGE_VAL, 1e16}) {
    this->expect(ErrorCode::invalid_argument, build_with(nothing, skin));
  }
  for (double scale : {0.0, -1.0, nan, HUGE_VAL}) {
    this->expect(ErrorCode::invalid_argument, build_with([=](auto& v) { v.radius_scale = scale; }));
  }
  this->expect(ErrorCode::invalid_argument, build_with([](auto& v) { v.position[1] = nullptr; }));
  this->expect(ErrorCode::invalid_argument, build_with([](auto& v) { v.radius = nullptr; }));
  this->expect(ErrorCode::size_mismatch, build_with([](auto& v) { v.count = -1; }));
  this->expect(ErrorCode::size_mismatch, build_with([](auto& v) { v.owned = v.count + 1; }));
  this->expect(ErrorCode::too_many_particles, build_with([](auto& v) { v.count = INT32_MAX; }));
  this->expect(ErrorCode::too_many_particles, build_with([](auto& v) { v.count = INT64_MAX; }));
  const std::vector<double> xyz(9), radii(4);
  this->expect(ErrorCode::size_mismatch, [&] { this->grid.build(xyz, radii); });
  EXPECT_NO_THROW(this->grid.build(xyz, std::vector<double>(3)));
}

TYPED_TEST(Errors, BoxesThatAreNone) {
  const auto exec = support::make_executor<TypeParam>(2);
  const std::pair<double, double> bad[] = {{0, 0},        {1, 0},         {0, nan},      {nan, 1},
                                           {0, HUGE_VAL}, {-HUGE_VAL, 0}, {-1e15, 1e15}, {0, 1e-16}};
  for (const auto& [lo, hi] : bad) {
    for (int k = 0; k < 3; ++k) {
      hgrid::Box3 box = hgrid::Box3::periodic({{0, 0, 0}}, {{1, 1, 1}});
      box.lo[k] = lo, box.hi[k] = hi;
      const auto detail = this->expect(ErrorCode::invalid_box, [&] { hgrid::Grid<TypeParam, 3>(exec, box); });
      EXPECT_EQ(detail.index, k);
      box.wraps[k] = false;  // an open axis may have any flags
      EXPECT_NO_THROW((hgrid::Grid<TypeParam, 3>(exec, box)));
    }
  }
}

TYPED_TEST(Errors, MoreImagesThanSeven) {
  oracle::System s = this->good;
  const double period = s.hi[0] - s.lo[0];
  s.particles[8].radius = 3.6 * period;
  this->expect_bad(ErrorCode::box_too_small, s, 8, 3.6 * period);
  s.particles[8].x[0] = s.lo[0] + 1e10 * period;
  s.particles[8].radius = 1;
  this->expect_bad(ErrorCode::range_error, s, 8, s.particles[8].x[0]);
}

TYPED_TEST(Errors, ChangedRoundingIsDetected) {
  const support::UserArrays<double, 3> arrays(this->good);
  for (int mode : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO}) {
    ErrorCode code = ErrorCode::io;
    std::fesetround(mode);
    try {
      this->grid.build(arrays.view());
    } catch (const hgrid::Error& e) {
      code = e.code();
    }
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(code, ErrorCode::environment);
  }
}

TYPED_TEST(Errors, AHugeSkinIsOnlySlow) {
  oracle::System s;
  for (int i = 0; i < 40; ++i) s.particles.push_back({.x = {0.1 * i, 0, 0}, .radius = 1e-3 * (i + 1) * (i + 1)});
  for (double skin : {10.0, 1e6, 1e13, 1e15}) {
    s.skin = skin;
    auto wide = support::built(support::make_executor<TypeParam>(2), s);
    EXPECT_EQ(support::pairs_of(wide, hgrid::Order::sorted), oracle::contacts(s)) << skin;
  }
}

#if defined(__SSE2__)
TYPED_TEST(Errors, FlagsOfVectorArithmeticAreDetected) {
  const unsigned before = _mm_getcsr();
  const support::UserArrays<double, 3> arrays(this->good);
  for (const unsigned flag : {0x8000u, 0x0040u, 0x2000u}) {  // flush to zero, denormals are zero, rounding down
    _mm_setcsr(before | flag);
    ErrorCode code{};
    try {
      this->grid.build(arrays.view());
    } catch (const hgrid::Error& e) {
      code = e.code();
    }
    _mm_setcsr(before);
    EXPECT_EQ(code, ErrorCode::environment) << flag;
  }
  EXPECT_EQ(support::pairs_of(this->grid, hgrid::Order::sorted), this->contacts);
}
#endif

}  // namespace
