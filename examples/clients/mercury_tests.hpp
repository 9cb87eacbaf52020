// SPDX-License-Identifier: BSD-3-Clause
// MercuryDPM's own self tests with hgrid at their side (-DSEARCH=Beside) or on it (-DSEARCH=OnHgrid): mercury_tests.sh compiles
// them with this file before their first line.
#pragma once

#include "mercury_on_hgrid.hpp"

#include <cstdio>
#include <utility>

namespace hgrid_mercury {

/// MercuryDPM's search moves the particles, and hgrid's pairs are compared with it at each step.
template <class Simulation>
class Beside : public Simulation {
 public:
  using Simulation::Simulation;
  Beside() = default;
  Beside(const Beside& other) : DPMBase(other), Simulation(other) {}
  ~Beside() override { std::printf("beside hgrid: %ld steps, %ld contacts, %ld steps differ\n", steps_, contacts_, differ_); }

 protected:
  using Pairs = std::vector<std::pair<unsigned, unsigned>>;

  void computeInternalForce(BaseParticle* p, BaseParticle* q) override {
    add(theirs_, p, q);
    Simulation::computeInternalForce(p, q);
  }

  void computeAllForces() override {
    theirs_.clear();
    Simulation::computeAllForces();
    Pairs ours;
    search_.build(this->particleHandler);
    const hgrid11::NeighbourList pairs = search_.pairs();
    for (BaseParticle* p : this->particleHandler) {
      for (const hgrid11::Neighbour n : pairs[p->getIndex()]) {
        add(ours, p, this->particleHandler.getObject(static_cast<unsigned>(n.id)));
      }
    }
    std::sort(ours.begin(), ours.end()), std::sort(theirs_.begin(), theirs_.end());
    ++steps_, contacts_ += static_cast<long>(ours.size()), differ_ += ours != theirs_;
  }

 private:
  /// If a force acts between them: MercuryDPM passes over the others.
  static void add(Pairs& pairs, const BaseParticle* p, const BaseParticle* q) {
    const bool copies = p->getPeriodicFromParticle() != nullptr && q->getPeriodicFromParticle() != nullptr;
    if (copies || (p->isFixed() && q->isFixed()) || !DPMBase::areInContact(p, q)) return;
    pairs.push_back(std::minmax(p->getIndex(), q->getIndex()));
  }

  Search search_;
  Pairs theirs_;
  long steps_ = 0, contacts_ = 0, differ_ = 0;
};

using Mercury3DToTest = SEARCH<Mercury3D>;

}  // namespace hgrid_mercury

#define Mercury3D hgrid_mercury::Mercury3DToTest
