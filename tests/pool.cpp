// SPDX-License-Identifier: BSD-3-Clause
// The threads of OpenMPExec: each part runs once, no call waits for a thread that does not come, and forks, exits, exceptions,
// nested calls and OpenMP regions do no harm.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <thread>

#include "hgrid/hgrid.hpp"
#include "host/usable_threads.hpp"
#include "support/packings.hpp"
#include "support/pool.hpp"
#include "support/results.hpp"

namespace {

using hgrid::offset_t;
using support::HeldHelpers, support::can_have_helpers, support::is_helped, support::pool_of_process, support::status_of_child;

/// Calls a function of the OpenMP that the library brings along: tests are not compiled for it.
template <class Result = int, class... Args>
Result openmp(const char* name, Args... args) {
  return reinterpret_cast<Result (*)(Args...)>(dlsym(RTLD_DEFAULT, name))(args...);
}

TEST(Pool, RunsEachPartOnceAndTheFirstOneOnTheCaller) {
  const hgrid::OpenMPExec exec(7);
  for (int turn = 0; turn < 300; ++turn) {
    std::atomic<int> ran[7] = {};
    std::thread::id first;
    exec.run("parts", 7, [&](offset_t k) {
      if (k == 0) first = std::this_thread::get_id();
      ++ran[k];
    });
    for (const auto& times : ran) ASSERT_EQ(times, 1);
    ASSERT_EQ(first, std::this_thread::get_id());
  }
  exec.run("none", 0, [](offset_t) { FAIL(); });
}

TEST(Pool, WaitsForClaimedPartsAndForNoOthers) {
  for (int turn = 0; turn < 5; ++turn) ASSERT_TRUE(is_helped());
  const HeldHelpers held;
  int ran = 0;  // run by one thread
  EXPECT_FALSE(pool_of_process().run(100, [&](offset_t) { ++ran; }));
  EXPECT_EQ(ran, 100);
}

TEST(Pool, CarriesExceptionsToTheCaller) {
  const hgrid::OpenMPExec exec(3);
  for (offset_t thrower = 0; thrower < 3; ++thrower) {
    EXPECT_THROW(exec.run_parts("throws", 3,
                                [&](offset_t k) {
                                  if (k == thrower) throw std::runtime_error("enough");
                                }),
                 std::runtime_error);
  }
  EXPECT_TRUE(is_helped());
}

TEST(Pool, ServesSeveralThreadsAndNestedCalls) {
  std::atomic<int> ran{0};
  const auto work = [&] {
    const hgrid::OpenMPExec exec(3);
    for (int turn = 0; turn < 200; ++turn) {
      exec.run("outer", 3, [&](offset_t) { exec.run("inner", 2, [&](offset_t) { ++ran; }); });
    }
  };
  std::vector<std::thread> users;
  for (int k = 0; k < 4; ++k) users.emplace_back(work);
  for (std::thread& user : users) user.join();
  EXPECT_EQ(ran, 4 * 200 * 3 * 2);
}

TEST(Pool, StartsAnewInAForkedChild) {
  ASSERT_TRUE(is_helped());
  const HeldHelpers held;  // which the child process lacks
  EXPECT_EQ(status_of_child([] { _exit(is_helped() && hgrid::detail::ThreadPool::is_in_child() ? 7 : 1); }), 7);
  EXPECT_FALSE(hgrid::detail::ThreadPool::is_in_child());
}

/// Is destroyed after the pool has ended, because it was made before.
struct LateCaller {
  bool calls = false;
  ~LateCaller() {
    if (!calls) return;
    int ran = 0;
    hgrid::OpenMPExec(2).run("late", 50, [&](offset_t) { ++ran; });
    _exit(ran);
  }
} late_caller;

TEST(Pool, EndsWithTheProgram) {
  EXPECT_EQ(status_of_child([] {
              is_helped();
              late_caller.calls = true;
              std::exit(1);
            }),
            50);
  // No thread waits for a part that does not end, nor a helper for itself.
  EXPECT_EQ(status_of_child([] {
              auto* const held = new HeldHelpers;
              static_cast<void>(held);
              std::exit(8);
            }),
            8);
  EXPECT_EQ(status_of_child([] {
              const auto caller = std::this_thread::get_id();
              pool_of_process().run(2, [&](offset_t) {
                while (can_have_helpers() && std::this_thread::get_id() == caller) std::this_thread::yield();
                std::exit(9);
              });
            }),
            9);
}

TEST(Pool, KeepsToAProgramsOwnRegion) {
  std::atomic<int> strangers{0}, ran{0}, levels_of_parts{0};
  const auto region = [&] {
    const auto caller = std::this_thread::get_id();
    hgrid::OpenMPExec(3).run("nested", 3, [&](offset_t) {
      ++ran, levels_of_parts += openmp("omp_get_level");
      if (std::this_thread::get_id() != caller) ++strangers;
    });
  };
  const int levels = openmp("omp_get_max_active_levels");
  openmp<void>("omp_set_max_active_levels", 1);
  void (*const call)(void*) = [](void* f) { (*static_cast<decltype(region)*>(f))(); };
  openmp<void>("GOMP_parallel", call, const_cast<void*>(static_cast<const void*>(&region)), 2u, 0u);  // #pragma omp parallel
  openmp<void>("omp_set_max_active_levels", levels);
  EXPECT_EQ(ran % 3, 0);
  EXPECT_EQ(levels_of_parts, 2 * ran);  // a region in the region
  EXPECT_GE(ran, 3);
  EXPECT_EQ(strangers, 0);
}

TEST(Pool, LeavesWorkToOpenMPsThreadsWhereTheyHoldTheProcessors) {
  std::thread([] {  // it begins without choices
    const hgrid::OpenMPExec exec(2);
    bool in_region = false;
    const auto look = [&](offset_t k) {
      if (k == 0) in_region = openmp("omp_in_parallel") != 0;
    };
    {
      const HeldHelpers held;  // a thread that runs, and no helper that could
      for (int turn = 0; turn < 2; ++turn) exec.run("look", 2, look);
      EXPECT_TRUE(in_region);
    }
    exec.run("long", 2, [](offset_t k) {
      if (k == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    });
    exec.run("look", 2, look);
    EXPECT_FALSE(in_region);  // the end of the region before waited for the other thread
  })
      .join();
}

TEST(Pool, GivesTheBytesOfOneThread) {
  const oracle::System s = support::polydisperse(20000, 8, true);
  auto one = support::built(hgrid::SerialExec{}, s);
  auto expected = one.make_pairs();
  one.find(expected);
  for (const int threads : {2, 7}) {
    auto many = support::built(hgrid::OpenMPExec(threads), s);
    auto list = many.make_pairs();
    many.find(list);
    ASSERT_EQ(list.size(), expected.size());
    EXPECT_TRUE(std::equal(list.pairs(), list.pairs() + list.size(), expected.pairs()));
  }
}

TEST(UsableThreads, AreCapped) {
  const int most = std::max(64, 4 * openmp("omp_get_num_procs"));
  EXPECT_EQ(hgrid::OpenMPExec(99999999).concurrency(), most);
  EXPECT_EQ(hgrid::OpenMPExec(3).concurrency(), 3);
  EXPECT_GE(hgrid::OpenMPExec().concurrency(), 1);
  EXPECT_EQ(status_of_child([] {
              setenv("OMP_NUM_THREADS", "9", 1);
              openmp<void>("omp_set_num_threads", 9);  // the runtime read the environment when it began
              _exit(hgrid::OpenMPExec().concurrency());
            }),
            9);
  EXPECT_EQ(status_of_child([] {
              unsetenv("OMP_NUM_THREADS");
              openmp<void>("omp_set_num_threads", 99999999);
              _exit(hgrid::OpenMPExec().concurrency() <= openmp("omp_get_num_procs") ? 5 : 1);
            }),
            5);
}

TEST(UsableThreads, AreThoseThatAQuotaPaysFor) {
  const auto mount = std::filesystem::path(testing::TempDir()) / ("hgrid_quota_" + std::to_string(getpid()));
  const auto write = [&](const char* file, const char* text) {
    const auto path = mount / file;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path) << text;
  };
  const auto quota = [&](const char* groups) { return hgrid::detail::processors_of_quota(groups, mount.string()); };
  EXPECT_EQ(quota("0::/\n"), 0);  // no file
  write("cpu.max", "max 100000\n");
  write("a/cpu.max", "250000 100000\n");
  write("a/b/cpu.max", "700000 100000\n");
  EXPECT_EQ(quota("0::/\n"), 0);
  EXPECT_EQ(quota("0::/a\n"), 3);
  EXPECT_EQ(quota("0::/a/b\n"), 3);
  EXPECT_EQ(quota("0::/elsewhere/b\n"), 0);
  write("cpu.max", "800000 100000\n");
  EXPECT_EQ(quota("0::/a\n"), 3);
  write("cpu.max", "50000 100000\n");  // the quota of a container's root
  EXPECT_EQ(quota("0::/elsewhere/b\n"), 1);
  write("cpu/c/cpu.cfs_quota_us", "200000\n");
  write("cpu/c/cpu.cfs_period_us", "100000\n");
  write("cpu/cpu.cfs_quota_us", "-1\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  EXPECT_EQ(quota("12:cpuset:/c\n4:cpu,cpuacct:/c/d\n"), 2);
  EXPECT_EQ(quota("4:cpuacct,cpu:/\n3:cpuset:/c\n"), 0);
  EXPECT_EQ(quota("nonsense\n\n"), 0);
  std::filesystem::remove_all(mount);
}

}  // namespace
