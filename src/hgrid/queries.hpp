// SPDX-License-Identifier: BSD-3-Clause
// Other queries of a grid: regions, meshes and the particles of another grid (find/askers.hpp), points and their nearest
// particles (Nearest), and single particles to insert (Insertions).
#pragma once

#include "hgrid/find/askers.hpp"
#include "hgrid/find/insertions.hpp"
#include "hgrid/find/nearest.hpp"
#include "hgrid/find/question.hpp"
