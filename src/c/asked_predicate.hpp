// SPDX-License-Identifier: BSD-3-Clause
// Functions of the caller: a watch, and a predicate, which a search on the host calls in batches.
#pragma once

#include <atomic>

#include "c/structs.hpp"
#include "hgrid/core/contact.hpp"
#include "hgrid/core/error.hpp"
#include "hgrid/options.hpp"
#include "hgrid/threads/host_engine.hpp"

namespace hgrid::c {

/// The functions of the caller that a grid calls, one of which may watch its work and stop it.
class Callbacks {
 public:
  /// Sets the watch; null: none.
  void set_watch(const hgrid_watch* given) { watch_ = given == nullptr ? hgrid_watch{} : taken(given, "watch"); }
  Watch watch() {
    if (watch_.look == nullptr) return {};
    return {&stop_, [](void* self, double share) { static_cast<Callbacks*>(self)->look(share); }, this};
  }

  /// Called before each call that may change the grid. Throws `reentrancy` while a callback runs.
  void begin() {
    if (running_ > 0) refused_ = true, refuse();
    refused_.store(false, std::memory_order_relaxed);
    stop_.store(false, std::memory_order_relaxed);
    if (watch_.look != nullptr) look(0);
  }

  /// Calls f, which calls a function of the caller.
  template <class F>
  auto call(const F& f) {
    struct Running {
      explicit Running(std::atomic<int>& all) : number(all) { ++number; }
      ~Running() { --number; }
      std::atomic<int>& number;
    } const running(running_);
    return f();
  }
  /// Throws `reentrancy` if a callback has called the grid, even if it ignored the error. Called after each callback.
  void require_not_refused() const {
    if (refused_) refuse();
  }

 private:
  void look(double share) {
    if (call([&] { return watch_.look(watch_.context, share); }) != 0) stop_.store(true, std::memory_order_relaxed);
  }
  [[noreturn]] static void refuse() {
    throw Error(ErrorCode::reentrancy,
                "a function that this grid called has called it; ask another grid there, or this one afterwards");
  }

  hgrid_watch watch_{};
  std::atomic<int> running_{0};
  std::atomic<bool> refused_{false}, stop_{false};
};

static_assert(detail::contacts_per_batch <= 64, "hgrid_predicate promises this");
static_assert(sizeof(Contact) == sizeof(hgrid_contact) && sizeof(Image) == sizeof(hgrid_contact::image));

class AskedPredicate {
 public:
  AskedPredicate(const hgrid_predicate* given, Callbacks& callbacks)
      : given_(taken(given, "predicate")), callbacks_(callbacks) {
    if (given_.ask == nullptr) refuse("predicate", "has no function");
  }

  /// Writes which contacts touch. Throws `stopped` if the caller says so, and `reentrancy` if the function has used the grid.
  void operator()(const Contact* contact, index_t n, bool* touch) const {
    std::uint8_t answers[detail::contacts_per_batch] = {};
    const auto* const asked = reinterpret_cast<const hgrid_contact*>(contact);
    const bool stops = callbacks_.call([&] { return given_.ask(given_.context, asked, n, answers); }) != 0;
    callbacks_.require_not_refused();
    if (stops) throw Error(ErrorCode::stopped, "the predicate has stopped the search", {.argument = "predicate"});
    for (index_t k = 0; k < n; ++k) touch[k] = answers[k] != 0;
  }

 private:
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
