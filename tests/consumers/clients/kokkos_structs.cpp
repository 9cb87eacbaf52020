// SPDX-License-Identifier: BSD-3-Clause
// A client like DEM codes on Kokkos: Views of a struct that begins with the position, and of diameters; particles that have
// left the domain are marked. The search runs in the memory and on the instance of the client.
#include <cmath>
#include <hgrid/kokkos.hpp>
#include <utility>

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

  // Half extents are a View of rank 2, of either layout.
  Kokkos::View<double* [3], Kokkos::LayoutLeft, Kokkos::HostSpace> extents("extents", n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = 0; k < 3; ++k) extents(i, k) = (i % 3 == k ? 3 : 0.5) * system.r[i];
  }
  grid.build(bodies, extents);
  hgrid::offset_t overlapping = 0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      bool overlap = true;
      for (std::size_t k = 0; k < 3; ++k) {
        overlap = overlap && std::abs(system.x[3 * i + k] - system.x[3 * j + k]) <= extents(i, k) + extents(j, k);
      }
      overlapping += overlap ? 1 : 0;
    }
  }
  require(overlapping > 200 && grid.count() == overlapping, "the boxes that overlap");
  grid.build(Kokkos::subview(bodies, std::pair<std::size_t, std::size_t>(0, 0)),
             Kokkos::View<double* [3], Kokkos::HostSpace>("none", 0));
  require(grid.count() == 0, "no boxes");
  try {
    grid.build(bodies, Kokkos::View<double* [3], Kokkos::HostSpace>("one less", n - 1));
    require(false, "extents that do not fit are refused");
  } catch (const hgrid::Error& e) {
    require(e.code() == hgrid::ErrorCode::size_mismatch, "extents that do not fit are refused by code");
  }
}
