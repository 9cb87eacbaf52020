// SPDX-License-Identifier: BSD-3-Clause
// A neighbor list that lives through a time loop: checked at each step, built again when it must be (Verlet 1967).
#pragma once

#include <algorithm>
#include <utility>

#include "hgrid/grid.hpp"
#include "hgrid/loop/captured_loop.hpp"
#include "hgrid/loop/disorder.hpp"
#include "hgrid/loop/loop_progress.hpp"
#include "hgrid/loop/pair_array.hpp"
#include "hgrid/loop/remembered_build.hpp"
#include "hgrid/loop/verlet_options.hpp"
#include "hgrid/loop/wrapped_loop.hpp"

namespace hgrid::inline v0_2 {

/// The list of a grid's particles in a time loop. Between two builds it holds every contact, by contract C5, and pairs that do
/// not touch, for which the caller's force is zero. The grid must outlive it, and should belong to the list alone: after
/// another caller has built the grid, the list builds it again.
///
/// `followers` are `PairArray`s, whose values follow the pairs to each new list. Pass the same ones to each `update` and
/// `build`. A new follower begins with the present list. Memory for their values is allocated before the list is replaced, so
/// an error leaves list and values unchanged, and the next update builds.
///
/// `Entry` is PackedNeighbour for lists of half the memory.
template <class Exec, int D, class Entry = index_t>
class VerletList {
 public:
  explicit VerletList(Grid<Exec, D>& grid, const VerletOptions& options = {})
      : grid_(grid),
        options_(options),
        loop_{.chooser = detail::SkinChooser(options.skin)},
        list_(grid.exec(), options.kind),
        before_(grid.exec(), options.kind),
        build_(grid.exec(), options.wrapped),
        history_(grid.exec()),
        disorder_(grid.exec()) {
    detail::check_options(options);
  }

  /// Call at each step, after the particles have moved and before forces are summed. Returns whether the list is new; then
  /// `before()` is the old one. Errors: `Grid::build` and `find`; `stale` if rebuilding is off, if another caller, such as a
  /// second list, has built the grid since the last two updates, or for a follower that missed a list; `size_mismatch` for a
  /// follower whose values are not of this list. Waits.
  template <class Real, class... T>
  bool update(const Particles<Real, D>& now, PairArray<Exec, T>&... followers) {
    return update(now, now, followers...);
  }

  /// Updates with a margin for each particle: `widened` are the particles with their margins in `extra`, beyond `now.extra`;
  /// they are read only when the list is built. Margins by speed and size, as in the cell space of PFC (eps_v |v| dt + eps_e
  /// size + eps_c), give fast particles room without more pairs for the others.
  template <class Real, class... T>
  bool update(const Particles<Real, D>& now, const Particles<Real, D>& widened, PairArray<Exec, T>&... followers) {
    detail::require_as_many(now, widened);
    detail::CapturedLoop::learn(*this, followers...);
    begin(followers...);
    detail::WrappedLoop::count(*this, now);
    ++loop_.counters.steps;
    if (!notice_overtaking() && loop_.built && !is_due(now)) return false;
    build(widened, followers...);
    return true;
  }

  /// Updates from containers, as `Grid::build` takes them.
  template <class Positions, class Radii, class... T>
  bool update(const Positions& positions, const Radii& radii, PairArray<Exec, T>&... followers) {
    return update(as_particles<D>(grid_.exec(), positions, radii), followers...);
  }

  /// Builds at once, for instance after particles were inserted, or pairs excluded, which `update` does not notice.
  template <class Real, class... T>
  void build(const Particles<Real, D>& particles, PairArray<Exec, T>&... followers) {
    build(particles, Renumbering{}, followers...);
  }

  /// Builds after particles were sorted, or coordinates wrapped without `VerletOptions::wrapped`: values find their pairs by
  /// `renumbering`. Values that depend on the side of a pair need a `History` of your own, which takes a mirror.
  template <class Real, class... T>
  void build(const Particles<Real, D>& particles, const Renumbering& renumbering, PairArray<Exec, T>&... followers) {
    detail::WrappedLoop::require(*this, renumbering);
    detail::CapturedLoop::learn(*this, followers...);
    detail::CapturedLoop::invalidate(*this);
    begin(followers...);
    const Renumbering changed = detail::WrappedLoop::count_taken(*this, particles, renumbering);
    const bool was_built = std::exchange(loop_.built, false);
    if (options_.choose_skin) {
      if (was_built) loop_.chooser.observe(options_.clock() - built_at_, loop_.counters.steps - loop_.steps_at_build);
      if (!loop_.started && particles.count > 0) start_choosing(particles);
      loop_.chooser.limit(widest_skin());
      built_at_ = options_.clock();
    }
    loop_.steps_at_build = loop_.counters.steps;
    const auto bring = [&] {
      if (sizeof...(followers) > 0) history_.remap(list_, before_, changed);
      (followers.prepare(history_), ...);
    };
    while (!try_build(particles, bring) || is_far_too_long(particles)) {
    }
    build_.take(particles, grid_.view());
    loop_.counters.disorder = disorder_.of(grid_.order(), build_.particles().used);
    loop_.chooser.accept();
    std::swap(list_, before_);
    number_ = detail::next_generation();
    (followers.take(list_.size(), number_), ...);
    generation_ = grid_.generation();
    loop_.built = true;
    loop_.unchecked = 0;
    ++loop_.counters.builds;
  }

  /// Captures an update in a CUDA graph. It neither waits nor allocates: at each replay the device checks the particles, and
  /// builds the list again, with the values of its followers, if it must (docs/time-loop.md). Call `wait` with the same
  /// particles and followers before. Kernels of the graph that sum forces or move particles must do nothing unless
  /// `guard().holds()`. The skin is the present one, and the box is the last build's. If nothing is captured, and on other
  /// executors, it is `update`. Throws `reentrancy` if there is no memory for it, `unsupported` for options that need the host;
  /// nothing is in the graph then.
  template <class Real, class... T>
  void enqueue_update(const Particles<Real, D>& now, const Particles<Real, D>& widened, PairArray<Exec, T>&... followers) {
    detail::require_as_many(now, widened);
    if constexpr (requires { grid_.exec().is_captured(); }) {
      if (grid_.exec().is_captured()) return detail::CapturedLoop::enqueue(*this, now, widened, followers...);
    }
    update(now, widened, followers...);
    if (captures_.graph == 0) detail::CapturedLoop::make_ready(*this, followers...);
  }
  template <class Real, class... T>
  void enqueue_update(const Particles<Real, D>& now, PairArray<Exec, T>&... followers) {
    enqueue_update(now, now, followers...);
  }

  /// Waits for replays, reads what they did, and does what they could not: the list is then whole, with memory for a graph, and
  /// for half as many entries more. Returns whether `enqueue_update` must be captured again. Throws the errors of `build`,
  /// including errors of a replay's particles; everything is then as before that replay.
  template <class Real, class... T>
  bool wait(const Particles<Real, D>& now, const Particles<Real, D>& widened, PairArray<Exec, T>&... followers) {
    detail::require_as_many(now, widened);
    const LoopStatus found = detail::CapturedLoop::learn(*this, followers...);
    if (found.builds > 0 || found.whole == 0) detail::Access::engine(grid_).check(grid_.exec());
    if (found.tight != 0 || detail::CapturedLoop::must_build(*this, now, widened)) build(widened, followers...);
    // The build may have found that levels must be planned again.
    if (detail::CapturedLoop::must_build(*this, now, widened)) build(widened, followers...);
    begin(followers...);
    detail::CapturedLoop::make_ready(*this, followers...);
    return captures_.captured != captures_.graph;
  }
  template <class Real, class... T>
  bool wait(const Particles<Real, D>& now, PairArray<Exec, T>&... followers) {
    return wait(now, now, followers...);
  }

  /// Returns the guard for kernels that are captured with `enqueue_update`.
  ListGuard guard() const { return {captures_.status.data(), captures_.graph}; }

  const NeighbourList<Exec, Entry>& neighbours() const { return list_; }
  const NeighbourList<Exec, Entry>& before() const { return before_; }
  /// Returns where the pairs were in the list before, for the last build with followers.
  const History<Exec>& history() const { return history_; }
  /// Returns, with `VerletOptions::wrapped`, by how many vectors each particle was wrapped since the list was made, as of the
  /// last update; else null. [lists], in the executor's memory. Entry (i, j, m) has the image `image_now(m, periods(), i, j)`
  /// for the positions that you pass (`separation`), and x + periods L is the unwrapped position.
  const Image* periods() const { return build_.periods(); }
  /// Returns how positions were wrapped between `before()` and `neighbours()`, for a `History` of your own, by new ids.
  Renumbering renumbering() const { return {nullptr, build_.taken()}; }
  const VerletCounters& counters() const { return loop_.counters; }
  /// Returns the memory of both lists, and of the check: 8 (D + 1) bytes per particle, on hosts 2 (D + 1) more, 4 more each
  /// with groups, with worlds and with types, 12 more in a periodic box, 24 more with `wrapped`; and with followers 8 bytes per
  /// entry.
  std::size_t bytes() const { return build_.bytes() + list_.bytes() + before_.bytes() + history_.bytes(); }
  double skin() const { return loop_.chooser.skin(); }

 private:
  // Gives all followers values of this list. Throws for followers with values of another list.
  template <class... T>
  void begin(PairArray<Exec, T>&... followers) {
    [[maybe_unused]] const offset_t size = list_.size();
    (followers.require_of(number_, size), ...);
    if (((followers.size() != size) || ...)) history_.remap(NeighbourList<Exec, Entry>(grid_.exec(), options_.kind), list_);
    (followers.begin(history_, number_, size), ...);
  }

  // Fills `before_`, and prepares the values of followers. Returns false if the chosen skin was too wide; it is narrower then.
  // An error leaves `neighbours()` unchanged.
  template <class Real, class Bring>
  bool try_build(const Particles<Real, D>& particles, const Bring& bring) {
    try {
      grid_.build(particles, {.skin = loop_.chooser.skin()});
      build_.reserve(particles, grid_.view());
      disorder_.reserve();
      grid_.find(before_);
      bring();
      return true;
    } catch (const Error& e) {
      if (!loop_.narrows_after(e.code())) throw;
      return false;
    }
  }

  // Builds without a skin and counts, which tells how long a list must be. A gather has no pairs to count.
  template <class Real>
  void count_contacts(const Particles<Real, D>& particles) {
    grid_.build(particles);
    if (gathers()) return;
    loop_.contacts = (options_.kind == ListKind::full ? 2 : 1) * grid_.count();
  }
  bool gathers() { return grid_.view().rule == Rule::gather; }

  template <class Real>
  void start_choosing(const Particles<Real, D>& particles) {
    count_contacts(particles);
    loop_.start(options_.skin, detail::mean_size(grid_.exec(), grid_.view()));
  }

  // Returns whether the list in `before_` is many times as long as a list of the contacts; its skin is narrower then.
  template <class Real>
  bool is_far_too_long(const Particles<Real, D>& particles) {
    const offset_t size = before_.size();
    if (!options_.choose_skin || !loop_.started || !loop_.is_far_too_long(size, particles.count) || gathers()) return false;
    count_contacts(particles);  // there may be more contacts by now
    if (loop_.is_far_too_long(size, particles.count)) loop_.chooser.narrow();
    return true;
  }

  // Returns the widest skin. Beyond half a period a list holds the same pairs under more and more images.
  double widest_skin() const { return std::min(largest_length, 0.5 * detail::WrappedLoop::least_period(grid_)); }

  // Returns whether another caller has built the grid since the list, and counts this. Throws if it also happened before the
  // last update, because then each step would build.
  bool notice_overtaking() {
    const bool before = std::exchange(loop_.overtaken, loop_.built && grid_.generation() != generation_);
    if (!loop_.overtaken) return false;
    if (before || !options_.rebuild) {
      throw Error(ErrorCode::stale, "somebody else built the grid of this list; give each list a grid of its own",
                  {.argument = "grid"});
    }
    ++loop_.counters.overtaken;
    return true;
  }

  template <class Real>
  bool is_due(const Particles<Real, D>& now) {
    if (++loop_.unchecked < options_.check_every) return false;
    const Validity validity = grid_.validity(now, detail::WrappedLoop::judged(build_, grid_));
    ++loop_.counters.checks;
    const offset_t unchecked = std::exchange(loop_.unchecked, 0);
    if (validity.holds()) return false;
    if (!options_.rebuild) detail::throw_if_stale(validity, build_.particles().skin);
    if (unchecked > 1 && validity.dirty > 0) ++loop_.counters.dangerous;
    loop_.counters.wrapped += detail::WrappedLoop::explains(*this, now, validity);
    return true;
  }

  friend struct detail::Access;

  Grid<Exec, D>& grid_;
  VerletOptions options_;
  detail::LoopProgress loop_;
  NeighbourList<Exec, Entry> list_, before_;
  detail::RememberedBuild<Exec, D> build_;  // build that the list was made from
  History<Exec> history_;                   // how followers came to the list
  detail::Disorder<Exec> disorder_;
  std::uint64_t generation_ = 0;  // generation of the grid that the list was made from
  std::uint64_t number_ = 0;      // number of the list, by which its followers know it
  double built_at_ = 0;
  detail::LoopState<Exec> captures_;
};

}  // namespace hgrid::inline v0_2
