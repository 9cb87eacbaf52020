// SPDX-License-Identifier: BSD-3-Clause
// Time loops that continue from checkpoints. One checkpoint is forged: it is refused and nothing changes, or it gives a state
// that can be used like any other.
#pragma once

#include <memory>
#include <string>

#include "hgrid/core/turn.hpp"
#include "hgrid/loop.hpp"
#include "hgrid/queries.hpp"
#include "support/forgery.hpp"
#include "support/interrupted_loop.hpp"

namespace support {

/// The result of a forgery; `fault` is empty unless the loop failed in a way that no forgery may cause.
struct Forged {
  bool used = false;
  std::string fault = {};
};

/// Options by which loops differ.
struct LoopVariant {
  ChangingSystem::Kind kind;
  hgrid::VerletOptions list = {.skin = 0.3};
  hgrid::GridOptions grid = {};
  bool tilted = false, own_boxes = false;
};

/// A clock that makes loops repeatable.
inline double now_of_forged = 0;

inline const std::vector<LoopVariant>& loop_variants() {
  using S = ChangingSystem;
  using hgrid::ListKind;
  const auto clock = [] { return now_of_forged; };
  static const std::vector<LoopVariant> all = {
      {S::periodic},
      {S::open, {.kind = ListKind::full, .skin = 0.3, .check_every = 2}},
      {S::groups},
      {S::far, {.skin = 0.3}, {.levels = {{10, {3, 3, 3}}}}},
      {S::worlds},
      {S::types},
      {S::periodic, {.skin = 0.1, .choose_skin = true, .clock = clock}},
      {S::open, {.kind = ListKind::full, .skin = 0.2}, {.rule = hgrid::Rule::gather}},
      {S::periodic,
       {.kind = ListKind::full, .skin = 0.2},
       {.keys = hgrid::KeyOrder::morton, .table = hgrid::TableKind::compacted},
       true},
      {S::worlds, {.skin = 0.2}, {.keys = hgrid::KeyOrder::morton}, false, true},
      {S::open, {.skin = 0.2}, {.levels = {{1.5, {3, 3, 3}}, {9, {20, 20, 20}}}, .rule = hgrid::Rule::max}},
  };
  return all;
}

/// The checkpoints of a loop, and the particles of the steps that follow.
template <class Exec, int D>
struct SavedLoop {
  static constexpr int particles = 30, steps_before = 4, steps_after = 3;
  enum Kind { grid, list, walls, payload, packed, kinds };

  Bytes saved[kinds];
  LoopVariant variant;
  hgrid::Box<D> box;
  std::vector<std::unique_ptr<UserArrays<double, D>>> after;

  static const std::vector<SavedLoop>& all(const Exec& exec);

 private:
  // Clusters in a periodic box, the gap between which is cut out.
  static void close(oracle::System& s) {
    for (std::size_t k = 0; k < D; ++k) {
      s.periodic[k] = true, s.lo[k] = HUGE_VAL, s.hi[k] = -HUGE_VAL;
      for (const oracle::Particle& p : s.particles)
        s.lo[k] = std::min(s.lo[k], p.x[k] - 5), s.hi[k] = std::max(s.hi[k], p.x[k] + 5);
    }
  }
};

/// Receives results that compilers must not leave out.
inline volatile unsigned all_read = 0;

inline constexpr const char* names_of_forged[] = {"grids", "lists", "walls", "payloads", "packed lists"};

template <class Exec, int D>
class ForgedLoop {
 public:
  using Saved = SavedLoop<Exec, D>;

  explicit ForgedLoop(const Exec& exec, const LoopVariant& v = {ChangingSystem::open, {.clock = [] { return now_of_forged; }}})
      : grid_(exec, hgrid::Box<D>::open(), v.grid),
        list_(grid_, v.list),
        packed_grid_(exec, hgrid::Box<D>::open(), v.grid),
        packed_(packed_grid_, v.list),
        history_(exec),
        values_(exec),
        wall_list_(grid_.make_list(hgrid::ListKind::full)),
        walls_(exec) {}

  void set_box(const SavedLoop<Exec, D>& s, int worlds) {
    for (auto* const grid : {&grid_, &packed_grid_}) {
      grid->set_box(s.box);
      if (s.variant.own_boxes) grid->set_boxes(std::vector<hgrid::Box<D>>(static_cast<std::size_t>(worlds), s.box));
    }
  }

  void step(const hgrid::Particles<double, D>& now) {
    now_of_forged += 1;
    if (list_.update(now)) {
      history_.remap(list_.before(), list_.neighbours());
      values_.follow(history_);
    }
    if (packed_.update(now)) history_.remap(packed_.before(), packed_.neighbours());
    std::vector<hgrid::Region<D>> walls;
    for (int q = 0; q < 5; ++q) {
      walls.push_back(hgrid::Region<D>::sphere(now.position_of(q % now.count), 1.5));
      walls.back().world = now.worlds.count > 0 ? now.world(q % now.count) : 0;
    }
    auto before = std::exchange(wall_list_, grid_.make_list(hgrid::ListKind::full));
    grid_.find(wall_list_, hgrid::Regions<D>{walls.data(), std::ssize(walls)});
    walls_.remap(before, wall_list_);
  }

  Bytes saved(int kind) {
    switch (kind) {
      case Saved::grid:
        return hgrid::save(grid_);
      case Saved::list:
        return hgrid::save(list_);
      case Saved::walls:
        return hgrid::save(grid_, wall_list_);
      case Saved::packed:
        return hgrid::save(packed_);
      default:
        return hgrid::save(values_);
    }
  }
  std::vector<Bytes> saved() { return {saved(0), saved(1), saved(2), saved(3), saved(4)}; }

  void restore(int kind, const Bytes& bytes) {
    if (kind == Saved::grid) return hgrid::restore(grid_, bytes);
    if (kind == Saved::list) return hgrid::restore(list_, bytes);
    if (kind == Saved::packed) return hgrid::restore(packed_, bytes);
    kind == Saved::walls ? hgrid::restore(grid_, wall_list_, bytes) : hgrid::restore(values_, bytes);
  }

  /// Uses the loop as any client would. Typed errors are no faults.
  std::string use(const Saved& original) {
    std::string fault = look_at(list_.neighbours(), false) + look_at(wall_list_, true);
    all_read = static_cast<unsigned>(as_listed(grid_.exec(), packed_.neighbours()).size());
    for (const auto& arrays : original.after) {
      tried([&] { step(arrays->view()); });
      tried([&] { renumber(list_, arrays->view().count); });
      tried([&] { renumber(packed_, arrays->view().count); });
      fault += look_at(list_.neighbours(), false) + look_at(wall_list_, true);
    }
    tried([&] { fault += compare_plans(original.after.back()->view()); });
    return fault;
  }

 private:
  template <class F>
  static void tried(const F& f) {
    try {
      f();
    } catch (const hgrid::Error&) {
    }
  }

  // Reads all of it, as forces do.
  std::string look_at(const hgrid::NeighbourList<Exec>& list, bool of_regions) {
    if (list.lists() == 0) return list.size() == 0 ? "" : "entries without lists; ";
    const auto offsets = copied(grid_.exec(), list.offsets(), hgrid::offset_t{list.lists()} + 1);
    const auto neighbours = copied(grid_.exec(), list.neighbours(), list.size());
    const auto images = copied(grid_.exec(), list.images(), list.size());
    if (offsets.front() != 0 || offsets.back() != list.size() || !std::ranges::is_sorted(offsets))
      return "offsets lead outside; ";
    std::int64_t shifts = 0;
    for (const hgrid::Image& m : images) shifts += std::int64_t{(-m)[0]} + m[1] + (-m)[2];
    const hgrid::index_t end = of_regions ? hgrid::index_t{hgrid::most_particles} : list.lists();
    const bool inside = std::ranges::all_of(neighbours, [&](hgrid::index_t j) { return j >= 0 && j < end; });
    all_read = static_cast<unsigned>(shifts);
    return inside ? "" : "a neighbour is no particle; ";
  }

  // Ids that stay as they are, under other periods.
  template <class Entry>
  void renumber(const hgrid::VerletList<Exec, D, Entry>& list, std::int64_t particles) {
    if (list.neighbours().lists() != particles) return;
    std::vector<hgrid::index_t> old_id(static_cast<std::size_t>(particles));
    for (std::size_t i = 0; i < old_id.size(); ++i) old_id[i] = static_cast<hgrid::index_t>(i);
    std::vector<hgrid::Image> periods(old_id.size(), hgrid::Image{});
    for (std::size_t i = 0; i < old_id.size(); ++i) periods[i][0] = static_cast<std::int32_t>(i % 3) * 1000000;
    history_.remap(list.before(), list.neighbours(), {old_id.data(), periods.data()});
  }

  // Compares contacts under two plans: levels decide how long a search takes, never its result.
  std::string compare_plans(const hgrid::Particles<double, D>& now) {
    hgrid::NeighbourList<Exec> kept = grid_.make_list(hgrid::ListKind::full), fresh = grid_.make_list(hgrid::ListKind::full);
    grid_.build(now, {.skin = 0.1});
    grid_.find(kept);
    grid_.plan_again();
    grid_.build(now, {.skin = 0.1});
    grid_.find(fresh);
    return as_listed(grid_.exec(), kept) == as_listed(grid_.exec(), fresh) ? "" : "the plan changes contacts; ";
  }

  hgrid::Grid<Exec, D> grid_;
  hgrid::VerletList<Exec, D> list_;
  hgrid::Grid<Exec, D> packed_grid_;
  hgrid::VerletList<Exec, D, hgrid::PackedNeighbour> packed_;
  hgrid::History<Exec> history_;
  hgrid::PairArray<Exec, double> values_;
  hgrid::NeighbourList<Exec> wall_list_;
  hgrid::History<Exec> walls_;
};

template <class Exec, int D>
const std::vector<SavedLoop<Exec, D>>& SavedLoop<Exec, D>::all(const Exec& exec) {
  static const std::vector<SavedLoop> loops = [&] {
    std::vector<SavedLoop> made;
    for (const LoopVariant& v : loop_variants()) {
      SavedLoop s{{}, v, {}, {}};
      ChangingSystem system(v.kind, particles);
      system.s.dimension = D;
      if (v.kind == ChangingSystem::far) close(system.s);
      s.box = box_of<D>(system.s);
      if (v.tilted) {
        hgrid::Vec<double, hgrid::Box<D>::tilts> tilts{};
        tilts[0] = 1.3 * s.box.length(0);
        s.box = hgrid::sheared(hgrid::tilted(s.box, tilts), 0.1, D - 1, 0);  // along an axis after its own: it turns
      }
      ForgedLoop<Exec, D> loop(exec, v);
      loop.set_box(s, system.s.worlds);
      for (int step = 0; step < steps_before; ++step) loop.step(UserArrays<double, D>(system.at(step)).view());
      for (int kind = 0; kind < kinds; ++kind) s.saved[kind] = loop.saved(kind);
      for (int step = 0; step < steps_after; ++step) {
        s.after.push_back(std::make_unique<UserArrays<double, D>>(system.at(steps_before + 2 * step)));
      }
      made.push_back(std::move(s));
    }
    return made;
  }();
  return loops;
}

/// Restores a loop with one checkpoint forged, of this kind, and runs it on.
template <class Exec, int D>
Forged forged_loop(const Exec& exec, int kind, fuzz::Bytes& decisions) {
  using Saved = SavedLoop<Exec, D>;
  const auto& all = Saved::all(exec);
  const Saved& original = all[static_cast<std::size_t>(decisions.below(static_cast<int>(all.size())))];
  ForgedLoop<Exec, D> loop(exec);
  for (const int each : {Saved::list, Saved::walls, Saved::payload, Saved::packed}) loop.restore(each, original.saved[each]);
  const std::vector<Bytes> before = loop.saved();
  try {
    loop.restore(kind, Forger(decisions)(original.saved[kind]));
  } catch (const hgrid::Error& e) {
    if (e.code() != hgrid::ErrorCode::format) return {false, std::string("refused by another error: ") + e.what()};
    return {false, loop.saved() == before ? "" : "a refused checkpoint changes something"};
  }
  std::string fault = loop.use(original);
  try {
    ForgedLoop<Exec, D> again(exec);
    for (int each = 0; each < Saved::kinds; ++each) again.restore(each, loop.saved(each));
  } catch (const hgrid::Error& e) {
    fault += std::string("what was restored cannot be saved and restored: ") + e.what();
  }
  return {true, fault};
}

}  // namespace support
