! SPDX-License-Identifier: BSD-3-Clause
! No stride of doubles goes from one particle to the next where a type has 20 bytes: the module says so.
program packed_type
  use, intrinsic :: iso_c_binding
  use hgrid
  implicit none
  type(hgrid_array) :: array
  real(c_double), target :: x(3)
  x = 0
  array = hgrid_array_in_types(c_loc(x), 1, 1, 24)
  if (array%stride(1) /= 3) error stop 'the stride of 24 bytes is 3'
  array = hgrid_array_in_types(c_loc(x), 1, 1, 20)
  print *, 'accepted, with a stride of', array%stride(1)
end program
