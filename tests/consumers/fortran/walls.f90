! SPDX-License-Identifier: BSD-3-Clause
! Walls from Fortran: planes in random periodic boxes, balls that roll with their values, and bad walls.
program walls
  use hgrid
  implicit none
  integer, parameter :: n = 40
  real(c_double), target :: x(3, n), r(n)
  type(hgrid_options) :: options
  type(hgrid_particles) :: particles
  integer :: system, systems
  character(20) :: given

  options%struct_size = c_sizeof(options)
  options%dimension = 3
  particles%struct_size = c_sizeof(particles)
  particles%positions = hgrid_array_of(x)
  particles%radii = hgrid_array_of(r)
  systems = 60
  call get_environment_variable('HGRID_SYSTEMS', given)
  if (given /= '') read (given, *) systems
  do system = 1, systems
    call roll
  end do
  call refuse
  print '(i0, a)', systems, ' planes, and balls that roll over them'

contains

  subroutine require(good, what)
    logical, intent(in) :: good
    character(*), intent(in) :: what
    if (good) return
    print '(4a)', 'wrong: ', what, '; ', hgrid_error_message()
    error stop
  end subroutine

  ! A plane of two triangles that cover the box: each ball that reaches it has one contact, below its centre, and a value stays with it.
  subroutine roll
    real(c_double), target :: vertex(3, 4)
    integer(c_int32_t), target :: corners(3, 2)
    type(hgrid_box) :: box
    type(hgrid_triangles) :: plane
    type(hgrid_wall_list) :: list
    type(hgrid_history) :: history
    type(c_ptr) :: grid, mesh
    integer(c_int32_t), pointer :: id(:)
    integer(c_int64_t), pointer :: from(:)
    real(c_double), pointer :: point(:, :), ages(:)
    real(c_double) :: height
    integer :: step, i, k
    call random_number(vertex)
    box%struct_size = c_sizeof(box)
    box%hi(:2) = 2 + 4 * vertex(:2, 1)
    box%periodic(:2) = 1
    height = 2 * vertex(3, 1) - 1
    vertex = reshape([0d0, 0d0, height, box%hi(1), 0d0, height, 0d0, box%hi(2), height, box%hi(1), box%hi(2), height], [3, 4])
    corners = reshape([0, 1, 2, 1, 3, 2], [3, 2])
    plane%struct_size = c_sizeof(plane)
    plane%vertices = hgrid_array_of(vertex)
    plane%corners = hgrid_array_of(corners)
    plane%payload = 8
    list%struct_size = c_sizeof(list)
    history%struct_size = c_sizeof(history)
    call random_number(x)
    call random_number(r)
    r = 0.1d0 + 0.8d0 * r
    x(:2, :) = (3 * x(:2, :) - 1) * spread(box%hi(:2), 2, n)
    x(3, :) = height + 2 * x(3, :) - 1
    call require(hgrid_create(options, box, grid) == hgrid_ok, 'a grid')
    call require(hgrid_build(grid, particles, skin=0d0) == hgrid_ok, 'a build')
    call require(hgrid_mesh_create(grid, plane, mesh) == hgrid_ok, 'a plane')
    do step = 0, 4
      call require(hgrid_mesh_contacts(mesh, particles, 0.1d0 * step, list) == hgrid_ok, 'contacts')
      call require(hgrid_mesh_history(mesh, history) == hgrid_ok, 'a history')
      call c_f_pointer(list%neighbours, id, [list%size])
      call c_f_pointer(list%points, point, [3_c_int64_t, list%size])
      call c_f_pointer(history%from, from, [history%size])
      call c_f_pointer(history%payload, ages, [history%size])
      call require(list%size == count(abs(x(3, :) - height) < r), 'one contact a ball')
      do i = 1, n
        call require(count(id == i - 1) == merge(1, 0, abs(x(3, i) - height) < r(i)), 'the balls that reach the plane')
      end do
      do k = 1, int(list%size)
        call require(all(abs(point(:, k) - [x(1, id(k) + 1), x(2, id(k) + 1), height]) < 1d-12), 'the point below a ball')
      end do
      call require(all((from >= 0) .eqv. step > 0) .and. all(ages == step), 'a value rolls along')
      ages = ages + 1
      x(:2, :) = x(:2, :) + 0.07d0  ! at most 0.1 a step
    end do
    call hgrid_mesh_destroy(mesh)
    call hgrid_destroy(grid)
  end subroutine

  subroutine refuse
    real(c_double), target :: vertex(3, 3)
    integer(c_int32_t), target :: corners(3, 1)
    type(hgrid_box) :: box
    type(hgrid_triangles) :: line
    type(hgrid_wall_list) :: list
    type(hgrid_error) :: error
    type(c_ptr) :: grid, mesh, first
    integer(c_int64_t) :: vertices
    real(c_double), pointer :: at(:, :)
    box%struct_size = c_sizeof(box)
    box%hi = 10
    box%periodic = 1
    vertex = reshape([0d0, 4d0, 4d0, 9d0, 4d0, 4d0, 3d0, 4d0, 4d0], [3, 3])
    corners(:, 1) = [0, 1, 3]
    line%struct_size = c_sizeof(line)
    line%vertices = hgrid_array_of(vertex)
    line%corners = hgrid_array_of(corners)
    list%struct_size = c_sizeof(list)
    error%struct_size = c_sizeof(error)
    x = 8
    x(:, 1) = [2d0, 4d0, 4.5d0]
    r = 0.6d0
    call require(hgrid_create(options, box, grid) == hgrid_ok, 'a grid')
    call require(hgrid_build(grid, particles, skin=0d0) == hgrid_ok, 'a build')
    call require(hgrid_mesh_create(grid, line, mesh) == hgrid_error_range, 'no such vertex')
    call require(index(hgrid_error_message(), 'triangle 0: 3 is none of the 3 vertices') > 0, 'which triangle')
    corners(3, 1) = 2
    call require(hgrid_mesh_create(grid, line, mesh) == hgrid_ok, 'a triangle without area')
    call require(hgrid_mesh_contacts(mesh, particles, 0d0, list) == hgrid_ok, 'its contacts')
    call require(list%size == 1, 'it is its edges')
    call require(hgrid_mesh_vertices(mesh, first, vertices) == hgrid_ok, 'its vertices')
    call c_f_pointer(first, at, [3_c_int64_t, vertices])
    at(1, 2) = at(1, 2) - 10  ! somebody wraps it
    call require(hgrid_mesh_contacts(mesh, particles, 0d0, list) == hgrid_error_range, 'a wrapped vertex')
    call require(hgrid_last_error(error) == hgrid_ok .and. error%index == 1, 'which vertex')
    call hgrid_mesh_destroy(mesh)
    call hgrid_destroy(grid)
  end subroutine
end program
