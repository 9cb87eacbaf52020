// SPDX-License-Identifier: BSD-3-Clause
#include "host/thread_pool.hpp"

#include <dirent.h>
#include <omp.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <new>
#include <string>

namespace hgrid::inline v0_2::detail {
namespace {

void relax() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb");
#endif
}

/// Returns whether `is_done()` within some 20 microseconds, the time that it takes to block a thread and to wake it.
template <class F>
bool spin_until(const F& is_done) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(20);
  do {
    for (int k = 0; k < 16; ++k, relax()) {
      if (is_done()) return true;
    }
  } while (std::chrono::steady_clock::now() < end);
  return is_done();
}

/// Takes `item` out of the list that it is in. It may be missing after a fork.
template <class T>
void remove(T*& newest, T* item, T* T::*older) {
  T** place = &newest;
  while (*place != nullptr && *place != item) place = &((*place)->*older);
  if (*place != nullptr) *place = item->*older;
}

/// Returns all processors of OpenMP's places. With OMP_PROC_BIND the calling thread may be bound to one processor, which its
/// helpers would compete for. Empty if threads are not bound.
cpu_set_t processors_of_places() {
  cpu_set_t all;
  CPU_ZERO(&all);
  if (omp_get_proc_bind() == omp_proc_bind_false) return all;
  for (int place = 0; place < omp_get_num_places(); ++place) {
    int processor[CPU_SETSIZE];
    const int count = omp_get_place_num_procs(place);
    if (count > CPU_SETSIZE) continue;
    omp_get_place_proc_ids(place, processor);
    for (int k = 0; k < count; ++k) CPU_SET(processor[k], &all);
  }
  return all;
}

}  // namespace

offset_t ThreadPool::Job::work() {
  offset_t ran = 0;
  for (offset_t k; is_open() && (k = next.fetch_add(1, std::memory_order_relaxed)) < parts; ++ran) part(k);
  return ran;
}

namespace {

// Raw memory, because calls may come after static destruction.
alignas(ThreadPool) std::byte memory[sizeof(ThreadPool)];
bool in_child = false;

}  // namespace

ThreadPool& ThreadPool::of_process() {
  struct Life {
    Life() {
      new (memory) ThreadPool;
      pthread_atfork(nullptr, nullptr, [] { new (memory) ThreadPool, in_child = true; });
    }
    ~Life() { pool().end(); }
    static ThreadPool& pool() { return *std::launder(reinterpret_cast<ThreadPool*>(memory)); }
  };
  static const Life life;
  return Life::pool();
}

bool ThreadPool::is_in_child() { return in_child; }

ThreadPool::ThreadPool()
    : most_(std::clamp(static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)) - 1, 0, static_cast<int>(helpers_.size()))) {}

bool ThreadPool::run(offset_t parts, FunctionRef<void(offset_t)> part) {
  Job job{part, parts, sched_getcpu()};
  offer(job);
  part(0);
  const offset_t own = 1 + job.work();
  retract(job);
  return own < parts;
}

bool ThreadPool::is_beside_others() {
  DIR* const threads = opendir("/proc/self/task");
  if (threads == nullptr) return false;
  bool found = false;
  while (const dirent* const entry = readdir(threads)) {
    const int thread = std::atoi(entry->d_name);
    if (thread == 0 || knows(thread)) continue;
    std::ifstream file("/proc/self/task/" + std::string(entry->d_name) + "/stat");
    std::string facts;  // NUMBER (NAME) STATE ...
    std::getline(file, facts);
    const auto name_end = facts.rfind(')');
    found = found || (name_end != std::string::npos && facts.compare(name_end, 3, ") R") == 0);
  }
  closedir(threads);
  return found;
}

// Returns whether a thread is a caller or a helper. A helper that has not begun has no number yet, and may be any thread.
bool ThreadPool::knows(int thread) {
  const std::lock_guard guard(mutex_);
  const Caller* caller = callers_;
  while (caller != nullptr && caller->thread != thread) caller = caller->older;
  return caller != nullptr || std::any_of(helpers_.begin(), helpers_.begin() + started_,
                                          [&](const Helper& h) { return h.number == thread || h.number == 0; });
}

ThreadPool::Caller::Caller() : thread(gettid()) {
  ThreadPool& pool = of_process();
  const std::lock_guard guard(pool.mutex_);
  older = pool.callers_, pool.callers_ = this;
}

ThreadPool::Caller::~Caller() {
  ThreadPool& pool = of_process();
  const std::lock_guard guard(pool.mutex_);
  remove(pool.callers_, this, &Caller::older);
}

// Tries some times before it blocks, because the mutex is held for some ten nanoseconds at a time.
void ThreadPool::lock() {
  for (int k = 0; k < 100; ++k, relax()) {
    if (mutex_.try_lock()) return;
  }
  mutex_.lock();
}

void ThreadPool::offer(Job& job) {
  lock();
  if (has_ended_) return mutex_.unlock();
  job.older = jobs_, jobs_ = &job;
  while (started_ < most_ && started_ < job.parts - 1) start_helper();
  auto wakes = std::min<offset_t>(job.parts - 1, sleeping_);
  mutex_.unlock();
  offers_.fetch_add(1, std::memory_order_release);  // helpers that spin see it when the mutex is free
  for (; wakes > 0; --wakes) offered_.notify_one();
}

// Waits for parts that helpers have claimed.
void ThreadPool::retract(Job& job) {
  lock();
  remove(jobs_, &job, &Job::older);
  mutex_.unlock();
  const auto is_left = [&] { return job.helpers.load(std::memory_order_acquire) == 0; };
  if (is_left() || spin_until(is_left)) return;
  std::unique_lock guard(mutex_);
  left_.wait(guard, is_left);
}

// Starts a helper. Failing to do so is no error. Helpers block signals, which are meant for the program's threads.
void ThreadPool::start_helper() {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  const cpu_set_t processors = processors_of_places();
  if (CPU_COUNT(&processors) > 0) pthread_attr_setaffinity_np(&attributes, sizeof(processors), &processors);
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  Helper& helper = helpers_[static_cast<std::size_t>(started_)];
  if (pthread_create(&helper.thread, &attributes, begin_helper, &helper) == 0)
    ++started_;
  else
    most_ = started_;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&attributes);
}

void* ThreadPool::begin_helper(void* helper) {
  of_process().serve(*static_cast<Helper*>(helper));
  return nullptr;
}

void ThreadPool::serve(Helper& helper) {
  lock();
  helper.number = gettid();
  const Job* yielded = nullptr;
  while (!has_ended_) {
    if (Job* const job = open_job()) {
      if (yielded != job && job->processor == sched_getcpu()) {  // it displaced the caller: no other processor is free
        yielded = job;
        mutex_.unlock();
        sched_yield();
        lock();
        continue;
      }
      yielded = nullptr;
      job->helpers.fetch_add(1, std::memory_order_relaxed);
      helper.is_working = true;
      mutex_.unlock();
      job->work();
      lock();
      helper.is_working = false;
      if (job->helpers.fetch_sub(1, std::memory_order_release) == 1) left_.notify_all();
      continue;
    }
    yielded = nullptr;
    const unsigned seen = offers_.load(std::memory_order_acquire);
    mutex_.unlock();
    const bool is_offered = spin_until([&] { return offers_.load(std::memory_order_acquire) != seen; });
    lock();
    if (is_offered || open_job() != nullptr) continue;
    std::unique_lock guard(mutex_, std::adopt_lock);
    ++sleeping_;
    offered_.wait(guard, [&] { return has_ended_ || open_job() != nullptr; });
    --sleeping_;
    guard.release();
  }
  mutex_.unlock();
}

ThreadPool::Job* ThreadPool::open_job() const {
  Job* job = jobs_;
  while (job != nullptr && !job->is_open()) job = job->older;
  return job;
}

// Joins idle helpers, because the library may be unloaded. A working helper may take long, and may be the calling thread.
void ThreadPool::end() {
  lock();
  has_ended_ = true;
  std::array<bool, std::tuple_size_v<decltype(helpers_)>> is_idle{};
  for (int k = 0; k < started_; ++k) is_idle[static_cast<std::size_t>(k)] = !helpers_[static_cast<std::size_t>(k)].is_working;
  mutex_.unlock();
  offered_.notify_all();
  for (int k = 0; k < started_; ++k) {
    const pthread_t thread = helpers_[static_cast<std::size_t>(k)].thread;
    if (is_idle[static_cast<std::size_t>(k)])
      pthread_join(thread, nullptr);
    else
      pthread_detach(thread);
  }
}

}  // namespace hgrid::inline v0_2::detail
