// SPDX-License-Identifier: BSD-3-Clause
// hgrid.h and dlpack.h in either order, and a grid built from tensors: one with strides and an offset, one without.
#ifdef DLPACK_FIRST
#include "dlpack.h"
#endif
#include <hgrid.h>
#ifndef DLPACK_FIRST
#include "dlpack.h"
#endif
#include <stdio.h>

int main(void) {
  double x[11] = {77, 0, 0, 0, 77, 1, 0, 0, 77, 9, 0}, r[2] = {0.6, 0.5};
  int64_t shape[2] = {2, 3}, strides[2] = {4, 1}, n = 2;
  DLTensor positions = {x, {kDLCPU, 0}, 2, {kDLFloat, 64, 1}, shape, strides, sizeof(double)};
  DLTensor radii = {r, {kDLCPU, 0}, 1, {kDLFloat, 64, 1}, &n, NULL, 0};
  const DLTensor device = {r, {kDLCUDA, 3}, 1, {kDLFloat, 64, 1}, &n, NULL, 0};
  const DLTensor vectors = {r, {kDLCPU, 0}, 1, {kDLFloat, 32, 2}, &n, NULL, 0};
  const hgrid_options options = {.struct_size = sizeof options, .dimension = 3};
  hgrid_particles p = {.struct_size = sizeof p};
  hgrid_grid* grid = NULL;
  int64_t contacts = 0;
  p.positions = HGRID_ARRAY_OF_DLTENSOR(&positions);
  p.radii = HGRID_ARRAY_OF_DLTENSOR(&radii);
  if (hgrid_create(&options, NULL, &grid) || hgrid_build(grid, &p, 0) || hgrid_count(grid, &contacts)) return 1;
  p.radii = HGRID_ARRAY_OF_DLTENSOR(&device);
  const int on_device = hgrid_build(grid, &p, 0);
  p.radii = HGRID_ARRAY_OF_DLTENSOR(&vectors);
  const int of_vectors = hgrid_build(grid, &p, 0);
  printf("%d contact; arrays on a device: %s, of vectors: %s\n", (int)contacts, hgrid_status_name(on_device),
         hgrid_status_name(of_vectors));
  hgrid_destroy(grid);
  return contacts == 1 && on_device == HGRID_ERROR_UNSUPPORTED && of_vectors == HGRID_ERROR_INVALID_ARGUMENT ? 0 : 1;
}
