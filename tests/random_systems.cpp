// SPDX-License-Identifier: BSD-3-Clause
// Random and adversarial systems on the host executors, against all pairs.
#include <unistd.h>

#include "hgrid/hgrid.hpp"
#include "support/border_pairs.hpp"
#include "support/fine_threads.hpp"
#include "support/random_suite.hpp"

namespace {

support::Outcome run_on_hosts(const support::Case& c) {
  switch (c.choice[support::workers]) {
    case support::values::serial:
      return support::run_case(hgrid::SerialExec{}, c);
    case support::values::openmp_1:
      return support::run_case(hgrid::OpenMPExec{1}, c);
    case support::values::openmp_2:
      return support::run_case(hgrid::OpenMPExec{2}, c);
    default:
      return support::run_case(support::FineThreads{7}, c);
  }
}

TEST(RandomSystems, EqualAllPairs) { support::expect_random_systems(100000, run_on_hosts); }

// Systems of pairs at the distance of touching, in both directions and by both schedules.
template <class Make>
void expect_border_pairs(int systems, int pairs, const Make& make) {
  std::size_t contacts = 0;
  for (int n = 0; n < systems; ++n) {
    support::Case c = make(pairs);
    c.choice[support::direction] = n & 1, c.choice[support::schedule] = n >> 1 & 1;
    const support::Outcome outcome = support::run_case<double, 2>(hgrid::SerialExec{}, c);
    ASSERT_EQ(outcome.difference, "") << "system " << n;
    contacts += outcome.contacts;
  }
  EXPECT_GT(contacts, pairs * systems / 4);
  EXPECT_LT(contacts, 3 * pairs * systems / 4);
}

TEST(RandomSystems, PairsOfTwoLevelsAcrossAFace) {
  support::Random random(7);
  expect_border_pairs(62500, 16, [&](int pairs) { return support::BorderPairs(random).make(pairs); });
}

TEST(RandomSystems, PairsAcrossATiltedFaceFarFromZero) {
  support::Random random(8);
  expect_border_pairs(20000, 4, [&](int pairs) { return support::BorderPairs(random).make_tilted(pairs); });
}

// Runs systems that once failed, in all ways to search them.
TEST(RandomSystems, KeptSystems) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HGRID_KEPT_SYSTEMS)) {
    support::Case c = support::read_system(entry.path());
    for (int way = 0; way < 24; ++way) {
      c.choice[support::direction] = way & 1, c.choice[support::keys] = way >> 1 & 1;
      c.choice[support::schedule] = way >> 2 & 1, c.choice[support::table] = way >> 3;
      EXPECT_EQ(run_on_hosts(c).difference, "") << entry.path() << ", way " << way;
    }
    ++files;
  }
  EXPECT_GE(files, 1);
}

// A fault that needs one contact comes down to two particles.
TEST(RandomSystems, AFailureIsShrunkAndReadBack) {
  const support::Case c = support::make_case(20120507);
  const auto fails = [](const support::Case& smaller) {
    support::Outcome outcome;
    if (!oracle::contacts(smaller.system).empty()) outcome.difference = "planted";
    return outcome;
  };
  ASSERT_FALSE(fails(c).difference.empty());
  const support::Case smallest = support::shrunk(c, fails);
  EXPECT_LE(smallest.system.particles.size(), 2u);
  EXPECT_EQ(smallest.choice[support::keys] + smallest.choice[support::route], 0);
  const auto file = std::filesystem::temp_directory_path() / ("hgrid-shrunk-" + std::to_string(::getpid()) + ".csv");
  support::write_system(file, smallest);
  const support::Case back = support::read_system(file);
  std::filesystem::remove(file);
  EXPECT_EQ(oracle::contacts(back.system), oracle::contacts(smallest.system));
}

}  // namespace
