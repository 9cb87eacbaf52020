// SPDX-License-Identifier: BSD-3-Clause
// Keeps things that cannot be given back at once. It does not depend on CUDA, so the host's tests cover it.
#pragma once

#include <atomic>
#include <exception>
#include <iterator>
#include <list>
#include <mutex>
#include <utility>

namespace hgrid::inline v0_2::detail {

/// Things whose owners died when they could not be given back. All threads share the object.
template <class T>
class Kept {
 public:
  void keep(T one) noexcept {
    try {
      std::list<T> alone;
      alone.push_back(std::move(one));
      const std::scoped_lock lock(mutex_);
      waiting_.splice(waiting_.end(), alone);
      any_.store(true, std::memory_order_relaxed);
    } catch (const std::exception&) {  // lost: a destructor cannot report it
    }
  }

  /// Calls `give_back` for the things that `may_go`. Does not hold the lock then, because `give_back` may call this object
  /// again.
  template <class MayGo, class GiveBack>
  void give_back_those(const MayGo& may_go, const GiveBack& give_back) {
    if (!any_.load(std::memory_order_relaxed)) return;
    std::list<T> gone;
    {
      const std::scoped_lock lock(mutex_);
      for (auto one = waiting_.begin(); one != waiting_.end();) {
        const auto next = std::next(one);
        if (may_go(*one)) gone.splice(gone.end(), waiting_, one);
        one = next;
      }
      any_.store(!waiting_.empty(), std::memory_order_relaxed);
    }
    for (T& one : gone) give_back(one);
  }

 private:
  std::mutex mutex_;
  std::list<T> waiting_;
  std::atomic<bool> any_{false};  // so that nearly all calls take no lock
};

}  // namespace hgrid::inline v0_2::detail
