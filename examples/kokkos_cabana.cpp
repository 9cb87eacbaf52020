// SPDX-License-Identifier: BSD-3-Clause
// hgrid's neighbor lists in Cabana: one specialisation, and every neighbor_parallel_for and neighbor_parallel_reduce takes
// them.
#include <Cabana_Core.hpp>
#include <hgrid/kokkos.hpp>
#include <hgrid/loop.hpp>

#include <cstdio>

// [docs: cabana]
/// Gives a neighbor list of hgrid to Cabana's kernels: a view, valid until the list is filled again.
template <class MemorySpace>
struct HgridNeighbors {
  const hgrid::offset_t* offsets;
  const hgrid::index_t* neighbors;
  std::size_t particles;
};

template <class MemorySpace>
class Cabana::NeighborList<HgridNeighbors<MemorySpace>> {
 public:
  using memory_space = MemorySpace;
  using list_type = HgridNeighbors<MemorySpace>;

  KOKKOS_INLINE_FUNCTION static std::size_t totalNeighbor(const list_type& list) {
    return static_cast<std::size_t>(list.offsets[list.particles]);
  }
  KOKKOS_INLINE_FUNCTION static std::size_t maxNeighbor(const list_type& list) {
    std::size_t most = 0;
    for (std::size_t i = 0; i < list.particles; ++i) most = numNeighbor(list, i) > most ? numNeighbor(list, i) : most;
    return most;
  }
  KOKKOS_INLINE_FUNCTION static std::size_t numNeighbor(const list_type& list, std::size_t i) {
    return static_cast<std::size_t>(list.offsets[i + 1] - list.offsets[i]);
  }
  KOKKOS_INLINE_FUNCTION static std::size_t getNeighbor(const list_type& list, std::size_t i, std::size_t k) {
    return static_cast<std::size_t>(list.neighbors[list.offsets[i] + static_cast<hgrid::offset_t>(k)]);
  }
};
// [docs: end]

namespace {

using Space = Kokkos::DefaultHostExecutionSpace;
using Memory = Space::memory_space;
using Particles = Cabana::AoSoA<Cabana::MemberTypes<double[3]>, Memory>;

double fraction(double v) { return v - static_cast<double>(static_cast<long>(v)); }

/// Counts the neighbors of each particle, and a number that depends on which they are, as a kernel of Cabana sees them.
template <class List>
void visit(const List& list, Kokkos::View<long* [2], Memory> seen) {
  const auto add = KOKKOS_LAMBDA(const int i, const int j) {
    seen(i, 0) += 1;
    seen(i, 1) += (j + 1L) * (j + 1L);
  };
  const Kokkos::RangePolicy<Space> all(0, seen.extent(0));
  Cabana::neighbor_parallel_for(all, add, list, Cabana::FirstNeighborsTag(), Cabana::SerialOpTag(), "visit");
  Kokkos::fence();
}

}  // namespace

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard guard(argc, argv);
  const std::size_t n = 20000;
  const double cutoff = 1.7, length = 30;
  Particles particles("particles", n);
  auto x = Cabana::slice<0>(particles);
  Kokkos::View<double* [3], Memory> positions("positions", n);
  Kokkos::View<double*, Memory> radii("radii", n);
  for (std::size_t i = 0; i < n; ++i) {  // a low-discrepancy cloud
    const double a[3] = {0.819172513396, 0.671043606704, 0.549700477901};
    for (std::size_t k = 0; k < 3; ++k) x(i, k) = positions(i, k) = length * fraction(a[k] * static_cast<double>(i));
    radii(i) = cutoff / 2;  // Cabana's own list has one cut-off; hgrid's may have a radius for each
  }

  // [docs: cabana_use]
  hgrid::Grid grid{hgrid::make_exec(Space()), hgrid::Box3::open()};
  grid.build(positions, radii);
  auto lists = grid.make_list(hgrid::ListKind::full);
  grid.find(lists);
  const HgridNeighbors<Memory> neighbors{lists.offsets(), lists.neighbours(), n};
  // [docs: end]
  Kokkos::View<long* [2], Memory> ours("ours", n), theirs("theirs", n);
  visit(neighbors, ours);

  const double lo[3] = {0, 0, 0}, hi[3] = {length, length, length};
  using Own = Cabana::VerletList<Memory, Cabana::FullNeighborTag, Cabana::VerletLayoutCSR, Cabana::TeamOpTag>;
  const Own own(x, 0, n, cutoff, 1.0, lo, hi);
  visit(own, theirs);

  std::size_t others = 0, most = 0;
  for (std::size_t i = 0; i < n; ++i) {
    others += ours(i, 0) != theirs(i, 0) || ours(i, 1) != theirs(i, 1) ? 1 : 0;
    most = std::max(most, static_cast<std::size_t>(ours(i, 0)));
  }
  using Interface = Cabana::NeighborList<HgridNeighbors<Memory>>;
  std::printf("%zu neighbours, at most %zu; %zu particles have others than in Cabana's own list\n",
              Interface::totalNeighbor(neighbors), most, others);
  return others == 0 && most > 10 && Interface::maxNeighbor(neighbors) == most ? 0 : 1;
}
