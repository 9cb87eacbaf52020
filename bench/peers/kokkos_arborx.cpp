// SPDX-License-Identifier: BSD-3-Clause
#include <ArborX.hpp>
#include <detail/ArborX_HalfTraversal.hpp>

#include "bench/peers/kokkos_pairs.hpp"
#include "bench/peers/peers.hpp"

namespace hgrid::tool {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Sphere = ArborX::Sphere<3, double>;
using Grain = ArborX::PairValueIndex<Sphere, index_t>;

/// The query of a grain for later nodes and leaves; a little enlarged against rounding.
struct Asks {
  double more;
  KOKKOS_FUNCTION auto operator()(const Grain& a) const {
    return ArborX::intersects(Sphere{a.value.centroid(), a.value.radius() * (1 + 0x1p-40) + more});
  }
};

struct Takes {
  const PairsByThread* found;
  KOKKOS_FUNCTION void operator()(const Grain& a, const Grain& b) const {
    const auto &p = a.value.centroid(), &q = b.value.centroid();
    const double x = p[0] - q[0], y = p[1] - q[1], z = p[2] - q[2], r = a.value.radius() + b.value.radius();
    if ((x * x + y * y) + z * z <= r * r) found->add(a.index, b.index);
  }
};

Stages find(const Packing& p, std::vector<Pair>& out) {
  const Space space;
  const double start = now();
  Kokkos::View<Sphere*, Kokkos::HostSpace> spheres(Kokkos::view_alloc(Kokkos::WithoutInitializing, "spheres"), p.r.size());
  Kokkos::parallel_for(Kokkos::RangePolicy<Space>(space, 0, p.r.size()), [&](std::size_t i) {
    spheres(i) = Sphere{{p.x[i], p.y[i], p.z[i]}, p.r[i]};
  });
  const ArborX::BoundingVolumeHierarchy tree(space, ArborX::Experimental::attach_indices<index_t>(spheres));
  space.fence();
  const double built = now();
  PairsByThread found;
  ArborX::Details::HalfTraversal(space, tree, Takes{&found}, Asks{p.length * 0x1p-40});
  space.fence();
  found.move_to(out);
  return {{"build", built - start}, {"search", now() - built}};
}

}  // namespace

Peer arborx_peer() { return {.name = "arborx", .find = find, .threaded = true}; }

}  // namespace hgrid::tool
