// SPDX-License-Identifier: BSD-3-Clause
// The C API for C++11 and later: grids, lists and errors as objects. docs/c.md has examples. Names are in `namespace hgrid11`,
// so a program may also include the C++20 library, whose names are in `hgrid`.
#ifndef HGRID11_HPP
#define HGRID11_HPP

#include "hgrid11_copies.hpp"
#include "hgrid11_mesh.hpp"
#include "hgrid11_verlet.hpp"

#endif
