! SPDX-License-Identifier: BSD-3-Clause
! The part of hgrid.h that contacts.f90 calls, as a module, and two functions for Fortran: hgrid_array_of makes an array for hgrid
! from a Fortran array, and hgrid_error_message gives the text of an error. Add further functions in the same way.
module hgrid
  use, intrinsic :: iso_c_binding
  implicit none

  integer(c_int), parameter :: hgrid_ok = 0, hgrid_error_negative_radius = 2, hgrid_error_range = 3
  integer(c_int), parameter :: hgrid_fixed = 0, hgrid_sorted = 1, hgrid_half = 0, hgrid_full = 1
  integer(c_int32_t), parameter :: hgrid_int32 = int(z'020', c_int32_t)
  integer(c_int32_t), parameter :: hgrid_float32 = int(z'220', c_int32_t), hgrid_float64 = int(z'240', c_int32_t)

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
    type(hgrid_array) :: extents
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

  type, bind(c) :: hgrid_verlet_options
    integer(c_size_t) :: struct_size = 0
    real(c_double) :: skin = 0
    integer(c_int64_t) :: payload = 0
    integer(c_int32_t) :: kind = 0, choose_skin = 0, no_rebuild = 0, check_every = 0, wrapped = 0, reserved = 0
  end type

  type, bind(c) :: hgrid_history
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: size = 0, size_before = 0
    type(c_ptr) :: from = c_null_ptr, payload = c_null_ptr
  end type

  type, bind(c) :: hgrid_triangles
    integer(c_size_t) :: struct_size = 0
    type(hgrid_array) :: vertices, corners
    integer(c_int64_t) :: payload = 0
  end type

  type, bind(c) :: hgrid_wall_list
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: lists = 0, size = 0
    type(c_ptr) :: offsets = c_null_ptr, neighbours = c_null_ptr, images = c_null_ptr, points = c_null_ptr
  end type

  type, bind(c) :: hgrid_entry_options
    integer(c_size_t) :: struct_size = 0
    integer(c_int32_t) :: kind = 0, all = 0, itself = 0, swapped = 0
    integer(c_int32_t) :: images = 0, distances = 0, vectors = 0, wide_images = 0
    type(c_ptr) :: list = c_null_ptr
  end type

  type, bind(c) :: hgrid_entry_list
    integer(c_size_t) :: struct_size = 0
    integer(c_int64_t) :: lists = 0, size = 0
    type(c_ptr) :: offsets = c_null_ptr, ids = c_null_ptr, images = c_null_ptr
    type(c_ptr) :: distances = c_null_ptr, vectors = c_null_ptr, wide_images = c_null_ptr
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
    integer(c_int) function hgrid_entries(grid, now, options, list) bind(c)
      import
      type(c_ptr), value :: grid
      type(hgrid_particles), intent(in) :: now
      type(hgrid_entry_options), intent(in) :: options
      type(hgrid_entry_list), intent(inout) :: list
    end function
    subroutine hgrid_destroy(grid) bind(c)
      import
      type(c_ptr), value :: grid
    end subroutine
    integer(c_int) function hgrid_verlet_create(grid, options, list) bind(c)
      import
      type(c_ptr), value :: grid
      type(hgrid_verlet_options), intent(in) :: options
      type(c_ptr), intent(out) :: list
    end function
    integer(c_int) function hgrid_verlet_update(list, now, widened, rebuilt) bind(c)
      import
      type(c_ptr), value :: list
      type(hgrid_particles), intent(in) :: now
      type(hgrid_particles), intent(in), optional :: widened
      integer(c_int), intent(out) :: rebuilt
    end function
    integer(c_int) function hgrid_verlet_neighbours(list, neighbours) bind(c)
      import
      type(c_ptr), value :: list
      type(hgrid_neighbour_list), intent(inout) :: neighbours
    end function
    integer(c_int) function hgrid_verlet_periods(list, periods) bind(c)
      import
      type(c_ptr), value :: list
      type(c_ptr), intent(out) :: periods
    end function
    integer(c_int) function hgrid_verlet_history(list, history) bind(c)
      import
      type(c_ptr), value :: list
      type(hgrid_history), intent(inout) :: history
    end function
    subroutine hgrid_verlet_destroy(list) bind(c)
      import
      type(c_ptr), value :: list
    end subroutine
    integer(c_int) function hgrid_mesh_create(grid, triangles, mesh) bind(c)
      import
      type(c_ptr), value :: grid
      type(hgrid_triangles), intent(in) :: triangles
      type(c_ptr), intent(out) :: mesh
    end function
    integer(c_int) function hgrid_mesh_contacts(mesh, now, margin, list) bind(c)
      import
      type(c_ptr), value :: mesh
      type(hgrid_particles), intent(in) :: now
      real(c_double), value :: margin
      type(hgrid_wall_list), intent(inout) :: list
    end function
    integer(c_int) function hgrid_mesh_vertices(mesh, vertices, count) bind(c)
      import
      type(c_ptr), value :: mesh
      type(c_ptr), intent(out) :: vertices
      integer(c_int64_t), intent(out) :: count
    end function
    integer(c_int) function hgrid_mesh_history(mesh, history) bind(c)
      import
      type(c_ptr), value :: mesh
      type(hgrid_history), intent(inout) :: history
    end function
    subroutine hgrid_mesh_destroy(mesh) bind(c)
      import
      type(c_ptr), value :: mesh
    end subroutine
  end interface

  interface hgrid_array_of
    module procedure array_of_vectors, array_of_reals, array_of_integers, array_of_corners
  end interface
  private :: array_of_vectors, array_of_reals, array_of_integers, array_of_corners, address, stride_of

contains

  ! Makes an array for hgrid of a Fortran array, with its strides. Sections are not copied, because a copy would be gone when hgrid
  ! reads it. Pass arrays with the attribute `target` or `pointer`, because the compiler may copy others.
  type(hgrid_array) function array_of_vectors(x) result(array)  ! x(dimension, particles)
    real(c_double), intent(in), target :: x(:, :)
    array = hgrid_array(type=hgrid_float64, ndim=2, strided=1)
    array%shape(:2) = [size(x, 2, c_int64_t), size(x, 1, c_int64_t)]
    if (size(x) == 0) return
    array%data = c_loc(x(1, 1))
    if (size(x, 2) > 1) array%stride(1) = stride_of(array%data, c_loc(x(1, 2)), c_sizeof(x(1, 1)))
    if (size(x, 1) > 1) array%stride(2) = stride_of(array%data, c_loc(x(2, 1)), c_sizeof(x(1, 1)))
  end function

  type(hgrid_array) function array_of_reals(x) result(array)
    real(c_double), intent(in), target :: x(:)
    array = hgrid_array(type=hgrid_float64, ndim=1, strided=1)
    array%shape(1) = size(x, kind=c_int64_t)
    if (size(x) == 0) return
    array%data = c_loc(x(1))
    if (size(x) > 1) array%stride(1) = stride_of(array%data, c_loc(x(2)), c_sizeof(x(1)))
  end function

  type(hgrid_array) function array_of_integers(x) result(array)
    integer(c_int32_t), intent(in), target :: x(:)
    array = hgrid_array(type=hgrid_int32, ndim=1, strided=1)
    array%shape(1) = size(x, kind=c_int64_t)
    if (size(x) == 0) return
    array%data = c_loc(x(1))
    if (size(x) > 1) array%stride(1) = stride_of(array%data, c_loc(x(2)), c_sizeof(x(1)))
  end function

  type(hgrid_array) function array_of_corners(corners) result(array)  ! corners(3, triangles), vertices from 0 on
    integer(c_int32_t), intent(in), target :: corners(:, :)
    array = hgrid_array(type=hgrid_int32, ndim=2, strided=1)
    array%shape(:2) = [size(corners, 2, c_int64_t), size(corners, 1, c_int64_t)]
    if (size(corners) == 0) return
    array%data = c_loc(corners(1, 1))
    if (size(corners, 2) > 1) array%stride(1) = stride_of(array%data, c_loc(corners(1, 2)), c_sizeof(corners(1, 1)))
    if (size(corners, 1) > 1) array%stride(2) = stride_of(array%data, c_loc(corners(2, 1)), c_sizeof(corners(1, 1)))
  end function

  ! Makes an array for hgrid of doubles in an array of a derived type. Pass the address of the first particle's doubles, their
  ! number per particle, the number of particles, and the bytes of the type, storage_size(body) / 8. These must be a multiple of
  ! eight, so that a stride of doubles leads to the next particle. Some compilers copy sections such as body(:)%radius.
  type(hgrid_array) function hgrid_array_in_types(first, numbers, particles, bytes) result(array)
    type(c_ptr), intent(in) :: first
    integer, intent(in) :: numbers, particles, bytes
    if (mod(bytes, 8) /= 0) error stop 'hgrid_array_in_types: the bytes of the type are no multiple of 8'
    array = hgrid_array(data=first, type=hgrid_float64, ndim=merge(2, 1, numbers > 1), strided=1)
    array%shape(1) = particles
    array%stride(1) = bytes / 8
    if (numbers == 1) return
    array%shape(2) = numbers
    array%stride(2) = 1
  end function

  integer(c_int64_t) function stride_of(first, second, bytes)
    type(c_ptr), intent(in) :: first, second
    integer(c_size_t), intent(in) :: bytes
    stride_of = (address(second) - address(first)) / int(bytes, c_int64_t)
  end function

  integer(c_int64_t) function address(pointer)
    type(c_ptr), intent(in) :: pointer
    address = transfer(pointer, 0_c_intptr_t)
  end function

  ! Returns the text of this thread's last failed call.
  function hgrid_error_message() result(text)
    character(:), allocatable :: text
    type(hgrid_error) :: error
    character(kind=c_char), pointer :: letters(:)
    integer :: length
    error%struct_size = c_sizeof(error)
    text = ''
    if (hgrid_last_error(error) /= hgrid_ok) return
    if (.not. c_associated(error%message)) return
    call c_f_pointer(error%message, letters, [4096])
    do length = 0, size(letters) - 1
      if (letters(length + 1) == c_null_char) exit
      text = text // letters(length + 1)
    end do
  end function
end module
