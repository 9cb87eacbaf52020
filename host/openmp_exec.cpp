// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/threads/openmp_exec.hpp"

#include <omp.h>

#include <algorithm>
#include <chrono>

#include "host/thread_pool.hpp"
#include "host/usable_threads.hpp"

namespace hgrid::inline v0_2 {
namespace {

using detail::ThreadPool;
using Clock = std::chrono::steady_clock;

void run_region(offset_t parts, FunctionRef<void(offset_t)> part) {
#pragma omp parallel for num_threads(static_cast <int>(parts)) schedule(static, 1)
  for (offset_t k = 0; k < parts; ++k) part(k);
}

/// Chooses the threads that help the calling thread: the pool, or OpenMP's threads if the program uses them, too. OpenMP's
/// threads spin for some milliseconds after a loop of the program and occupy the processors, so the pool cannot help then, but
/// they can. The end of an OpenMP region waits for all its threads. If that takes long, other processes occupy the processors,
/// and the pool is better.
class Helpers {
 public:
  void run(offset_t parts, FunctionRef<void(offset_t)> part) {
    if (takes_region_ && !ThreadPool::is_in_child()) return try_region(parts, part);
    ThreadPool& pool = ThreadPool::of_process();
    if (pool.run(parts, part) || ++alone_ < patience_ || ThreadPool::is_in_child()) return;
    alone_ = 0;
    takes_region_ = pool.is_beside_others();
    if (!takes_region_) lose_patience();
  }

 private:
  void try_region(offset_t parts, FunctionRef<void(offset_t)> part) {
    Clock::duration work{};
    const Clock::time_point begin = Clock::now();
    run_region(parts, [&](offset_t k) {
      const Clock::time_point from = Clock::now();
      part(k);
      if (k == 0) work = Clock::now() - from;
    });
    const Clock::duration wait = Clock::now() - begin - work;
    takes_region_ = wait < work + std::chrono::microseconds(50);
    if (!takes_region_)
      lose_patience();
    else if (patience_ > 1)
      --patience_;
  }
  void lose_patience() { patience_ = std::min(4 * patience_, 1024); }

  ThreadPool::Caller caller_;
  bool takes_region_ = false;
  int alone_ = 0;     // calls without help
  int patience_ = 1;  // how many of them before OpenMP's threads are tried
};

}  // namespace

OpenMPExec::OpenMPExec(int threads) : threads_(detail::usable_threads(threads)) {}

void OpenMPExec::run(const char*, offset_t parts, FunctionRef<void(offset_t)> part) const {
  if (parts < 1) return;
  if (parts == 1) return part(0);
  if (omp_in_parallel()) return run_region(parts, part);  // the program nests its regions
  static thread_local Helpers helpers;
  helpers.run(parts, part);
}

}  // namespace hgrid::inline v0_2
