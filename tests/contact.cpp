// SPDX-License-Identifier: BSD-3-Clause
// Contacts: their separation against wider arithmetic, which particle is i and which is j, the pair filter, columns of pairs.
#include "hgrid/core/contact.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "hgrid/inputs/exclusion_stages.hpp"
#include "support/packings.hpp"
#include "support/results.hpp"

namespace {

using hgrid::Contact;
using hgrid::Image;
using hgrid::Pair;
using Vec3 = hgrid::Vec<double, 3>;
__extension__ using Wide = __int128;

Image any_image(support::Random& random, int most) {
  return {{random.integer(-most, most), random.integer(-most, most), random.integer(-most, most)}};
}

Vec3 turned(const Vec3& d) { return {-d[0], -d[1], -d[2]}; }

// Coordinates and periods are multiples of 2^-20 up to 2^10, so no operation rounds: integers must give equal results.
TEST(Separation, AsIntegersSay) {
  support::Random random(11);
  const auto whole = [&](std::int64_t most) {
    return static_cast<std::int64_t>(random.real(-1, 1) * static_cast<double>(most));
  };
  for (int n = 0; n < 50000; ++n) {
    std::int64_t lo[3], period[3], x_i[3], x_j[3];
    hgrid::Box3 box{};
    Vec3 at_i, at_j;
    for (int k = 0; k < 3; ++k) {
      lo[k] = whole(1 << 30), period[k] = 1 + std::abs(whole(1 << 28)), x_i[k] = whole(1 << 30), x_j[k] = whole(1 << 30);
      box.lo[k] = std::ldexp(static_cast<double>(lo[k]), -20),
      box.hi[k] = std::ldexp(static_cast<double>(lo[k] + period[k]), -20);
      box.wraps[k] = n % (k + 2) != 0;
      at_i[k] = std::ldexp(static_cast<double>(x_i[k]), -20), at_j[k] = std::ldexp(static_cast<double>(x_j[k]), -20);
    }
    Image m = any_image(random, 1000);
    for (int k = 0; k < 3; ++k) m[k] = box.wraps[k] ? m[k] : 0;
    const Vec3 d = Contact{3, 5, m}.separation(box, at_i, at_j);
    const Vec3 by = hgrid::detail::shift_of(box, m);
    for (int k = 0; k < 3; ++k) {
      const Wide shift = static_cast<Wide>(m[k]) * period[k], exact = static_cast<Wide>(x_i[k]) - x_j[k] - shift;
      ASSERT_EQ(by[k], std::ldexp(static_cast<double>(shift), -20));
      ASSERT_EQ(d[k], std::ldexp(static_cast<double>(exact), -20));
      ASSERT_EQ(hgrid::separation(box, k, at_i[k], at_j[k], m), d[k]);
    }
  }
}

// Draws numbers that round. Each operation rounds once, so the result differs from the truth by at most the bound of contract
// C2, and equals bit for bit the result of the contract's order. Seen from the other particle, the vector changes its sign.
TEST(Separation, RoundsAsTheContractSays) {
  support::Random random(12);
  for (int n = 0; n < 50000; ++n) {
    const double lo = random.sign() * random.log_real(1e-3, 1e6);
    const auto box =
        hgrid::Box3::periodic({lo, lo, lo}, {lo + random.log_real(1e-3, 1e3), lo + 1, lo + random.log_real(1, 1e6)});
    const auto place = [&] { return Vec3{random.real(-1e3, 1e3), random.log_real(1e-9, 1e9), lo + random.real()}; };
    const Vec3 x_i = place(), x_j = place();
    const Contact c{7, 4, any_image(random, 1 << 20)};
    const Vec3 d = c.separation(box, x_i, x_j);
    ASSERT_EQ(c.mirrored().separation(box, x_j, x_i), turned(d));
    for (int k = 0; k < 3; ++k) {
      const volatile double shift = c.image[k] * box.length(k), apart = x_i[k] - x_j[k];  // no fused multiply-add
      ASSERT_EQ(d[k], apart - shift);
      const long double exact =
          static_cast<long double>(x_i[k]) - x_j[k] - static_cast<long double>(c.image[k]) * box.length(k);
      const double size = std::fabs(apart) + std::fabs(shift);
      ASSERT_LE(std::fabs(static_cast<double>(d[k] - exact)), 2 * size * 0x1p-53 + std::fabs(d[k]) * 0x1p-53);
    }
  }
}

TEST(Separation, FromAnyArrays) {
  const auto box = hgrid::Box2::periodic({0, 0}, {10, 20});
  const float x[] = {1, 2, 8, 19}, r[] = {1, 1};
  const hgrid::Vec<double, 2> expected{1 - 8 + 10, 2 - 19 + 20};
  const Contact c{0, 1, {{-1, -1, 0}}};
  EXPECT_EQ(c.separation(box, x, x + 2), expected);
  EXPECT_EQ(c.separation(box, hgrid::particles<2>(x, r, 2)), expected);
  EXPECT_EQ(hgrid::separation(box, &x[0], &x[2], c.image), expected);
}

// Every contact of a grid has a distance that its radii allow. Some particles are passed far outside the box.
TEST(Separation, IsThatOfTheContactsOfAGrid) {
  oracle::System s = support::polydisperse(2000, 4, true, 5);
  support::Random random(13);
  for (oracle::Particle& p : s.particles) {
    for (int k = 0; k < 3; ++k) p.x[k] += random.integer(-2, 2) * (s.hi[k] - s.lo[k]);
  }
  auto grid = support::built(hgrid::SerialExec{}, s);
  auto list = grid.make_pairs();
  grid.find(list);
  const auto contacts = list.columns();
  ASSERT_EQ(contacts.size, list.size());
  ASSERT_GT(contacts.size, 1000);
  int shifted = 0;
  for (hgrid::offset_t k = 0; k < contacts.size; ++k) {
    const Contact c = contacts[k];
    const oracle::Particle &p = s.particles[static_cast<std::size_t>(c.i)], &q = s.particles[static_cast<std::size_t>(c.j)];
    const Vec3 d = c.separation(grid.box(), p.x, q.x);
    EXPECT_LE(std::hypot(d[0], d[1], d[2]), (p.radius + q.radius) * (1 + 1e-12));
    EXPECT_TRUE(is_oriented(c.i, c.j, c.image));
    shifted += c.image != Image{};
  }
  EXPECT_GT(shifted, 1000);
}

// Expects that one of the two sides of a pair is reported, for any ids. A particle and itself, in place, are not reported.
template <class Id>
void check_orientation(const std::vector<Id>& ids) {
  for (const Id& i : ids) {
    for (const Id& j : ids) {
      for (int code = 0; code < 27; ++code) {
        const Image m{{code / 9 - 1, code / 3 % 3 - 1, code % 3 - 1}};
        const bool here = is_oriented(i, j, m), there = is_oriented(j, i, -m);
        if (i == j && code == 13) {
          EXPECT_FALSE(here || there);
        } else {
          EXPECT_NE(here, there);
        }
        EXPECT_EQ(here, i == j ? code > 13 : i < j);  // the codes ascend as images do lexicographically
      }
    }
  }
}

TEST(Orientation, OneSideOfEachPair) {
  check_orientation<hgrid::index_t>({0, 1, 7, INT32_MAX});
  check_orientation<std::int64_t>({0, 1, INT32_MAX, std::int64_t{INT32_MAX} + 1, std::int64_t{1} << 40, INT64_MAX});
  check_orientation<std::uint64_t>({0, 1, std::uint64_t{1} << 40, UINT64_MAX});
}

TEST(Orientation, MirroredTwiceIsItself) {
  const Contact c{3, 9, {{1, -2, 0}}};
  EXPECT_EQ(c.mirrored(), (Contact{9, 3, {{-1, 2, 0}}}));
  EXPECT_EQ(c.mirrored().mirrored(), c);
}

// Ghosts and groups by their definition, from both sides.
TEST(PairFilter, GhostsAndGroups) {
  const hgrid::index_t group[] = {-1, 0, 0, 1, -1, 0, 1, -1}, n = 8;
  for (const auto* groups : {static_cast<const hgrid::index_t*>(nullptr), group}) {
    for (hgrid::index_t owned = 0; owned <= n; ++owned) {
      const auto filter = hgrid::detail::PairFilter::of(groups, {}, {}, owned, n);
      EXPECT_EQ(filter.selective, groups != nullptr || owned < n);
      for (hgrid::index_t i = 0; i < n; ++i) {
        for (hgrid::index_t j = 0; j < n; ++j) {
          const bool one_is_owned = i < owned || j < owned;
          const bool same_group = groups != nullptr && group[i] >= 0 && group[i] == group[j];
          const Image m{{1, 0, -1}};
          EXPECT_EQ(filter.reports({i, i}, {j, j}, m), one_is_owned && !same_group);
          EXPECT_EQ(filter.reports({j, j}, {i, i}, -m), filter.reports({i, i}, {j, j}, m));
        }
      }
    }
  }
}

using Entries = std::vector<Pair>;  // sorted

/// The filter of `n` particles without groups and ghosts, as a build keeps them.
template <class Check>
void with_exclusions(const hgrid::Exclusions& exclusions, hgrid::index_t n, const Check& check) {
  using namespace hgrid::detail;
  std::vector<ListedIds> listed(static_cast<std::size_t>(words_of_ids(n)));
  std::vector<hgrid::offset_t> begin(static_cast<std::size_t>(n) + 1, -1);
  std::vector<hgrid::index_t> ids(static_cast<std::size_t>(exclusions.size));
  const std::int64_t bad = 0;
  for (hgrid::offset_t k = 0; k < words_of_ids(n); ++k) BeginExclusions{exclusions, n, &bad, listed.data(), begin.data()}(k);
  for (hgrid::offset_t k = 0; k < exclusions.size; ++k) CopyExclusion{exclusions, ids.data()}(k);
  check(PairFilter::of(nullptr, {listed.data(), begin.data(), ids.data()}, {}, n, n));
}

// Each entry excludes its pair from both sides and under any image, and no other, as lists and as pairs.
void check_exclusions(const Entries& entries, hgrid::index_t n) {
  std::vector<hgrid::offset_t> begin(static_cast<std::size_t>(n) + 1);
  std::vector<hgrid::index_t> ids;
  for (const Pair& e : entries) ids.push_back(e.j), ++begin[static_cast<std::size_t>(e.i) + 1];
  for (std::size_t i = 0; i < static_cast<std::size_t>(n); ++i) begin[i + 1] += begin[i];
  const auto size = static_cast<hgrid::offset_t>(entries.size());
  for (const auto& exclusions :
       {hgrid::Exclusions::in_lists(begin.data(), ids.data(), size), hgrid::Exclusions::in_pairs(entries.data(), size)}) {
    with_exclusions(exclusions, n, [&](const hgrid::detail::PairFilter& filter) {
      EXPECT_EQ(filter.selective, size > 0);
      for (hgrid::index_t i = 0; i < n; ++i) {
        for (hgrid::index_t j = 0; j < n; ++j) {
          const auto has = [&](Pair e) { return std::find(entries.begin(), entries.end(), e) != entries.end(); };
          EXPECT_EQ(filter.reports({i, 0}, {j, 0}, Image{{0, 1, 0}}), !has({i, j}) && !has({j, i})) << i << " " << j;
        }
      }
    });
  }
}

TEST(PairFilter, Exclusions) {
  check_exclusions({{0, 0}}, 1);
  check_exclusions({{0, 4}, {2, 1}, {2, 2}, {2, 2}, {4, 0}}, 5);
  Entries many;  // across words of 64 ids
  for (hgrid::index_t i = 0; i < 200; ++i) {
    for (hgrid::index_t j = i % 7; j < 200; j += 1 + i % 31) {
      if (i % 5 == 0 || i == 63 || i == 64 || i == 191) many.push_back({i, j});
    }
  }
  for (const hgrid::index_t n : {200, 256}) check_exclusions(many, n);
  check_exclusions({{127, 128}}, 129);
  check_exclusions({{128, 63}}, 129);
}

template <class Integer>
void check_columns(std::ptrdiff_t stride) {
  std::array<Integer, 40> ids{};
  std::array<Image, 10> images{};
  Integer* const second = stride == 1 ? ids.data() + 10 : ids.data() + 1;
  for (int k = 0; k < 10; ++k) {
    ids[static_cast<std::size_t>(k * stride)] = static_cast<Integer>(k), second[k * stride] = static_cast<Integer>(2 * k);
    images[static_cast<std::size_t>(k)] = {{k, 0, -k}};
  }
  const hgrid::PairColumns<Integer> all{ids.data(), second, stride, images.data(), 10};
  const hgrid::PairColumns<const Integer> open{ids.data(), second, stride, nullptr, 10};
  for (int k = 0; k < 10; ++k) {
    EXPECT_EQ(all[k], (Contact{k, 2 * k, {{k, 0, -k}}}));
    EXPECT_EQ(open[k], (Contact{k, 2 * k, {}}));
  }
}

TEST(PairColumns, AsContacts) {
  check_columns<std::int32_t>(1);
  check_columns<std::uint32_t>(2);
  check_columns<std::int64_t>(3);
  const hgrid::Pair pairs[] = {{1, 2}, {3, 4}};
  const auto columns = hgrid::columns_of(pairs, nullptr, 2);
  EXPECT_EQ(columns[0], (Contact{1, 2, {}}));
  EXPECT_EQ(columns[1], (Contact{3, 4, {}}));
  EXPECT_EQ(hgrid::columns_of(nullptr, nullptr, 0).size, 0);
}

}  // namespace
