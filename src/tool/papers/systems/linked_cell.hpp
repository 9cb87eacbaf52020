// SPDX-License-Identifier: BSD-3-Clause
// The linked cell method of 003: a regular lattice, a list of particles per cell.
#pragma once

#include <optional>

#include "papers/systems/pair_tester.hpp"

namespace hgrid::reference {

template <int D>
struct LinkedCellOptions {
  double per_cell = 1;             ///< p of LCM-p: the mean number of particles in a cell, n_cell = np / p
  double cell_size = 0;            ///< instead of per_cell, if positive; at least the largest diameter
  std::optional<Bounds<D>> space;  ///< the space that the lattice divides; by default the bounds of the particles
};

/// The linked cell method (003, section 2.1; Hockney and Eastwood; Allen and Tildesley): m_k cells of a_k = L_k / m_k along
/// axis k, a_k >= d_max (Eq. 2). Tests each particle against the particles of its cell and of half the neighboring cells. LCM-p
/// cuts the space into np / p cells, or into fewer if Eq. 2 demands it. Domain: 2-D and 3-D, open and periodic. Counts `tests`
/// (4.5 np p in 2-D, 13.5 np p in 3-D, less at the walls) and `cells`. Throws Error(invalid_argument) for a cell size below
/// d_max or a p that is not positive, and Error(range_error) for a particle outside the stated space.
template <int D>
Contacts linked_cell(const Bodies<D>& bodies, const LinkedCellOptions<D>& options = {});

}  // namespace hgrid::reference
