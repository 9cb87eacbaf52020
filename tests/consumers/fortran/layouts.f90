! SPDX-License-Identifier: BSD-3-Clause
! The module has the structs of this version: a shorter one would be taken, and lack its last fields.
module of_c
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_size_t), bind(c, name='hgrid_sizes') :: sizes(13)
end module

program layouts
  use hgrid
  use of_c
  implicit none
  type(hgrid_array) :: array
  type(hgrid_error) :: error
  type(hgrid_options) :: options
  type(hgrid_box) :: box
  type(hgrid_particles) :: particles
  type(hgrid_pair_list) :: pairs
  type(hgrid_neighbour_list) :: neighbours
  type(hgrid_verlet_options) :: verlet
  type(hgrid_history) :: history
  type(hgrid_triangles) :: triangles
  type(hgrid_wall_list) :: walls
  type(hgrid_entry_options) :: wanted
  type(hgrid_entry_list) :: entries
  integer(c_size_t) :: here(13)
  here = [c_sizeof(array), c_sizeof(error), c_sizeof(options), c_sizeof(box), c_sizeof(particles), c_sizeof(pairs), &
          c_sizeof(neighbours), c_sizeof(verlet), c_sizeof(history), c_sizeof(triangles), c_sizeof(walls), &
          c_sizeof(wanted), c_sizeof(entries)]
  print '(a, 13(1x, i0))', 'in C:   ', sizes
  print '(a, 13(1x, i0))', 'in the module:', here
  if (any(here /= sizes)) error stop 'the module has structs of another version'
end program
