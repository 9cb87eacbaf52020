// SPDX-License-Identifier: BSD-3-Clause
// A code's own threads, lent to hgrid: an executor has their number, and runs parts on them.
#pragma once

#include <barrier>
#include <thread>
#include <vector>

#include <hgrid/hgrid.hpp>

/// Threads that wait for work; the caller's is one of them.
class Pool {
 public:
  explicit Pool(int threads) : gate_(threads) {
    for (int k = 1; k < threads; ++k) threads_.emplace_back([this, k] { serve(k); });
  }
  ~Pool() { meet(0, nullptr); }

  int size() const { return static_cast<int>(threads_.size()) + 1; }
  void run(hgrid::offset_t parts, const hgrid::FunctionRef<void(hgrid::offset_t)>& part) {
    meet(parts, &part);
    if (parts > 0) part(0);
    gate_.arrive_and_wait();
  }

 private:
  void meet(hgrid::offset_t parts, const hgrid::FunctionRef<void(hgrid::offset_t)>* part) {
    parts_ = parts, part_ = part;
    gate_.arrive_and_wait();
  }
  void serve(int k) {
    while (gate_.arrive_and_wait(), part_ != nullptr) {
      if (k < parts_) (*part_)(k);
      gate_.arrive_and_wait();
    }
  }

  std::barrier<> gate_;
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
