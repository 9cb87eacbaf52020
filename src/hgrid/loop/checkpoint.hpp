// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints of a time loop, as bytes. After they are restored, the loop goes on as if it had not been interrupted
// (docs/time-loop.md).
#pragma once

#include "hgrid/engine/checkpoint.hpp"
#include "hgrid/loop/pair_array.hpp"
#include "hgrid/loop/verlet_list.hpp"

namespace hgrid::inline v0_2 {

namespace detail {

/// Saves and restores each type.
struct Access::Checkpoints {
  template <class Entry>
  static constexpr Saved saved_list = std::is_same_v<Entry, PackedNeighbour> ? Saved::packed_list : Saved::list;

  template <class Exec, int D>
  static Saver saver_of(const Grid<Exec, D>&) {
    return {Saved::grid, D};
  }
  template <class Exec, int D>
  static void save(Grid<Exec, D>& grid, Saver& a) {
    grid.engine_.save(grid.exec_, a);
  }
  template <class Exec, int D>
  static void restore(Grid<Exec, D>& grid, std::span<const std::byte> bytes) {
    Restorer a(bytes, Saved::grid, D);
    grid.engine() = grid.engine_.restored(grid.exec_, a);
  }

  template <class Exec, int D, class Entry>
  static Saver saver_of(const VerletList<Exec, D, Entry>&) {
    return {saved_list<Entry>, D};
  }
  template <class Exec, int D, class Entry>
  static void save(VerletList<Exec, D, Entry>& list, Saver& a) {
    CapturedLoop::require_learned(list);
    double since_build = list.options_.choose_skin && list.loop_.built ? list.options_.clock() - list.built_at_ : 0;
    bool own = list.generation_ == list.grid_.generation();
    a(since_build, own, list.options_.kind);
    archive(list.options_, list.loop_, list.build_, a);
    list.list_.a_.archive(list.grid_.exec(), list.options_.kind, false, D, a);
    save(list.grid_, a);
  }
  template <class Exec, int D, class Entry>
  static void restore(VerletList<Exec, D, Entry>& list, std::span<const std::byte> bytes) {
    restore(list, bytes, [](const auto&, const auto&) {});
  }
  // Does everything that can fail before it changes members, with the grid last. If more is restored with the list,
  // `prepare(before, now)` does the parts of it that can fail.
  template <class Exec, int D, class Entry, class Prepare>
  static void restore(VerletList<Exec, D, Entry>& list, std::span<const std::byte> bytes, const Prepare& prepare) {
    Restorer a(bytes, saved_list<Entry>, D);
    const Exec& exec = list.grid_.exec();
    double since_build = 0;
    bool own = false;
    VerletOptions options = list.options_;
    a(since_build, own, options.kind);
    a.require("the time since the build", [&] { return std::fabs(since_build) <= 1e50; });
    auto loop = list.loop_;
    RememberedBuild<Exec, D> build(exec);
    NeighbourList<Exec, Entry> now(exec, options.kind), before(exec, options.kind);
    archive(options, loop, build, a);
    now.a_.archive(exec, options.kind, false, D, a);
    auto engine = list.grid_.engine().restored(exec, a);
    a.require("the list and its grid", [&] {
      if (!loop.built) return true;  // the next update builds
      if (now.lists() != build.count()) return false;
      if (!own) return true;  // the list must be built again anyway
      engine.require_last_build();
      return build.is_of(engine.view(), engine.particle_count(), !engine.plan().extents.empty()) &&
             now.has_images() == engine.view().periodic;
    });
    prepare(std::as_const(before), std::as_const(now));
    CapturedLoop::invalidate(list);
    list.grid_.engine_ = std::move(engine);
    list.options_ = options, list.loop_ = loop, list.build_ = std::move(build);
    list.list_ = std::move(now), list.before_ = std::move(before);
    list.generation_ = own ? list.grid_.generation() : 0;  // another caller had built the grid
    list.number_ = next_generation();
    if (options.choose_skin) list.built_at_ = options.clock() - since_build;
  }

  template <class Exec, int D>
  static Saver saver_of(const Grid<Exec, D>&, const NeighbourList<Exec>&) {
    return {Saved::asked_list, D};
  }
  template <class Exec, int D>
  static void save(const Grid<Exec, D>& grid, NeighbourList<Exec>& list, Saver& a) {
    list.a_.archive(grid.exec(), ListKind::full, true, D, a);
  }
  template <class Exec, int D>
  static void restore(const Grid<Exec, D>& grid, NeighbourList<Exec>& list, std::span<const std::byte> bytes) {
    Restorer a(bytes, Saved::asked_list, D);
    NeighbourList<Exec> now(grid.exec(), ListKind::full);
    now.a_.archive(grid.exec(), ListKind::full, true, D, a);
    a.finish();
    list = std::move(now);
  }

  template <class Exec, class T>
  static Saver saver_of(const PairArray<Exec, T>&) {
    return {Saved::pairs, sizeof(T)};
  }
  template <class Exec, class T>
  static void save(const PairArray<Exec, T>& pairs, Saver& a) {
    offset_t n = pairs.size_;
    a(n);
    a.array(pairs.exec_, pairs.values_, n);
  }
  template <class Exec, class T>
  static void restore(PairArray<Exec, T>& pairs, std::span<const std::byte> bytes) {
    Restorer a(bytes, Saved::pairs, sizeof(T));
    offset_t n = 0;
    a(n);
    typename Exec::template Buffer<T> values(pairs.exec_, 0);
    a.array(pairs.exec_, values, n);
    a.finish();
    pairs.values_ = std::move(values), pairs.size_ = n, pairs.of_list_ = 0, pairs.captured_ = 0;
  }

 private:
  template <class Build, class A>
  static void archive(VerletOptions& o, LoopProgress& loop, Build& build, A& a) {
    loop.archive(o, a);
    a(build);
    a.require("how positions are wrapped", [&] { return build.wrapped() == o.wrapped; });
  }
};
using Checkpoints = Access::Checkpoints;

}  // namespace detail

/// Returns the checkpoint of
/// - a `Grid`: its options, its box and its plan, with the data by which builds judge the plan. Particles are not included.
/// - a `VerletList`: its options, its skin, its counters, its pairs in their order, the particles that they were made from, and
///   the checkpoint of its grid. Earlier lists are not included, so pass a new list to `History` before saving.
/// - a grid and a list of a query (`save(grid, list)`), such as contacts with walls: only the list.
/// - a `PairArray`: its values, in the order of the pairs.
///
/// Equal states give equal bytes. Waits. Throws `out_of_memory`, and on a device the errors of the grid's last build.
template <class... T>
std::vector<std::byte> save(T&... what) {
  return detail::with_host_memory([&] {
    detail::Saver saver = detail::Checkpoints::saver_of(what...);
    detail::Checkpoints::save(what..., saver);
    return std::move(saver).bytes();
  });
}

/// Gives an object the state of a checkpoint. This replaces everything that it was made with except the executor and the clock.
/// A checkpoint from a host may be restored on a device, and one from a device on a host, with equal byte order.
///
/// A loop that continues from there makes equal lists, at the same steps, as the saved loop. The grid has no slots until the
/// next build of the list. Until then the grid's `find` and `Reordering` throw `not_built`.
///
/// Throws `format` unless the bytes are such a checkpoint, whole, undamaged, and of this dimension or size of values, and
/// `out_of_memory`; the object is then unchanged. Forged bytes are also rejected, unless they are a state that can be used like
/// any other; SECURITY.md says which remain. Waits.
template <class T>
void restore(T& what, std::span<const std::byte> checkpoint) {
  detail::with_host_memory([&] { detail::Checkpoints::restore(what, checkpoint); });
}
/// Restores a list of a query, which may have been saved with another grid of this dimension.
template <class Exec, int D>
void restore(const Grid<Exec, D>& grid, NeighbourList<Exec>& list, std::span<const std::byte> checkpoint) {
  detail::with_host_memory([&] { detail::Checkpoints::restore(grid, list, checkpoint); });
}

}  // namespace hgrid::inline v0_2
