// SPDX-License-Identifier: BSD-3-Clause
// The random systems again, on the host execution spaces of Kokkos.
#include "hgrid/kokkos.hpp"
#include "support/random_suite.hpp"

namespace {

class Session : public ::testing::Environment {
 public:
  void SetUp() override {
    try {
      hgrid::make_exec(Kokkos::DefaultHostExecutionSpace());
    } catch (const hgrid::Error& e) {
      refused_before = e.code() == hgrid::ErrorCode::environment;
    }
    session_.emplace();
  }
  void TearDown() override { session_.reset(); }

  static inline bool refused_before = false;

 private:
  std::optional<hgrid::KokkosSession> session_;
};
[[maybe_unused]] const auto* const session = ::testing::AddGlobalTestEnvironment(new Session);

support::Outcome run(const support::Case& c) {
#ifdef KOKKOS_ENABLE_SERIAL
  if (c.choice[support::workers] == support::values::serial) return support::run_case(hgrid::make_exec(Kokkos::Serial()), c);
#endif
  return support::run_case(hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), c);
}

TEST(KokkosExecutor, NeedsKokkosToBeInitialised) { EXPECT_TRUE(Session::refused_before); }

TEST(RandomSystemsKokkos, EqualAllPairs) { support::expect_random_systems(4000, run); }

}  // namespace
