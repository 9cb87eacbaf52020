// SPDX-License-Identifier: BSD-3-Clause
// The particles that a rank holds: its own, and copies of those of other ranks whose spheres touch its box.
#pragma once

#include <algorithm>
#include <vector>

#include "hgrid/ranks/device_vector.hpp"
#include "hgrid/ranks/ghosts.hpp"
#include "hgrid/ranks/rank_rules.hpp"
#include "hgrid/ranks/routes.hpp"

namespace hgrid::inline v0_2::detail {

/// The particles of a build, owned ones first.
template <class Exec, int D>
class HeldParticles {
  template <class T>
  using Array = RankArray<Exec, T>;

 public:
  HeldParticles(const Exec& exec, bool directly)
      : exec_(exec),
        x_(rank_array<Exec, double>(exec)),
        radius_(rank_array<Exec, double>(exec)),
        id_(rank_array<Exec, std::int64_t>(exec)),
        owner_(exec),
        ghosts_(exec, directly) {}

  /// Memory for ghosts that are about to come.
  std::byte* room_for(std::size_t ghosts) { return reinterpret_cast<std::byte*>(ghosts_.room(ghosts)); }

  /// Particles in containers, coordinates interleaved, and the ghosts that came.
  template <class Real>
  void take(const Particles<Real, D>& p, const std::int64_t* id, const std::vector<Parcel>& received, int rank) {
    std::size_t ghosts = 0;
    for (const Parcel& parcel : received) ghosts += parcel.records;
    const std::size_t count = static_cast<std::size_t>(p.count) + ghosts;
    rank_ = rank, owned_ = p.count, id_here_.clear();
    set_size(x_, D * count), set_size(radius_, count), set_size(id_, count);
    owner_.reserve(ghosts);
    int* owner = owner_.here();
    for (const Parcel& parcel : received) owner = std::fill_n(owner, parcel.records, parcel.rank);
    owner_.bring(ghosts);
    const HeldArrays<D> out{x_.data(), radius_.data(), id_.data()};
    if constexpr (Exec::on_host) {  // whole parts at once: 9 instructions a particle, and 18 one by one
      exec_.for_each_part("hgrid::take_owned", owned_, [&](offset_t begin, offset_t end) {
        std::copy(p.position[0] + D * begin, p.position[0] + D * end, out.x + D * begin);
        std::copy(p.radius + begin, p.radius + end, out.radius + begin);
        std::copy(id + begin, id + end, out.id + begin);
      });
    } else {
      exec_.for_each("hgrid::take_owned", p.count, TakeOwned<Real, D>{p, id, out});
    }
    exec_.for_each("hgrid::take_ghosts", static_cast<offset_t>(ghosts), TakeGhost<D>{ghosts_.bring(ghosts), owned_, out});
  }

  Particles<double, D> view() const {
    return particles<D>(x_.data(), radius_.data(), static_cast<std::int64_t>(radius_.size()));
  }
  index_t owned() const { return static_cast<index_t>(owned_); }
  index_t count() const { return static_cast<index_t>(radius_.size()); }
  int owner(index_t k) const { return k < owned_ ? rank_ : owner_.here()[k - owned_]; }
  const Array<double>& positions() const { return x_; }
  const Array<double>& radii() const { return radius_; }
  const Array<std::int64_t>& ids() const { return id_; }
  /// From a device they are copied at the first call after `take`.
  const std::vector<std::int64_t>& ids_on_host() const {
    if constexpr (Exec::on_host) {
      return id_;
    } else {
      if (id_here_.size() != id_.size()) id_here_ = id_.on_host();
      return id_here_;
    }
  }

  /// For a rank with this box.
  HeldView<D> view_in(const Box<D>& box, const RankBox<D>& own, double skin) const {
    return {box, own, skin, x_.data(), radius_.data(), id_.data(), owner_.there(), owned()};
  }

 private:
  Exec exec_;
  int rank_ = 0;
  offset_t owned_ = 0;
  Array<double> x_, radius_;
  Array<std::int64_t> id_;
  mutable std::vector<std::int64_t> id_here_;
  Staged<Exec, int> owner_;  // of ghosts
  Staged<Exec, GhostRecord<D>> ghosts_;
};

}  // namespace hgrid::inline v0_2::detail
