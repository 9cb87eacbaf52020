// SPDX-License-Identifier: BSD-3-Clause
#include "bench_peers.hpp"

namespace hgrid::tool {

std::vector<Peer> found_peers() {
  std::vector<Peer> peers;
#ifdef HGRID_HAS_NANOFLANN
  peers.push_back(nanoflann_peer());
#endif
#ifdef HGRID_HAS_CGAL
  peers.push_back(cgal_peer());
#endif
#ifdef HGRID_HAS_BOOST
  peers.push_back(boost_peer());
#endif
  peers.push_back(linked_cell_peer());
  return peers;
}

std::vector<std::string> absent_peers() {
  std::vector<std::string> absent;
#ifndef HGRID_HAS_NANOFLANN
  absent.emplace_back("nanoflann: not found when configuring (Debian, Ubuntu: apt install libnanoflann-dev)");
#endif
#ifndef HGRID_HAS_CGAL
  absent.emplace_back("cgal: not found when configuring (Debian, Ubuntu: apt install libcgal-dev)");
#endif
#ifndef HGRID_HAS_BOOST
  absent.emplace_back("boost: not found when configuring (Debian, Ubuntu: apt install libboost-dev)");
#endif
  return absent;
}

}  // namespace hgrid::tool
