// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <exception>

namespace hgrid::inline v0_2::detail {

/// Carries an exception out of a parallel region, which it must not leave by itself: the first one is kept, items
/// that have not started are skipped.
class FirstException {
 public:
  template <class F>
  void guard(const F& f) {
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      f();
    } catch (...) {
      if (!failed_.exchange(true)) exception_ = std::current_exception();
    }
  }

  /// Call after the region has ended.
  void rethrow() const {
    if (exception_) std::rethrow_exception(exception_);
  }

 private:
  std::atomic<bool> failed_{false};
  std::exception_ptr exception_;
};

}  // namespace hgrid::inline v0_2::detail
