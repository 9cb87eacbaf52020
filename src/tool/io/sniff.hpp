// SPDX-License-Identifier: BSD-3-Clause
// What kind of file this is, from its first bytes.
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

/// `head` holds the first bytes of a file, `path` its name, and the options name so many columns. Throws Error(format) saying
/// what the file is where it is recognised but cannot be read (compressed, a program, UTF-16, ...), or at which byte it ceases
/// to be text.
InputFormat sniff(std::string_view head, const std::string& path, const std::string& name, std::size_t named_columns = 0);

}  // namespace hgrid::io
