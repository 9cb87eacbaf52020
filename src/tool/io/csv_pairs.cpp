// SPDX-License-Identifier: BSD-3-Clause
#include "io/csv_pairs.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>

#include <iterator>
#include <span>

namespace hgrid::io {

void write_pairs_csv(AtomicFile& file, const PairSource& pairs, const ParticleTable& particles, const FrameColumn& frame) {
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const std::string first = frame.begin("i,j,ix,iy,iz,overlap", text);
  for_each_batch(pairs, [&](std::int64_t, std::span<const PairRow> rows) {
    for (const auto& [c, overlap] : rows) {
      fmt::format_to(out, FMT_COMPILE("{}{},{},{},{},{},{}\n"), first, particles.id_of(c.i), particles.id_of(c.j), c.image[0],
                     c.image[1], c.image[2], overlap);
    }
    file.write_when_full(text);
  });
  file.write({text.data(), text.size()});
}

void write_coordination_csv(AtomicFile& file, const ParticleTable& particles, const Coordination& coordination,
                            const FrameColumn& frame) {
  require_complete(particles);
  const bool flat = particles.dimension == 2;
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  const bool boxes = particles.boxes;
  const std::string first = frame.begin(fmt::format("id,{},{},contacts,largest_overlap", flat ? "x,y" : "x,y,z",
                                                    !boxes ? "r"
                                                    : flat ? "hx,hy"
                                                           : "hx,hy,hz"),
                                        text);
  const auto sizes = std::span(particles.extent).first(!boxes ? 0 : flat ? 2 : 3);
  for (std::size_t k = 0; k < particles.x.size(); ++k) {
    fmt::format_to(out, FMT_COMPILE("{}{},{},{},"), first, particles.id_of(k), particles.x[k], particles.y[k]);
    if (!flat) fmt::format_to(out, FMT_COMPILE("{},"), particles.z[k]);
    if (!boxes) fmt::format_to(out, FMT_COMPILE("{},"), particles.r[k]);
    for (const std::vector<double>& h : sizes) fmt::format_to(out, FMT_COMPILE("{},"), h[k]);
    fmt::format_to(out, FMT_COMPILE("{},{}\n"), coordination.contacts[k], coordination.largest_overlap[k]);
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
