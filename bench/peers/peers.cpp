// SPDX-License-Identifier: BSD-3-Clause
#include "bench/peers/peers.hpp"

#include <malloc.h>
#include <omp.h>
#if defined(HGRID_HAS_ARBORX) || defined(HGRID_HAS_CABANA)
#include "hgrid/kokkos.hpp"
#define HGRID_PEERS_ON_KOKKOS
#endif

namespace hgrid::tool {

PeerRuntime::PeerRuntime(int threads) {
  mallopt(M_MMAP_THRESHOLD, 1 << 30);
  mallopt(M_TRIM_THRESHOLD, -1);
  omp_set_num_threads(threads);
#ifdef HGRID_PEERS_ON_KOKKOS
  kokkos_ = std::make_shared<const KokkosSession>();
#endif
}

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
#ifdef HGRID_HAS_ARBORX
  peers.push_back(arborx_peer());
#endif
#ifdef HGRID_HAS_CABANA
  peers.push_back(cabana_peer());
#endif
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
#ifndef HGRID_HAS_ARBORX
  absent.emplace_back("arborx: not found when configuring (with Kokkos 4.5 or later; set ArborX_ROOT)");
#endif
#ifndef HGRID_HAS_CABANA
  absent.emplace_back("cabana: not found when configuring (with Kokkos 4.5 or later; set Cabana_ROOT)");
#endif
  return absent;
}

}  // namespace hgrid::tool
