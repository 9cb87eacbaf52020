// SPDX-License-Identifier: BSD-3-Clause
// Results that a caller may keep. Kept results stay the caller's; released ones are filled again, so a time loop needs no new
// memory.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hgrid::c {

/// Owner of a result's memory, and of everything else that must live as long.
using Owner = std::shared_ptr<const void>;

/// Results of one kind of a grid; one at a time is filled. Of the released ones, at most `most` wait to be filled again, and
/// meanwhile the system is offered their memory if possible. A loop that keeps its last result needs one.
template <class T, std::size_t most = 2>
class Results {
 public:
  /// Returns a result that no caller keeps, to be filled: a released one, or a new one from `make` (a unique_ptr).
  template <class Make>
  T& next(const Make& make) {
    if (now_ == nullptr || now_.use_count() > 1) {
      now_.reset();
      now_ = waiting_->take(make);
    }
    return *now_;
  }

  /// Returns the result that was filled last.
  const std::shared_ptr<T>& last() const { return now_; }
  /// Leaves the last result to its keepers.
  void leave() { now_.reset(); }

 private:
  // The released results. Any thread may release them, also after the grid is gone.
  class Waiting : public std::enable_shared_from_this<Waiting> {
   public:
    template <class Make>
    std::shared_ptr<T> take(const Make& make) {
      std::unique_ptr<T> result;
      {
        const std::lock_guard lock(mutex_);
        if (!results_.empty()) result = std::move(results_.back()), results_.pop_back();
      }
      if (!result) result = make();
      return {result.release(), [to = this->shared_from_this()](T* done) { to->give_back(std::unique_ptr<T>(done)); }};
    }

   private:
    void give_back(std::unique_ptr<T> result) {
      if constexpr (requires { result->offer(); }) result->offer();
      const std::lock_guard lock(mutex_);
      if (results_.size() < most) results_.push_back(std::move(result));
    }

    std::mutex mutex_;
    std::vector<std::unique_ptr<T>> results_ = [] {
      std::vector<std::unique_ptr<T>> room;
      room.reserve(most);  // because returning a result must not allocate
      return room;
    }();
  };

  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
  std::shared_ptr<T> now_;
};

}  // namespace hgrid::c
