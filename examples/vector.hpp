// SPDX-License-Identifier: BSD-3-Clause
// Vectors of the examples' bodies. Works in kernels, too.
#pragma once

#include <hgrid/core/lattice.hpp>

using Vector = hgrid::Vec<double, 3>;

HGRID_HD inline double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
