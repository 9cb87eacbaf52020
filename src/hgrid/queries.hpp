// SPDX-License-Identifier: BSD-3-Clause
// Brings what may ask a grid: regions, meshes and the particles of another grid (find/askers.hpp), points that seek their
// nearest particles (Nearest), and single particles to put in (Insertions).
#pragma once

#include "hgrid/find/askers.hpp"
#include "hgrid/find/insertions.hpp"
#include "hgrid/find/nearest.hpp"
#include "hgrid/find/question.hpp"
