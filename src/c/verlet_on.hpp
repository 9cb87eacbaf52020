// SPDX-License-Identifier: BSD-3-Clause
// AnyVerlet for one executor and dimension: a Verlet list with a payload of bytes that follow its pairs.
#pragma once

#include "c/any_grid.hpp"
#include "c/followed.hpp"
#include "c/placed_grid.hpp"
#include "hgrid/loop/checkpoint.hpp"
#include "hgrid/loop/verlet_list.hpp"

namespace hgrid::c {

inline VerletOptions options_of(const hgrid_verlet_options& given) {
  VerletOptions options;
  options.kind = choice<ListKind>(given.kind, "kind");
  options.skin = given.skin;
  options.choose_skin = yes(given.choose_skin, "choose_skin");
  options.rebuild = !yes(given.no_rebuild, "no_rebuild");
  if (given.check_every != 0) options.check_every = given.check_every;
  options.wrapped = yes(given.wrapped, "wrapped");
  return options;
}

/// Finds the images of all entries for the present positions.
struct ImagesNow {
  ListView list;
  const Image* periods;
  Image* images;

  HGRID_HD void operator()(offset_t i) const {
    for (offset_t k = list.offsets[i]; k < list.offsets[i + 1]; ++k) {
      images[k] = image_now(list.image(k), periods, static_cast<index_t>(i), list.neighbour(k));
    }
  }
};

template <class Exec, int D>
class VerletOn final : public AnyVerlet {
 public:
  VerletOn(PlacedGrid<Exec, D>& at, const hgrid_verlet_options& options)
      : at_(at), exec_(at.grid.exec()), list_(at.grid, options_of(options)), followed_(exec_, options.payload) {}

  bool update(const hgrid_particles* now, const hgrid_particles* widened) override {
    bool was_new = false;
    with_margins(now, widened, [&](const auto& p, const auto& margins) {
      was_new = follow();
      change_images([&] { list_.update(p, margins); });
    });
    const bool is_new = follow() || was_new;
    take_images();
    return is_new;
  }

  // Captures an update, or updates at once if nothing is captured. Lists in graphs have no payload, so nothing has to follow.
  void enqueue_update(const hgrid_particles* now, const hgrid_particles* widened) override {
    require_no_payload();
    bool captured = false;
    if constexpr (!Exec::on_host) captured = exec_.is_captured();
    with_margins(now, widened, [&](const auto& p, const auto& margins) {
      if (!captured) follow();
      change([&] { list_.enqueue_update(p, margins); });
    });
    if (captured) return write_images();
    follow();
    take_images();
  }

  bool wait(const hgrid_particles* now, const hgrid_particles* widened) override {
    require_no_payload();
    bool again = false;
    with_margins(now, widened, [&](const auto& p, const auto& margins) {
      change_images([&] { again = list_.wait(p, margins) && !Exec::on_host; });
    });
    follow();
    take_images();
    return again;
  }

  hgrid_list_guard guard() override {
    const ListGuard guard = list_.guard();
    static_assert(offsetof(LoopStatus, graph) == 0 && offsetof(LoopStatus, whole) == sizeof(std::int64_t));
    return {0, reinterpret_cast<const std::int64_t*>(guard.status), static_cast<std::int64_t>(guard.graph),
            list_.neighbours().capacity()};
  }

  void build(const hgrid_particles* given) override {
    const AnyParticles<D> particles = at_.particles(given);
    follow();
    std::visit([&](const auto& p) { change([&] { list_.build(p); }); }, particles);
    follow();
    take_images();
  }

  hgrid_neighbour_list neighbours() const override {
    hgrid_neighbour_list list = list_of(list_.neighbours());
    if (list_.periods() == nullptr || list_.neighbours().images() == nullptr) return list;
    if (images_of_ != list_.counters().steps)
      refuse("list", "has found no memory for its images; update it again", 0, ErrorCode::out_of_memory);
    list.images = numbers_of(images_.data());
    return list;
  }
  const std::int32_t* periods() const override { return numbers_of(list_.periods()); }

  hgrid_history history() override {
    follow();
    learn_history();
    return followed_.given();
  }

  void carry(const hgrid_array* before, const hgrid_array* now, const void* fresh) override {
    follow();
    learn_history();
    followed_.carry(before, now, fresh, at_.place);
  }

  std::span<const std::byte> save() override {
    follow();
    saved_ = hgrid::save(list_);
    const std::int64_t bytes = followed_.bytes;
    if (bytes == 0) return saved_;
    detail::Saver with_payload(detail::Saved::pairs, static_cast<std::size_t>(bytes));
    offset_t n = followed_.history.size();
    with_payload(n);
    with_payload.array(exec_, followed_.payload, n * bytes);
    with_payload(saved_);
    return saved_ = std::move(with_payload).bytes();
  }

  void restore(std::span<const std::byte> checkpoint) override {
    typename Followed<Exec>::Bytes payload(exec_, 0);
    std::vector<std::byte> list;
    offset_t n = 0;
    const std::int64_t bytes = followed_.bytes;
    if (bytes > 0) {
      detail::Restorer with_payload(checkpoint, detail::Saved::pairs, static_cast<std::size_t>(bytes));
      with_payload(n);
      offset_t size;
      if (__builtin_mul_overflow(n, bytes, &size)) size = -1;  // more than any checkpoint has
      with_payload.array(exec_, payload, size);
      with_payload(list);
      with_payload.finish();
      checkpoint = list;
    }
    History<Exec> history(exec_);
    detail::with_host_memory([&] {
      detail::Checkpoints::restore(list_, checkpoint, [&](const auto& before, const auto& now) {
        if (bytes > 0 && n != now.size()) {
          throw Error(ErrorCode::format, "the checkpoint has a payload of another number of pairs; nothing was restored",
                      {.argument = "checkpoint", .value = static_cast<double>(n), .count = n, .needed = now.size()});
        }
        history.remap(before, now);
      });
    });
    followed_.history = std::move(history), followed_.payload = std::move(payload), builds_ = list_.counters().builds;
    history_ = State::learned;
    take_images();
  }

  hgrid_verlet_counters counters() const override {
    const VerletCounters& c = list_.counters();
    const std::size_t bytes = list_.bytes() + followed_.held() + images_.bytes();
    return {0,          c.steps,      c.checks, c.builds, c.dangerous, c.overtaken, static_cast<std::int64_t>(bytes),
            c.disorder, list_.skin(), c.wrapped};
  }

 private:
  // Calls f(particles, margins), both of one type.
  template <class F>
  void with_margins(const hgrid_particles* now, const hgrid_particles* widened, const F& f) {
    const AnyParticles<D> particles = at_.particles(now);
    const AnyParticles<D> margins = widened == nullptr ? particles : at_.particles(widened);
    if (margins.index() != particles.index()) refuse("widened", "are of another type than the particles of now");
    const auto extended = [](const AnyParticles<D>& any) {
      return std::visit([](const auto& p) { return p.has_extents(); }, any);
    };
    if (extended(margins) != extended(particles))
      refuse("widened", "and the particles of now must both have radii, or extents");
    std::visit([&](const auto& p) { f(p, std::get<std::decay_t<decltype(p)>>(margins)); }, particles);
  }

  void require_no_payload() const {
    if (followed_.bytes > 0)
      refuse("payload", "does not follow in graphs; make the list without one", static_cast<double>(followed_.bytes),
             ErrorCode::unsupported);
  }

  // Brings the payload to the present list. Returns whether it belonged to the previous one. If memory is short it stays there,
  // and the next call tries again. Without a payload the history waits until somebody asks for it.
  bool follow() {
    if (builds_ == list_.counters().builds) return false;
    history_ = State::due;
    if (followed_.bytes > 0) learn_history();
    builds_ = list_.counters().builds;
    return true;
  }
  void learn_history() {
    if (history_ == State::lost) {
      throw Error(ErrorCode::stale,
                  "the list before this one is gone, because an update has failed since; ask at each new list",
                  {.argument = "list"});
    }
    if (history_ == State::due) {
      followed_.history.remap(list_.before(), list_.neighbours(), list_.renumbering());
      followed_.carry_payload(followed_.history);
    }
    history_ = State::learned;
  }

  // Runs f, which may build. If that fails in the search, or for lack of memory, the previous list is gone.
  template <class F>
  void change(const F& f) {
    try {
      f();
    } catch (const Error& e) {
      const ErrorCode code = e.code();
      const bool searched = code == ErrorCode::capacity || code == ErrorCode::out_of_memory || code == ErrorCode::stopped ||
                            code == ErrorCode::device;
      if (history_ == State::due && searched) history_ = State::lost;
      throw;
    }
  }

  // Runs f as `change` does. If it fails, the previous list stays, and particles have been wrapped.
  template <class F>
  void change_images(const F& f) {
    try {
      change(f);
    } catch (...) {
      take_images();
      throw;
    }
  }

  // Finds the images of a list whose positions are wrapped. Runs once per step, because several threads may read them. Images
  // have as much room as the list, so that a graph can write them.
  void take_images() {
    if (list_.periods() == nullptr) return;
    detail::reserve_all(exec_, detail::Need{images_, list_.neighbours().capacity()});
    write_images();
    images_of_ = list_.counters().steps;
  }
  void write_images() {
    const NeighbourList<Exec>& list = list_.neighbours();
    if (list_.periods() == nullptr || list.images() == nullptr) return;
    exec_.for_each("hgrid::images_now", list.lists(), ImagesNow{ListView(list), list_.periods(), images_.data()});
  }

  PlacedGrid<Exec, D>& at_;
  Exec exec_;
  VerletList<Exec, D> list_;
  Followed<Exec> followed_;
  typename Exec::template Buffer<Image> images_;  // of a list whose positions are wrapped
  offset_t images_of_ = -1;                       // their step
  std::vector<std::byte> saved_;
  offset_t builds_ = 0;  // builds of the list that is followed
  enum class State { learned, due, lost } history_ = State::learned;
};

}  // namespace hgrid::c
