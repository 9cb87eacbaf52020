// SPDX-License-Identifier: BSD-3-Clause
#include "bench/peers/peers.hpp"
#ifdef HGRID_HAS_BOOST
#include <algorithm>
#include <boost/function_output_iterator.hpp>
#include <boost/geometry.hpp>
#include <boost/geometry/index/rtree.hpp>

namespace hgrid::tool {
namespace {

namespace bg = boost::geometry;
using Point = bg::model::point<double, 3, bg::cs::cartesian>;
using BoxOfParticle = bg::model::box<Point>;
using Entry = std::pair<BoxOfParticle, index_t>;

/// The bounding box of a sphere, a little enlarged against rounding.
BoxOfParticle box_of(const Packing& p, std::size_t i) {
  const double r = p.r[i] + (p.r[i] + p.length) * 0x1p-40;
  return {{p.x[i] - r, p.y[i] - r, p.z[i] - r}, {p.x[i] + r, p.y[i] + r, p.z[i] + r}};
}

Stages find(const Packing& p, std::vector<Pair>& out) {
  const double start = now();
  std::vector<Entry> entries(p.r.size());
  for (std::size_t i = 0; i < entries.size(); ++i) entries[i] = {box_of(p, i), static_cast<index_t>(i)};
  const bg::index::rtree<Entry, bg::index::rstar<16>> tree(entries.begin(), entries.end());
  const double built = now();
  for (const auto& [box, i] : tree) {  // in the order of the leaves: neighbors one after the other
    const auto take = [&, own = i](const Entry& other) {
      const index_t j = other.second;
      if (own < j && touches(p, static_cast<std::size_t>(own), static_cast<std::size_t>(j))) out.push_back({own, j});
    };
    tree.query(bg::index::intersects(box), boost::make_function_output_iterator(take));
  }
  return {{"build", built - start}, {"search", now() - built}};
}

}  // namespace

Peer boost_peer() { return {.name = "boost-rtree", .find = find}; }

}  // namespace hgrid::tool
#endif
