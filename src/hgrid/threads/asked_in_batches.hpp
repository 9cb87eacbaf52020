// SPDX-License-Identifier: BSD-3-Clause
// A client's predicate as the host's search asks it: in batches.
#pragma once

#include <algorithm>
#include <atomic>
#include <type_traits>

#include "hgrid/core/contact.hpp"

namespace hgrid::inline v0_2::detail {

/// Calls touches(i, j, image), or where it takes batches touches(contacts, n, touch). After it has thrown no thread asks it
/// again: the search goes on to its end with contacts that do not touch, and its caller gets the exception.
template <class Touches>
class AskedInBatches {
 public:
  explicit AskedInBatches(const Touches& touches) : touches_(touches) {}

  void operator()(const Contact* contact, index_t n, bool* touch) const {
    std::fill_n(touch, n, false);  // a predicate of batches may write only what touches
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      ask(contact, n, touch);
    } catch (...) {
      failed_.store(true, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  // Pairs before batches: a generic lambda of three arguments could be called with either.
  void ask(const Contact* contact, index_t n, bool* touch) const {
    if constexpr (std::is_invocable_v<const Touches&, index_t, index_t, const Image&>) {
      using Answer = std::invoke_result_t<const Touches&, index_t, index_t, const Image&>;
      static_assert(std::is_convertible_v<Answer, bool>,
                    "a predicate says whether i and j touch: touches(i, j, image) is a bool");
      for (index_t k = 0; k < n; ++k) touch[k] = touches_(contact[k].i, contact[k].j, contact[k].image);
    } else {
      static_assert(std::is_invocable_v<const Touches&, const Contact*, index_t, bool*>,
                    "a predicate is called as touches(i, j, image) or touches(contacts, n, touch), by any thread");
      touches_(contact, n, touch);
    }
  }

  const Touches& touches_;
  mutable std::atomic<bool> failed_{false};
};

}  // namespace hgrid::inline v0_2::detail
