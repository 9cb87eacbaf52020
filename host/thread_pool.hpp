// SPDX-License-Identifier: BSD-3-Clause
// Threads that help the callers of hgrid. They cost nothing if they cannot help: nobody waits for a thread that does not run.
#pragma once

#include <pthread.h>

#include <array>
#include <atomic>
#include <condition_variable>
#include <mutex>

#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/types.hpp"

namespace hgrid::inline v0_2::detail {

/// A pool whose helpers spin for some 20 microseconds after their last part, and then block. Any number of threads may call
/// `run` concurrently, and parts may call it, too.
class ThreadPool {
 public:
  /// Returns the pool of this process, which starts again in the child of a fork. It has no threads until it needs them, and
  /// none again from static destruction on: callers then do all the work.
  static ThreadPool& of_process();
  /// Returns whether this process is the child of a process that had a pool.
  static bool is_in_child();

  /// Runs part(k) once for each k in [0, parts), and returns when all have run. The calling thread runs part 0, then each part
  /// that is not claimed yet. Parts must not throw. Returns whether a helper has run one.
  bool run(offset_t parts, FunctionRef<void(offset_t)> part);

  /// Registers a thread that calls `run`, for its lifetime.
  struct Caller {
    Caller();
    Caller(const Caller&) = delete;
    ~Caller();

    int thread;
    Caller* older = nullptr;
  };

  /// Returns whether this process has a running or ready thread that is neither a caller nor a helper.
  bool is_beside_others();

 private:
  /// The parts of one call of `run`, on its stack.
  struct Job {
    FunctionRef<void(offset_t)> part;
    offset_t parts;
    int processor;  // processor of the caller when it made the offer
    std::atomic<offset_t> next{1};
    std::atomic<int> helpers{0};  // number of helpers at work; changes while the mutex is held
    Job* older = nullptr;

    bool is_open() const { return next.load(std::memory_order_relaxed) < parts; }
    offset_t work();
  };
  struct Helper {
    pthread_t thread;
    int number = 0;  // 0 until it has begun
    bool is_working = false;
  };

  ThreadPool();
  bool knows(int thread);
  void lock();
  void offer(Job& job);
  void retract(Job& job);
  void start_helper();
  static void* begin_helper(void* helper);
  void serve(Helper& helper);
  Job* open_job() const;
  void end();

  std::mutex mutex_;
  std::condition_variable offered_, left_;
  std::atomic<unsigned> offers_{0};  // so far
  Job* jobs_ = nullptr;
  Caller* callers_ = nullptr;
  std::array<Helper, 255> helpers_;
  int started_ = 0, most_, sleeping_ = 0;
  bool has_ended_ = false;
};

}  // namespace hgrid::inline v0_2::detail
