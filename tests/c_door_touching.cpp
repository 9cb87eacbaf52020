// SPDX-License-Identifier: BSD-3-Clause
// A predicate of C within the search: its lists are those of the C++ library, byte for byte.
#include <atomic>

#include "hgrid/hgrid.hpp"
#include "support/c_door_errors.hpp"
#include "support/narrow_cases.hpp"
#include "support/packings.hpp"

namespace {

using support::CDoorErrors;
using support::sized;

struct Asking {
  support::Drawn drawn{5};
  std::atomic<std::int64_t> asked{0}, most{0}, stop_at{-1};
};

std::int32_t ask(void* context, const hgrid_contact* contacts, std::int64_t count, std::uint8_t* touch) {
  auto& asking = *static_cast<Asking*>(context);
  if (asking.stop_at >= 0 && asking.asked > asking.stop_at) return 7;
  asking.asked += count;
  if (count > asking.most) asking.most = count;
  for (std::int64_t k = 0; k < count; ++k) {
    const auto& [i, j, m] = contacts[k];
    touch[k] = asking.drawn(i, j, {{m[0], m[1], m[2]}}) ? 200 : 0;  // anything but 0 is a yes
  }
  return 0;
}

hgrid_predicate predicate_of(Asking& asking) {
  auto predicate = sized<hgrid_predicate>();
  predicate.ask = ask, predicate.context = &asking;
  return predicate;
}

support::Contacts contacts_of(const hgrid_pair_list& list) {
  support::Contacts all;
  for (std::int64_t k = 0; k < list.size; ++k) {
    const auto* const image = reinterpret_cast<const hgrid::Image*>(list.images);
    all.push_back(support::contact(list.pairs[2 * k], list.pairs[2 * k + 1], image == nullptr ? nullptr : &image[k]));
  }
  return all;
}

support::Contacts contacts_of(const hgrid_neighbour_list& list) {
  support::Contacts all;
  for (std::int64_t i = 0; i < list.lists; ++i) {
    for (std::int64_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      const auto* const image = reinterpret_cast<const hgrid::Image*>(list.images);
      all.push_back(support::contact(i, list.neighbours[k], image == nullptr ? nullptr : &image[k]));
    }
  }
  return all;
}

TEST(CDoorTouching, GivesTheListsOfTheLibrary) {
  for (const bool periodic : {false, true}) {
    const oracle::System s = support::polydisperse(3000, 8, periodic, 2);
    const support::UserArrays<double, 3> arrays(s);
    const auto particles = arrays.view();
    auto grid = support::built(hgrid::OpenMPExec(2), s);
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = 2;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.lo[k] = s.lo[k], box.hi[k] = s.hi[k], box.periodic[k] = s.periodic[k];
    support::DoorGrid door;
    ASSERT_EQ(hgrid_create(&options, periodic ? &box : nullptr, &door.grid), HGRID_OK);
    const hgrid_particles given = support::c_particles(particles, false);
    ASSERT_EQ(hgrid_build(door.grid, &given, s.skin), HGRID_OK);
    const hgrid::offset_t all = grid.count();
    for (const auto order : {hgrid::Order::fixed, hgrid::Order::sorted}) {
      Asking asking;
      const hgrid_predicate predicate = predicate_of(asking);
      auto list = sized<hgrid_pair_list>();
      ASSERT_EQ(hgrid_touching_pairs(door.grid, static_cast<int>(order), &predicate, &list), HGRID_OK);
      auto expected = grid.make_pairs();
      grid.pairs(expected, asking.drawn, order);
      EXPECT_EQ(contacts_of(list), support::as_listed(expected));
      EXPECT_EQ(asking.asked, all) << "each contact comes once";
      EXPECT_LE(asking.most, 64);
      EXPECT_GT(asking.most, 1);
    }
    for (const auto kind : {hgrid::ListKind::half, hgrid::ListKind::full}) {
      Asking asking;
      const hgrid_predicate predicate = predicate_of(asking);
      auto list = sized<hgrid_neighbour_list>();
      ASSERT_EQ(hgrid_touching_neighbours(door.grid, static_cast<int>(kind), &predicate, &list), HGRID_OK);
      auto expected = grid.make_list(kind);
      grid.neighbours(expected, asking.drawn);
      EXPECT_EQ(contacts_of(list), support::as_listed(expected));
      EXPECT_EQ(asking.asked, all);
      asking.stop_at = asking.asked / 2, asking.asked = 0;
      EXPECT_EQ(hgrid_touching_neighbours(door.grid, static_cast<int>(kind), &predicate, &list), HGRID_ERROR_STOPPED);
      EXPECT_EQ(contacts_of(list), support::as_listed(expected)) << "a list that was stopped is as it was";
    }
  }
}

class CDoorTouchingErrors : public CDoorErrors {};

TEST_F(CDoorTouchingErrors, AreTyped) {
  Asking asking;
  hgrid_predicate predicate = predicate_of(asking);
  auto pairs = sized<hgrid_pair_list>();
  auto lists = sized<hgrid_neighbour_list>();
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(nullptr, 0, &predicate, &pairs), "grid");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, nullptr, &pairs), "predicate");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 2, &predicate, &pairs), "order");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, &predicate, nullptr), "out");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_touching_pairs(empty_.grid, 0, &predicate, &pairs));
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(nullptr, 0, &predicate, &lists), "grid");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, nullptr, &lists), "predicate");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, -1, &predicate, &lists), "kind");
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, &predicate, nullptr), "out");
  expect(HGRID_ERROR_NOT_BUILT, hgrid_touching_neighbours(empty_.grid, 0, &predicate, &lists));
  asking.stop_at = 0, asking.asked = 1;
  expect(HGRID_ERROR_STOPPED, hgrid_touching_pairs(door_.grid, 0, &predicate, &pairs), "predicate");
  predicate.ask = nullptr;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_pairs(door_.grid, 0, &predicate, &pairs), "predicate");
  predicate = predicate_of(asking);
  predicate.struct_size = 8;
  expect(HGRID_ERROR_INVALID_ARGUMENT, hgrid_touching_neighbours(door_.grid, 0, &predicate, &lists), "predicate");
}

}  // namespace
