// SPDX-License-Identifier: BSD-3-Clause
// Compares mesa_pd_pairs.hpp with waLBerla's HashGrids and brute force; with the argument "times", how long each takes. From
// waLBerla's source W and the folder B in which its target walberla_core was built:
//   mpic++ -std=c++20 -O3 -DNDEBUG -fopenmp mesa_pd_tests.cpp -I W/src -I B/src B/src/core/libwalberla_core.a -l hgrid
#include "mesa_pd_pairs.hpp"

#include <core/mpi/MPIManager.h>
#include <mesa_pd/data/HashGrids.h>
#include <mesa_pd/data/ParticleAccessor.h>
#include <mesa_pd/kernel/ParticleSelector.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <utility>
#include <vector>

using namespace walberla::mesa_pd;

using Accessor = data::ParticleAccessor;
using Contacts = std::vector<std::pair<std::size_t, std::size_t>>;

/// Spheres at random that fill half of their cube, if overlaps count twice. Numbers of radii from 1 to `ratio` fall as r^-3.
std::shared_ptr<data::ParticleStorage> spheres(std::size_t n, double ratio, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1), middle(-0.5, 0.5);
  std::vector<double> radii(n);
  double cubes = 0;
  for (double& r : radii) r = 1 / std::sqrt(1 - uniform(random) * (1 - 1 / (ratio * ratio))), cubes += r * r * r;
  const double side = std::cbrt(cubes * 4 / 3 * 3.14159265358979 / 0.5);
  auto storage = std::make_shared<data::ParticleStorage>(n);
  for (const double r : radii) {
    auto&& p = *storage->create();
    p.setPosition(side * Vec3{middle(random), middle(random), middle(random)});
    p.setInteractionRadius(r);
  }
  return storage;
}

/// Runs a step: all particles go into the search, and each pair that it gives is tested.
template <class Search>
Contacts detect(data::ParticleStorage& storage, Accessor& accessor, Search& search) {
  Contacts found;
  search.clear();
  storage.forEachParticle(false, kernel::SelectAll(), accessor, search, accessor);
  const auto test = [&found](std::size_t i, std::size_t j, Accessor& ac) {
    using data::particle_flags::isSet, data::particle_flags::INFINITE;
    const bool infinite = isSet(ac.getFlags(i), INFINITE) || isSet(ac.getFlags(j), INFINITE);
    const auto reach = ac.getInteractionRadius(i) + ac.getInteractionRadius(j);
    if (infinite || (ac.getPosition(i) - ac.getPosition(j)).length() < reach) found.push_back(std::minmax(i, j));
  };
  search.forEachParticlePairHalf(false, kernel::ExcludeInfiniteInfinite(), accessor, test, accessor);
  return found;
}

/// Finds pairs by brute force, with the functions of a search.
struct AllPairs {
  data::ParticleStorage& storage;
  void clear() {}
  void operator()(std::size_t, Accessor&) {}
  template <class... Args>
  void forEachParticlePairHalf(Args&&... args) {
    storage.forEachParticlePairHalf(std::forward<Args>(args)...);
  }
};

void compare() {
  for (const double ratio : {1.0, 3.0, 10.0, 100.0}) {
    const auto storage = spheres(3000, ratio, 1);
    for (const std::size_t i : {5, 500}) data::particle_flags::set(storage->getFlagsRef(i), data::particle_flags::INFINITE);
    Accessor accessor(storage);
    data::HashGrids theirs;
    hgrid_mesa_pd::Pairs ours;
    AllPairs all{*storage};
    for (int step = 0; step < 3; ++step) {
      Contacts found[] = {detect(*storage, accessor, ours), detect(*storage, accessor, theirs),
                          detect(*storage, accessor, all)};
      for (Contacts& contacts : found) std::ranges::sort(contacts);
      std::printf("ratio %g, step %d: %zu contacts\n", ratio, step, found[0].size());
      if (found[0] != found[2] || found[1] != found[2]) std::printf("and all pairs have %zu\n", found[2].size()), std::exit(1);
      for (std::size_t i = 0; i < storage->size(); ++i) storage->getPositionRef(i) *= 1.01;  // particles have moved
    }
  }
}

void times() {
  for (const double ratio : {1.0, 10.0, 50.0}) {
    const auto storage = spheres(100'000, ratio, 2);
    Accessor accessor(storage);
    data::HashGrids theirs;
    hgrid_mesa_pd::Pairs ours;
    std::vector<double> ms[2];
    std::size_t contacts[2];
    const auto measure = [&](int which, auto& search) {
      const auto start = std::chrono::steady_clock::now();
      contacts[which] = detect(*storage, accessor, search).size();
      ms[which].push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    };
    for (int run = 0; run < 8; ++run) measure(0, theirs), measure(1, ours);
    for (auto& all : ms) all.erase(all.begin()), std::ranges::nth_element(all, all.begin() + 3);  // the first one plans
    std::printf("ratio %g: HashGrids %.1f ms, hgrid %.1f ms, %zu and %zu contacts\n", ratio, ms[0][3], ms[1][3], contacts[0],
                contacts[1]);
  }
}

int main(int argc, char** argv) {
  walberla::mpi::MPIManager::instance()->initializeMPI(&argc, &argv);
  walberla::mpi::MPIManager::instance()->useWorldComm();
  argc > 1 && std::strcmp(argv[1], "times") == 0 ? times() : compare();
}
