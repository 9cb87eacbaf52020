// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's search on hgrid. Include this file, write OnHgrid<Problem> where a program makes its Problem, which derives from
// Mercury3D, and link hgrid::c. For builds of MercuryDPM without its MPI and OpenMP.
#pragma once

#include <Mercury3D.h>

#include <hgrid11.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace hgrid_mercury {

/// hgrid over a simulation's particles. Ids are places in the particle handler.
class Search {
 public:
  void build(const ParticleHandler& particles) {
    x_.clear(), r_.clear(), fixed_.clear();
    std::int32_t copies = 0;
    beyond_radius_ = 0;
    for (const BaseParticle* p : particles) {
      const Vec3D& x = p->getPosition();
      x_.insert(x_.end(), {x.X, x.Y, x.Z});
      r_.push_back(p->getMaxInteractionRadius());
      fixed_.push_back(p->isFixed() ? 0 : -1);            // fixed particles are of one group, and never pair
      copies += p->getPeriodicFromParticle() != nullptr;  // they stand after all others
      beyond_radius_ = std::max(beyond_radius_, r_.back() - p->getRadius());
    }
    grid_.build(hgrid11::Particles3(x_, r_).group(fixed_).ghosts(copies));
    size_ = built_ = static_cast<std::int32_t>(r_.size());
  }

  /// Particles that joined the handler after the build.
  void insert(const BaseParticle& p) {
    const Vec3D& x = p.getPosition();
    const double at[] = {x.X, x.Y, x.Z};
    size_ = grid_.insert(at, p.getMaxInteractionRadius()) + 1;
  }
  bool touches(const BaseParticle& p) const {
    const Vec3D& x = p.getPosition();
    const double at[] = {x.X, x.Y, x.Z};
    return grid_.touches(at, p.getMaxInteractionRadius());
  }
  std::int32_t size() const { return size_; }
  bool has_inserted() const { return size_ != built_; }

  hgrid11::NeighbourList pairs() { return grid_.neighbours(); }

  /// Calls f(id) for the particles of the build that may interact with a box, each side moved out by `beyond`.
  template <class F>
  void for_each_near(const Vec3D& lo, const Vec3D& hi, double beyond, const F& f) {
    const double from[] = {lo.X, lo.Y, lo.Z}, to[] = {hi.X, hi.Y, hi.Z};
    const hgrid11::NeighbourList near = grid_.query(hgrid11::Regions3::boxes({from, 1}, {to, 1}, beyond + beyond_radius_));
    for (const hgrid11::Neighbour n : near[0]) f(n.id);
  }

 private:
  static hgrid11::GridOptions serial() {
    hgrid11::GridOptions options;
    options.threads = HGRID_SERIAL;  // like the rest of the step
    return options;
  }

  hgrid11::Grid3 grid_{hgrid11::Box3::open(), serial()};  // open: MercuryDPM copies particles beyond periodic faces
  std::vector<double> x_, r_;
  std::vector<std::int32_t> fixed_;
  double beyond_radius_ = 0;  // how far the largest interaction distance reaches
  std::int32_t size_ = 0, built_ = 0;
};

template <class Simulation>
class OnHgrid : public Simulation {
 public:
  using Simulation::Simulation;
  OnHgrid() = default;
  OnHgrid(const OnHgrid& other) : DPMBase(other), Simulation(other) {}  // the copy builds its own grid

  std::vector<BaseParticle*> hGridFindParticleContacts(const BaseParticle* p) override {
    std::vector<BaseParticle*> found;
    hGridGetInteractingParticleList(const_cast<BaseParticle*>(p), found);
    found.erase(std::remove_if(found.begin(), found.end(), [p](BaseParticle* q) { return !DPMBase::areInContact(p, q); }),
                found.end());
    return found;
  }

 protected:
  // [docs: step]
  /// Runs once a step, after the copies were made. MercuryDPM's own grid stays empty: other code reads the sizes of its cells.
  void hGridActionsBeforeTimeStep() override {
    if (this->hGridNeedsRebuilding()) this->hGridRebuild();
    build();
    pairs_ = search_.pairs();
  }

  /// Each pair once, from its particle of the smaller id.
  void computeInternalForces(BaseParticle* p) override {
    for (const hgrid11::Neighbour n : pairs_[p->getIndex()]) {
      this->computeInternalForce(p, this->particleHandler.getObject(static_cast<unsigned>(n.id)));
    }
  }
  // [docs: end]

  void computeWallForces(BaseWall* wall) override {
    Vec3D lo, hi;
    if (!wall->isLocal(lo, hi)) return DPMBase::computeWallForces(wall);
    search_.for_each_near(lo, hi, 0, [&](std::int32_t id) {
      BaseParticle* p = this->particleHandler.getObject(static_cast<unsigned>(id));
      if (!p->isFixed() && p->getPeriodicFromParticle() == nullptr) this->computeForcesDueToWalls(p, wall);
    });
  }

  /// Answers insertion boundaries, thousands of times a step. Unlike MercuryDPM's, two particles that only touch are in
  /// contact, and among several species the largest interaction distance counts.
  bool hGridHasParticleContacts(const BaseParticle* p) override {
    if (stale_) build();
    return search_.touches(*p);
  }
  void hGridUpdateParticle(BaseParticle* p) override {
    if (!stale_ && static_cast<std::int32_t>(p->getIndex()) == search_.size()) search_.insert(*p);
  }
  void hGridRemoveParticle(BaseParticle*) override { stale_ = true; }
  void hGridActionsBeforeIntegration() override {
    Simulation::hGridActionsBeforeIntegration();
    stale_ = true;  // positions change
  }

  void hGridGetInteractingParticleList(BaseParticle* p, std::vector<BaseParticle*>& near) override {
    if (stale_ || search_.has_inserted()) build();
    search_.for_each_near(p->getPosition(), p->getPosition(), p->getMaxInteractionRadius(), [&](std::int32_t id) {
      near.push_back(this->particleHandler.getObject(static_cast<unsigned>(id)));
    });
  }

 private:
  void build() {
    search_.build(this->particleHandler);
    stale_ = false;
  }

  Search search_;
  hgrid11::NeighbourList pairs_;
  bool stale_ = true;  // since the build, particles have moved or gone
};

}  // namespace hgrid_mercury
