// SPDX-License-Identifier: BSD-3-Clause
// Finds the kind of a file from its first bytes.
#pragma once

#include <string>
#include <string_view>

namespace hgrid::io {

enum class InputFormat {
  text_table,
  mercury_data,
  mercury_restart,
  lammps_dump,
  lammps_data,
  lammps_yaml,
  xyz,
  npy,
  vtk_legacy,
  vtk_xml,
  gsd
};

/// Returns the format. `head` holds the first bytes of a file, `path` its name; `named_columns` is the number of columns that
/// the options name. Throws Error(format) with the kind of the file if it is recognised but cannot be read (compressed, a
/// program, UTF-16, ...), or with the first byte that is not text.
InputFormat sniff(std::string_view head, const std::string& path, const std::string& name, std::size_t named_columns = 0);

}  // namespace hgrid::io
