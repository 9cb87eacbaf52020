// SPDX-License-Identifier: BSD-3-Clause
// The threads of OpenMPExec: parts run once, callers wait for them, and threads outside the pool are told from its own.
#pragma once

#include <filesystem>
#include <fstream>
#include <thread>

#include "hgrid/hgrid.hpp"
#include "host/usable_threads.hpp"
#include "support/fail.hpp"
#include "support/pool.hpp"

extern "C" {  // the OpenMP that mutants are linked with
int omp_get_ancestor_thread_num(int);
int omp_get_level();
int omp_get_num_procs();
int omp_in_parallel();
}

inline void expect_quotas() {
  const auto mount = std::filesystem::temp_directory_path() / ("hgrid_quota_" + std::to_string(getpid()));
  std::filesystem::create_directories(mount / "a");
  std::ofstream(mount / "cpu.max") << "800000 100000\n";
  std::ofstream(mount / "a/cpu.max") << "250000 100000\n";
  const int processors = hgrid::detail::processors_of_quota("0::/a\n", mount.string());
  std::filesystem::remove_all(mount);
  if (processors != 3) support::fail("a quota is worth other processors");
}

inline void expect_pool() {
  std::atomic<int> ran{0};
  support::pool_of_process().run(9, [&](hgrid::offset_t) { ++ran; });
  if (ran != 9) support::fail("parts do not run once each");
  for (int turn = 0; turn < 5; ++turn) {
    if (!support::is_helped()) support::fail("a call does not wait for its parts");
  }
  if (support::status_of_child([] { _exit(hgrid::detail::ThreadPool::is_in_child() ? 7 : 1); }) != 7) {
    support::fail("a child does not know that it is one");
  }
  if (hgrid::OpenMPExec(99999999).concurrency() > std::max(64, 4 * omp_get_num_procs()))
    support::fail("threads are not capped");
  expect_quotas();
}

inline void expect_regions() {
  const hgrid::OpenMPExec exec(2);
  int level = 0;
#pragma omp parallel num_threads(2)
  exec.run("look", 2, [&](hgrid::offset_t k) {
    if (k == 0 && omp_get_ancestor_thread_num(1) == 0) level = omp_get_level();
  });
  if (level != 2) support::fail("a program's region is left");
  std::thread([&] {
    const hgrid::detail::ThreadPool::Caller caller;
    int turns = 0;  // OpenMP's threads may still spin
    while (support::pool_of_process().is_beside_others() && ++turns < 3000000) std::this_thread::yield();
    if (turns == 3000000) support::fail("a caller is taken for a stranger");
  }).join();
  std::thread([&] {
    bool in_region = false;
    const auto look = [&](hgrid::offset_t k) {
      if (k == 0) in_region = omp_in_parallel() != 0;
    };
    {
      const support::HeldHelpers held;
      for (int turn = 0; turn < 2; ++turn) exec.run("look", 2, look);
    }
    if (!in_region) support::fail("OpenMP's threads are not taken");
    exec.run("long", 2, [](hgrid::offset_t k) {
      if (k == 1) std::this_thread::sleep_for(std::chrono::milliseconds(100));
    });
    exec.run("look", 2, look);
    if (in_region) support::fail("OpenMP's threads are not left");
  }).join();
}
