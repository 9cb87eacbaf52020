// SPDX-License-Identifier: BSD-3-Clause
// Lists of the contacts that a client's predicate confirms: random systems, capsules, and predicates that misbehave.
#include "../examples/capsule.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/narrow_cases.hpp"
#include "support/packings.hpp"
#include "support/random_suite.hpp"

namespace {

using hgrid::ErrorCode;
using hgrid::Image;
using hgrid::index_t;

template <class Exec>
class NarrowPhase : public ::testing::Test {
 protected:
  static Exec exec(int threads = 2) { return support::make_executor<Exec>(threads); }
};
TYPED_TEST_SUITE(NarrowPhase, support::Executors);

TYPED_TEST(NarrowPhase, OfRandomSystems) {
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1);
  const std::uint64_t systems = support::from_environment("HGRID_SYSTEMS", 300);
  for (std::uint64_t seed = first; seed < first + systems; ++seed) {
    const support::Case c = support::make_case(seed);
    ASSERT_EQ(support::check_narrow(this->exec(1 + static_cast<int>(seed % 4)), c), "") << support::to_text(c);
  }
}

// Each worker has many items, and their pairs outgrow its memory. Any number of threads gives equal bytes.
TYPED_TEST(NarrowPhase, OfManyParticles) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(5000, 12, periodic, 3);
    const support::Drawn drawn{7};
    for (const hgrid::Schedule schedule : {hgrid::Schedule::fast, hgrid::Schedule::plain}) {
      auto grid = support::built(this->exec(4), s, {.schedule = schedule});
      ASSERT_EQ(support::check_narrow(grid, s, drawn), "");
      auto serial = support::built(hgrid::SerialExec{}, s, {.schedule = schedule});
      auto a = grid.make_pairs();
      auto b = serial.make_pairs();
      grid.find(a, hgrid::only(drawn)), serial.find(b, hgrid::only(drawn));
      EXPECT_EQ(support::as_listed(a), support::as_listed(b));
    }
  }
}

TYPED_TEST(NarrowPhase, AnExceptionLeavesListsAsTheyWere) {
  const oracle::System s = support::polydisperse(3000, 5, true);
  for (const hgrid::Schedule schedule : {hgrid::Schedule::fast, hgrid::Schedule::plain}) {
    auto grid = support::built(this->exec(4), s, {.schedule = schedule});
    const auto all = [](index_t, index_t, const Image&) { return true; };
    auto pairs = grid.make_pairs(), in_order = grid.make_pairs();
    auto half = grid.make_list();
    auto full = grid.make_packed_list(hgrid::ListKind::full);
    grid.find(pairs, hgrid::only(all)), grid.find(in_order, hgrid::only(all), {.order = hgrid::Order::sorted});
    grid.find(half, hgrid::only(all)), grid.find(full, hgrid::only(all));
    const support::Contacts expected = oracle::contacts(s);
    std::atomic<int> asked{0};
    const auto thrower = [&](index_t, index_t, const Image&) {
      if (++asked > 100) throw std::runtime_error("enough");
      return false;
    };
    EXPECT_THROW(grid.find(pairs, hgrid::only(thrower)), std::runtime_error);
    EXPECT_THROW(grid.find(in_order, hgrid::only(thrower), {.order = hgrid::Order::sorted}), std::runtime_error);
    EXPECT_THROW(grid.find(half, hgrid::only(thrower)), std::runtime_error);
    EXPECT_THROW(grid.find(full, hgrid::only(thrower)), std::runtime_error);
    EXPECT_THROW(grid.count(hgrid::only(thrower)), std::runtime_error);
    EXPECT_EQ(support::sorted(support::as_listed(pairs)), expected);
    EXPECT_EQ(support::as_listed(in_order), expected);
    EXPECT_EQ(support::as_listed(half), expected);
    EXPECT_EQ(support::as_listed(full), oracle::from_both_sides(expected));
    EXPECT_EQ(support::check_narrow(grid, s, support::Drawn{3}), "") << "after exceptions";
  }
}

TYPED_TEST(NarrowPhase, MisuseIsRefused) {
  const oracle::System s = support::polydisperse(200, 2, true);
  const auto all = [](index_t, index_t, const Image&) { return true; };
  hgrid::Grid<TypeParam, 3> fresh(this->exec());
  auto list = fresh.make_pairs();
  auto half = fresh.make_list();
  support::expect_error(ErrorCode::not_built, [&] { fresh.find(list, hgrid::only(all)); });
  support::expect_error(ErrorCode::not_built, [&] { fresh.find(half, hgrid::only(all)); });
  support::expect_error(ErrorCode::not_built, [&] { fresh.count(hgrid::only(all)); });

  auto grid = support::built(this->exec(), s);
  const support::UserArrays<double, 3> arrays(s);
  auto other = grid.make_pairs();
  auto others = grid.make_list();
  const auto builds = [&](index_t, index_t, const Image&) { return grid.build(arrays.view()), true; };
  const auto lists = [&](index_t, index_t, const Image&) { return grid.find(other, hgrid::only(all)), true; };
  const auto lists_more = [&](index_t, index_t, const Image&) { return grid.find(others, hgrid::only(all)), true; };
  support::expect_error(ErrorCode::reentrancy, [&] { grid.find(list, hgrid::only(builds)); });
  support::expect_error(ErrorCode::reentrancy, [&] { grid.find(list, hgrid::only(lists)); });
  support::expect_error(ErrorCode::reentrancy, [&] { grid.find(half, hgrid::only(lists)); });
  support::expect_error(ErrorCode::reentrancy, [&] { grid.find(half, hgrid::only(lists_more)); });
  support::expect_error(ErrorCode::reentrancy, [&] { grid.count(hgrid::only(lists)); });
  grid.find(list, hgrid::only(all));
  EXPECT_EQ(support::sorted(support::as_listed(list)), oracle::contacts(s));

  hgrid::Grid<TypeParam, 3> gather(this->exec(), hgrid::Box3::open(), {.rule = hgrid::Rule::gather});
  gather.build(arrays.view());
  support::expect_error(ErrorCode::unsupported, [&] { gather.find(list, hgrid::only(all)); });
  support::expect_error(ErrorCode::unsupported, [&] { gather.find(half, hgrid::only(all)); });
  support::expect_error(ErrorCode::unsupported, [&] { gather.count(hgrid::only(all)); });
}

// Generic lambdas could be called with a batch, too.
TYPED_TEST(NarrowPhase, PredicatesOfAnyForm) {
  const oracle::System s = support::polydisperse(2000, 8, true);
  auto grid = support::built(this->exec(), s);
  auto list = grid.make_pairs();
  EXPECT_EQ(grid.count(hgrid::only([](auto, auto, const auto&) { return false; })), 0);
  grid.find(list, hgrid::only([&](auto i, auto j, const auto&) { return s.particles[i].radius < s.particles[j].radius; }));
  support::Contacts expected;
  for (const oracle::Contact& c : oracle::contacts(s)) {
    if (s.particles[c.i].radius < s.particles[c.j].radius) expected.push_back(c);
  }
  EXPECT_EQ(support::sorted(support::as_listed(list)), expected);
  const auto of_batches = [&](const hgrid::Contact* contact, index_t n, bool* touch) {
    for (index_t k = 0; k < n; ++k) {
      if (s.particles[contact[k].i].radius < s.particles[contact[k].j].radius) touch[k] = true;  // and nothing where it is not
    }
  };
  grid.find(list, hgrid::only(of_batches));
  EXPECT_EQ(support::sorted(support::as_listed(list)), expected);
  EXPECT_EQ(grid.count(hgrid::only(of_batches)), static_cast<hgrid::offset_t>(expected.size()));
}

TEST(AskedInBatches, NobodyAsksAPredicateThatHasThrown) {
  int asked = 0;
  const auto throws = [&](index_t, index_t, const Image&) -> bool {
    ++asked;
    throw std::runtime_error("no more");
  };
  const hgrid::detail::AskedInBatches batches(throws);
  const hgrid::Contact contact[2] = {};
  bool touch[2] = {true, true};
  EXPECT_THROW(batches(contact, 2, touch), std::runtime_error);
  touch[0] = touch[1] = true;
  batches(contact, 2, touch);  // by another thread, which had begun
  EXPECT_EQ(asked, 1);
  EXPECT_FALSE(touch[0] || touch[1]);
}

// Kept memory belongs to the grid, and the next search uses it.
TYPED_TEST(NarrowPhase, MemoryIsKept) {
  const oracle::System s = support::polydisperse(5000, 5, true);
  auto grid = support::built(this->exec(1), s);
  auto list = grid.make_pairs();
  const std::size_t before = grid.bytes();
  grid.find(list, hgrid::only(support::Drawn{1}));
  const std::size_t after = grid.bytes();
  EXPECT_GT(after, before);
  const auto* const pairs = list.pairs();
  for (int k = 0; k < 5; ++k) grid.find(list, hgrid::only(support::Drawn{1}));
  EXPECT_EQ(grid.bytes(), after);
  EXPECT_EQ(list.pairs(), pairs);
}

/// Random capsules, short and long, some mere spheres, some parallel or in one line.
struct CapsuleSystem {
  hgrid::Box3 box;
  std::vector<double> x, radius, around;
  std::vector<Vector> half;

  CapsuleSystem(std::uint64_t seed, std::size_t n, bool periodic, bool tilted) : x(3 * n), radius(n), around(n), half(n) {
    support::Random random(seed);
    const double length = random.real(2, 3);
    if (periodic) box = hgrid::Box3::periodic({0, 0, 0}, {length, length, length});
    if (tilted) box = hgrid::tilted(box, {0.3 * length, -0.2 * length, 0.4 * length});
    for (double& c : x) c = random.real(0, length);
    for (std::size_t i = 0; i < n; ++i) {
      radius[i] = random.real(0.02, 0.2);
      const double slender = random.real(0, 5);
      for (int k = 0; k < 3; ++k) half[i][k] = radius[i] * slender * random.real(-1, 1);
      if (i % 5 == 0) half[i] = {};
      if (i % 5 == 1) half[i] = {radius[i] * slender, 0, 0};
      if (i % 5 == 2 && i > 0) x[3 * i + 1] = x[3 * i - 2], x[3 * i + 2] = x[3 * i - 1], half[i] = half[i - 1];
      around[i] = (std::sqrt(dot(half[i], half[i])) + radius[i]) * (1 + 1e-15);
    }
  }
  Capsules capsules() const { return {box, x.data(), half.data(), radius.data()}; }
};

using Long = std::array<long double, 3>;

/// The distance of a point from the segment -b .. b.
long double distance_of_point(const Long& p, const Vector& b) {
  long double pb = 0, bb = 0, sum = 0;
  for (int k = 0; k < 3; ++k) pb += p[k] * b[k], bb += static_cast<long double>(b[k]) * b[k];
  const long double t = bb > 0 ? std::clamp<long double>(pb / bb, -1, 1) : 0;
  for (int k = 0; k < 3; ++k) sum += (p[k] - t * b[k]) * (p[k] - t * b[k]);
  return std::sqrt(sum);
}

/// Returns the distance of two segments, which is convex along the first: thirds of it are cut off.
long double distance_of_segments(const Long& d, const Vector& a, const Vector& b) {
  const auto at = [&](long double s) { return distance_of_point({d[0] + s * a[0], d[1] + s * a[1], d[2] + s * a[2]}, b); };
  long double from = -1, to = 1;
  for (int step = 0; step < 120; ++step) {
    const long double third = (to - from) / 3;
    at(from + third) < at(to - third) ? to -= third : from += third;
  }
  return std::min({at((from + to) / 2), at(-1), at(1)});
}

/// Draws all pairs under all images; pairs within 1e-12 of touching are left out of both.
struct CapsulePairs {
  support::Contacts touching, near;

  explicit CapsulePairs(const CapsuleSystem& s) {
    const auto n = static_cast<std::int64_t>(s.radius.size());
    const int most =
        s.box.wraps[0] ? 5 : 0;  // a period is 2 at least, two spheres meet within 3.9, and tilts are half a period
    for (std::int64_t i = 0; i < n; ++i) {
      for (std::int64_t j = i; j < n; ++j) {
        for (int mz = -most; mz <= most; ++mz) {
          for (int my = -most; my <= most; ++my) {
            for (int mx = -most; mx <= most; ++mx) test(s, {i, j, {mx, my, mz}});
          }
        }
      }
    }
  }

 private:
  void test(const CapsuleSystem& s, const oracle::Contact& c) {
    if (c.i == c.j && c.m <= std::array<std::int64_t, 3>{}) return;
    const auto i = static_cast<std::size_t>(c.i), j = static_cast<std::size_t>(c.j);
    const long double length = s.box.wraps[0] ? s.box.hi[0] - s.box.lo[0] : 0;
    const auto m = [&](int k) { return static_cast<long double>(c.m[static_cast<std::size_t>(k)]); };
    Long d{};
    for (int k = 0; k < 3; ++k) {
      const auto at = static_cast<std::size_t>(k);
      d[at] = static_cast<long double>(s.x[3 * i + at]) - s.x[3 * j + at] - m(k) * length;
    }
    d[0] -= m(1) * s.box.tilt[0] + m(2) * s.box.tilt[1], d[1] -= m(2) * s.box.tilt[2];
    const long double sum = static_cast<long double>(s.radius[i]) + s.radius[j];
    const long double reach = static_cast<long double>(s.around[i]) + s.around[j];
    if (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] > reach * reach) return;
    const long double gap = distance_of_segments(d, s.half[i], s.half[j]) - sum;
    if (std::abs(gap) < 1e-12L) near.push_back(c);
    if (gap < 0) touching.push_back(c);
  }
};

TYPED_TEST(NarrowPhase, CapsulesEqualAllPairs) {
  std::size_t touching = 0, near = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const bool periodic = seed % 3 > 0, tilted = seed % 3 == 2;
    const CapsuleSystem s(seed, 50, periodic, tilted);
    hgrid::Grid<TypeParam, 3> grid(this->exec(), s.box);
    grid.build(s.x, s.around);
    auto list = grid.make_pairs();
    grid.find(list, hgrid::only(s.capsules()), {.order = hgrid::Order::sorted});
    const CapsulePairs all(s);
    const auto certain = [&](const oracle::Contact& c) { return std::ranges::find(all.near, c) == all.near.end(); };
    const support::Contacts expected = support::sorted(support::those(all.touching, certain));
    ASSERT_EQ(support::difference("capsules", support::those(support::as_listed(list), certain), expected), "") << seed;
    touching += expected.size(), near += all.near.size();
  }
  EXPECT_GT(touching, 1000u);
  EXPECT_LE(near, touching / 1000);
}

}  // namespace
