// SPDX-License-Identifier: BSD-3-Clause
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis.hpp"
#include "io/columns.hpp"
#include "io/fields.hpp"
#include "io/line_reader.hpp"
#include "io/printable.hpp"
#include "io/read_particles.hpp"
#include "sizing.hpp"

namespace hgrid::tool {
namespace {

constexpr double usual_packing = 0.62;

/// Reads two columns, the radius and the share of the particles that are not larger; a header may come first.
class PsdReader {
 public:
  explicit PsdReader(const std::string& path) : source_(path, {}), lines_(source_, 1 << 16) {}

  paper::DistributionPtr read() {
    std::string_view line;
    while (lines_.next_filled(line)) {
      line = io::trim(line);
      if (line.front() != '#') add(line);
    }
    try {
      return paper::from_table(radii_, cumulative_);
    } catch (const Error& e) {
      throw Error(ErrorCode::format, fmt::format("{}: {}", lines_.name(), e.what()));
    }
  }

 private:
  void add(std::string_view line) {
    io::split_fields(line, io::delimiter_of(line), fields_);
    const auto fail = [&](const std::string& why) { io::fail_at_line(lines_.name(), lines_.number(), why); };
    if (fields_.size() != 2) {
      fail(fmt::format("a size distribution has 2 columns, radius and cumulative number fraction, not {}", fields_.size()));
    }
    if (radii_.empty() && !io::is_numeric(fields_[0])) {
      if (io::role_of(fields_[0]) == io::Role::diameter) scale_ = 0.5;
      return;
    }
    double values[2];
    for (std::size_t k = 0; k < 2; ++k) {
      const io::Number number = io::parse_number(fields_[k], values[k]);
      if (number != io::Number::good) fail(fmt::format("'{}' {}", io::printable(fields_[k]), io::reason(number)));
    }
    if (radii_.size() >= most_points) fail(fmt::format("more than {} points", most_points));
    radii_.push_back(scale_ * values[0]);
    cumulative_.push_back(values[1]);
  }

  static constexpr std::size_t most_points = 1 << 20;
  io::ByteSource source_;
  io::LineReader lines_;
  double scale_ = 1;
  std::vector<double> radii_, cumulative_;
  std::vector<std::string_view> fields_;
};

/// Returns the volume (area in 2-D) of the particles' space: the file's box, or else the bounding box.
double volume_of(const io::ParticleTable& table, int dimension, std::vector<std::string>& warnings) {
  double volume = 1;
  const bool stated = table.box && !table.box->vectors;
  if (!stated) {
    warnings.push_back("the file states no box; the packing fraction is for the bounding box of the particles, see --packing");
  }
  SizeBounds bounds;
  bounds.add(table, dimension);
  for (std::size_t axis = 0; axis < static_cast<std::size_t>(dimension); ++axis) {
    volume *= stated ? table.box->hi[axis] - table.box->lo[axis] : bounds.to[axis] - bounds.from[axis];
  }
  return volume;
}

double packing_of(const SizingInput& input, std::vector<std::string>& warnings) {
  const io::ParticleTable& table = *input.particles;
  const double pi = std::acos(-1.0);
  double particles = 0;
  for (double r : table.r) particles += input.dimension == 2 ? pi * r * r : 4 * pi / 3 * r * r * r;
  const double packing = particles > 0 ? particles / volume_of(table, input.dimension, warnings) : 0;
  if (packing > 0 && packing <= 1e6) return packing;
  warnings.push_back(fmt::format("the particles have no packing fraction; it is taken to be {}", usual_packing));
  return usual_packing;
}

void read_file(const SizingOptions& o, SizingInput& input) {
  input.particles = io::read_particles(o.file);
  io::ParticleTable& table = *input.particles;
  if (table.boxes) {
    refuse(io::printable_path(o.file) +
           ": boxes, with half extents; grids plan such levels by themselves, and hgrid contacts shows how");
  }
  if (table.r.empty() && table.size() > 0) {
    throw Error(ErrorCode::format,
                fmt::format("{}: no column of radii; the columns found are: {}", io::printable_path(o.file), table.columns));
  }
  if (!o.dimension) input.dimension = table.dimension;
  input.radii = paper::from_radii(table.r);
  input.source = fmt::format("{} of {}", detail::counted(table.size(), "particle"), io::printable_path(o.file));
  if (std::ranges::all_of(table.r, [](double r) { return r == 0; })) {
    input.warnings.push_back("no particle has a radius; the plan is for radii of 1");
  }
  if (!o.packing) input.packing = packing_of(input, input.warnings);
}

void take_distribution(const SizeDistribution& sizes, SizingInput& input) {
  using Kind = SizeDistribution::Kind;
  switch (sizes.kind) {
    case Kind::mono:
      input.radii = paper::monodisperse();
      input.source = "radii of 1";
      break;
    case Kind::power_law:
      input.radii = paper::power_law(sizes.ratio, sizes.exponent);
      input.source = fmt::format("radii from 1 to {}, their number ~ r^{}", sizes.ratio, sizes.exponent);
      break;
    case Kind::bidisperse:
      input.radii = paper::bidisperse(sizes.ratio, input.dimension);
      input.source = fmt::format("radii 1 and {}, equal volumes of both", sizes.ratio);
      break;
    case Kind::log_normal:
      input.radii = paper::log_normal(sizes.ratio);
      input.source = fmt::format("log-normal radii from 1 to {}", sizes.ratio);
      break;
  }
}

}  // namespace

SizingInput read_sizing_input(const SizingOptions& o) {
  SizingInput input;
  input.dimension = o.dimension.value_or(3);
  input.packing = o.packing.value_or(usual_packing);
  if (!o.file.empty()) {
    read_file(o, input);
  } else if (!o.psd.empty()) {
    input.radii = PsdReader(o.psd).read();
    input.source = "the size distribution of " + io::printable_path(o.psd);
  } else {
    take_distribution(o.sizes, input);
  }
  return input;
}

}  // namespace hgrid::tool
