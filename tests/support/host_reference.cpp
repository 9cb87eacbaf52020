// SPDX-License-Identifier: BSD-3-Clause
#include "support/host_reference.hpp"

#include "hgrid/hgrid.hpp"
#include "support/random.hpp"

namespace support {

System random_system(hgrid::index_t n, double ratio, bool periodic) {
  Random random(static_cast<std::uint64_t>(n + ratio));
  System s;
  double volume = 0;
  for (hgrid::index_t i = 0; i < n; ++i) {
    const double r = 1 / std::sqrt(1 - random.real() * (1 - 1 / (ratio * ratio)));
    s.r.push_back(r);
    volume += 4.18879 * r * r * r;
  }
  const double length = std::cbrt(volume / 0.6);
  for (hgrid::index_t i = 0; i < 3 * n; ++i) s.x.push_back(random.real(0, length));
  s.box = periodic ? hgrid::Box3::periodic({0, 0, 0}, {length, length, length}) : hgrid::Box3::open();
  return s;
}

std::vector<hgrid::Pair> host_pairs(const System& s) {
  hgrid::Grid<hgrid::OpenMPExec, 3> grid(hgrid::OpenMPExec{}, s.box);
  grid.build(hgrid::particles<3>(s.x.data(), s.r.data(), s.size()));
  auto list = grid.make_pairs();
  grid.find(list, {.order = hgrid::Order::sorted});
  return {list.pairs(), list.pairs() + list.size()};
}

}  // namespace support
