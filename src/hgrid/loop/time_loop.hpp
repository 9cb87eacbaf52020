// SPDX-License-Identifier: BSD-3-Clause
// What a time loop needs between two steps: a list that knows how long it holds, history, order, walls (docs/time-loop.md).
#pragma once

#include "hgrid/loop/checkpoint.hpp"
#include "hgrid/loop/copies.hpp"
#include "hgrid/loop/insertions.hpp"
#include "hgrid/loop/nearest.hpp"
#include "hgrid/loop/pair_array.hpp"
#include "hgrid/loop/queries.hpp"
#include "hgrid/loop/reordering.hpp"
#include "hgrid/loop/verlet_list.hpp"
