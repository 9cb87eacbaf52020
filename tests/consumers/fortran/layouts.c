// SPDX-License-Identifier: BSD-3-Clause
// How long the structs of the Fortran module are in C.
#include "hgrid.h"

const size_t hgrid_sizes[] = {
    sizeof(hgrid_array),     sizeof(hgrid_error),     sizeof(hgrid_options),        sizeof(hgrid_box),
    sizeof(hgrid_particles), sizeof(hgrid_pair_list), sizeof(hgrid_neighbour_list), sizeof(hgrid_verlet_options),
    sizeof(hgrid_history),   sizeof(hgrid_triangles), sizeof(hgrid_wall_list),      sizeof(hgrid_entry_options),
    sizeof(hgrid_entry_list)};
