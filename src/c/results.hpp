// SPDX-License-Identifier: BSD-3-Clause
// Results as hgrid.h has them, and their memory, which a caller may keep. Kept results stay the caller's; released ones are
// filled again, so a time loop needs no new memory.
#pragma once

#include <algorithm>
#include <array>
#include <memory>
#include <mutex>
#include <utility>

#include "c/arrays.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::c {

/// Owner of a result's memory, and of everything else that must live as long.
using Owner = std::shared_ptr<const void>;

/// Results of any kind.
class AnyResults {
 public:
  /// Returns the owner of the result that was filled last.
  virtual Owner keep() = 0;

 protected:
  ~AnyResults() = default;
};

/// Results of one kind of a grid; one at a time is filled. Of the released ones, at most `most` wait to be filled again, and
/// meanwhile the system is offered their memory if possible. A loop that keeps its last result needs one.
template <class T, std::size_t most = 2>
class Results final : public AnyResults {
 public:
  /// Returns a result that no caller keeps, to be filled: a released one, or a new one.
  template <class... Arguments>
  T& next(const Arguments&... of_a_new_one) {
    if (now_ == nullptr || now_.use_count() > 1) {
      now_.reset();
      now_ = waiting_->take(of_a_new_one...);
    }
    return *now_;
  }

  /// Returns the result that was filled last.
  const std::shared_ptr<T>& last() const { return now_; }
  /// Returns the memory of that result.
  std::int64_t bytes() const { return now_ == nullptr ? 0 : static_cast<std::int64_t>(now_->bytes()); }
  /// Leaves the result to its keepers, if only one waits, because its memory is large.
  Owner keep() override {
    const Owner kept = now_;
    if (most == 1) now_.reset();
    return kept;
  }

 private:
  // The released results. Any thread may release them, also after the grid is gone.
  class Waiting : public std::enable_shared_from_this<Waiting> {
   public:
    template <class... Arguments>
    std::shared_ptr<T> take(const Arguments&... of_a_new_one) {
      std::unique_ptr<T> result;
      {
        const std::lock_guard lock(mutex_);
        for (auto& waiting : results_) {
          if (!result) result = std::move(waiting);
        }
      }
      if (!result) result = std::make_unique<T>(of_a_new_one...);
      return {result.release(), [to = this->shared_from_this()](T* done) { to->give_back(std::unique_ptr<T>(done)); }};
    }

   private:
    void give_back(std::unique_ptr<T> result) {
      if constexpr (requires { result->offer(); }) result->offer();
      const std::lock_guard lock(mutex_);
      const auto room = std::ranges::find_if(results_, [](const auto& waiting) { return waiting == nullptr; });
      if (room != results_.end()) *room = std::move(result);
    }

    std::mutex mutex_;
    std::array<std::unique_ptr<T>, most> results_;  // no vector, because returning a result must not allocate
  };

  std::shared_ptr<Waiting> waiting_ = std::make_shared<Waiting>();
  std::shared_ptr<T> now_;
};

/// Returns null only in an open box. Without contacts the list may have no memory.
template <class List>
const std::int32_t* images_of_result(const List& list) {
  static const Image none{};
  return numbers_of(list.has_images() && list.images() == nullptr ? &none : list.images());
}

template <class Exec>
hgrid_neighbour_list list_of(const NeighbourList<Exec>& list) {
  return {0, list.lists(), list.size(), list.offsets(), list.neighbours(), images_of_result(list)};
}

/// Returns a list as the library has it.
inline ListView view_of(const hgrid_neighbour_list& list) {
  if (list.offsets == nullptr) refuse("list", "has no offsets");
  return {list.offsets, list.neighbours, reinterpret_cast<const Image*>(list.images), static_cast<index_t>(list.lists)};
}

}  // namespace hgrid::c
