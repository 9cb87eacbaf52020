// SPDX-License-Identifier: BSD-3-Clause
// Threads of a code's own, lent to hgrid: an executor says how many there are, and runs parts on them.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

#include <hgrid/hgrid.hpp>

/// Threads that wait for work.
class Pool {
 public:
  explicit Pool(int threads) {
    for (int k = 1; k < threads; ++k) threads_.emplace_back([this, k] { serve(k); });
  }
  ~Pool() { start(0, nullptr); }

  int size() const { return static_cast<int>(threads_.size()) + 1; }

  void run(hgrid::offset_t parts, const hgrid::FunctionRef<void(hgrid::offset_t)>& part) {
    start(parts, &part);
    if (parts > 0) part(0);
    for (int left; (left = busy_) > 0;) busy_.wait(left);
  }

 private:
  void start(hgrid::offset_t parts, const hgrid::FunctionRef<void(hgrid::offset_t)>* part) {
    parts_ = parts, part_ = part, busy_ = size() - 1;
    ++round_;
    round_.notify_all();
  }

  void serve(int k) {
    for (int round = 0;;) {
      round_.wait(round++);
      if (part_ == nullptr) return;
      if (k < parts_) (*part_)(k);
      if (--busy_ == 0) busy_.notify_one();
    }
  }

  std::atomic<int> round_{0}, busy_{0};
  hgrid::offset_t parts_ = 0;
  const hgrid::FunctionRef<void(hgrid::offset_t)>* part_ = nullptr;  // null: no more work comes
  std::vector<std::jthread> threads_;
};

class PoolExec final : public hgrid::HostExec {
 public:
  explicit PoolExec(Pool& pool) : pool_(&pool) {}
  const char* name() const override { return "pool"; }
  int concurrency() const override { return pool_->size(); }
  void run(const char*, hgrid::offset_t parts, hgrid::FunctionRef<void(hgrid::offset_t)> part) const override {
    pool_->run(parts, part);
  }

 private:
  Pool* pool_;
};
