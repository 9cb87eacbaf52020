// SPDX-License-Identifier: BSD-3-Clause
#include "io/md_files.hpp"

#include <fmt/compile.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

namespace hgrid::io {
namespace {

using Vectors = std::array<std::array<double, 3>, 3>;

/// Returns the vectors of a box, one after the other.
Vectors vectors_of(const BoxBounds& box) {
  if (box.vectors) return *box.vectors;
  Vectors v{};
  for (std::size_t k = 0; k < 3; ++k) v[k][k] = box.hi[k] - box.lo[k];
  v[1][0] = box.tilt[0], v[2][0] = box.tilt[1], v[2][1] = box.tilt[2];
  return v;
}

void add_keys(const ParticleTable& table, fmt::memory_buffer& text) {
  const auto out = std::back_inserter(text);
  const auto d = static_cast<std::size_t>(table.dimension);
  if (table.box) {
    const Vectors vectors = vectors_of(*table.box);
    fmt::format_to(out, "Lattice=\"");
    for (std::size_t k = 0; k < d * d; ++k) fmt::format_to(out, "{}{}", k == 0 ? "" : " ", vectors[k / d][k % d]);
    fmt::format_to(out, "\" Origin=\"{}\" ", fmt::join(table.box->lo.data(), table.box->lo.data() + d, " "));
  }
  const auto is_periodic = [&](char axis) { return table.periodic.find(axis) != table.periodic.npos ? 'T' : 'F'; };
  fmt::format_to(out, "pbc=\"{} {} {}\" Properties=species:S:1:pos:R:{}{}{}", is_periodic('x'), is_periodic('y'),
                 d == 2 ? 'F' : is_periodic('z'), d,
                 table.boxes ? (d == 2 ? ":hx:R:1:hy:R:1" : ":hx:R:1:hy:R:1:hz:R:1") : ":radius:R:1",
                 table.id.empty() ? "" : ":id:I:1");
  if (table.time) fmt::format_to(out, " Time={}", *table.time);
  if (table.step) fmt::format_to(out, " Timestep={}", *table.step);
  fmt::format_to(out, "\n");
}

/// Returns the smallest box that holds the particles; it is not flat.
BoxBounds bounds_of_spheres(const ParticleTable& table) {
  BoxBounds box;
  const std::vector<double>* const axes[] = {&table.x, &table.y, &table.z};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::vector<double>& x = *axes[k];
    for (std::size_t p = 0; p < x.size(); ++p) {
      box.lo[k] = p == 0 ? x[p] - table.r[p] : std::min(box.lo[k], x[p] - table.r[p]);
      box.hi[k] = p == 0 ? x[p] + table.r[p] : std::max(box.hi[k], x[p] + table.r[p]);
    }
    if (!(box.hi[k] > box.lo[k])) box.hi[k] = box.lo[k] + 1;
  }
  return box;
}

void add_box(const ParticleTable& table, fmt::memory_buffer& text) {
  const auto out = std::back_inserter(text);
  BoxBounds box = table.box ? without_vectors(*table.box).value_or(*table.box) : bounds_of_spheres(table);
  const bool flat = table.dimension == 2;
  if (box.vectors) {
    static constexpr const char* names[] = {"avec", "bvec", "cvec"};
    if (flat) (*box.vectors)[2] = {0, 0, 1}, (*box.vectors)[0][2] = (*box.vectors)[1][2] = 0, box.lo[2] = -0.5;
    for (std::size_t k = 0; k < 3; ++k) fmt::format_to(out, "{} {}\n", fmt::join((*box.vectors)[k], " "), names[k]);
    fmt::format_to(out, "{} abc origin\n", fmt::join(box.lo, " "));
    return;
  }
  if (flat) box.lo[2] = -0.5, box.hi[2] = 0.5, box.tilt[1] = box.tilt[2] = 0;
  for (std::size_t k = 0; k < 3; ++k) {
    const char axis = "xyz"[k];
    fmt::format_to(out, "{} {} {}lo {}hi\n", box.lo[k], box.hi[k], axis, axis);
  }
  if (box.tilt != std::array<double, 3>{}) fmt::format_to(out, "{} xy xz yz\n", fmt::join(box.tilt, " "));
}

}  // namespace

void write_extended_xyz(AtomicFile& file, const ParticleTable& table) {
  require_complete(table);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "{}\n", table.size());
  add_keys(table, text);
  const bool flat = table.dimension == 2;
  for (std::size_t p = 0; p < table.x.size(); ++p) {
    fmt::format_to(out, FMT_COMPILE("X {} {}"), table.x[p], table.y[p]);
    if (!flat) fmt::format_to(out, FMT_COMPILE(" {}"), table.z[p]);
    if (table.boxes) {
      fmt::format_to(out, FMT_COMPILE(" {} {}"), table.extent[0][p], table.extent[1][p]);
      if (!flat) fmt::format_to(out, FMT_COMPILE(" {}"), table.extent[2][p]);
    } else {
      fmt::format_to(out, FMT_COMPILE(" {}"), table.r[p]);
    }
    if (!table.id.empty()) fmt::format_to(out, FMT_COMPILE(" {}"), table.id[p]);
    text.push_back('\n');
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

void write_lammps_data(AtomicFile& file, const ParticleTable& table) {
  require_spheres(table);
  fmt::memory_buffer text;
  const auto out = std::back_inserter(text);
  fmt::format_to(out, "LAMMPS data file, by hgrid\n\n{} atoms\n1 atom types\n\n", table.size());
  add_box(table, text);
  fmt::format_to(out, "\nAtoms # sphere\n\n");
  const bool numbered = table.id.empty() || table.id.front() < 1;  // ids ascend
  for (std::size_t p = 0; p < table.x.size(); ++p) {
    fmt::format_to(out, FMT_COMPILE("{} 1 {} 1 {} {} {}\n"), numbered ? static_cast<std::int64_t>(p) + 1 : table.id[p],
                   2 * table.r[p], table.x[p], table.y[p], table.z[p]);
    file.write_when_full(text);
  }
  file.write({text.data(), text.size()});
}

}  // namespace hgrid::io
