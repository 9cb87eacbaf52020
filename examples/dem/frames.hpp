// SPDX-License-Identifier: BSD-3-Clause
// Frames for ParaView, by the library's own writer: particles as points, touching pairs as lines.
#pragma once

#include <algorithm>
#include <io/vtp.hpp>

#include "simulation.hpp"

namespace dem {

template <class Exec, int D>
void write_frame(Simulation<Exec, D>& simulation, const World<D>& world, const std::string& folder, offset_t number) {
  const std::vector<Vec<double, D>> x = simulation.particles().x.get();
  hgrid::io::ParticleTable table;
  table.dimension = D;
  table.r = simulation.particles().radius.get();
  for (const Vec<double, D>& at : x) {
    table.x.push_back(at[0]), table.y.push_back(at[1]), table.z.push_back(D == 3 ? at[D - 1] : 0);
  }
  hgrid::Grid grid{hgrid::SerialExec{}, world.box};
  auto pairs = grid.make_pairs();
  grid.build(hgrid::particles<D>(x.data()->v, table.r.data(), static_cast<offset_t>(x.size())));
  grid.pairs(pairs);
  const auto overlap = [&](const hgrid::Contact& c) {
    const Vec<double, D> d = c.separation(world.box, x[c.i], x[c.j]);
    return table.r[c.i] + table.r[c.j] - std::sqrt(dot(d, d));
  };
  hgrid::io::Coordination coordination{std::vector<std::int32_t>(x.size()), std::vector<double>(x.size())};
  for (offset_t k = 0; k < pairs.size(); ++k) {
    const hgrid::Contact c = pairs.columns()[k];
    for (const hgrid::index_t p : {c.i, c.j}) {
      ++coordination.contacts[p];
      coordination.largest_overlap[p] = std::max(coordination.largest_overlap[p], overlap(c));
    }
  }
  hgrid::io::AtomicFile file(folder + "/frame" + std::to_string(number) + ".vtp", true);
  const hgrid::io::PairSource source = hgrid::io::pair_source(pairs.columns(), overlap);
  hgrid::io::write_vtp(file, {source, table, hgrid::Box3::of_axes(world.box), coordination});
  file.commit();
}

}  // namespace dem
