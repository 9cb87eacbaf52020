// SPDX-License-Identifier: BSD-3-Clause
// The pairs of MESA-PD, the particle dynamics of waLBerla, on hgrid. Compile it with the headers of both, link hgrid::hgrid,
// and write hgrid_mesa_pd::Pairs where a program has data::HashGrids.
#pragma once

#include <hgrid/hgrid.hpp>

#include <mesa_pd/data/ParticleStorage.h>

#include <cstddef>
#include <vector>

namespace hgrid_mesa_pd {

/// Pairs of particles that are as near as the sum of their interaction radii, with the functions of data::HashGrids. Particles
/// are added one by one. Copies beyond periodic faces and ghosts of other processes are among them, so the grid's box is open.
class Pairs {
 public:
  /// Inserts a particle, where it is now.
  template <class Accessor>
  void operator()(std::size_t particle, Accessor& ac) {
    namespace flags = walberla::mesa_pd::data::particle_flags;
    if (flags::isSet(ac.getFlags(particle), flags::INFINITE)) return infinite_.push_back(particle);
    const auto& x = ac.getPosition(particle);
    x_.insert(x_.end(), {x[0], x[1], x[2]});
    r_.push_back(ac.getInteractionRadius(particle));
    finite_.push_back(particle);
    built_ = false;
  }

  void clear() { x_.clear(), r_.clear(), finite_.clear(), infinite_.clear(), built_ = false; }
  void clearAll() { clear(); }  // there are no levels to forget: each build looks whether they fit

  // [docs: pairs]
  /// Calls func(i, j, args...) once for each pair that the selector takes, and for each finite particle with each infinite one,
  /// from the calling thread.
  template <class Selector, class Accessor, class Func, class... Args>
  void forEachParticlePairHalf(bool /*openmp*/, const Selector& selector, Accessor& ac, Func&& func, Args&&... args) {
    const auto take = [&](std::size_t i, std::size_t j) {
      if (selector(i, j, ac)) func(i, j, args...);
    };
    if (!built_) grid_.build(x_, r_);
    built_ = true;
    grid_.for_each_contact([&](hgrid::index_t i, hgrid::index_t j, hgrid::Image) {
      take(finite_[static_cast<std::size_t>(i)], finite_[static_cast<std::size_t>(j)]);
    });
    for (const std::size_t i : finite_) {
      for (const std::size_t j : infinite_) take(i, j);
    }
  }
  // [docs: end]

 private:
  hgrid::Grid<hgrid::SerialExec, 3> grid_{hgrid::SerialExec{}, hgrid::Box3::open()};  // processes share the work, not threads
  std::vector<walberla::real_t> x_, r_;
  std::vector<std::size_t> finite_, infinite_;  // the place of each in the storage
  bool built_ = false;
};

}  // namespace hgrid_mesa_pd
