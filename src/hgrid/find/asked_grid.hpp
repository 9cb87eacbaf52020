// SPDX-License-Identifier: BSD-3-Clause
// A grid that others ask. The askers, regions, meshes and other grids, come by hgrid/queries.hpp.
#pragma once

#include <atomic>
#include <memory>
#include <type_traits>

#include "hgrid/find/list_entries.hpp"
#include "hgrid/lists.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_2::detail {

enum class RegionFault : int { none, nonfinite, range, inverted, negative_radius, world, extended, too_large, outside };

/// The first region that cannot be asked.
struct RegionCheck {
  offset_t bad = 0, first = INT64_MAX;
  double value = 0;
  RegionFault fault = RegionFault::none;
  int of_radius = 0;  ///< the value is the region's radius, and no coordinate

  HGRID_HD void join(const RegionCheck& o) {
    bad += o.bad;
    if (o.first < first) first = o.first, value = o.value, fault = o.fault, of_radius = o.of_radius;
  }
};

/// Memory of an asker.
template <class Exec, int D>
struct AskingMemory {
  explicit AskingMemory(const Exec& exec) : check(exec, 2) {}

  typename Exec::template Engine<D>::Asking engine;
  typename Exec::template Buffer<RegionCheck> check;  // of lists, and of functors
  void (*blame)(const RegionCheck&) = nullptr;        // throws for the check of functors; null if nobody has visited

  std::size_t bytes() const {
    if constexpr (Exec::on_host) return engine.bytes() + check.bytes();
    return check.bytes();
  }
};

/// Memory of a grid that is asked: lists on the way to other answers, too.
template <class Exec, int D>
struct AskedMemory {
  explicit AskedMemory(const Exec& exec) : asking(exec), lists(exec), longest(exec, 1) {}

  std::size_t bytes() const { return asking.bytes() + lists.bytes() + longest.bytes(); }

  AskingMemory<Exec, D> asking;
  NeighbourArrays<typename Exec::Memory> lists;
  typename Exec::template Buffer<LongestList> longest;
};

/// Memory that one call at a time takes and gives back; a call beside it makes memory of its own.
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

/// How a type asks, as its `type`: regions, meshes and other grids have one in hgrid/queries.hpp.
template <class Exec, int D, class Asker>
struct AskingOf;

template <class Asker, class Exec, int D>
concept IsAsker = requires {
  typename AskingOf<Exec, D, std::remove_cvref_t<Asker>>::type;
};

/// Finds the answers to an asker (find/question.hpp).
template <class Exec, int D, class Asking>
class Question;

/// The base of a grid that answers to others. Its members are of `Grid`, and public there. On a host several threads, and
/// functors of a search, may ask for regions and meshes at a time, each for an answer of its own.
template <class Grid, class Exec, int D>
class AskedGrid {
 public:
  /// Fills the answer with the particles that touch an asker: `Regions`, a mesh (`OnMesh`), or another grid, with the rules
  /// and errors in find/askers.hpp. List q, and pairs (q, j), are of region, triangle or particle q. A list must be a full
  /// one, else `invalid_argument`; pairs are sorted. With `only(touches)` contacts count if `touches(q, j, image)` is true,
  /// which may be called twice for each. Waits. After an error the list is empty or as it was.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void find(NeighbourList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "find").lists(full(list), only.touches);
  }
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void find(PairList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "find").pairs(list.a_, only.touches);
  }
  /// Fills the user's own memory. Returns and throws what `Grid::find` of columns or a matrix does.
  template <class Integer, IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t find(const PairColumns<Integer>& out, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "find").columns(out, only.touches);
  }
  template <class Integer, IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t find(const NeighbourMatrix<Integer>& out, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "find").matrix(out, only.touches);
  }

  /// Returns the number of such contacts. Waits.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  offset_t count(Asker&& asker, const Only<Touches>& only = {all_touch}) {
    return asked_by(asker, "count").count(only.touches);
  }

  /// Calls f(q, j, image) for each such contact, from many threads at once. Does not wait on a device: if a region is bad, f is
  /// not called there, and `check` throws.
  template <class F, IsAsker<Exec, D> Asker>
  void for_each_partner(const F& f, Asker&& asker) {
    asked_by(asker, "for_each_partner").visit(f);
  }

  /// Fills the list without waiting or, on a CUDA stream, allocating, so that it can be captured in a graph after a `find` has
  /// made room. The list is empty if it has no room, or if a region is bad.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void enqueue(NeighbourList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "enqueue").enqueue(full(list), only.touches);
  }
  /// Waits until the list holds what was enqueued for the same asker and predicate, the last replay of a graph included. Finds
  /// it once more if it had no room, or if a graph that was not captured last was replayed last, or none. Errors: `find`.
  template <IsAsker<Exec, D> Asker, class Touches = AllTouch>
  void wait(NeighbourList<Exec>& list, Asker&& asker, const Only<Touches>& only = {all_touch}) {
    asked_by(asker, "wait").wait(full(list), only.touches);
  }

 protected:
  std::size_t bytes() const { return memory_.kept() == nullptr ? 0 : memory_.kept()->bytes(); }
  /// Waits, and throws once what was wrong with the regions of the last functor that a device was to call.
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
  static auto& full(NeighbourList<Exec>& list) {
    if (list.kind() == ListKind::full) return list.a_;
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
