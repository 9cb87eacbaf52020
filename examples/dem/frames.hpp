// SPDX-License-Identifier: BSD-3-Clause
// Frames for ParaView, by the library's own writer: particles as points, touching pairs as lines.
#pragma once

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
  std::array<double, 3> period{};
  for (int k = 0; k < D; ++k) period[k] = world.box.length(k);
  const auto overlap = [&](const hgrid::Pair& pair, const hgrid::Image& m) {
    double squared = 0;
    for (int k = 0; k < D; ++k) {
      const double d = x[pair.i][k] - x[pair.j][k] - m.m[k] * period[k];
      squared += d * d;
    }
    return table.r[pair.i] + table.r[pair.j] - std::sqrt(squared);
  };
  const auto size = static_cast<std::size_t>(pairs.size());
  const std::span<const hgrid::Image> images(pairs.images(), pairs.has_images() ? size : 0);
  hgrid::io::AtomicFile file(folder + "/frame" + std::to_string(number) + ".vtp", true);
  hgrid::io::write_vtp(file, table, period, hgrid::io::pair_source({pairs.pairs(), size}, images, overlap));
  file.commit();
}

}  // namespace dem
