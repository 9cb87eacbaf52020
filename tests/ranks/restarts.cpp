// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of lists on ranks: loops that go on on any number of ranks, and parts that are damaged, missing or forged.
#include <functional>

#include "ranks/restarts.hpp"
#include "support/forgery.hpp"

namespace {

using support::Drifting;
using support::LoopTime;

template <int D>
std::size_t expect_restart(const support::RestartCase& c) {
  hgrid::VerletOptions other = c.options;  // the checkpoint brings the skin
  other.skin *= 1.5;
  return support::expect_restart(
      c, [&] { return Drifting<D>(c.gas, c.periodic, c.seed, c.options, c.shear); },
      [&] { return Drifting<D>(c.gas, c.periodic, c.seed, other, c.shear); });
}

TEST(RestartOnRanks, GoesOnOnAnyNumberOfRanks) {
  const std::uint64_t seed = support::from_environment("HGRID_SEED", 1),
                      count = support::from_environment("HGRID_SYSTEMS", 100);
  std::size_t compared = 0;
  for (std::uint64_t k = seed; k < seed + count / 3 && !testing::Test::HasFailure(); ++k) {
    support::Random random(k);
    const bool flat = random.chance(0.3), periodic = random.chance(0.7), boxes = random.chance(0.3),
               labels = random.chance(0.3);
    const bool wrapped = periodic && random.chance(0.4), chooses = random.chance(0.3), shears = periodic && random.chance(0.4);
    support::Gas gas(random.integer(flat ? 10 : 5, flat ? 60 : 120), periodic, k);
    if (boxes) gas = support::boxes_of(gas);
    if (labels) gas = support::labelled(gas);
    const support::RestartCase c{k,
                                 gas,
                                 periodic,
                                 {.skin = 0.5, .choose_skin = chooses, .wrapped = wrapped, .clock = LoopTime::seconds},
                                 {.rate = shears ? 0.1 : 0}};
    compared += flat ? expect_restart<2>(c) : expect_restart<3>(c);
  }
  EXPECT_TRUE(support::this_rank() > 0 || compared > 100 * (count / 3)) << compared;  // the first rank reads each time
}

using Loop = Drifting<3>;
using Parts = std::vector<Loop::Saved>;

/// A loop that restores bad parts on one rank: it throws on all, and nothing has changed.
class BadParts : public testing::Test {
 protected:
  BadParts() {
    for (int step = 0; step < 20; ++step, saved.move()) {
      saved.update(), saved.stretch();
      if (step == 10) older = {saved.saved()};
    }
    saved.update(), saved.stretch();
    good = {saved.saved()};
    for (int step = 0; step < 10; ++step, loop.move()) loop.update(), loop.stretch(), loop.springs_of_one();
    loop.update(), loop.stretch(), loop.springs_of_one();
  }

  void expect_refused(
      hgrid::ErrorCode code, const Parts& parts, const char* what, const std::function<void(Loop&)>& spoil = [](Loop&) {}) {
    const auto share = loop.share();
    const auto v = loop.velocities();
    const auto before = loop.state();
    const hgrid::VerletCounters counters = loop.list().counters();
    Loop::Saved passed{{}, share, v};
    int thrown = -1;
    std::string message;
    try {
      const auto bytes = loop.take(parts);
      spoil(loop);
      passed.share = loop.share(), passed.v = loop.velocities();
      auto& now = loop.share();
      hgrid::restore(loop.list(), bytes, now.x, now.r, now.id, hgrid::Field{loop.velocities(), 3}, loop.values());
    } catch (const hgrid::Error& e) {
      thrown = static_cast<int>(e.code()), message = e.what();
    }
    EXPECT_TRUE(support::everywhere(thrown == static_cast<int>(code))) << what << ": " << message;
    const auto& now = loop.share();
    EXPECT_TRUE(support::everywhere(now.x == passed.share.x && now.id == passed.share.id && loop.velocities() == passed.v))
        << what;
    loop.share() = share, loop.velocities() = v;
    EXPECT_TRUE(support::everywhere(loop.state() == before && loop.list().skin() == 0.4)) << what;
    EXPECT_EQ(loop.list().counters().builds, counters.builds) << what;
  }

  void expect_alive() {
    for (int step = 0; step < 30; ++step, loop.move()) {
      loop.update(), loop.stretch();
      const support::Springs expected = loop.springs_of_one();
      ASSERT_TRUE(support::everywhere(loop.springs() == expected)) << step;
    }
  }

  const bool errs = support::this_rank() == support::all_ranks() - 1;
  Loop saved{120, true, 4}, loop{120, true, 4, {.skin = 0.4}};
  Parts good, older;
};

TEST_F(BadParts, AreRefusedByAllRanks) {
  using enum hgrid::ErrorCode;
  const auto with = [&](const auto& change) {
    Parts parts = good;
    if (errs) change(parts);
    return parts;
  };
  support::Random random(3);
  std::size_t most = good[0].part.size();
  MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_UINT64_T, MPI_MAX, MPI_COMM_WORLD);
  for (std::size_t k = 0; k < most; k += k < 100 ? 7 : 511) {
    const auto bit = std::byte{1} << random.integer(0, 7);
    expect_refused(format, with([&](Parts& p) { p[0].part[k % p[0].part.size()] ^= bit; }), "a flipped bit");
  }
  expect_refused(format, with([](Parts& p) { p[0].part.pop_back(); }), "a part cut off");
  expect_refused(format, with([](Parts& p) { p.clear(); }), "a part missing");
  expect_refused(format, with([](Parts& p) { p.push_back(p[0]); }), "a part twice");
  expect_refused(format, with([](Parts& p) { p.push_back(p[0]), p[1].part.clear(); }), "an empty part");
  if (support::all_ranks() > 1) expect_refused(format, with([&](Parts& p) { p = older; }), "a part of another checkpoint");
  hgrid::Grid grid(hgrid::SerialExec{}, hgrid::Box3::open());
  expect_refused(format, with([&](Parts& p) { p[0].part = hgrid::save(grid); }), "a grid");
  const auto spoil = [&](const auto& change) {
    return [&, change](Loop& l) {
      if (errs && l.share().id.size() > 1) change(l.share());
    };
  };
  ASSERT_TRUE(!errs || good[0].share.id.size() > 1);
  expect_refused(invalid_argument, good, "ids in another order", spoil([](auto& s) { std::swap(s.id[0], s.id[1]); }));
  expect_refused(size_mismatch, good, "an id too few", spoil([](auto& s) { s.id.pop_back(); }));
  expect_refused(size_mismatch, good, "a radius too many", spoil([](auto& s) { s.r.push_back(1); }));
  loop.list().set_labels({.groups = &loop.share().group});
  expect_refused(invalid_argument, good, "labels that the saved list had not");
  loop.list().set_labels({});
  expect_alive();
}

TEST_F(BadParts, AreThoseOfOtherGridsAndValues) {
  const auto refuses = [&](auto& list, auto&... values) {
    auto now = good[0].share;
    const std::vector<std::vector<std::byte>> bytes{good[0].part};
    int code = -1;
    try {
      hgrid::restore(list, bytes, now.x, now.r, now.id, values...);
    } catch (const hgrid::Error& e) {
      code = static_cast<int>(e.code());
    }
    return support::everywhere(code == static_cast<int>(hgrid::ErrorCode::invalid_argument));
  };
  hgrid::DistributedPairArray<support::Spring> springs;
  hgrid::DistributedPairArray<float> floats;
  EXPECT_TRUE(refuses(loop.list()));
  EXPECT_TRUE(refuses(loop.list(), floats));
  EXPECT_TRUE(refuses(loop.list(), springs, floats));
  hgrid::DistributedGrid grid(hgrid::SerialExec{}, hgrid::Box3::open(), MPI_COMM_WORLD);
  hgrid::DistributedVerletList list(grid, {.skin = 0.4});
  EXPECT_TRUE(refuses(list, springs));
  hgrid::DistributedGrid of_max(hgrid::SerialExec{}, loop.grid().box(), MPI_COMM_WORLD, {.rule = hgrid::Rule::max});
  hgrid::DistributedVerletList list_of_max(of_max, {.skin = 0.4});
  EXPECT_TRUE(refuses(list_of_max, springs));
}

TEST_F(BadParts, AreNotSaved) {
  const auto throws = [&](hgrid::ErrorCode code, const auto& save) {
    int thrown = -1;
    try {
      save();
    } catch (const hgrid::Error& e) {
      thrown = static_cast<int>(e.code());
    }
    return support::everywhere(thrown == static_cast<int>(code));
  };
  hgrid::DistributedPairArray<int> late;
  EXPECT_TRUE(throws(hgrid::ErrorCode::stale, [&] { hgrid::save(loop.list(), loop.values(), late); }));
  loop.share().x.resize(3 * loop.share().id.size());
  loop.grid().rebalance(loop.share().x, loop.share().r);
  EXPECT_TRUE(throws(hgrid::ErrorCode::not_built, [&] { loop.saved(); }));
  EXPECT_TRUE(loop.update());
  loop.saved();
  hgrid::DistributedGrid grid(hgrid::SerialExec{}, hgrid::Box3::open(), MPI_COMM_WORLD);
  hgrid::DistributedVerletList list(grid, {.skin = 0.4});
  EXPECT_TRUE(throws(hgrid::ErrorCode::not_built, [&] { hgrid::save(list); }));
}

TEST_F(BadParts, EqualStatesHaveEqualBytes) {
  EXPECT_TRUE(support::everywhere(saved.saved().part == good[0].part));
  saved.restore(good);
  EXPECT_TRUE(support::everywhere(saved.saved().part == good[0].part));
}

/// Restores a loop with the part of one rank forged, and uses it if it is taken. Typed errors, on all ranks, are no faults.
/// Returns whether it was taken.
template <int D>
bool is_used(const typename Drifting<D>::Saved& original, const support::RestartCase& c, std::uint64_t seed) {
  support::Random random(seed);
  std::vector<std::uint8_t> input(128);
  for (std::uint8_t& byte : input) byte = static_cast<std::uint8_t>(random.bits());
  fuzz::Bytes decisions(input);
  auto part = original;
  if (support::this_rank() == static_cast<int>(seed % static_cast<std::uint64_t>(support::all_ranks())))
    part.part = support::Forger(decisions)(part.part);
  Drifting<D> loop(c.gas, c.periodic, c.seed, c.options);
  const auto tried = [](const auto& f) {
    try {
      f();
      return true;
    } catch (const hgrid::Error&) {
      return false;
    }
  };
  const bool used = tried([&] { loop.restore({part}); });
  EXPECT_TRUE(support::everywhere(!used) || support::everywhere(used)) << "HGRID_SEED=" << seed;
  for (int step = 0; step < 4 && used; ++step) {
    const bool right = tried([&] { step == 2 ? loop.rebalance() : void(loop.update()); });
    EXPECT_TRUE(support::everywhere(!right) || support::everywhere(right)) << "HGRID_SEED=" << seed;
    if (!right) break;
    const auto held = loop.grid().held();
    for (hgrid::offset_t k = 0; k < loop.list().size(); ++k) {
      const hgrid::Contact contact = loop.list().contacts()[k];
      EXPECT_TRUE(contact.i >= 0 && contact.i < held && contact.j >= 0 && contact.j < held) << "HGRID_SEED=" << seed;
    }
    EXPECT_EQ(loop.values().size(), loop.list().size()) << "HGRID_SEED=" << seed;
    loop.stretch();
    loop.move();
  }
  return used;
}

template <int D>
void expect_safe(const support::RestartCase& c) {
  Drifting<D> loop(c.gas, c.periodic, c.seed, c.options);
  for (int step = 0; step < 10; ++step, loop.move()) LoopTime::now += 1, loop.update(), loop.stretch();
  const auto original = loop.saved();
  const std::uint64_t first = support::from_environment("HGRID_SEED", 1),
                      count = support::from_environment("HGRID_SYSTEMS", 100);
  int used = 0;
  for (std::uint64_t seed = first; seed < first + count; ++seed) used += is_used<D>(original, c, seed);
  if (support::this_rank() == 0) std::cout << used << " of " << count << " forged parts are used, the others refused\n";
}

TEST(ForgedParts, AreRefusedOrCanBeUsed) {
  const support::Gas gas(40, true, 5);
  const hgrid::VerletOptions options{.skin = 0.5, .clock = LoopTime::seconds};
  hgrid::VerletOptions wrapped = options, chooses = options;
  wrapped.wrapped = true, chooses.choose_skin = true;
  expect_safe<3>({5, gas, true, wrapped});
  expect_safe<3>({6, support::labelled(support::boxes_of(gas)), true, options});
  expect_safe<2>({7, support::Gas(30, false, 7), false, chooses});
}

}  // namespace
