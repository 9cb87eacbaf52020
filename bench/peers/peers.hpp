// SPDX-License-Identifier: BSD-3-Clause
// The other codes that hgrid bench --peers runs, each in its file; a code that needs a library is there if configuring found
// it.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "hgrid/core/types.hpp"
#include "hgrid/packing/packing.hpp"
#include "src/tool/seconds.hpp"

namespace hgrid::tool {

/// Parts of one run in order, in seconds.
using Stages = std::vector<std::pair<std::string, double>>;

/// From unsorted particles in an open box to the list of all pairs (i < j in any order).
struct Peer {
  std::string name;
  std::function<Stages(const Packing&, std::vector<Pair>&)> find;
  /// Returns why the code is not run for these particles: it would take too long. Returns nothing if it is run.
  std::function<std::optional<std::string>(const Packing&)> declines = [](const Packing&) { return std::nullopt; };
  bool threaded = false;  ///< runs on as many threads as hgrid does, else on one
};

/// The environment of peers, once a process: Kokkos on that number of threads, and a heap that keeps freed memory, so that
/// peers that allocate at each call do not pay for fresh pages each time.
class PeerRuntime {
 public:
  explicit PeerRuntime(int threads);

 private:
  std::shared_ptr<const void> kokkos_;
};

/// Returns the peers of this build, and the requirements of the others.
std::vector<Peer> found_peers();
std::vector<std::string> absent_peers();

/// The contact condition of the contract, each operation rounded once, without grid or view.
inline bool touches(const Packing& p, std::size_t i, std::size_t j) {
  const double x = p.x[i] - p.x[j], y = p.y[i] - p.y[j], z = p.z[i] - p.z[j], r = p.r[i] + p.r[j];
  return (x * x + y * y) + z * z <= r * r;
}

/// One cell size for all particles, half stencil, particles sorted into cells.
Peer linked_cell_peer();
/// Returns the refusal of single-level cells where one size of cells means too many tests or cells per particle.
std::optional<std::string> too_many_tests(const Packing& p);
/// ArborX: a bounding volume hierarchy of spheres in double, half traversal.
Peer arborx_peer();
/// Cabana: linked cells of one size, particles sorted into them.
Peer cabana_peer();
/// CGAL::box_self_intersection_d over the bounding boxes, cutoff 10000.
Peer cgal_peer();
/// A packed boost::geometry R-tree of the bounding boxes.
Peer boost_peer();
/// A nanoflann k-d tree of particles in Morton order; of each pair the larger finds the smaller within 2 r.
Peer nanoflann_peer();

}  // namespace hgrid::tool
