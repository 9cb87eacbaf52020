// SPDX-License-Identifier: BSD-3-Clause
#include "bench/peers/peers.hpp"
#ifdef HGRID_HAS_NANOFLANN
#include <algorithm>
#include <nanoflann.hpp>
#include <numeric>

#include "hgrid/core/cell_key.hpp"

namespace hgrid::tool {
namespace {

struct Points {
  const Packing* p;
  std::size_t kdtree_get_point_count() const { return p->r.size(); }
  double kdtree_get_pt(std::size_t i, std::size_t axis) const { return axis == 0 ? p->x[i] : axis == 1 ? p->y[i] : p->z[i]; }
  template <class Box>
  bool kdtree_get_bbox(Box&) const {
    return false;
  }
};

/// Returns the particles in Morton order, which makes neighbors in space neighbors in memory; `id` leads back.
Packing in_morton_order(const Packing& p, std::vector<index_t>& id) {
  const std::size_t n = p.r.size();
  std::vector<std::pair<cell_key_t, index_t>> order(n);
  const double scale = 0x1p20 / p.length;
  for (std::size_t i = 0; i < n; ++i) {
    const auto spread = [&](double v) { return detail::spread_bits<3>(static_cast<cell_key_t>(v * scale)); };
    order[i] = {spread(p.x[i]) | spread(p.y[i]) << 1 | spread(p.z[i]) << 2, static_cast<index_t>(i)};
  }
  std::ranges::sort(order);
  Packing sorted{p.dimension, p.length, {}, {}, {}, {}};
  id.resize(n);
  for (auto* column : {&sorted.x, &sorted.y, &sorted.z, &sorted.r}) column->resize(n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto i = static_cast<std::size_t>(id[k] = order[k].second);
    sorted.x[k] = p.x[i], sorted.y[k] = p.y[i], sorted.z[k] = p.z[i], sorted.r[k] = p.r[i];
  }
  return sorted;
}

/// Takes the tree's results around particle i: particles that touch and are smaller, or equal and later.
struct Partners {
  const Packing& p;
  const std::vector<index_t>& id;
  std::size_t i;
  double squared;
  std::vector<Pair>& out;

  std::size_t size() const { return out.size(); }
  bool full() const { return true; }
  double worstDist() const { return squared; }
  bool addPoint(double, std::size_t j) {
    if ((p.r[j] < p.r[i] || (p.r[j] == p.r[i] && j > i)) && touches(p, i, j)) {
      out.push_back({std::min(id[i], id[j]), std::max(id[i], id[j])});
    }
    return true;
  }
};

Stages find(const Packing& p, std::vector<Pair>& out) {
  using Tree = nanoflann::KDTreeSingleIndexAdaptor<nanoflann::L2_Simple_Adaptor<double, Points>, Points, 3, std::size_t>;
  const double start = now();
  std::vector<index_t> id;
  const Packing sorted = in_morton_order(p, id);
  const double ordered = now();
  const Points points{&sorted};
  Tree tree(3, points, nanoflann::KDTreeSingleIndexAdaptorParams(10));
  const double built = now();
  for (std::size_t i = 0; i < sorted.r.size(); ++i) {
    const double reach = 2 * sorted.r[i] * (1 + 0x1p-40), x[3] = {sorted.x[i], sorted.y[i], sorted.z[i]};
    Partners partners{sorted, id, i, reach * reach, out};
    tree.findNeighbors(partners, x, nanoflann::SearchParams(32, 0.0F, false));
  }
  return {{"sort", ordered - start}, {"build", built - ordered}, {"search", now() - built}};
}

}  // namespace

Peer nanoflann_peer() { return {.name = "nanoflann", .find = find}; }

}  // namespace hgrid::tool
#endif
