// SPDX-License-Identifier: BSD-3-Clause
// Operations on a grid and its worlds: builds, boxes, moves.
#pragma once

#include <cfenv>

#include "support/state_machine/machine.hpp"

namespace support::machine {

template <class M>
void build(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  const oracle::System s = m.system_of(op, g.place, op.field[skin]);
  with_view<M::dimension>(s, op[kind], [&](const auto& view) {
    const Attempt a = attempt(op[refuse], [&] { g.grid.build(view, {.skin = s.skin}); });
    if (m.settle(a, refusal(s))) m.took(g, s);
  });
}

/// One kind of bad input: changes the system or the view, and returns the expected error; false: not in this system.
struct BadInput {
  hgrid::ErrorCode code = hgrid::ErrorCode::invalid_argument;
  std::int64_t index = -1;

  bool spoil(oracle::System& s, int which, int where) {
    using hgrid::ErrorCode;
    if (!has_its_boxes(s)) return false;
    if (which == 8) return s.skin = -1, true;
    if (which == 9) return s.skin = std::numeric_limits<double>::quiet_NaN(), true;
    if (which == 10) return s.radius_scale = 0, true;
    if (which == 15) return code = ErrorCode::environment, true;
    if (s.particles.empty() || !fits_box(s)) return false;
    if (which > 10) return true;
    if (s.skip_nonfinite && (which == 0 || which == 1 || which == 3)) return false;
    index = where % static_cast<int>(s.particles.size());
    oracle::Particle& p = s.particles[static_cast<std::size_t>(index)];
    if (!oracle::takes_part(s, p)) return false;
    switch (which) {
      case 0:
        p.x[where % s.dimension] = std::numeric_limits<double>::quiet_NaN(), code = ErrorCode::nonfinite;
        break;
      case 1:
        p.radius = HUGE_VAL, code = ErrorCode::nonfinite;
        break;
      case 2:
        p.radius = -0.1, code = ErrorCode::negative_radius;
        break;
      case 3:
        p.extra = std::numeric_limits<double>::quiet_NaN(), code = ErrorCode::nonfinite;
        break;
      case 4:
        p.extra = -0.1, code = ErrorCode::negative_radius;
        break;
      case 5:
        p.x[where % s.dimension] = 2e15, code = ErrorCode::range_error;
        break;
      case 6:
        p.radius = 1e-17, code = ErrorCode::range_error;
        break;
      default:
        p.radius = 8e15, code = ErrorCode::range_error;
    }
    return true;
  }

  template <class View>
  void spoil(View& view, int which) {
    using hgrid::ErrorCode;
    if (which == 11) view.position[1] = nullptr;
    if (which == 12) view.count = -1, code = ErrorCode::size_mismatch;
    if (which == 13) view.owned = view.count + 1, code = ErrorCode::size_mismatch;
    if (which == 14) view.count = INT32_MAX, code = ErrorCode::too_many_particles;
  }
};

template <class M>
void bad_build(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  oracle::System s = m.system_of(op, g.place, op.field[skin]);
  BadInput bad;
  if (!bad.spoil(s, op[kind], op[place])) return;
  with_view<M::dimension>(s, op[place], [&](auto view) {
    bad.spoil(view, op[kind]);
    if (op[kind] == 15) std::fesetround(FE_UPWARD);
    const Attempt a = attempt(0, [&] { g.grid.build(view, {.skin = s.skin}); });
    std::fesetround(FE_TONEAREST);
    m.settle(a, bad.code);
    if (bad.index >= 0 && a.detail.index != bad.index) {
      m.blame("it names particle " + std::to_string(a.detail.index) + ", not " + std::to_string(bad.index) + "\n");
    }
  });
}

template <class M>
void set_box(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  const oracle::Domain box = numbered_box(M::dimension, op.seed_of());
  if (m.settle(attempt(0, [&] { g.grid.set_box(box_of<M::dimension>(box)); }))) g.place.box = box;
}

/// Sets as many boxes as the world has systems that lie apart, now and then one more, or none.
template <class M>
void set_boxes(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  std::vector<oracle::Domain> boxes;
  const int apart = m.at(m.worlds, op[world]).system().worlds, more = op[kind] % 8 == 0 ? 1 : 0;
  for (int w = 0; w < apart + more && op[kind] % 4 != 1; ++w) {
    boxes.push_back(numbered_box(M::dimension, op.seed_of() + static_cast<std::uint64_t>(w)));
  }
  std::vector<hgrid::Box<M::dimension>> given;
  for (const oracle::Domain& box : boxes) given.push_back(box_of<M::dimension>(box));
  if (m.settle(attempt(op[refuse], [&] { g.grid.set_boxes(std::move(given)); }))) g.place.boxes = boxes;
}

template <class M>
void bad_box(M& m, const Operation& op) {
  auto box = hgrid::Box<M::dimension>::periodic({}, {});
  for (int k = 0; k < M::dimension; ++k) box.hi[k] = 1;
  const double bad[] = {0, -1, std::numeric_limits<double>::quiet_NaN(), HUGE_VAL};
  box.hi[op[kind] / 4 % M::dimension] = bad[op[kind] % 4];
  m.settle(attempt(0, [&] { m.grid_of(op).grid.set_box(box); }), hgrid::ErrorCode::invalid_box);
}

template <class M>
void plan_again(M& m, const Operation& op) {
  m.grid_of(op).grid.plan_again();
}

/// Moves another grid's contents, or copies another grid's executor into a new one. A moved-from grid is not built.
template <class M>
void move_grid(M& m, const Operation& op) {
  auto &to = m.grid_of(op), &from = *m.at(m.grids, op[other]);
  if (&to == &from) return;
  to.grid = std::move(from.grid);
  to.place = from.place, to.held = std::exchange(from.held, nullptr), to.stamp = std::exchange(from.stamp, 0);
  from.place.boxes.clear();
}

template <class M>
void renew(M& m, const Operation& op) {
  auto& to = m.grid_of(op);
  const auto& exec = m.at(m.grids, op[other])->grid.exec();
  to.grid = std::decay_t<decltype(to.grid)>(exec, box_of<M::dimension>(to.place.box), options_of(GridSpec{}, M::dimension));
  to.place.boxes.clear(), to.place.rule = oracle::Rule::sum;
  to.held = nullptr, to.stamp = 0;
}

template <class M>
void resize(M& m, const Operation& op) {
  m.at(m.worlds, op[world]).resize(op[count]);
}
template <class M>
void move(M& m, const Operation& op) {
  m.at(m.worlds, op[world]).move(op.seed_of(), op.field[by]);
}
template <class M>
void grow(M& m, const Operation& op) {
  m.at(m.worlds, op[world]).grow(op.seed_of(), op.field[by]);
}
template <class M>
void mark(M& m, const Operation& op) {
  m.at(m.worlds, op[world]).mark(op.seed_of());
}
template <class M>
void migrate(M& m, const Operation& op) {
  m.at(m.worlds, op[world]).migrate(op.seed_of());
}

/// Expects that levels hold the particles that take part, and that skipped ones are counted.
template <class M>
void inspect(M& m, const Operation& op) {
  auto& g = m.grid_of(op);
  std::int64_t particles = 0;
  const Attempt a = attempt(0, [&] {
    for (const hgrid::LevelReport& level : g.grid.levels()) particles += level.particles;
    g.grid.work();
  });
  if (!m.settle(a, g.held ? std::nullopt : std::optional(hgrid::ErrorCode::not_built))) return;
  const oracle::System& s = g.held->system();
  std::int64_t used = 0, skipped = 0;
  for (const oracle::Particle& p : s.particles)
    used += oracle::takes_part(s, p), skipped += p.active && !oracle::takes_part(s, p);
  if (particles != used || g.grid.skipped() != skipped) m.blame("levels hold other numbers of particles\n");
  if (g.grid.particle_count() != static_cast<hgrid::offset_t>(s.particles.size())) m.blame("another number of particles\n");
}

}  // namespace support::machine
