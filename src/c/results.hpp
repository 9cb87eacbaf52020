// SPDX-License-Identifier: BSD-3-Clause
// Results that a caller may keep: what is kept is left to it, and what it lets go is filled again, so that a time loop takes no
// new memory.
#pragma once

#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace hgrid::c {

/// Memory of a result, and whatever else must live as long.
using Owner = std::shared_ptr<const void>;

/// Results of one kind of a grid, of which one at a time is filled. Of those that were let go, `most` wait to be filled again,
/// and the system is offered their memory meanwhile where it can be. A loop that keeps its last result needs one.
template <class T, std::size_t most = 2>
class Results {
 public:
  /// One that nobody keeps, to be filled; where there is none, that which `make` makes (a unique_ptr).
  template <class Make>
  T& next(const Make& make) {
    if (now_ == nullptr || now_.use_count() > 1) {
      now_.reset();
      now_ = waiting_->take(make);
    }
    return *now_;
  }

  /// That which was filled last.
  const std::shared_ptr<T>& last() const { return now_; }
  /// Leaves it to those who keep it.
  void leave() { now_.reset(); }

 private:
  // Those that were let go. They may be so by any thread, and after the grid has gone.
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
      room.reserve(most);  // because giving back must not need memory
      return room;
    }();
  };

  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
  std::shared_ptr<T> now_;
};

}  // namespace hgrid::c
