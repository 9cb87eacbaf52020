// SPDX-License-Identifier: BSD-3-Clause
// Vectors and distances of all neighbours, of the nearer ones, and of the entries of a list that a VerletList gives.
#include <cmath>

#include "all_pairs.hpp"

void test_entries() {
  System<3> system(90, 6, 0.1, 0.9, 3);
  system.repeat({{6, 0, 0}, {2.5, 7, 0}, {-1, 1.5, 5}});
  const hgrid11::Box3 box = hgrid11::Box3::periodic({0, 0, 0}, {6, 7, 5}).tilted(2.5, -1, 1.5);
  const hgrid11::Particles3 particles(system.x, system.r);
  hgrid11::Grid3 grid(box);
  hgrid11::VerletOptions options;
  options.skin = 0.4, options.kind = hgrid11::ListKind::full;
  hgrid11::VerletList3 loop(grid, options);
  loop.update(particles);
  const auto compare = [&](const hgrid11::NeighbourList& list, const hgrid11::EntryList<3>& entries) {
    require(entries.lists() == list.lists() && entries.size() == list.size() && list.size() > 0,
            "as many entries as neighbours");
    for (std::int64_t i = 0; i < list.lists(); ++i) {
      for (const hgrid11::Neighbour n : list[i]) {
        const hgrid11::Entry<3> e = entries[n.entry];
        require(e.i == i && entry_of(e.i, static_cast<int>(e.j), e.image) == entry_of(i, n.id, n.image),
                "the entry of a neighbour");
        const std::array<double, 3> shift = box.shift(n.image);
        double squared = 0;
        for (std::size_t k = 0; k < 3; ++k) {
          const double along =
              system.at(static_cast<std::size_t>(e.j), k) - system.at(static_cast<std::size_t>(e.i), k) + shift[k];
          require(std::fabs(e.vector[k] - along) < 1e-12, "a vector");
          squared += along * along;
        }
        require(std::fabs(e.distance - std::sqrt(squared)) < 1e-12 && e.distance == entries.distances()[n.entry], "a distance");
      }
    }
  };
  for (const hgrid11::ListKind kind : {hgrid11::ListKind::half, hgrid11::ListKind::full}) {
    const auto kept = grid.keep(grid.entries(particles, kind));
    compare(grid.neighbours(kind), kept);
    const Entries touching = system.pairs();
    Entries found;
    for (const hgrid11::Entry<3> e : grid.entries(particles, kind, true))
      found.insert(entry_of(e.i, static_cast<int>(e.j), e.image));
    require(found == (kind == hgrid11::ListKind::half ? touching : from_both_sides(touching)), "those nearer than touching");
    require(kept.size() > static_cast<std::int64_t>(found.size()), "others are within the skin");
  }
  compare(loop.neighbours(), grid.entries(particles, loop.neighbours()));
  require(grid.entries(particles, loop.neighbours(), true).size() == static_cast<std::int64_t>(2 * system.pairs().size()),
          "the nearer of them");
}
