// SPDX-License-Identifier: BSD-3-Clause
// How space is cut for ranks, from all particles and the work of their last searches. Input is checked before anything is sent
// to another rank.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/grid.hpp"
#include "hgrid/inputs/extents.hpp"
#include "hgrid/inputs/input_error.hpp"
#include "hgrid/options.hpp"
#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/messages.hpp"
#include "hgrid/ranks/rank_boxes.hpp"
#include "hgrid/threads/serial_exec.hpp"

namespace hgrid::inline v0_2::detail {

/// Throws `not_built` before space is cut.
template <int D>
void require_cut(const RankBoxes<D>& boxes) {
  if (boxes.of_ranks().empty())
    throw Error(ErrorCode::not_built, "space is not cut for ranks yet: call rebalance() or take_cuts() first");
}

/// Returns the arguments of a call including these cuts, so that ranks notice if their cuts differ.
template <int D>
Arguments with_cuts(Arguments call, const RankBoxes<D>& boxes) {
  for (const RankBox<D>& each : boxes.of_ranks()) {
    for (int k = 0; k < D; ++k) call << each.lo[k] << each.hi[k];
  }
  return call;
}

/// Throws `invalid_argument`, with the argument's name, unless two grids have one box and the same ranks.
template <int D>
void require_same_space(const Communicator& ranks, const Box<D>& box, const Communicator& other_ranks, const Box<D>& other_box,
                        const char* argument) {
  const auto refuse = [&](const char* what) { throw Error(ErrorCode::invalid_argument, what, {.argument = argument}); };
  if (!ranks.is_like(other_ranks)) refuse("the grids are on different ranks");
  if (!(box == other_box)) refuse("the grids have different boxes");
}

inline void require_id_count(std::int64_t count, offset_t particles) {
  if (count == particles) return;
  throw Error(ErrorCode::size_mismatch, counted(count, "id") + " for " + counted(particles, "particle"),
              {.argument = "ids", .count = count, .needed = particles});
}

[[noreturn]] inline void throw_negative_id(std::int64_t particle, std::int64_t id) {
  throw Error(ErrorCode::range_error, "the global id of particle " + std::to_string(particle) + " is " + std::to_string(id),
              {.argument = "ids", .index = particle, .value = static_cast<double>(id), .count = 1});
}

inline void check_ids(const std::vector<std::int64_t>& id, offset_t particles) {
  const auto count = static_cast<std::int64_t>(id.size());
  require_id_count(count, particles);
  std::int64_t signs = 0;
  for (const std::int64_t value : id) signs |= value;
  for (std::int64_t i = 0; signs < 0 && i < count; ++i) {
    const std::int64_t value = id[static_cast<std::size_t>(i)];
    if (value < 0) throw_negative_id(i, value);
  }
}

/// Adds a particle of a rank to a summary: its faults by the names of a build, and the bounds.
template <class Real, int D>
class InspectBody {
 public:
  InspectBody(const Particles<Real, D>& p, const Box<D>& box, double skin)
      : is_box_(p.has_extents()), place_{is_box_ ? centres_of(p) : p, {box}, is_box_ ? 0 : skin}, extents_{p, {box}, skin} {}

  void operator()(offset_t i, InputSummary<D>& s) const {
    const std::int64_t bad = s.bad;
    place_(i, s);
    if (is_box_ && s.bad == bad) extents_(i, s);
  }

 private:
  static Particles<Real, D> centres_of(Particles<Real, D> p) {
    static constexpr Real none = 0;
    p.radius = &none, p.radius_stride = 0;
    return p;
  }

  bool is_box_;
  InspectParticle<Real, D, OneBox<D>> place_;
  InspectExtents<Real, D, OneBox<D>> extents_;
};

/// Returns the bounds of the particles. Throws if they are bad, like a build.
template <class Real, int D>
InputSummary<D> inspected(const HostExec& exec, const Particles<Real, D>& particles, const Box<D>& box, double skin) {
  check_arguments(particles, skin);
  InputSummary<D> input;
  exec.reduce("hgrid::inspect", particles.count, InspectBody<Real, D>(particles, box, skin), InputSummary<D>::identity(),
              &input);
  throw_if_bad(input, box, skin);
  return input;
}

/// How space was cut last. The next cuts follow these.
struct LastCuts {
  std::vector<char> directions;  ///< opaque data of Zoltan; empty before the first cut
  bool by_work = false;
};

template <int D>
class Blocks {
 public:
  /// Adds a particle of this rank at a position in the box.
  void add_particle(const Vec<double, D>& x) { particles_.push_back({x, 1}); }

  /// Sets the work of a built grid by particle; the first `owned` particles are of this rank. The work of ghosts, which lie in
  /// the boxes of others, is spread over the owned particles.
  void set_work(std::vector<Weighed<D>> work, index_t owned);

  /// Returns boxes of about equal weight, one for each rank. Weights are the work; particles that came since count with about
  /// the mean. Boxes tile space, or the box along periodic axes. Cuts keep the directions of the last cuts, so that boxes
  /// change little. They do so until an eighth of the cuts, each counted for all ranks that it bounds, would run across a side
  /// less than half as long as another. Collective. Throws `environment` if Zoltan fails; if memory runs out the program ends,
  /// on all ranks.
  std::vector<RankBox<D>> cut(const Communicator& comm, const Box<D>& box, LastCuts& last);

 private:
  static double sum_of(std::span<const Weighed<D>> entries);
  static void gather(std::span<Weighed<D>> entries, double most, std::vector<Weighed<D>>& blocks);

  std::vector<Weighed<D>> particles_, work_;
  double counted_ = 0;  // particles of this rank when the work was counted
};

extern template class Blocks<2>;
extern template class Blocks<3>;

/// Particles in host memory, for rare operations. Particles of a device are copied.
template <class Exec, class Real, int D>
class ParticlesOnHost {
 public:
  /// Returns the particles in host memory. Copies at the first call.
  Particles<Real, D> of(const Exec& exec, const Particles<Real, D>& p) {
    if constexpr (Exec::on_host) {
      return p;
    } else {
      check_arguments(p, 0);
      const int sizes = sizes_of(p);
      if (sizes_.empty()) {
        x_ = copy_on_host(exec, p.position[0], D * p.count);
        sizes_ = copy_on_host(exec, p.has_extents() ? p.extent[0] : p.radius, sizes * p.count);
      }
      return particles_of_width<D, Real>(x_.data(), sizes_.data(), static_cast<std::size_t>(sizes), p.count);
    }
  }

 private:
  std::vector<Real> x_, sizes_;
};

/// Returns an executor for these particles.
inline const HostExec& host_of(const HostExec& exec) { return exec; }
template <class Exec>
requires(!Exec::on_host) SerialExec host_of(const Exec&) { return {}; }

/// Returns the work of a built grid by particle, in host memory.
template <class Exec, int D>
std::vector<Weighed<D>> work_of(const Exec& exec, const Grid<Exec, D>& grid) {
  const offset_t count = grid.particle_count();
  auto work = rank_array<Exec, Weighed<D>>(exec);
  set_size(work, static_cast<std::size_t>(count));
  exec.for_each("hgrid::place_work", count, PlaceWork<D>{{grid.view(), grid.plan(), count}, work.data()});
  if constexpr (Exec::on_host) {
    return work;
  } else {
    return work.on_host();
  }
}

/// Returns the boxes of the ranks. `particles()` returns the particles of this rank, and throws if their arrays are bad;
/// `add_work(blocks)` adds the work of its last build, if there is one. Collective; if it throws on one rank, all throw.
template <int D, class ParticlesOf, class AddWork>
RankBoxes<D> balanced(const HostExec& exec, Communicator& comm, Exchange& by, const Box<D>& box, const ParticlesOf& particles,
                      const AddWork& add_work, LastCuts& last) {
  comm.settle();
  Blocks<D> blocks;
  LastCuts cuts;
  const std::exception_ptr error = attempt([&] {
    cuts = last;
    const auto own = particles();
    inspected(exec, own, box, 0);
    for (offset_t i = 0; i < own.count; ++i) blocks.add_particle(into_box(box, own.position_of(i)).inside);
    add_work(blocks);
  });
  exchange(by, comm, error, Arguments("rebalance") << box, {}, 1);
  std::optional<RankBoxes<D>> cut;
  agree(comm, Arguments("cut") << box, [&] { cut.emplace(blocks.cut(comm, box, cuts)); });
  last = std::move(cuts);
  return *std::move(cut);
}

}  // namespace hgrid::inline v0_2::detail
