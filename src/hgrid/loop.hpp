// SPDX-License-Identifier: BSD-3-Clause
// Lists for many steps (VerletList), values of their pairs (PairArray, History), particles in the order of cells (Reordering),
// checkpoints (save, restore), and lists for codes that copy particles (Copies).
#pragma once

#include "hgrid/loop/checkpoint.hpp"
#include "hgrid/loop/copies.hpp"
#include "hgrid/loop/pair_array.hpp"
#include "hgrid/loop/reordering.hpp"
#include "hgrid/loop/verlet_list.hpp"
