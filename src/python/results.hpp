// SPDX-License-Identifier: BSD-3-Clause
// Results, which Python owns: arrays hold on to the list that they lie in, and a list that nobody holds any more is filled
// again by a later call of its grid, so that a time loop takes no new memory.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "hgrid/host/buffer.hpp"
#include "hgrid/lists.hpp"

namespace hgrid::python {

using Owner = std::shared_ptr<const void>;

/// Lists of a grid that wait to be used again.
template <class List>
class Pool : public std::enable_shared_from_this<Pool<List>> {
 public:
  /// One that waits, or that `make` makes. It comes back when its last owner lets go.
  template <class Make>
  std::shared_ptr<List> take(const Make& make) {
    std::unique_ptr<List> list;
    {
      const std::lock_guard lock(mutex_);
      if (!waiting_.empty()) list = std::move(waiting_.back()), waiting_.pop_back();
    }
    if (!list) list = std::make_unique<List>(make());
    return {list.release(), [pool = this->shared_from_this()](List* done) { pool->give_back(std::unique_ptr<List>(done)); }};
  }

 private:
  static constexpr std::size_t most = 2;  // a loop that keeps its last result has one in use and one that is filled

  void give_back(std::unique_ptr<List> list) {
    const std::lock_guard lock(mutex_);
    if (waiting_.size() < most) waiting_.push_back(std::move(list));
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<List>> waiting_;
};

/// n numbers that know their owner.
template <class T>
struct Numbers {
  const T* data = nullptr;
  offset_t size = 0;
  Owner owner = {};
};

/// Numbers to be filled in.
template <class T>
struct Room {
  template <class Exec>
  Room(const Exec& exec, offset_t n) : buffer(std::make_shared<detail::HostBuffer<T>>(exec, n)) {}
  T* data() { return buffer->data(); }
  Numbers<T> numbers() const { return {buffer->data(), buffer->size(), buffer}; }

  std::shared_ptr<detail::HostBuffer<T>> buffer;
};

/// Pairs as columns. `images` has three numbers a pair, or none in an open box; the last two only if they were asked for.
struct PairColumnsOf {
  Numbers<std::int32_t> ids, images;
  offset_t size = 0;
  bool has_images = false;
  Numbers<double> distances = {}, vectors = {};
};

/// A neighbour list: offsets [lists + 1], neighbours and, in a periodic box, images.
struct Rows {
  Numbers<std::int64_t> offsets;
  Numbers<std::int32_t> neighbours, images;
  bool has_images;
};

/// Entries of lists, each with its particle: `ids` is [2][size].
struct Entries {
  Numbers<std::int64_t> ids = {};
  offset_t size = 0;
  Numbers<std::int32_t> images = {};
  Numbers<double> distances = {}, vectors = {};
  Numbers<std::int64_t> offsets = {};  ///< [lists + 1], where the entries of each particle begin
};

inline const std::int32_t* numbers_of(const Image* images) {
  static_assert(sizeof(Image) == 3 * sizeof(std::int32_t) && alignof(Image) == alignof(std::int32_t));
  return reinterpret_cast<const std::int32_t*>(images);
}

/// What a list holds, held by its owner.
template <class List>
Rows rows_of(const List& list, const Owner& owner) {
  const offset_t entries = list.size(), images = list.has_images() ? 3 * entries : 0;
  return {{list.offsets(), offset_t{list.lists()} + 1, owner},
          {list.neighbours(), entries, owner},
          {numbers_of(list.images()), images, owner},
          list.has_images()};
}

/// The same in memory of their own.
template <class Exec, class List>
Rows copy_of_rows(const Exec& exec, const List& list) {
  const auto copy = [&](const auto* from, offset_t n) {
    Room<std::remove_cvref_t<decltype(*from)>> room(exec, n);
    exec.copy_in(room.data(), from, n);
    return room.numbers();
  };
  return {copy(list.offsets(), offset_t{list.lists()} + 1), copy(list.neighbours(), list.size()),
          copy(numbers_of(list.images()), list.has_images() ? 3 * list.size() : 0), list.has_images()};
}

}  // namespace hgrid::python
