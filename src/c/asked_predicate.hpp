// SPDX-License-Identifier: BSD-3-Clause
// The caller's predicate, which a search on the host calls in batches.
#pragma once

#include <atomic>

#include "c/structs.hpp"
#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/options.hpp"
#include "hgrid/threads/host_engine.hpp"

namespace hgrid::c {

class Callbacks {
 public:
  /// Counts one running call for its lifetime.
  class Running {
   public:
    explicit Running(Callbacks& all) : all_(all) { ++all_.running_; }
    Running(const Running&) = delete;
    ~Running() { --all_.running_; }

   private:
    Callbacks& all_;
  };

  /// Throws `reentrancy` while a callback runs. Called before each call that may change the grid.
  void require_none() {
    if (running_ > 0) refused_ = true, refuse();
    refused_ = false;
  }
  /// Throws `reentrancy` if a callback has made such a call, even if it ignored the error. Called after each callback.
  void require_not_refused() const {
    if (refused_) refuse();
  }

 private:
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::reentrancy,
                "a function that this grid called has called it; ask another grid there, or this one afterwards");
  }

  std::atomic<int> running_{0};
  std::atomic<bool> refused_{false};
};

static_assert(sizeof(Contact) == sizeof(hgrid_contact) && sizeof(Image) == sizeof(hgrid_contact::image));

class AskedPredicate {
 public:
  AskedPredicate(const hgrid_predicate* given, Callbacks& callbacks)
      : given_(taken(given, "predicate")), callbacks_(callbacks) {
    if (given_.ask == nullptr) refuse("predicate", "has no function");
  }

  /// Writes which contacts touch. Throws `stopped` if the caller says so, and `reentrancy` if the function has used the grid.
  void operator()(const Contact* contact, index_t n, bool* touch) const {
    std::uint8_t answers[most] = {};
    for (index_t from = 0; from < n; from += most) {
      const index_t count = std::min(n - from, most);
      const bool stops = asked(contact + from, count, answers);
      callbacks_.require_not_refused();
      if (stops) {
        throw Error(ErrorCode::stopped, "the predicate has stopped the search", {.argument = "predicate"});
      }
      for (index_t k = 0; k < count; ++k) touch[from + k] = answers[k] != 0;
    }
  }

 private:
  static constexpr index_t most = 64;

  bool asked(const Contact* contact, index_t n, std::uint8_t* answers) const {
    const Callbacks::Running running(callbacks_);
    return given_.ask(given_.context, reinterpret_cast<const hgrid_contact*>(contact), n, answers) != 0;
  }

  hgrid_predicate given_;
  Callbacks& callbacks_;
};

/// Asks about one contact at a time, for askers that know no batches.
struct OneByOne {
  const detail::AskedInBatches<AskedPredicate>* batches;
  bool operator()(index_t i, index_t j, const Image& image) const {
    const Contact contact{i, j, image};
    bool touches;
    return (*batches)(&contact, 1, &touches), touches;
  }
};

}  // namespace hgrid::c
