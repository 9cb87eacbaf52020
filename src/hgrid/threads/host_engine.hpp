// SPDX-License-Identifier: BSD-3-Clause
// The host engine: builds and searches on the threads of a HostExec. It is compiled once, in the library; a client's functors
// are called with batches of contacts.
#pragma once

#include <algorithm>
#include <atomic>
#include <optional>
#include <type_traits>
#include <utility>

#include "hgrid/core/contact.hpp"
#include "hgrid/core/function_ref.hpp"
#include "hgrid/core/measured_entries.hpp"
#include "hgrid/core/two_grids.hpp"
#include "hgrid/inputs/validity.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/options.hpp"
#include "hgrid/plan.hpp"
#include "hgrid/threads/host_exec.hpp"

namespace hgrid::inline v0_2::detail {

/// Calls touches(i, j, image), or touches(contacts, n, touch) if it takes batches. After an exception no thread calls it again:
/// the search runs to its end as if no more contacts touched, and its caller gets the exception.
template <class Touches>
class AskedInBatches {
 public:
  explicit AskedInBatches(const Touches& touches) : touches_(touches) {}

  void operator()(const Contact* contact, index_t n, bool* touch) const {
    std::fill_n(touch, n, false);  // a predicate of batches may write only the entries that touch
    if (failed_.load(std::memory_order_relaxed)) return;
    try {
      ask(contact, n, touch);
    } catch (...) {
      failed_.store(true, std::memory_order_relaxed);
      throw;
    }
  }

 private:
  // Test for pairs before batches: a generic lambda of three arguments could be called with either.
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

class Saver;  // engine/checkpoint.hpp, also the next
class Restorer;

inline constexpr index_t contacts_per_batch = 64;  // a small part of the first-level cache
using ContactBatch = FunctionRef<void(const Contact*, index_t)>;
/// Marks which contacts of a batch touch.
using TouchBatch = FunctionRef<void(const Contact*, index_t, bool*)>;

/// Memory of an asker, which a grid keeps from call to call.
template <int D>
class HostAsking {
 public:
  HostAsking() = default;
  HostAsking(HostAsking&& o) noexcept : impl_(std::exchange(o.impl_, nullptr)) {}
  HostAsking& operator=(HostAsking&& o) noexcept {
    std::swap(impl_, o.impl_);
    return *this;
  }
  ~HostAsking();
  std::size_t bytes() const;

  struct Impl;
  Impl& impl();  // for HostEngine

 private:
  Impl* impl_ = nullptr;  // owned, like the one of HostEngine
};

/// The functions that Grid calls. Each names the executor that does the work. `Real` is float or double. Functions that read
/// the built grid are called after `require_built`.
template <int D>
class HostEngine {
 public:
  using Asking = HostAsking<D>;

  HostEngine(const HostExec& exec, const Box<D>& box, GridOptions options);
  HostEngine(HostEngine&&) noexcept;
  HostEngine& operator=(HostEngine&&) noexcept;
  ~HostEngine();

  template <class Real>
  void build(const HostExec& exec, const Particles<Real, D>& particles, const BuildOptions& options);
  void check(const HostExec&) {}  // a build has already thrown the errors of its input
  void watch(const Watch& watch);

  void set_box(const Box<D>& box);
  const Box<D>& next_box() const;
  void set_boxes(std::vector<Box<D>> boxes);
  const std::vector<Box<D>>& next_boxes() const;
  void plan_again();
  const Plan<D>& plan() const;
  Rule rule() const { return options_.rule; }
  std::uint64_t generation() const;
  std::uint64_t plan_generation() const;
  offset_t particle_count() const;
  std::int64_t skipped() const;
  const std::vector<Box<D>>& built_boxes() const;
  std::size_t bytes() const;
  void require_built() const;
  void require_last_build() const;
  void save(const HostExec& exec, Saver& saver);
  /// Returns an engine with this watch and the state of a checkpoint, and reads the checkpoint to its end.
  HostEngine restored(const HostExec& exec, Restorer& restorer) const;
  GridView<D> view() const;

  /// Compares with the grid's own particles, or with `built`, which holds them in the order of ids.
  template <class Real>
  Validity validity(const HostExec& exec, const Particles<Real, D>& now, const BuiltParticles<D>* built) const;

  /// GridState::box_changes.
  std::optional<const ChangedBox<D>*> box_changes(const HostExec& exec) const;

  offset_t count(const HostExec& exec) const;
  void pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order);
  void enqueue_pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order);
  template <class Entry>
  void neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind);
  template <class Entry>
  void enqueue_neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind);
  /// Returns the lists, in memory of the engine.
  const NeighbourArrays<HostExec>& sorted_lists(const HostExec& exec, ListKind kind);
  const NeighbourArrays<HostExec>& enqueue_sorted_lists(const HostExec& exec, ListKind kind);
  /// Returns the number of entries of the longest of these lists.
  offset_t longest_list(const HostExec& exec);
  void enqueue_longest_list(const HostExec& exec, offset_t* longest);
  /// Writes measured entries of the lists, or of a list that exists already. Returns their number.
  template <class Real>
  offset_t write_entries(const HostExec& exec, ListKind kind, const WantedEntries<Real, D>& wanted, const EntryOutput& out);
  template <class Real>
  static offset_t write_entries(const HostExec& exec, const ListView& list, const WantedEntries<Real, D>& wanted,
                                const EntryOutput& out);
  /// Fills a list for each particle of another, querying grid: all partners, or the ones that `touches` confirms.
  void lists_of(const HostExec& exec, HostAsking<D>& asking, const TwoGrids<D>& grids, offset_t lists,
                NeighbourArrays<HostExec>& out) {
    fill_lists(exec, asking, grids, lists, nullptr, out);
  }
  template <class Touches>
  void lists_of(const HostExec& exec, HostAsking<D>& asking, const TwoGrids<D>& grids, offset_t lists, const Touches& touches,
                NeighbourArrays<HostExec>& out) {
    const AskedInBatches asked(touches);
    const TouchBatch batch(asked);
    fill_lists(exec, asking, grids, lists, &batch, out);
  }
  /// Fills such lists for spheres and points. Returns false without doing anything if some regions are boxes, or if single
  /// queries would be faster.
  bool lists_of(const HostExec& exec, HostAsking<D>& asking, const Region<D>* regions, offset_t count, const Taken& taken,
                NeighbourArrays<HostExec>& out) {
    return ask_spheres(exec, asking, regions, count, taken, &out, nullptr);
  }
  /// Counts the contacts of such regions. Returns nothing where `lists_of` returns false.
  std::optional<offset_t> count(const HostExec& exec, HostAsking<D>& asking, const Region<D>* regions, offset_t count,
                                const Taken& taken) {
    std::atomic<offset_t> total{0};
    const auto add = [&](const Contact*, index_t n) { total.fetch_add(n, std::memory_order_relaxed); };
    const ContactBatch batch(add);
    if (!ask_spheres(exec, asking, regions, count, taken, nullptr, &batch)) return {};
    return total.load();
  }
  WorkCount work(const HostExec& exec) const;

  /// Counts the contacts for which touches(i, j, image) is true. It is called once for each contact.
  template <class Touches>
  offset_t count(const HostExec& exec, const Touches& touches) const {
    return count_touching(exec, AskedInBatches(touches));
  }
  /// Counts these contacts of the particles of another, querying grid.
  template <class Touches>
  offset_t count(const HostExec& exec, const TwoGrids<D>& grids, const Touches& touches) const {
    const AskedInBatches asked(touches);
    std::atomic<offset_t> total{0};
    visit_batches(exec, grids, [&](const Contact* contact, index_t n) {
      bool touch[contacts_per_batch];
      asked(contact, n, touch);
      total.fetch_add(std::count(touch, touch + n, true), std::memory_order_relaxed);
    });
    return total;
  }
  template <class Touches>
  void pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order, const Touches& touches) {
    touching_pairs(exec, list, order, AskedInBatches(touches));
  }
  template <class Entry, class Touches>
  void neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind, const Touches& touches) {
    touching_neighbours(exec, list, kind, AskedInBatches(touches));
  }

  template <class Touches>
  const NeighbourArrays<HostExec>& sorted_lists(const HostExec& exec, ListKind kind, const Touches& touches) {
    return touching_lists(exec, kind, AskedInBatches(touches));
  }
  template <class Touches>
  void enqueue_pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order, const Touches& touches) {
    pairs(exec, list, order, touches);
    list.order = order;
    note_enqueued(exec, list);
  }
  template <class Entry, class Touches>
  void enqueue_neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind, const Touches& touches) {
    neighbours(exec, list, kind, touches);
    note_enqueued(exec, list);
  }
  /// Waits, with the predicate if one was enqueued.
  template <class... Touches>
  void wait(const HostExec& exec, PairArrays<HostExec>& list, const Touches&... touches) {
    if (!is_whole(exec, list)) pairs(exec, list, list.order, touches...);
  }
  template <class Entry, class... Touches>
  void wait(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind, const Touches&... touches) {
    if (!is_whole(exec, list)) neighbours(exec, list, kind, touches...);
  }

  /// Calls f(i, j, image) once for each contact, or with Visit::all for all partners j of every i.
  template <Visit which, class F>
  void visit(const HostExec& exec, const F& f) const {
    visit_batches(exec, which, one_by_one(f));
  }
  /// Calls f(i, j, image) for all partners j in this grid of every particle i of another grid.
  template <class F>
  void visit(const HostExec& exec, const TwoGrids<D>& grids, const F& f) const {
    visit_batches(exec, grids, one_by_one(f));
  }

 private:
  struct Impl;

  template <class F>
  static auto one_by_one(const F& f) {
    return [&f](const Contact* contact, index_t n) {
      for (index_t k = 0; k < n; ++k) f(contact[k].i, contact[k].j, contact[k].image);
    };
  }

  // Marks a list that is complete as if it had been enqueued.
  template <class List>
  void note_enqueued(const HostExec& exec, List& list) const {
    reserve_all(exec, Need{list.found, 1});
    *list.found.data() = list.size;
    list.enqueued = generation();
  }

  Impl& impl() const;
  template <class List>
  bool is_whole(const HostExec& exec, List& list) const;
  const NeighbourArrays<HostExec>& touching_lists(const HostExec& exec, ListKind kind, TouchBatch touches);
  void fill_lists(const HostExec& exec, HostAsking<D>& asking, const TwoGrids<D>& grids, offset_t lists,
                  const TouchBatch* touches, NeighbourArrays<HostExec>& out);
  // Fills lists, or passes on batches.
  bool ask_spheres(const HostExec& exec, HostAsking<D>& asking, const Region<D>* regions, offset_t count, const Taken& taken,
                   NeighbourArrays<HostExec>* out, const ContactBatch* batch);
  void visit_batches(const HostExec& exec, const TwoGrids<D>& grids, ContactBatch batch) const;
  void visit_batches(const HostExec& exec, Visit visit, ContactBatch batch) const;
  offset_t count_touching(const HostExec& exec, TouchBatch touches) const;
  void touching_pairs(const HostExec& exec, PairArrays<HostExec>& list, Order order, TouchBatch touches);
  template <class Entry>
  void touching_neighbours(const HostExec& exec, NeighbourArrays<HostExec, Entry>& list, ListKind kind, TouchBatch touches);

  // Kept for a moved-from engine, which is made again when it is next used.
  Box<D> box_;
  GridOptions options_;
  mutable Impl* impl_;  // owned; the header of smart pointers costs each client 0.2 s
};

extern template class HostAsking<2>;
extern template class HostAsking<3>;
extern template class HostEngine<2>;
extern template class HostEngine<3>;

}  // namespace hgrid::inline v0_2::detail
