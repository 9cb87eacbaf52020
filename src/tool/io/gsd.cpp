// SPDX-License-Identifier: BSD-3-Clause
#include "io/gsd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "hgrid/core/error.hpp"
#include "io/column_table.hpp"
#include "io/gsd_file.hpp"
#include "io/npy_header.hpp"
#include "io/row_parser.hpp"

namespace hgrid::io {
namespace {

const std::string of_particles = "particles/", of_positions = "particles/position", of_diameters = "particles/diameter";

class GsdFrames final : public FrameSource {
 public:
  GsdFrames(ByteSource& source, const ReadOptions& options) : file_(source), name_(source.name()), options_(options) {
    if (file_.schema() == "hoomd") return;
    throw Error(ErrorCode::format,
                fmt::format("{}: GSD of the schema '{}'; particles are read from the schema hoomd", name_, file_.schema()));
  }

  bool pass(bool keep) override {
    if (next_ == file_.frames()) return false;
    if (keep) frame_ = next_;
    ++next_;
    return true;
  }

  ParticleTable parse() override {
    const std::int64_t count = whole("particles/N", 0);
    const std::int64_t dimension = whole("configuration/dimensions", 3);
    if (dimension != 2 && dimension != 3) fail(fmt::format("{} dimensions", dimension));
    ParticleTable table = count == 0 ? ParticleTable{} : particles(count, dimension == 2);
    table.dimension = static_cast<int>(dimension);
    table.box = box(dimension == 2);
    if (table.box) table.periodic = dimension == 2 ? "xy" : "xyz";
    if (table.box && table.box->tilt != std::array<double, 3>{} && file_.application() == "ovito") {
      table.notes.push_back(
          "OVITO wrote this file, and version 3.17.2 writes another box for a tilted one: contacts across faces may be lost or "
          "found wrongly, and its exports as a LAMMPS dump or extended XYZ have the right box");
    }
    table.step = whole("configuration/step", 0);
    return table;
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(ErrorCode::format, fmt::format("{}: frame {}: {}", name_, frame_, reason));
  }

  /// Returns the chunk of this frame or of frame 0, which must have this shape; null if neither has one.
  const GsdChunk* chunk(const std::string& name, std::int64_t rows, std::int64_t columns) const {
    const GsdChunk* own = file_.find(name, frame_);
    const GsdChunk* first = own != nullptr ? nullptr : file_.find(name, 0);
    if (own == nullptr && (first == nullptr || first->rows != rows)) return nullptr;
    const GsdChunk* const found = own != nullptr ? own : first;
    if (found->rows == rows && found->columns == columns) return found;
    fail(fmt::format("{} has {} x {} numbers, not {} x {}", name, found->rows, found->columns, rows, columns));
  }

  std::int64_t whole(const std::string& name, std::int64_t missing) {
    double value = static_cast<double>(missing);
    if (const GsdChunk* found = chunk(name, 1, 1)) file_.read(*found, [&](std::int64_t, double v) { value = v; });
    if (!(value >= 0 && value < 9e15) || value != std::floor(value)) fail(fmt::format("{} is {}", name, value));
    return static_cast<std::int64_t>(value);
  }

  /// Returns the box around the origin, whose tilts the file gives in proportion to the lengths.
  std::optional<BoxBounds> box(bool flat) {
    std::array<double, 6> b{};
    const GsdChunk* found = chunk("configuration/box", 6, 1);
    if (found == nullptr) return std::nullopt;
    file_.read(*found, [&](std::int64_t k, double value) { b[static_cast<std::size_t>(k)] = value; });
    const bool good = std::ranges::all_of(b, [](double value) { return std::isfinite(value); });
    if (!good || b[0] <= 0 || b[1] <= 0 || (b[2] <= 0 && !flat)) {
      fail(fmt::format("a box of the lengths {}, {}, {} and tilts {}, {}, {}", b[0], b[1], b[2], b[3], b[4], b[5]));
    }
    if (flat) b[4] = b[5] = 0;
    BoxBounds box;
    box.tilt = {b[3] * b[1], b[4] * b[2], b[5] * b[2]};
    box.lo = {-(b[0] + box.tilt[0] + box.tilt[1]) / 2, -(b[1] + box.tilt[2]) / 2, -b[2] / 2};
    for (std::size_t k = 0; k < 3; ++k) box.hi[k] = box.lo[k] + b[k];
    return box;
  }

  ParticleTable particles(std::int64_t count, bool flat) {
    std::vector<std::string> own = {"x", "y"};
    if (!flat) own.push_back("z");
    file_.for_each_name([&](const std::string& name) {
      if (!name.starts_with(of_particles) || name == of_positions) return;
      const GsdChunk *here = file_.find(name, frame_), *first = file_.find(name, 0);
      const GsdChunk* const found = here != nullptr ? here : first;
      if (found != nullptr && found->rows == count && found->columns == 1) own.push_back(name.substr(of_particles.size()));
    });
    ColumnMap map;
    assign_roles({own.begin(), own.end()}, name_, 0, options_, map);
    const bool no_sizes = map.r < 0 && !options_.radius;
    NumberColumns columns(own.size());
    read_positions(count, flat, columns);
    std::vector<int> used = map.more;
    used.insert(used.end(), {map.r, map.id});
    for (const int column : used) {
      const auto k = static_cast<std::size_t>(std::max(column, 0));
      if (column > 2 - (flat ? 1 : 0) && columns[k].empty()) columns[k] = numbers(of_particles + own[k], count, 1);
    }
    ParticleTable table = table_of(std::move(columns), map, options_, name_, [&](std::int64_t row, const std::string& why) {
      fail(fmt::format("particle {} (the first is 0): {}", row, why));
    });
    if (!no_sizes) return table;
    table.r.assign(table.x.size(), 0.5);
    table.notes.push_back("the file states no diameters, and in GSD they are 1 then: --radius R gives others");
    return table;
  }

  void read_positions(std::int64_t count, bool flat, NumberColumns& columns) {
    require_memory_for(count);
    const GsdChunk* found = chunk(of_positions, count, 3);
    if (found == nullptr) fail(fmt::format("there are {}, but no positions", detail::counted(count, "particle")));
    file_.read(*found, [&](std::int64_t k, double value) {
      if (k % 3 < 2 || !flat) columns[static_cast<std::size_t>(k % 3)].push_back(value);
    });
  }

  std::vector<double> numbers(const std::string& name, std::int64_t rows, std::int64_t columns) {
    std::vector<double> values;
    file_.read(*chunk(name, rows, columns), [&](std::int64_t, double value) { values.push_back(value); });
    return values;
  }

  GsdFile file_;
  std::string name_;
  const ReadOptions& options_;
  std::int64_t next_ = 0, frame_ = 0;
};

}  // namespace

std::unique_ptr<FrameSource> gsd_frames(ByteSource& source, const ReadOptions& options) {
  return std::make_unique<GsdFrames>(source, options);
}

}  // namespace hgrid::io
