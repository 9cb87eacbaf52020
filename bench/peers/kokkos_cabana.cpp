// SPDX-License-Identifier: BSD-3-Clause
#include <Cabana_Core.hpp>

#include "bench/peers/kokkos_pairs.hpp"
#include "bench/peers/peers.hpp"

namespace hgrid::tool {
namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Kokkos::HostSpace;
using Grains = Cabana::AoSoA<Cabana::MemberTypes<double[3], double, index_t>, Memory, 8>;

Stages find(const Packing& p, std::vector<Pair>& out) {
  const double start = now();
  Grains grains("grains", p.r.size());
  auto x = Cabana::slice<0>(grains);
  auto r = Cabana::slice<1>(grains);
  auto id = Cabana::slice<2>(grains);
  const Kokkos::RangePolicy<Space> all(0, p.r.size());
  Kokkos::parallel_for(all, [&](std::size_t i) {
    x(i, 0) = p.x[i], x(i, 1) = p.y[i], x(i, 2) = p.z[i];
    r(i) = p.r[i], id(i) = static_cast<index_t>(i);
  });
  // Cells a little larger than the largest diameter, against rounding.
  const double size = 2 * std::ranges::max(p.r) * (1 + 0x1p-20);
  const double cell[3] = {size, size, size}, lo[3] = {0, 0, 0}, hi[3] = {p.length, p.length, p.length};
  auto cells = Cabana::createLinkedCellList(x, cell, lo, hi);
  Cabana::permute(cells, grains);
  Kokkos::fence();
  const double built = now();
  PairsByThread found;
  const auto take = [&](int a, int b) {
    if (a >= b) return;
    const double dx = x(a, 0) - x(b, 0), dy = x(a, 1) - x(b, 1), dz = x(a, 2) - x(b, 2), d = r(a) + r(b);
    if ((dx * dx + dy * dy) + dz * dz <= d * d) found.add(id(a), id(b));
  };
  Cabana::neighbor_parallel_for(all, take, cells, Cabana::FirstNeighborsTag(), Cabana::SerialOpTag());
  Kokkos::fence();
  found.move_to(out);
  return {{"sort", built - start}, {"search", now() - built}};
}

}  // namespace

Peer cabana_peer() { return {.name = "cabana", .find = find, .declines = too_many_tests, .threaded = true}; }

}  // namespace hgrid::tool
