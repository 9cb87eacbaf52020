// SPDX-License-Identifier: BSD-3-Clause
// A VerletList in a CUDA graph: the device decides at each replay whether the list still holds, and builds it anew where it
// does not. A graph keeps its addresses, so that the list stays in its memory, the one before is a copy of it, and values of
// followers go away and come back.
#pragma once

#include "hgrid/grid.hpp"
#include "hgrid/loop/loop_status.hpp"
#include "hgrid/loop/pair_array.hpp"

namespace hgrid::inline v0_1::detail {

/// Of a list, for its graphs.
template <class Exec>
struct LoopState {
  typename Exec::template Buffer<LoopStatus> status;
  std::uint64_t graph = 0;     // of captures that are valid; 0: memory is not ready for one
  std::uint64_t captured = 0;  // of the last capture
};

/// The steps of a VerletList and of its followers that graphs are about.
struct CapturedLoop {
  template <class Exec>
  static bool is_captured(const Exec& exec) {
    if constexpr (requires { exec.is_captured(); }) {
      return exec.is_captured();
    } else {
      return false;
    }
  }

  /// Captures an update. Throws before anything is in the graph.
  template <class List, class Particles, class... Followers>
  static void enqueue(List& l, const Particles& now, const Particles& widened, Followers&... followers) {
    auto& grid = l.grid_;
    const auto& exec = grid.exec();
    require_fixed(l.options_);
    const offset_t room = l.list_.capacity();
    const bool ready = l.captures_.graph != 0 && l.loop_.built && grid.generation() == l.generation_ &&
                       may_repeat(grid.engine_, now) && ((has_room(followers, room) && followers.of_list_ == l.number_) && ...);
    if (!ready) {
      throw Error(ErrorCode::reentrancy,
                  "a graph is captured, but the list is not one of these particles and followers, or has no memory for it; "
                  "call `wait` with them before");
    }
    const offset_t size = l.list_.size();
    const ListGuard guard = l.guard();
    const auto build = [&] { build_again(l, widened, guard, followers...); };
    try {
      const auto recording = exec.record(build);
      keep_what_is_there(l, size);
      Validity* const measured = grid.engine_.validity_.data();
      exec.reduce("hgrid::measure_validity", now.count, measure(grid.engine_, exec, now, l.build_.particles(), guard),
                  Validity{}, measured);
      exec.enqueue_if("hgrid::judge_step", JudgeStep{measured, l.captures_.status.data(), guard.graph}, recording);
    } catch (...) {
      keep_what_is_there(l, size);
      throw;
    }
    l.captures_.captured = guard.graph;
    ((followers.captured_ = guard.graph), ...);
  }

  /// Learns what replays have done since the host last asked. If the list is not whole, it is again the last one that was, and
  /// must be built.
  template <class List, class... Followers>
  static LoopStatus learn(List& l, Followers&... followers) {
    auto& [status, graph, captured] = l.captures_;
    if (graph == 0 || captured != graph) return {.whole = l.loop_.built};
    const auto& grid = l.grid_;
    const auto& exec = grid.exec();
    const LoopStatus found = exec.read_back(static_cast<const LoopStatus*>(status.data()));
    LoopStatus rest = found;
    rest.steps = rest.builds = 0;
    exec.copy_in(status.data(), &rest, 1);
    l.loop_.counters.steps += found.steps;
    l.loop_.counters.checks += found.steps;
    l.loop_.counters.builds += found.builds;
    if (found.builds > 0) {
      l.list_.a_.size = found.entries;
      l.number_ = next_generation();
      (adopt(followers, found.entries, graph, l.number_), ...);
    }
    if (found.whole == 0) {
      std::swap(l.list_, l.before_);
      l.list_.a_.size = found.entries;
      l.list_.a_.lists = index_t{l.before_.a_.lists};
      forget(l.before_.a_);
      l.loop_.built = false;
      invalidate(l);
    } else if (found.builds > 0) {
      l.build_.refresh(grid.view());
      l.loop_.counters.disorder = l.disorder_.of(grid.order(), l.build_.particles().used);
    }
    return found;
  }

  /// Whether the grid's next build may plan anew.
  template <class List>
  static bool plans_again(const List& l) {
    if constexpr (std::decay_t<decltype(l.grid_.exec())>::on_host) {
      return false;
    } else {
      return l.grid_.engine_.look_again_;
    }
  }

  /// From now on replays do nothing.
  template <class List>
  static void invalidate(List& l) {
    if (std::exchange(l.captures_.graph, 0) == 0) return;
    const LoopStatus none;
    l.grid_.exec().copy_in(l.captures_.status.data(), &none, 1);
  }

  /// Memory for captures of the list as it is, and for half as many entries more, because a graph cannot ask for any.
  template <class List, class... Followers>
  static void make_ready(List& l, Followers&... followers) {
    const auto& exec = l.grid_.exec();
    auto& [status, graph, captured] = l.captures_;
    const offset_t size = l.list_.size(), wanted = size + size / 2 + spare;
    if constexpr (requires { exec.is_captured(); }) {
      if (graph != 0 && l.list_.capacity() >= size + size / 4 && (has_room(followers, l.list_.capacity()) && ...)) return;
      invalidate(l);
      make_room(l, wanted);
      const offset_t room = l.list_.capacity();
      reserve_all(exec, Need{l.history_.from_, room});
      (make_room(exec, followers, room), ...);
    }
    reserve_all(exec, Need{status, 1});
    graph = next_generation();
    const auto& built = l.build_.particles();
    const LoopStatus fresh{.graph = graph, .whole = 1, .entries = size, .reach = built.reach, .used = built.used};
    exec.copy_in(status.data(), &fresh, 1);
  }

 private:
  static constexpr offset_t spare = 64;

  static void require_fixed(const auto& options) {
    if (!options.choose_skin && options.rebuild && options.check_every == 1) return;
    throw Error(ErrorCode::unsupported,
                "in a graph a list has a skin that is given, is checked at each step, and may be built: choose_skin, "
                "check_every and rebuild are for loops of the host",
                {.argument = "options"});
  }

  template <class Follower>
  static bool has_room(const Follower& f, offset_t room) {
    return f.values_.size() >= room && f.next_.size() >= room;
  }

  // ---- the steps of a replay
  // Whether a graph may check and build them as the last build did.
  template <class Engine, class Particles>
  static bool may_repeat(const Engine& engine, const Particles& p) {
    return engine.grid_.is_built() && !engine.look_again_ && engine.grid_.is_comparable(p);
  }

  // A check against the last build, in its boxes.
  template <class Engine, class Exec, class Real, int D>
  static MeasureGuarded<Real, D> measure(Engine& engine, const Exec& exec, const Particles<Real, D>& now,
                                         const BuiltParticles<D>& built, const ListGuard& guard) {
    const auto box = ChangedBox<D>::of(built.box, engine.grid_.box);
    return {{now, built, box, engine.grid_.boxes.changes(exec)}, guard};
  }

  // The work of a replay that needs a new list.
  template <class List, class Particles, class... Followers>
  static void build_again(List& l, const Particles& widened, const ListGuard& guard, Followers&... followers) {
    auto& grid = l.grid_;
    const auto& exec = grid.exec();
    copy_list(exec, l.list_.a_, l.before_.a_);
    const offset_t* const count_before = l.before_.a_.offsets.data() + l.before_.a_.lists;
    const offset_t* const count = l.list_.a_.offsets.data() + l.list_.a_.lists;
    const offset_t room = l.list_.capacity();
    (copy_first(exec, followers.values_.data(), followers.next_.data(), count_before, room), ...);
    grid.build(widened, {.skin = l.loop_.chooser.skin()});
    grid.enqueue_neighbours(l.list_);
    const auto g = grid.view();
    l.build_.enqueue(widened, g);
    exec.for_each("hgrid::finish_step", 1,
                  FinishStep{&grid.engine_.seen_.data()->last.bad, g.level_begin, g.radius_max, g.level_count, g.skin,
                             l.list_.found(), room, l.captures_.status.data()});
    if constexpr (sizeof...(Followers) > 0) {
      l.history_.enqueue(l.before_, l.list_);
      (exec.for_each("hgrid::carry_pairs", room,
                     CarryWhole<typename Followers::Value>{l.history_.from(), followers.next_.data(), followers.values_.data(),
                                                           followers.fresh_, guard, count}),
       ...);
    }
  }

  // As far as the host knows, nothing has run.
  template <class List>
  static void keep_what_is_there(List& l, offset_t size) {
    l.generation_ = l.grid_.generation();
    l.list_.a_.size = size;
    forget(l.before_.a_);
  }

  template <class Follower>
  static void adopt(Follower& f, offset_t size, std::uint64_t graph, std::uint64_t list) {
    if (f.captured_ != graph) return;  // its values are those of a list before, and it is told so
    f.size_ = size, f.of_list_ = list;
  }

  template <class Arrays>
  static void forget(Arrays& a) {
    a.size = 0, a.lists = 0;
  }

  // ---- memory
  template <class List>
  static void make_room(List& l, offset_t entries) {
    const auto& exec = l.grid_.exec();
    const auto g = l.grid_.view();
    const offset_t size = l.list_.size();
    const auto roomy = [&](auto& a) { a.make_room(exec, l.list_.lists(), entries, g.periodic, g.has_wraps()); };
    if (l.list_.capacity() < entries) {
      forget(l.before_.a_);
      roomy(l.before_.a_);
      copy_list(exec, l.list_.a_, l.before_.a_);
      std::swap(l.list_, l.before_);
      l.list_.a_.size = size;
    }
    if (l.before_.capacity() < l.list_.capacity() || l.before_.lists() != l.list_.lists()) {
      forget(l.before_.a_);
      roomy(l.before_.a_);
    }
    const bool both_sides = l.options_.kind == ListKind::full && !g.is_one_sided();
    auto& engine = l.grid_.engine_;
    engine.lists_.reserve_pairs(exec, engine.grid_, l.list_.a_, l.options_.kind, both_sides ? (entries + 1) / 2 : entries);
    reserve_all(exec, Need{engine.validity_, 1});
    engine.grid_.boxes.changes(exec);  // which are looked at once
  }

  template <class Exec, class Follower>
  static void make_room(const Exec& exec, Follower& f, offset_t room) {
    reserve_all(exec, Need{f.next_, room});
    if (f.values_.size() < room) {
      if (f.size_ > 0)
        exec.for_each("hgrid::copy_values", f.size_, CopyAll<typename Follower::Value>{f.values_.data(), f.next_.data()});
      std::swap(f.values_, f.next_);
      reserve_all(exec, Need{f.next_, room});
    }
  }

  // ---- copies
  template <class Exec, class T>
  static void copy_first(const Exec& exec, const T* from, T* to, const offset_t* count, offset_t room) {
    if (room > 0) exec.for_each("hgrid::copy_entries", room, CopyFirst<T>{from, to, count});
  }
  template <class Exec, class T>
  static void copy_all(const Exec& exec, const T* from, T* to, offset_t n) {
    exec.for_each("hgrid::copy_lists", n, CopyAll<T>{from, to});
  }

  /// To memory with as much room; the device knows the number of entries.
  template <class Exec, class Memory, class Entry>
  static void copy_list(const Exec& exec, NeighbourArrays<Memory, Entry>& from, NeighbourArrays<Memory, Entry>& to) {
    const offset_t lists = from.lists, room = std::min(from.room(from.has_images), to.room(from.has_images));
    const offset_t* const count = from.offsets.data() + lists;
    copy_all(exec, from.offsets.data(), to.offsets.data(), lists + 1);
    copy_first(exec, from.entries.data(), to.entries.data(), count, room);
    if constexpr (std::is_same_v<Entry, PackedNeighbour>) {
      if (from.has_periods) copy_all(exec, from.periods.data(), to.periods.data(), lists);
      to.has_periods = from.has_periods;
    } else if (from.has_images) {
      copy_first(exec, from.images.data(), to.images.data(), count, room);
    }
    to.lists = index_t{from.lists}, to.has_images = from.has_images;
  }
};

}  // namespace hgrid::inline v0_1::detail
