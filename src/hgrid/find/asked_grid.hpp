// SPDX-License-Identifier: BSD-3-Clause
// The part of a grid that finds contacts with queries from outside it. The queries are regions, meshes and other grids
// (hgrid/queries.hpp).
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>

#include "hgrid/find/list_entries.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

enum class RegionFault : int { none, nonfinite, range, inverted, negative_radius, world, extended, too_large, outside };

/// The number of bad regions, and what is wrong with the first one.
struct RegionCheck {
  offset_t bad = 0, first = INT64_MAX;
  double value = 0;
  RegionFault fault = RegionFault::none;
  int of_radius = 0;  ///< 1: the value is the region's radius; 0: a coordinate

  HGRID_HD void join(const RegionCheck& o) {
    bad += o.bad;
    if (o.first < first) first = o.first, value = o.value, fault = o.fault, of_radius = o.of_radius;
  }
};

/// Memory of one query.
template <class Exec, int D>
struct AskingMemory {
  explicit AskingMemory(const Exec& exec) : check(exec, 2) {}

  typename Exec::template Engine<D>::Asking engine;
  typename Exec::template Buffer<RegionCheck> check;  // one for lists, one for functors
  void (*blame)(const RegionCheck&) = nullptr;        // throws for the functors' check; null before the first functor

  std::size_t bytes() const {
    if constexpr (Exec::on_host) return engine.bytes() + check.bytes();
    return check.bytes();
  }
};

/// Memory of the grid for queries from outside. It also holds lists on the way to pairs and matrices.
template <class Exec, int D>
struct AskedMemory {
  explicit AskedMemory(const Exec& exec) : asking(exec), lists(exec), longest(exec, 1) {}

  std::size_t bytes() const { return asking.bytes() + lists.bytes() + longest.bytes(); }

  AskingMemory<Exec, D> asking;
  NeighbourArrays<typename Exec::Memory> lists;
  typename Exec::template Buffer<LongestList> longest;
};

/// Memory that one call at a time takes and gives back. Other calls at that time allocate their own.
template <class T>
class Spare {
 public:
  Spare() = default;
  Spare(Spare&& o) noexcept : kept_(o.kept_.exchange(nullptr)) {}
  Spare& operator=(Spare&& o) noexcept { return delete kept_.exchange(o.kept_.exchange(nullptr)), *this; }
  ~Spare() { delete kept_.load(); }

  struct GiveBack {
    Spare* to;
    void operator()(T* memory) const { delete to->kept_.exchange(memory); }
  };
  using Taken = std::unique_ptr<T, GiveBack>;
  template <class Exec>
  Taken take(const Exec& exec) {
    T* memory = kept_.exchange(nullptr);
    if (memory == nullptr) memory = new (std::nothrow) T(exec);
    if (memory == nullptr) throw Error(ErrorCode::out_of_memory, "a search found no host memory");
    return Taken(memory, {this});
  }
  T* kept() const { return kept_.load(); }

 private:
  std::atomic<T*> kept_{nullptr};  // owned
};

/// Names as `type` the class that finds contacts for a kind of query. hgrid/queries.hpp defines it for regions, meshes and
/// other grids.
template <class Exec, int D, class Asker>
struct AskingOf;

template <class Asker, class Exec, int D>
concept IsAsker = requires {
  typename AskingOf<Exec, D, std::remove_cvref_t<Asker>>::type;
};

/// Fills results with the contacts of a query (find/question.hpp).
template <class Exec, int D, class Asking>
class Question;

/// Base class of `Grid` that finds contacts with queries from outside. Its members are public in `Grid`. On a host, several
/// threads and functors of a search may query regions and meshes at one time, if each fills its own result.
template <class Grid, class Exec, int D>
class AskedGrid {
 public:
  /// Fills the result with the particles that touch a query: `Regions`, a mesh (`OnMesh`), or another grid. find/askers.hpp has
  /// the rules and errors. List q, and pairs (q, j), belong to region, triangle or particle q. A list must be full, else
  /// `invalid_argument`; pairs are sorted. A packed list has no periods: its images are for positions as given, and it throws
  /// `unsupported` beyond 1,023 periods. `only(touches)` keeps the contacts for which `touches(q, j, image)` is true; it may be
  /// called twice for each. Waits. After an error the list is empty or unchanged.
  template <class Entry, IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void find(NeighbourList<Exec, Entry>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "find").lists(full(list), only.touches);
  }
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void find(PairList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "find").pairs(Access::arrays(list), only.touches);
  }
  /// Fills the user's own memory. Returns and throws like `Grid::find` into columns or a matrix.
  template <class Integer, IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t find(const PairColumns<Integer>& out, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "find").columns(out, only.touches);
  }
  template <class Integer, IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t find(const NeighbourMatrix<Integer>& out, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "find").matrix(out, only.touches);
  }

  /// Returns the number of these contacts, without a list. Waits.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t count(Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "count").count(only.touches);
  }

  /// Calls f(q, j, image) for each of these contacts, from many threads at once. Does not wait on a device: if a region is bad,
  /// f is not called there, and `check` throws.
  template <class F, IsAsker<Exec, D> Asker>
  void for_each_partner(const F& f, Asker&& asker) {
    asked_by(asker, "for_each_partner").visit(f);
  }

  /// Fills the list without waiting and, on a CUDA stream, without allocating. It can be captured in a graph after a `find` has
  /// made room. The list is empty if it has no room, or if a region is bad.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void enqueue(NeighbourList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "enqueue").enqueue(full(list), only.touches);
  }
  /// Waits until the list holds what was enqueued for this query and predicate, including the last replay of a graph. Finds the
  /// list again if it had no room, or if the work that ran last is not of the last `enqueue`: an older graph was replayed, or
  /// the captured graph was not. Errors: `find`.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void wait(NeighbourList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "wait").wait(full(list), only.touches);
  }

 protected:
  std::size_t bytes() const { return memory_.kept() == nullptr ? 0 : memory_.kept()->bytes(); }
  /// Waits. Throws the fault of the last regions whose functor ran on a device, once.
  void check_visit(const Exec& exec) {
    if constexpr (!Exec::on_host) {
      if (memory_.kept() == nullptr || memory_.kept()->asking.blame == nullptr) return;
      AskingMemory<Exec, D>& last = memory_.kept()->asking;
      const RegionCheck found = exec.read_back(static_cast<const RegionCheck*>(last.check.data() + 1)), none;
      if (found.bad > 0) exec.copy_in(last.check.data() + 1, &none, 1);
      last.blame(found);
    }
  }

 private:
  template <class Entry>
  static auto& full(NeighbourList<Exec, Entry>& list) {
    if (list.kind() == ListKind::full) return Access::arrays(list);
    throw Error(ErrorCode::invalid_argument, "an asker from outside fills full lists: make_list(ListKind::full)",
                {.argument = "list"});
  }
  template <class Asker>
  auto asked_by(Asker& asker, const char* called) {
    auto& grid = static_cast<Grid&>(*this);
    using Asking = typename AskingOf<Exec, D, std::remove_cv_t<Asker>>::type;
    return Question<Exec, D, Asking>(grid, asker, memory_.take(grid.exec()), called);
  }

  Spare<AskedMemory<Exec, D>> memory_;
};

}  // namespace hgrid::inline v0_2::detail
