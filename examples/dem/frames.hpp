// SPDX-License-Identifier: BSD-3-Clause
// Frames for ParaView, by the library's own writer: particles as points, touching pairs as lines; bonds in a file of their own.
#pragma once

#include <algorithm>
#include <io/vtp.hpp>

#include "simulation.hpp"

namespace dem {

/// Writes particles, and pairs with their overlap. A negative overlap is the gap between two particles, as of bonds; such pairs
/// do not touch.
template <int D, class Overlap>
void write_pairs(const std::string& name, const hgrid::io::ParticleTable& table, const hgrid::Box<D>& box,
                 const hgrid::PairColumns<const index_t>& pairs, const Overlap& overlap) {
  hgrid::io::Coordination coordination{std::vector<std::int32_t>(table.r.size()), std::vector<double>(table.r.size())};
  for (offset_t k = 0; k < pairs.size; ++k) {
    const hgrid::Contact c = pairs[k];
    for (const hgrid::index_t p : {c.i, c.j}) {
      coordination.contacts[p] += overlap(c) >= 0;
      coordination.largest_overlap[p] = std::max(coordination.largest_overlap[p], overlap(c));
    }
  }
  hgrid::io::AtomicFile file(name, true);
  const hgrid::io::PairSource source = hgrid::io::pair_source(pairs, overlap);
  hgrid::io::write_vtp(file, {source, table, hgrid::Box3::of_axes(box), coordination});
  file.commit();
}

template <class Exec, int D>
void write_frame(Simulation<Exec, D>& simulation, const std::string& folder, offset_t number) {
  const World<D>& world = simulation.world();
  const std::vector<Vec<double, D>> x = simulation.particles().x.get();
  hgrid::io::ParticleTable table;
  table.dimension = D;
  table.r = simulation.particles().radius.get();
  for (const Vec<double, D>& at : x) {
    table.x.push_back(at[0]), table.y.push_back(at[1]), table.z.push_back(D == 3 ? at[D - 1] : 0);
  }
  const auto overlap = [&](const hgrid::Contact& c) {
    const Vec<double, D> d = c.separation(world.box, x[c.i], x[c.j]);
    return table.r[c.i] + table.r[c.j] - std::sqrt(dot(d, d));
  };
  hgrid::Grid grid{hgrid::SerialExec{}, world.box};
  Bonds<hgrid::SerialExec> bonds{grid.exec()};
  bonds.set(simulation.bonds().get());
  auto particles = hgrid::particles<D>(x.data()->v, table.r.data(), static_cast<offset_t>(x.size()));
  particles.exclusions = bonds.exclusions();
  grid.build(particles);
  auto pairs = grid.make_pairs();
  grid.find(pairs);
  const std::string end = std::to_string(number) + ".vtp";
  write_pairs(folder + "/frame" + end, table, world.box, pairs.columns(), overlap);
  if (bonds.exclusions().size == 0) return;
  std::vector<hgrid::Pair> joined;
  std::vector<hgrid::Image> images;
  const HostBonds lists = bonds.get();
  for (std::size_t i = 0; i < lists.of.size(); ++i) {
    for (const auto& [j, bond] : lists.of[i]) {
      if (static_cast<std::size_t>(j) > i) joined.push_back({static_cast<index_t>(i), j}), images.push_back(bond.image);
    }
  }
  const auto columns = hgrid::columns_of(joined.data(), images.data(), static_cast<offset_t>(joined.size()));
  write_pairs(folder + "/bonds" + end, table, world.box, columns, overlap);
}

}  // namespace dem
