// SPDX-License-Identifier: BSD-3-Clause
// A peer for bench/gpu.sh on ArborX, a library of bounding volume hierarchies on Kokkos that you have, in Kokkos' default
// space: the half pair list of a file of particles by ArborX's half traversal, which meets each pair once. It differs from
// hgrid in two ways: everything is single precision, so that pairs which just touch may count otherwise, and the tree is walked
// twice, to count and to write. peer_kokkos_arborx PARTICLES
#include <ArborX.hpp>
#include <Kokkos_Core.hpp>
#include <detail/ArborX_HalfTraversal.hpp>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <vector>

#include "particles.hpp"
#include "results.hpp"

namespace {

using Space = Kokkos::DefaultExecutionSpace;
using Memory = Space::memory_space;
using Sphere = ArborX::Sphere<3, float>;
using Grain = ArborX::PairValueIndex<Sphere, int>;
using Pairs = Kokkos::View<Kokkos::pair<int, int>*, Memory>;

struct MakeSphere {
  Kokkos::View<const float*, Memory> x, r;
  Kokkos::View<Sphere*, Memory> spheres;
  KOKKOS_FUNCTION void operator()(std::int64_t i) const { spheres(i) = {{x(3 * i), x(3 * i + 1), x(3 * i + 2)}, r(i)}; }
};

struct AsksItsSphere {
  KOKKOS_FUNCTION auto operator()(const Grain& a) const { return ArborX::intersects(a.value); }
};

/// Takes the partners of a leaf, which one thread meets: counts without room for them, else writes from the scan's place.
struct Takes {
  Kokkos::View<std::int64_t*, Memory> next;
  Pairs out;
  KOKKOS_FUNCTION void operator()(const Grain& a, const Grain& b) const {
    const std::int64_t k = next(a.index)++;
    if (out.extent(0) > 0) out(k) = {a.index, b.index};
  }
};

struct Scan {
  Kokkos::View<std::int64_t*, Memory> next;
  KOKKOS_FUNCTION void operator()(std::int64_t i, std::int64_t& sum, bool is_final) const {
    const std::int64_t count = next(i);
    if (is_final) next(i) = sum;
    sum += count;
  }
};

template <class T>
Kokkos::View<const T*, Memory> on_device(const std::vector<T>& values) {
  const Kokkos::View<const T*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>> host(values.data(), values.size());
  const Kokkos::View<T*, Memory> copy("particles", values.size());
  Kokkos::deep_copy(copy, host);
  return copy;
}

class Step {
 public:
  explicit Step(const gpu_bench::HostParticles& p)
      : n_(p.size()), x_(on_device(p.x)), r_(on_device(p.r)), spheres_("spheres", n_), next_("next", n_), pairs_("pairs", 0) {}

  /// The number of pairs; writes as many as there is room for, which the first run makes.
  std::int64_t run() {
    Kokkos::parallel_for(Kokkos::RangePolicy<Space>(space_, 0, n_), MakeSphere{x_, r_, spheres_});
    const ArborX::BoundingVolumeHierarchy tree(space_, ArborX::Experimental::attach_indices<int>(spheres_));
    Kokkos::deep_copy(space_, next_, 0);
    ArborX::Details::HalfTraversal(space_, tree, Takes{next_, Pairs("none", 0)}, AsksItsSphere{});
    std::int64_t found = 0;
    Kokkos::parallel_scan(Kokkos::RangePolicy<Space>(space_, 0, n_), Scan{next_}, found);
    if (pairs_.extent(0) == 0) pairs_ = Pairs("pairs", found);
    if (static_cast<std::int64_t>(pairs_.extent(0)) != found) throw std::runtime_error("two steps find different pairs");
    ArborX::Details::HalfTraversal(space_, tree, Takes{next_, pairs_}, AsksItsSphere{});
    space_.fence();
    return found;
  }

 private:
  std::int64_t n_;
  Kokkos::View<const float*, Memory> x_, r_;
  Kokkos::View<Sphere*, Memory> spheres_;
  Kokkos::View<std::int64_t*, Memory> next_;
  Pairs pairs_;
  Space space_;
};

void run(const char* path) {
  Step step(gpu_bench::read_particles(path));
  constexpr int warm = 2, timed = 10;
  std::int64_t found = 0;
  std::vector<float> ms;
  for (int k = 0; k < warm + timed; ++k) {
    const Kokkos::Timer timer;
    found = step.run();
    if (k >= warm) ms.push_back(static_cast<float>(1e3 * timer.seconds()));
  }
  std::printf("%s\n", gpu_bench::Row().add(gpu_bench::summary(ms)).add("pairs", double(found)).text().c_str());
}

}  // namespace

int main(int argc, char** argv) try {
  if (argc != 2) return std::fprintf(stderr, "peer_kokkos_arborx PARTICLES\n"), 2;
  const Kokkos::ScopeGuard kokkos;
  return run(argv[1]), 0;
} catch (const std::exception& e) {
  return std::fprintf(stderr, "%s\n", e.what()), 1;
}
