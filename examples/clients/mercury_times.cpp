// SPDX-License-Identifier: BSD-3-Clause
// Times MercuryDPM's search, and hgrid's in its place, on random spheres. Neither moves a sphere. Compile it as
// mercury_tests.sh does.
#include <Species/LinearViscoelasticSpecies.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <utility>
#include <vector>

#include "mercury_on_hgrid.hpp"

/// Detects as a step does, and counts contacts in place of forces.
template <class Simulation>
class Detection : public Simulation {
 public:
  /// Spheres that fill half of their cube, if overlaps count twice. Numbers of radii from 1 to `ratio` fall as r^-3.
  Detection(int n, double ratio) {
    auto* species = this->speciesHandler.copyAndAddObject(LinearViscoelasticSpecies());
    species->setDensity(1);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> uniform(0, 1);
    std::vector<double> radii(static_cast<std::size_t>(n));
    double cubes = 0;
    for (double& r : radii) r = 1 / std::sqrt(1 - uniform(random) * (1 - 1 / (ratio * ratio))), cubes += r * r * r;
    const double side = std::cbrt(cubes * 4 / 3 * constants::pi / 0.5);
    SphericalParticle p(species);
    for (const double r : radii) {
      p.setRadius(r);
      p.setPosition(side * Vec3D(uniform(random), uniform(random), uniform(random)));
      this->particleHandler.copyAndAddObject(p);
    }
  }

  /// One detection, in ms.
  double ms() {
    contacts = 0;
    const auto start = std::chrono::steady_clock::now();
    this->hGridActionsBeforeIntegration();
    this->hGridActionsBeforeTimeStep();
    for (BaseParticle* p : this->particleHandler) this->computeInternalForces(p);
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  }

  long contacts = 0;

 protected:
  void computeInternalForce(BaseParticle* p, BaseParticle* q) override { contacts += DPMBase::areInContact(p, q); }
};

/// Medians of seven by turns, after a first one that plans.
template <class Theirs, class Ours>
std::pair<double, double> medians(Theirs& theirs, Ours& ours) {
  theirs.ms(), ours.ms();
  std::vector<double> a, b;
  for (int run = 0; run < 7; ++run) a.push_back(theirs.ms()), b.push_back(ours.ms());
  std::sort(a.begin(), a.end()), std::sort(b.begin(), b.end());
  return {a[3], b[3]};
}

int main() {
  for (const double ratio : {1.0, 10.0, 50.0}) {
    Detection<Mercury3D> theirs(100000, ratio);
    Detection<hgrid_mercury::OnHgrid<Mercury3D>> ours(100000, ratio);
    const std::pair<double, double> usual = medians(theirs, ours);
    std::pair<double, double> best = usual;
    for (const HGridMethod method : {TOPDOWN, BOTTOMUP}) {
      for (const unsigned levels : {2, 4, 6, 8, 10}) {
        theirs.setHGridMethod(method);
        theirs.setHGridMaxLevels(levels);
        best = std::min(best, medians(theirs, ours));
      }
    }
    std::printf("1:%g, %ld and %ld contacts: MercuryDPM %.0f ms, hgrid %.0f ms; by its best settings %.0f ms, hgrid %.0f ms\n",
                ratio, theirs.contacts, ours.contacts, usual.first, usual.second, best.first, best.second);
  }
}
