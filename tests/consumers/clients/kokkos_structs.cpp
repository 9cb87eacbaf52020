// SPDX-License-Identifier: BSD-3-Clause
// As in DEM codes on Kokkos: Views of a struct that begins with the position, and of diameters; particles that have left the
// domain are marked. The search runs in the memory and on the instance of the client.
#include <hgrid/kokkos.hpp>

#include "system.hpp"

namespace {

struct Body {
  double x, y, z, vx, vy, vz;
};

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const System system(1000);
  const auto n = static_cast<std::size_t>(system.size());
  Kokkos::View<Body*, Kokkos::HostSpace> bodies("bodies", n);
  Kokkos::View<double*, Kokkos::HostSpace> diameters("diameters", n);
  Kokkos::View<std::uint8_t*, Kokkos::HostSpace> inside("inside", n);
  for (std::size_t i = 0; i < n; ++i) {
    bodies(i) = {system.x[3 * i], system.x[3 * i + 1], system.x[3 * i + 2], 0, 0, 0};
    diameters(i) = 2 * system.r[i];
    inside(i) = i % 5 != 0;
  }

  // [docs: kokkos_structs]
  hgrid::Grid grid{hgrid::make_exec(Kokkos::DefaultHostExecutionSpace()), hgrid::Box3::open()};
  auto particles = hgrid::as_particles<3>(grid.exec(), bodies, diameters);  // a view: nothing is copied
  particles.radius_scale = 0.5;                                             // these are diameters
  particles.active = inside.data();
  grid.build(particles);
  Kokkos::View<int*, Kokkos::HostSpace> contacts("contacts", n);
  grid.for_each_partner([=](hgrid::index_t i, hgrid::index_t, hgrid::Image) { ++contacts(i); });  // all of one i in one thread
  // [docs: end]

  std::vector<int> expected(n);
  for (const auto& [i, j] : system.contacts([&](int i, int j) { return inside(i) && inside(j); })) ++expected[i], ++expected[j];
  int sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    require(contacts(i) == expected[i], "the contacts of a body");
    sum += expected[i];
  }
  require(sum > 200, "there are contacts");
}
