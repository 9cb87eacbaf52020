// SPDX-License-Identifier: BSD-3-Clause
// A VerletList in a CUDA graph: the device decides at each replay whether the list still holds, and builds it again if not. A
// graph's addresses are fixed, so the list stays in its memory, the previous list is a copy, and followers' values are copied
// out and back.
#pragma once

#include "hgrid/grid.hpp"
#include "hgrid/loop/copied_lists.hpp"
#include "hgrid/loop/pair_array.hpp"
#include "hgrid/loop/wrapped_loop.hpp"
#include "hgrid/memory/access.hpp"

namespace hgrid::inline v0_2::detail {

/// State of a list for its graphs.
template <class Exec>
struct LoopState {
  typename Exec::template Buffer<LoopStatus> status;
  typename Exec::template Buffer<Validity> measured;
  std::uint64_t graph = 0;     // number of the captures that are valid; 0: memory is not ready for one
  std::uint64_t captured = 0;  // number of the last capture
  std::size_t followers = 0;   // number of its followers
};

/// The steps of a VerletList and of its followers in graphs.
struct Access::CapturedLoop {
  /// Captures an update. If it throws, nothing is in the graph.
  template <class List, class Particles, class... Followers>
  static void enqueue(List& l, const Particles& now, const Particles& widened, Followers&... followers) {
    auto& grid = l.grid_;
    const auto& exec = grid.exec();
    require_fixed(l.options_);
    check_arguments(now, 0);
    grid.engine_.arrays_.require(exec, now);
    [[maybe_unused]] const offset_t room = l.list_.capacity();
    const bool ready = l.captures_.graph != 0 && l.loop_.built && grid.generation() == l.generation_ &&
                       may_repeat(grid.engine_, now, widened) &&
                       ((has_room(followers, room) && followers.of_list_ == l.number_) && ...);
    if (!ready) {
      throw Error(ErrorCode::reentrancy,
                  "a graph is captured, but the list is not one of these particles and followers, or has no memory for it; "
                  "call `wait` with them before");
    }
    auto& captures = l.captures_;
    const bool same_followers = sizeof...(followers) == captures.followers && ((followers.captured_ == captures.graph) && ...);
    if (captures.captured == captures.graph && !same_followers) {
      throw Error(ErrorCode::reentrancy, "a graph of this list has other followers, whose values it would not bring along",
                  {.argument = "followers"});
    }
    const offset_t size = l.list_.size();
    const ListGuard guard = l.guard();
    const auto build = [&] { build_again(l, widened, guard, followers...); };
    try {
      const auto recording = exec.record(build);
      keep_what_is_there(l, size);
      WrappedLoop::enqueue_count(l, now, guard);
      Validity* const measured = captures.measured.data();
      exec.reduce("hgrid::measure_validity", now.count,
                  measure(grid.engine_, exec, now, WrappedLoop::judged(l.build_, l.grid_), guard), Validity{}, measured);
      exec.enqueue_if("hgrid::judge_step", JudgeStep{measured, captures.status.data(), guard.graph}, recording);
    } catch (...) {
      keep_what_is_there(l, size);
      throw;
    }
    captures.captured = guard.graph, captures.followers = sizeof...(followers);
    ((followers.captured_ = guard.graph), ...);
  }

  /// Reads what replays have done since the last call. If the list is not whole, the list becomes the last whole one again, and
  /// must be built.
  template <class List, class... Followers>
  static LoopStatus learn(List& l, Followers&... followers) {
    if (!may_have_run(l)) return {.whole = l.loop_.built};
    auto& status = l.captures_.status;
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
      (adopt(followers, found.entries, l.captures_.graph, l.number_), ...);
    }
    if (found.whole == 0) {
      std::swap(l.list_, l.before_);
      l.list_.a_.size = found.entries;
      l.list_.a_.lists = index_t{l.before_.a_.lists};
      forget(l.before_.a_);
      l.build_.forget();  // its particles had no list
      l.loop_.built = false;
      invalidate(l);
    } else if (found.builds > 0) {
      l.build_.refresh(grid.view());
      l.loop_.counters.disorder = l.disorder_.of(grid.order(), l.build_.particles().used);
    }
    if (has_other_boxes(l)) invalidate(l);  // a check in other boxes would also apply to the graph
    return found;
  }

  /// Throws `stale` if replays may have gone on from the state that the host knows.
  template <class List>
  static void require_learned(const List& l) {
    if (!may_have_run(l)) return;
    const LoopStatus found = l.grid_.exec().read_back(static_cast<const LoopStatus*>(l.captures_.status.data()));
    if (found.steps == 0 && found.whole != 0) return;
    throw Error(ErrorCode::stale, "a graph has made steps that the list has not learned of; call `wait` before",
                {.argument = "list"});
  }

  /// Returns whether a graph cannot go on from here, because the host must build first.
  template <class List, class Particles>
  static bool must_build(const List& l, const Particles& now, const Particles& widened) {
    if (!l.loop_.built || l.grid_.generation() != l.generation_ || has_other_boxes(l)) return true;
    if constexpr (std::decay_t<decltype(l.grid_.exec())>::on_host) {
      return false;
    } else {
      return !may_repeat(l.grid_.engine_, now, widened);
    }
  }

  /// Makes all later replays do nothing.
  template <class List>
  static void invalidate(List& l) {
    if (std::exchange(l.captures_.graph, 0) == 0) return;
    const LoopStatus none;
    l.grid_.exec().copy_in(l.captures_.status.data(), &none, 1);
  }

  /// Reserves memory for captures of the list as it is, and for half as many entries more, because a graph cannot allocate.
  template <class List, class... Followers>
  static void make_ready(List& l, Followers&... followers) {
    const auto& exec = l.grid_.exec();
    auto& captures = l.captures_;
    const offset_t size = l.list_.size();
    // In a gather, room is computed for two entries per pair, although one may be missing.
    const offset_t admitted = is_gather(l) ? 2 * size : size, wanted = admitted + admitted / 2 + spare;
    if constexpr (requires { exec.is_captured(); }) {
      if (captures.graph != 0 && l.list_.capacity() >= admitted + admitted / 4 &&
          (has_room(followers, l.list_.capacity()) && ...))
        return;
      invalidate(l);
      make_room(l, wanted);
      const offset_t room = l.list_.capacity();
      reserve_all(exec, Need{l.history_.from_, room}, Need{l.history_.mirrored_, l.options_.wrapped ? room : 0});
      if (l.options_.wrapped) l.build_.reserve_periods(l.build_.count());
      (make_room(exec, followers, room), ...);
    }
    reserve_all(exec, Need{captures.status, 1}, Need{captures.measured, 1});
    captures.graph = next_generation();
    const auto& built = l.build_.particles();
    const LoopStatus fresh{.graph = captures.graph, .whole = 1, .entries = size, .reach = built.reach, .used = built.used};
    exec.copy_in(captures.status.data(), &fresh, 1);
  }

 private:
  static constexpr offset_t spare = 64;

  template <class List>
  static bool may_have_run(const List& l) {
    return l.captures_.graph != 0 && l.captures_.captured == l.captures_.graph;
  }
  template <class List>
  static bool is_gather(const List& l) {
    return l.grid_.view().is_one_sided();
  }
  // Returns whether the next build has another box than the last one.
  template <class List>
  static bool has_other_boxes(const List& l) {
    if constexpr (std::decay_t<decltype(l.grid_.exec())>::on_host) {
      return false;
    } else {
      const auto& state = l.grid_.engine_.grid_;
      return !(state.box == l.grid_.box()) || state.boxes.pending();
    }
  }

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
  // Returns whether a graph may check the particles `now`, and build `widened`, like the last build.
  template <class Engine, class Particles>
  static bool may_repeat(const Engine& engine, const Particles& now, const Particles& widened) {
    const auto& grid = engine.grid_;
    return grid.is_built() && !engine.look_again_ && grid.is_comparable(now) && grid.is_like_last(widened, grid.skin) &&
           engine.sort_.has_room(widened, grid.keeper.plan());
  }

  // Returns a check against the last build, in its boxes.
  template <class Engine, class Exec, class Real, int D>
  static MeasureGuarded<Real, D> measure(Engine& engine, const Exec& exec, const Particles<Real, D>& now,
                                         const BuiltParticles<D>& built, const ListGuard& guard) {
    const auto box = ChangedBox<D>::of(built.box, engine.grid_.box);
    return {{now, built, box, engine.grid_.boxes.changes(exec)}, guard};
  }

  // Enqueues the work of a replay that needs a new list.
  template <class List, class Particles, class... Followers>
  static void build_again(List& l, const Particles& widened, const ListGuard& guard, Followers&... followers) {
    auto& grid = l.grid_;
    const auto& exec = grid.exec();
    copy_list(exec, l.list_.a_, l.before_.a_);
    [[maybe_unused]] const offset_t* const count_before = l.before_.a_.offsets.data() + l.before_.a_.lists;
    [[maybe_unused]] const offset_t* const count = l.list_.a_.offsets.data() + l.list_.a_.lists;
    const offset_t room = l.list_.capacity();
    (copy_first(exec, followers.values_.data(), followers.next_.data(), count_before, room), ...);
    grid.build(widened, {.skin = l.loop_.chooser.skin()});
    grid.enqueue(l.list_);
    const auto g = grid.view();
    l.build_.enqueue(widened, g);
    const offset_t watermark = (room - room / 4) / (is_gather(l) ? 2 : 1);
    exec.for_each("hgrid::finish_step", 1,
                  FinishStep{&grid.engine_.inputs_.seen()->last.bad, g.level_begin, g.radius_max, g.extent_max, g.level_count,
                             g.skin, l.list_.found(), room, watermark, l.captures_.status.data()});
    if constexpr (sizeof...(Followers) > 0) {
      l.history_.enqueue(l.before_, l.list_, {nullptr, l.build_.periods()});
      (exec.for_each("hgrid::carry_pairs", room,
                     CarryWhole<typename Followers::Value>{l.history_.from(), followers.next_.data(), followers.values_.data(),
                                                           followers.fresh_, guard, count}),
       ...);
    }
    if (l.options_.wrapped) exec.for_each("hgrid::restart_periods", widened.count, l.build_.restarting(guard));
  }

  // Resets the host's state: as far as the host knows, nothing has run.
  template <class List>
  static void keep_what_is_there(List& l, offset_t size) {
    l.generation_ = l.grid_.generation();
    l.list_.a_.size = size;
    forget(l.before_.a_);
  }

  template <class Follower>
  static void adopt(Follower& f, offset_t size, std::uint64_t graph, std::uint64_t list) {
    if (f.captured_ != graph) return;  // its values belong to an earlier list; the next update throws
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
    engine.lists_.search.count(exec, g, engine.grid_.count);  // a graph searches among all particles, used or not
    engine.lists_.reserve_pairs(exec, engine.grid_, l.list_.a_, l.options_.kind, both_sides ? (entries + 1) / 2 : entries);
    engine.grid_.boxes.changes(exec);  // compares the boxes now, not in the graph
  }

  template <class Exec, class Follower>
  static void make_room(const Exec& exec, Follower& f, offset_t room) {
    reserve_all(exec, Need{f.next_, room});
    if (f.values_.size() < room) {
      copy_all(exec, f.values_.data(), f.next_.data(), f.size_);
      std::swap(f.values_, f.next_);
      reserve_all(exec, Need{f.next_, room});
    }
  }
};
using CapturedLoop = Access::CapturedLoop;

}  // namespace hgrid::inline v0_2::detail
