// SPDX-License-Identifier: BSD-3-Clause
// That which ranks take: the checks of a rank's input before anything of it goes to another rank.
#pragma once

#include <string>
#include <vector>

#include "hgrid/engine/input_error.hpp"
#include "hgrid/host/host_exec.hpp"
#include "hgrid/options.hpp"

namespace hgrid::inline v0_1::detail {

/// The box. Throws `unsupported` for one that ranks do not take, or for such options.
template <int D>
const Box<D>& supported_by_ranks(const Box<D>& box, const GridOptions& options) {
  if (box.tilted || box.turned) throw Error(ErrorCode::unsupported, "ranks take orthogonal boxes only", {.argument = "box"});
  if (options.rule != Rule::sum) {
    throw Error(ErrorCode::unsupported, "ranks find contacts by the sum of radii only", {.argument = "rule"});
  }
  return box;
}

inline void require_id_count(std::int64_t count, offset_t particles) {
  if (count == particles) return;
  throw Error(ErrorCode::size_mismatch, counted(count, "id") + " for " + counted(particles, "particle"),
              {.argument = "ids", .count = count, .needed = particles});
}

[[noreturn]] inline void throw_negative_id(std::int64_t particle, std::int64_t id) {
  throw Error(ErrorCode::range_error, "the global id of particle " + std::to_string(particle) + " is " + std::to_string(id),
              {.argument = "ids", .index = particle, .value = static_cast<double>(id), .count = 1});
}

inline void check_ids(const std::vector<std::int64_t>& id, offset_t particles) {
  const auto count = static_cast<std::int64_t>(id.size());
  require_id_count(count, particles);
  std::int64_t signs = 0;
  for (const std::int64_t value : id) signs |= value;
  for (std::int64_t i = 0; signs < 0 && i < count; ++i) {
    const std::int64_t value = id[static_cast<std::size_t>(i)];
    if (value < 0) throw_negative_id(i, value);
  }
}

/// Bounds of the particles. Throws what is wrong with them as a build does.
template <class Real, int D>
InputSummary<D> inspected(const HostExec& exec, const Particles<Real, D>& particles, const Box<D>& box, double skin) {
  check_arguments(particles, skin);
  InputSummary<D> input;
  const InspectParticle<Real, D, OneBox<D>> each{particles, {box}, skin};
  exec.reduce("hgrid::inspect", particles.count, each, InputSummary<D>::identity(), &input);
  throw_if_bad(input, box, skin);
  return input;
}

}  // namespace hgrid::inline v0_1::detail
