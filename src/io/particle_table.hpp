// SPDX-License-Identifier: BSD-3-Clause
// What every reader returns and every particle writer takes, and the options they share.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "hgrid/core/names.hpp"

namespace hgrid::io {

struct BoxBounds {
  std::array<double, 3> lo{}, hi{};
  std::array<double, 3> tilt{};  ///< xy, xz, yz; as in core/tilt.hpp
  /// Those of a box along any vectors, which begins at lo (core/turn.hpp); hi and tilts are of no use then.
  std::optional<std::array<std::array<double, 3>, 3>> vectors = {};
  friend bool operator==(const BoxBounds&, const BoxBounds&) = default;
};

/// Particles as columns; ids are 0-based over accepted rows. x, y and z have one length, in 2-D z holds
/// zeros.
struct ParticleTable {
  std::vector<double> x, y, z;
  std::vector<double> r;            ///< empty if the file has no radii and the options gave none
  std::vector<std::int64_t> world;  ///< empty unless the options name its column
  std::string columns;              ///< those that the file has, for a message about one that it lacks
  std::optional<BoxBounds> box;     ///< where the format states one
  std::string periodic;             ///< the axes that the format says are periodic, such as "xy"
  std::int64_t skipped_rows = 0;
  int dimension = 3;  ///< 2 if the file has no z column

  std::int64_t size() const { return static_cast<std::int64_t>(x.size()); }
};

/// Throws Error(size_mismatch) unless the columns have one length; writers need the radii, too.
void require_complete(const ParticleTable& table);

enum class BadRows { error, skip };

struct ReadOptions {
  BadRows bad_rows = BadRows::error;
  std::optional<double> radius;                           ///< of every particle, for files without radii
  std::string world;                                      ///< name of the column with the world of each particle; empty: none
  std::optional<std::int64_t> frame;                      ///< 0-based, for formats with frames; the last unless given
  std::int64_t max_stream_bytes = std::int64_t{1} << 36;  ///< what stdin, a FIFO or a device may send
  std::size_t max_line = std::size_t{1} << 20;            ///< bytes
};

}  // namespace hgrid::io

template <>
inline constexpr auto hgrid::enum_names<hgrid::io::BadRows> = std::array{"error", "skip"};
