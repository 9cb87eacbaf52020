// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints on hosts: an interrupted loop continues to equal bytes, and bytes that are no checkpoint change nothing.
#include "support/counting_new.hpp"

#include "hgrid/loop.hpp"
#include "support/executors.hpp"
#include "support/gas.hpp"
#include "support/interrupted_loop.hpp"

namespace {

using support::Allocations;
using support::Bytes;
using support::ChangingSystem;

template <class Exec>
class Checkpoint : public ::testing::Test {};
TYPED_TEST_SUITE(Checkpoint, support::Executors);

TYPED_TEST(Checkpoint, ALoopGoesOnAsIfNotInterrupted) {
  for (int kind = 0; kind < ChangingSystem::kinds; ++kind) {
    Allocations::get().fill = 1 + kind;  // no byte that is saved is one that memory held before
    EXPECT_EQ(support::difference_of_loop(support::make_executor<TypeParam>(2), static_cast<ChangingSystem::Kind>(kind),
                                          support::AsItIs()),
              "");
  }
  Allocations::get().fill = 0;
}

TYPED_TEST(Checkpoint, APackedListIsTheListInHalfTheMemory) {
  const auto exec = support::make_executor<TypeParam>(2);
  for (int kind = 0; kind < ChangingSystem::kinds; ++kind) {
    EXPECT_EQ(support::difference_of_packed_loop(exec, static_cast<ChangingSystem::Kind>(kind), support::AsItIs()), "");
  }
  for (const auto kind : {ChangingSystem::periodic, ChangingSystem::open}) {
    EXPECT_EQ(support::difference_of_loop<hgrid::PackedNeighbour>(exec, kind, support::AsItIs()), "");
  }
}

TEST(DamagedCheckpoint, OfAListOfTheOtherKindIsRefused) {
  ChangingSystem system(ChangingSystem::periodic, 40);
  support::CountedPairs<hgrid::SerialExec> plain(hgrid::SerialExec{}, support::box_of<3>(system.s), {.skin = 0.3});
  support::CountedPairs<hgrid::SerialExec, hgrid::PackedNeighbour> packed(hgrid::SerialExec{}, support::box_of<3>(system.s),
                                                                          {.skin = 0.3});
  const support::UserArrays<double, 3> arrays(system.at(0));
  plain.step(arrays.view()), packed.step(arrays.view());
  support::expect_error(hgrid::ErrorCode::format, [&] { hgrid::restore(plain.list(), hgrid::save(packed.list())); });
  support::expect_error(hgrid::ErrorCode::format, [&] { hgrid::restore(packed.list(), hgrid::save(plain.list())); });
  EXPECT_EQ(support::as_listed(plain.list().neighbours()), support::as_listed(packed.list().neighbours()));
}

// A list, a grid and values in some state.
struct Held {
  ChangingSystem system{ChangingSystem::groups, 40};
  support::CountedPairs<hgrid::SerialExec> loop;
  explicit Held(int steps) : loop(hgrid::SerialExec{}, support::box_of<3>(system.s), {.skin = 0.3}) {
    for (int step = 0; step < steps; ++step) loop.step(support::UserArrays<double, 3>(system.at(step)).view());
  }
};

template <class F>
hgrid::Error::Detail expect_unchanged(Held& held, hgrid::ErrorCode code, const F& restore) {
  const std::vector<Bytes> before = held.loop.saved();
  const std::uint64_t generation = held.loop.grid().generation();
  const hgrid::Error::Detail detail = support::expect_error(code, restore);
  EXPECT_TRUE(held.loop.saved() == before);
  EXPECT_EQ(held.loop.grid().generation(), generation);
  EXPECT_TRUE(held.loop.grid().count() >= 0) << "it is built as before";
  return detail;
}

TEST(DamagedCheckpoint, OfAnyFlippedBitIsRefused) {
  Held held(5), other(3);
  const Bytes whole = hgrid::save(held.loop.list());
  support::Random random(1);
  for (std::size_t k = 0; k < whole.size(); k += k < 200 ? 1 : 37) {
    Bytes bytes = whole;
    bytes[k] ^= std::byte{1} << random.integer(0, 7);
    const auto detail = expect_unchanged(other, hgrid::ErrorCode::format, [&] { hgrid::restore(other.loop.list(), bytes); });
    ASSERT_EQ(detail.argument, "checkpoint") << "byte " << k;
  }
}

TEST(DamagedCheckpoint, OfAnotherLengthIsRefused) {
  Held held(5), other(3);
  const Bytes whole = hgrid::save(held.loop.list());
  for (std::size_t size = 0; size <= whole.size() + 9; size += size < 80 ? 1 : 91) {
    if (size == whole.size()) continue;
    Bytes bytes = whole;
    bytes.resize(size);
    const auto detail = expect_unchanged(other, hgrid::ErrorCode::format, [&] { hgrid::restore(other.loop.list(), bytes); });
    ASSERT_EQ(detail.count, static_cast<std::int64_t>(size));
    ASSERT_EQ(detail.needed, static_cast<std::int64_t>(size < 32 ? 32 : whole.size()));
  }
}

TEST(DamagedCheckpoint, OfSomethingElseIsRefused) {
  Held held(5), other(3);
  hgrid::Grid flat{hgrid::SerialExec{}, hgrid::Box2::open()};
  hgrid::VerletList flat_list(flat, {});
  const Bytes list = hgrid::save(held.loop.list()), grid = hgrid::save(held.loop.grid()),
              pairs = hgrid::save(held.loop.counts());
  const auto refuse = [&](auto& what, const Bytes& bytes) {
    return expect_unchanged(other, hgrid::ErrorCode::format, [&] { hgrid::restore(what, bytes); });
  };
  refuse(other.loop.grid(), list), refuse(other.loop.list(), grid), refuse(other.loop.counts(), list);
  refuse(other.loop.list(), pairs), refuse(flat, grid), refuse(flat_list, list);
  EXPECT_EQ(refuse(other.loop.grid(), hgrid::save(flat)).needed, 3);
  EXPECT_EQ(refuse(other.loop.list(), hgrid::save(flat_list)).needed, 3);
  hgrid::PairArray<hgrid::SerialExec, float> single(hgrid::SerialExec{});
  EXPECT_EQ(refuse(single, pairs).needed, 4);
  EXPECT_EQ(refuse(other.loop.counts(), hgrid::save(single)).needed, 8);
}

// Fails every allocation once, also inside containers.
TEST(DamagedCheckpoint, AllocationsMayFail) {
  Held held(5), other(3);
  const std::vector<Bytes> saved = held.loop.saved(), before = other.loop.saved();
  for (const bool saves : {false, true}) {
    std::int64_t k = 0;
    for (bool failed = true; failed; ++k) {
      ASSERT_LT(k, 1000);
      failed = false;
      hgrid::ErrorCode code{};
      Allocations::get().fail_at = Allocations::get().count + k;
      try {
        saves ? void(hgrid::save(other.loop.list())) : hgrid::restore(other.loop.list(), saved[0]);
      } catch (const hgrid::Error& e) {
        failed = true, code = e.code();
      }
      Allocations::get().fail_at = -1;
      if (!failed) break;
      ASSERT_EQ(code, hgrid::ErrorCode::out_of_memory) << k;
      ASSERT_TRUE(other.loop.saved() == (saves ? saved : before)) << k;
    }
    EXPECT_GT(k, 5);
    if (!saves) other.loop.restore(saved);
  }
}

TEST(RestoredGrid, HasNoSlotsUntilItIsBuilt) {
  Held held(5);
  hgrid::Grid<hgrid::SerialExec, 3> grid{hgrid::SerialExec{}};
  hgrid::restore(grid, hgrid::save(held.loop.grid()));
  EXPECT_EQ(grid.box(), held.loop.grid().box());
  const support::UserArrays<double, 3> now(held.system.at(5));
  support::expect_error(hgrid::ErrorCode::not_built, [&] { grid.count(); });
  support::expect_error(hgrid::ErrorCode::not_built, [&] { grid.valid(now.view()); });
  grid.build(now.view(), {.skin = 0.3});
  held.loop.grid().build(now.view(), {.skin = 0.3});
  EXPECT_EQ(support::pairs_of(grid), support::pairs_of(held.loop.grid())) << "in the order of the same plan";
}

TEST(RestoredGrid, HasThePricesOfTheSavedOne) {
  const auto with = [](double island) {
    return hgrid::Grid<hgrid::SerialExec, 3>(hgrid::SerialExec{}, hgrid::Box3::open(),
                                             {.costs = hgrid::SearchCosts{1, 2, 3, 4, 5, 6, island}});
  };
  auto saved = with(7), other = with(8);
  EXPECT_NE(hgrid::save(other), hgrid::save(saved));
  hgrid::restore(other, hgrid::save(saved));
  EXPECT_EQ(hgrid::save(other), hgrid::save(saved));
}

// If another owner has built a list's grid, the list notices it after a restart, too, once.
TEST(RestoredList, KnowsThatItWasOvertaken) {
  Held held(5), other(0);
  const support::UserArrays<double, 3> now(held.system.at(4));
  held.loop.grid().build(now.view());
  other.loop.restore(held.loop.saved());
  EXPECT_TRUE(other.loop.list().update(now.view()));
  EXPECT_EQ(other.loop.list().counters().overtaken, 1);
}

// The choice of a skin continues, also in a process whose clock shows another time.
TEST(RestoredList, GoesOnChoosingItsSkin) {
  static double now = 0;
  ChangingSystem system(ChangingSystem::periodic, 60);
  const auto box = support::box_of<3>(system.s);
  const hgrid::VerletOptions options{.skin = 0.05, .choose_skin = true, .clock = [] { return now; }};
  hgrid::VerletOptions later = options;
  later.skin = 1, later.clock = [] { return now + 1e6; };
  hgrid::Grid grid(hgrid::SerialExec{}, box), other(hgrid::SerialExec{}, box);
  hgrid::VerletList list(grid, options), restored(other, later);
  int skins = 0;
  for (int step = 0; step < 120; ++step) {
    const support::UserArrays<double, 3> arrays(system.at(step % 12));
    if (step % 12 == 0) system = ChangingSystem(ChangingSystem::periodic, 60);
    const double before = list.skin();
    const bool built = list.update(arrays.view());
    if (step > 40) {
      ASSERT_EQ(restored.update(arrays.view()), built) << "step " << step;
      ASSERT_EQ(restored.skin(), list.skin()) << "step " << step;
    }
    now += 0.001 * static_cast<double>(list.neighbours().size()) + 0.5;
    skins += list.skin() != before;
    if (step == 40) hgrid::restore(restored, hgrid::save(list));
  }
  EXPECT_GT(skins, 5);
}

}  // namespace
