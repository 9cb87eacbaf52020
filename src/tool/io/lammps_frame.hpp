// SPDX-License-Identifier: BSD-3-Clause
// A frame that LAMMPS writes, with any text around it: a box, the names of columns, and rows.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "io/frames.hpp"
#include "io/particle_table.hpp"

namespace hgrid::io {

/// The head of a frame, before its rows. Only the chosen frame is parsed fully, so the columns stay text here.
struct LammpsHead {
  std::int64_t count = -1;  ///< not seen yet
  std::optional<std::int64_t> step;
  std::optional<double> time;
  bool tilted = false, general = false;  ///< restricted and general triclinic
  std::optional<BoxBounds> box;
  std::string periodic;
  std::string columns;  ///< their names, between blanks; empty before 2010
  std::int64_t columns_line = 0;
  const char* declared_by = "ITEM: ATOMS names";  ///< how a message refers to the columns
  char delimiter = ' ';                           ///< of the rows
  bool rows_in_brackets = false;                  ///< as `- [ 1, 2, ]`
};

/// Returns the values of a row `- [ 1, 2, ]`, without the last comma; null if there are no brackets.
std::string_view in_brackets(std::string_view line);

/// Converts bounds. LAMMPS states the bounds of everything that a tilted box covers (Howto_triclinic); the result is the bounds
/// of its edges.
void take_tilts_off(BoxBounds& box);

/// Returns the particles of a frame. Positions are the first of x y z, xu yu zu (unwrapped), xs ys zs and xsu ysu zsu (scaled
/// by the box) that it has, or have another known name; radii likewise. Names in the options replace them. Frames without
/// names, which LAMMPS wrote before 2010, are read as id type xs ys zs if they have that number of columns, and positions that
/// fit. Throws Error(format).
ParticleTable table_of(const LammpsHead& head, const FrameRows& rows, const std::string& file, const ReadOptions& options);

}  // namespace hgrid::io
