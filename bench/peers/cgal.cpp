// SPDX-License-Identifier: BSD-3-Clause
#include "bench/peers/peers.hpp"
#ifdef HGRID_HAS_CGAL
#include <CGAL/box_intersection_d.h>

#include <algorithm>

namespace hgrid::tool {
namespace {

using BoxOfParticle = CGAL::Box_intersection_d::Box_with_handle_d<double, 3, const double*>;

/// The bounding box of a sphere, a little enlarged against rounding.
BoxOfParticle box_of(const Packing& p, std::size_t i) {
  const double r = p.r[i], more = (r + p.length) * 0x1p-40;
  double lo[3] = {p.x[i] - r - more, p.y[i] - r - more, p.z[i] - r - more};
  double hi[3] = {p.x[i] + r + more, p.y[i] + r + more, p.z[i] + r + more};
  return {lo, hi, &p.r[i]};
}

Stages find(const Packing& p, std::vector<Pair>& out) {
  constexpr std::ptrdiff_t cutoff = 10'000;
  const double start = now();
  std::vector<BoxOfParticle> boxes;
  boxes.reserve(p.r.size());
  for (std::size_t i = 0; i < p.r.size(); ++i) boxes.push_back(box_of(p, i));
  const double built = now();
  const auto take = [&](const BoxOfParticle& a, const BoxOfParticle& b) {
    const auto i = static_cast<index_t>(a.handle() - p.r.data()), j = static_cast<index_t>(b.handle() - p.r.data());
    if (touches(p, static_cast<std::size_t>(i), static_cast<std::size_t>(j))) {
      out.push_back({std::min(i, j), std::max(i, j)});
    }
  };
  CGAL::box_self_intersection_d(boxes.begin(), boxes.end(), take, cutoff);
  return {{"boxes", built - start}, {"search", now() - built}};
}

}  // namespace

Peer cgal_peer() { return {.name = "cgal", .find = find}; }

}  // namespace hgrid::tool
#endif
