// SPDX-License-Identifier: BSD-3-Clause
// The table of particles that every reader returns and every particle writer takes, and the options of readers.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "hgrid/core/names.hpp"

namespace hgrid::io {

struct BoxBounds {
  std::array<double, 3> lo{}, hi{};
  std::array<double, 3> tilt{};  ///< xy, xz, yz; as in core/tilt.hpp
  /// the vectors of a box along any directions, which begins at lo (core/turn.hpp); hi and tilts are then unused
  std::optional<std::array<std::array<double, 3>, 3>> vectors = {};
  friend bool operator==(const BoxBounds&, const BoxBounds&) = default;
};

/// Returns a box by bounds and tilts, without vectors; nothing unless vector a is along x, and b in the plane of x and y.
std::optional<BoxBounds> without_vectors(const BoxBounds& box);
/// Returns the bounds of a box whose vectors are along the axes; nothing for a tilted box.
std::optional<BoxBounds> brick_of(const BoxBounds& box);

/// Particles as columns, in the order of their ids, or of the accepted rows if the file has no ids. x, y and z have equal
/// lengths; in 2-D z holds zeros.
struct ParticleTable {
  std::vector<double> x, y, z;
  std::vector<double> r;                        ///< empty if the file has no radii and the options gave none
  std::array<std::vector<double>, 3> extent;    ///< half extents of boxes, instead of radii; in 2-D z is 0
  std::vector<std::int64_t> id;                 ///< ascending; empty if the file has none
  std::vector<std::vector<std::int64_t>> more;  ///< the columns of integers that the options name, in their order
  std::string columns;                          ///< columns of the file, for a message about a missing one
  std::string taken;                            ///< columns that were used, in the order x y z r hx hy hz id, for a report
  std::string length_unit;                      ///< of x, y and z, if a column's name states it
  std::string size_unit;                        ///< likewise, of radii or half extents
  std::vector<std::string> notes;               ///< suspicious facts about the file, each with a remedy
  std::optional<BoxBounds> box;                 ///< if the format states one
  std::string periodic;                         ///< the periodic axes by the format, such as "xy"
  bool periods_unstated = false;                ///< the format states a box, but never its periodic axes
  std::int64_t skipped_rows = 0;
  int dimension = 3;                 ///< 2 if the file has no z column
  bool boxes = false;                ///< particles have half extents
  bool has_other_columns = false;    ///< there are numbers without a meaning, which the options may name
  std::string source;                ///< the file, escaped for messages
  std::int64_t frame = 0;            ///< of the file or files, from 0
  std::optional<std::int64_t> step;  ///< of the simulation, if the format states it
  std::optional<double> time;        ///< likewise

  /// Returns the id of a particle, which is its index if the file has no ids.
  template <class Index>
  std::int64_t id_of(Index i) const {
    return id.empty() ? static_cast<std::int64_t>(i) : id[static_cast<std::size_t>(i)];
  }
  std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }

  bool has_sizes() const { return boxes || !r.empty(); }
  /// Returns how far particles extend along an axis.
  const std::vector<double>& half(std::size_t axis) const { return boxes ? extent[axis] : r; }
  /// Calls f(column) for the columns that hold lengths, some of which may be empty.
  template <class F>
  void for_each_length(const F& f) {
    for (auto* column : {&x, &y, &z, &r, &extent[0], &extent[1], &extent[2]}) f(*column);
  }
};

/// Throws Error(size_mismatch) unless the columns, including radii or half extents, have equal lengths.
void require_complete(const ParticleTable& table);
/// Checks a table for a writer whose format has only radii: also throws Error(unsupported) for boxes.
void require_spheres(const ParticleTable& table);

enum class BadRows { error, skip };

/// Some frames of a file, counted from 0: first, first + step, ... up to before `end`.
struct FrameRange {
  std::int64_t first = 0, end = std::numeric_limits<std::int64_t>::max(), step = 1;

  static FrameRange one(std::int64_t frame) { return {frame, frame + 1, 1}; }
  bool has(std::int64_t frame) const { return frame >= first && frame < end && (frame - first) % step == 0; }
};

/// A column of integers that is read because the options name it.
struct NamedColumn {
  std::string role;  ///< the meaning of its numbers, such as "world"
  std::string name;
};

struct ReadOptions {
  BadRows bad_rows = BadRows::error;
  std::optional<double> radius;                           ///< of every particle, for files without radii and half extents
  std::vector<NamedColumn> more = {};                     ///< columns of a table besides positions, radii and ids
  std::vector<std::string> columns;                       ///< names of all columns, instead of a table's own names
  std::optional<FrameRange> frames;                       ///< the last one unless given
  std::int64_t max_stream_bytes = std::int64_t{1} << 36;  ///< how much stdin, a FIFO or a device may send, or gzip unpack
  std::size_t max_line = std::size_t{1} << 20;            ///< bytes
};

}  // namespace hgrid::io

template <>
inline constexpr auto hgrid::enum_names<hgrid::io::BadRows> = std::array{"error", "skip"};
