// SPDX-License-Identifier: BSD-3-Clause
// What the check of a time loop needs of a build, kept in the order of ids: the particles of now lie so, too, and both are
// read from end to end. By slot, each particle of now would be somewhere else in memory (docs/time-loop.md).
#pragma once

#include "hgrid/engine/reserve.hpp"
#include "hgrid/engine/stages.hpp"
#include "hgrid/engine/validity.hpp"

namespace hgrid::inline v0_1::detail {

/// Writes particle i as the grid stores it.
template <class Real, int D>
struct RememberParticle {
  Particles<Real, D> particles;
  Boxes<D> boxes;
  double* x[D];
  double* radius;
  index_t* group;  // or null
  index_t* world;  // or null
  Image* wraps;    // or null

  HGRID_HD void operator()(offset_t i) const {
    const bool present = takes_part(particles, i);
    const Stored<D> s = stored(particles, boxes[present ? particles.world(i) : 0], i);
    for (int k = 0; k < D; ++k) x[k][i] = s.x[k];
    radius[i] = present ? s.radius : -1;
    if (world != nullptr) world[i] = s.world;
    if (group != nullptr) group[i] = particles.group[i];
    if (wraps != nullptr) wraps[i] = s.wraps;
  }
};

/// The particles of one build. It keeps its capacity; memory is the executor's: 8 (D + 1) bytes a particle, 4 more where
/// there are groups, 4 with worlds, 12 in a periodic box.
template <class Exec, int D>
class RememberedBuild {
 public:
  explicit RememberedBuild(const Exec& exec) : exec_(exec) {}

  /// Makes room for the particles of the grid's last build. Throws `out_of_memory` and is then unchanged.
  template <class Real>
  void reserve(const Particles<Real, D>& p, const GridView<D>& g) {
    const auto all = [&](auto... coordinates) {
      reserve_all(exec_, coordinates..., Need{radius_, p.count}, Need{group_, g.pair_filter.group != nullptr ? p.count : 0},
                  Need{world_, g.has_worlds() ? p.count : 0}, Need{wraps_, g.periodic ? p.count : 0});
    };
    if constexpr (D == 2) {
      all(Need{x_[0], p.count}, Need{x_[1], p.count});
    } else {
      all(Need{x_[0], p.count}, Need{x_[1], p.count}, Need{x_[2], p.count});
    }
  }

  /// Takes the particles of the grid's last build, for which there is room. Waits.
  template <class Real>
  void take(const Particles<Real, D>& p, const GridView<D>& g) {
    RememberParticle<Real, D> each{p,
                                   {g.box, g.world_box},
                                   {},
                                   radius_.data(),
                                   g.pair_filter.group == nullptr ? nullptr : group_.data(),
                                   g.has_worlds() ? world_.data() : nullptr,
                                   g.wraps == nullptr ? nullptr : wraps_.data()};
    built_ = BuiltParticles<D>::of(exec_, g);
    built_.radius = each.radius, built_.group = each.group, built_.wraps = each.wraps, built_.id = nullptr;
    built_.world = each.world;
    for (int k = 0; k < D; ++k) built_.x[k] = each.x[k] = x_[k].data();
    exec_.for_each("hgrid::remember_particles", p.count, each);
  }

  const BuiltParticles<D>& particles() const { return built_; }

  std::size_t bytes() const {
    std::size_t sum = radius_.bytes() + group_.bytes() + world_.bytes() + wraps_.bytes();
    for (int k = 0; k < D; ++k) sum += x_[k].bytes();
    return sum;
  }

 private:
  template <class T>
  using Buffer = typename Exec::template Buffer<T>;

  Exec exec_;
  Buffer<double> x_[D], radius_;
  Buffer<index_t> group_, world_;
  Buffer<Image> wraps_;
  BuiltParticles<D> built_{};
};

}  // namespace hgrid::inline v0_1::detail
