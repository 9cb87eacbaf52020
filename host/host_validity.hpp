// SPDX-License-Identifier: BSD-3-Clause
// The check of a time loop on hosts. Batches of particles are checked in vectors. A batch with a particle beyond its margin is
// checked one by one. Results equal MeasureValidity, but `excess` may be larger while all particles are within their margins.
#pragma once

#include <algorithm>

#include "host/sort/input_batches.hpp"

namespace hgrid::inline v0_2::detail {

template <class Real, int D>
Validity validity_on_host(const HostExec& exec, const Particles<Real, D>& now, const BuiltParticles<D>& built,
                          const Box<D>& box, const ChangedBox<D>* boxes) {
  const MeasureValidity<Real, D> each{now, built, ChangedBox<D>::of(built.box, box), boxes};
  const bool plain = ParticleBatch<D>::suits(now) && now.worlds.count == 0 && now.group == nullptr && built.group == nullptr &&
                     built.type == nullptr && built.id == nullptr && !now.has_extents() && !each.shared.deformed &&
                     !box.tilted && !box.turned;
  Validity found;
  exec.fold_parts(
      "hgrid::measure_validity", now.count,
      [&](offset_t begin, offset_t end, Validity& v) {
        ParticleBatch<D> batch;
        for (offset_t first = begin, next; first < end; first = next) {
          next = std::min(end, first - first % particles_per_batch + particles_per_batch);
          const auto count = static_cast<index_t>(next - first);
          if (plain) batch.load(now, first, count);
          if (plain && within_margins(batch, built, each.shared, first, v.excess)) {
            v.present += count;
            continue;
          }
          for (offset_t k = first; k < next; ++k) each(k, v);
        }
      },
      Validity{}, &found);
  found.expected = built.used;
  return found;
}

}  // namespace hgrid::inline v0_2::detail
