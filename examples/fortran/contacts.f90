! SPDX-License-Identifier: BSD-3-Clause
! The C door from Fortran: pairs of five spheres in a periodic box, an error, and a neighbour list. Ids count from 0.
program contacts
  use hgrid
  implicit none

  integer, parameter :: n = 5
  real(c_double), target :: x(3, n) = reshape( &
    [0.5d0, 5d0, 5d0, 9.5d0, 5d0, 5d0, 2d0, 5d0, 5d0, 5d0, 5d0, 5d0, 7.5d0, 5d0, 5d0], [3, n])
  real(c_double), target :: r(n) = [1d0, 0.3d0, 0.6d0, 2d0, 0.6d0]
  type(hgrid_options) :: options
  type(hgrid_box) :: box
  type(hgrid_particles) :: particles
  type(hgrid_error) :: error
  type(c_ptr) :: grid

  options%struct_size = c_sizeof(options)
  options%dimension = 3
  box%struct_size = c_sizeof(box)
  box%hi = 10
  box%periodic = 1
  call require(hgrid_create(options, box, grid), 'making the grid')

  ! x(3, n) in Fortran is [n][3] in C: the first index runs fastest.
  particles%struct_size = c_sizeof(particles)
  particles%positions = hgrid_array(data=c_loc(x), type=hgrid_float64, ndim=2, shape=[integer(c_int64_t) :: n, 3, 0])
  particles%radii = hgrid_array(data=c_loc(r), type=hgrid_float64, ndim=1, shape=[integer(c_int64_t) :: n, 0, 0])
  call require(hgrid_build(grid, particles, 0d0), 'the build')
  call show_pairs
  call show_neighbours

  error%struct_size = c_sizeof(error)
  r(4) = -2
  if (hgrid_build(grid, particles, 0d0) == hgrid_ok) error stop 'a negative radius was taken'
  if (hgrid_last_error(error) /= hgrid_ok) error stop 'the error is not told'
  print '(a, i0, a, f4.1)', 'error: radius of particle ', error%index, ' is ', error%value
  if (error%index /= 3 .or. nint(error%value) /= -2) error stop 'another particle was named'
  call show_pairs  ! of the build before: the bad one left it as it was
  call hgrid_destroy(grid)

contains

  subroutine require(status, what)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: what
    if (status == hgrid_ok) return
    print '(a, a, i0)', what, ' fails with status ', status
    error stop
  end subroutine

  subroutine show_pairs
    type(hgrid_pair_list) :: list
    integer(c_int32_t), pointer :: pair(:, :), image(:, :)
    integer(c_int64_t) :: k
    list%struct_size = c_sizeof(list)
    call require(hgrid_pairs(grid, hgrid_sorted, list), 'the list')
    call c_f_pointer(list%pairs, pair, [2_c_int64_t, list%size])
    call c_f_pointer(list%images, image, [3_c_int64_t, list%size])
    do k = 1, list%size
      print '(a, 2(1x, i0), a, 3(1x, i0))', 'pair', pair(:, k), ', image', image(:, k)
    end do
    if (list%size /= 3) error stop 'three pairs were expected'
    if (any(pair /= reshape([0, 1, 0, 2, 3, 4], [2, 3]))) error stop 'other pairs were expected'
  end subroutine

  subroutine show_neighbours
    type(hgrid_neighbour_list) :: list
    integer(c_int64_t), pointer :: offset(:)
    integer(c_int32_t), pointer :: neighbour(:)
    integer :: i
    list%struct_size = c_sizeof(list)
    call require(hgrid_neighbours(grid, hgrid_full, list), 'the neighbour list')
    call c_f_pointer(list%offsets, offset, [list%lists + 1])
    call c_f_pointer(list%neighbours, neighbour, [list%size])
    do i = 1, n
      print '(a, i0, a, *(1x, i0))', 'neighbours of ', i - 1, ':', neighbour(offset(i) + 1:offset(i + 1))
    end do
    if (list%size /= 6) error stop 'six entries were expected'
  end subroutine
end program
