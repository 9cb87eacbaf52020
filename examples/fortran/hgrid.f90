! SPDX-License-Identifier: BSD-3-Clause
! The part of hgrid.h that contacts.f90 calls, as a module; more functions are added in the same way.
module hgrid
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: hgrid_ok = 0, hgrid_sorted = 1, hgrid_full = 1
  integer(c_int32_t), parameter :: hgrid_float64 = int(z'240', c_int32_t)

  type, bind(c) :: hgrid_array
    type(c_ptr) :: data = c_null_ptr
    integer(c_int32_t) :: type = 0, ndim = 0
    integer(c_int64_t) :: shape(3) = 0, stride(3) = 0
    integer(c_int32_t) :: strided = 0, device_type = 0, device_id = 0, reserved = 0
  end type

  type, bind(c) :: hgrid_error
    integer(c_size_t) :: struct_size = 0
    type(c_ptr) :: message = c_null_ptr, argument = c_null_ptr
    integer(c_int64_t) :: index = 0, count = 0, needed = 0
    real(c_double) :: value = 0
    integer(c_int32_t) :: code = 0, reserved = 0
  end type

  type, bind(c) :: hgrid_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int32_t) :: dimension = 0, threads = 0, rule = 0, direction = 0, keys = 0, table = 0
    integer(c_int32_t) :: device_type = 0, device_id = 0
    type(c_ptr) :: levels = c_null_ptr
    integer(c_int64_t) :: level_count = 0
    type(c_ptr) :: stream = c_null_ptr
  end type

  type, bind(c) :: hgrid_box
    integer(c_size_t) :: struct_size = 0
    real(c_double) :: lo(3) = 0, hi(3) = 0, tilt(3) = 0
    type(c_ptr) :: vectors = c_null_ptr
    integer(c_int32_t) :: periodic(3) = 0, reserved = 0
  end type

  type, bind(c) :: hgrid_particles
    integer(c_size_t) :: struct_size = 0
    type(hgrid_array) :: positions, columns(3), radii, extra, group, active
    type(hgrid_array) :: excluded_pairs, excluded_begin, excluded_ids, types, cutoffs, world
    real(c_double) :: radius_scale = 0
    integer(c_int32_t) :: ghosts = 0, nonfinite = 0, worlds = 0, active_bits = 0
  end type

  type, bind(c) :: hgrid_pair_list
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: size = 0
    type(c_ptr) :: pairs = c_null_ptr, images = c_null_ptr
  end type

  type, bind(c) :: hgrid_neighbour_list
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: lists = 0, size = 0
    type(c_ptr) :: offsets = c_null_ptr, neighbours = c_null_ptr, images = c_null_ptr
  end type

  interface
    integer(c_int) function hgrid_last_error(error) bind(c)
      import
      type(hgrid_error), intent(inout) :: error
    end function
    integer(c_int) function hgrid_create(options, box, grid) bind(c)
      import
      type(hgrid_options), intent(in) :: options
      type(hgrid_box), intent(in), optional :: box
      type(c_ptr), intent(out) :: grid
    end function
    integer(c_int) function hgrid_build(grid, particles, skin) bind(c)
      import
      type(c_ptr), value :: grid
      type(hgrid_particles), intent(in) :: particles
      real(c_double), value :: skin
    end function
    integer(c_int) function hgrid_pairs(grid, order, list) bind(c)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: order
      type(hgrid_pair_list), intent(inout) :: list
    end function
    integer(c_int) function hgrid_neighbours(grid, kind, list) bind(c)
      import
      type(c_ptr), value :: grid
      integer(c_int), value :: kind
      type(hgrid_neighbour_list), intent(inout) :: list
    end function
    subroutine hgrid_destroy(grid) bind(c)
      import
      type(c_ptr), value :: grid
    end subroutine
  end interface
end module
