! SPDX-License-Identifier: BSD-3-Clause
! The C door from Fortran: pairs of five spheres in a periodic box, a neighbour list, an error, boxes, and a list in a time loop.
program contacts
  use hgrid
  implicit none

  ! [docs: arrays]
  integer, parameter :: n = 5
  real(c_double), target :: x(3, n), r(n)  ! target, because hgrid reads them where they lie
  type(hgrid_options) :: options
  type(hgrid_box) :: box
  type(hgrid_particles) :: particles
  type(c_ptr) :: grid
  ! [docs: end]

  x = reshape([0.5d0, 5d0, 5d0, 9.5d0, 5d0, 5d0, 2d0, 5d0, 5d0, 5d0, 5d0, 5d0, 7.5d0, 5d0, 5d0], [3, n])
  r = [1d0, 0.3d0, 0.6d0, 2d0, 0.6d0]
  ! [docs: build]
  options%struct_size = c_sizeof(options)
  options%dimension = 3
  box%struct_size = c_sizeof(box)
  box%hi = 10
  box%periodic = 1
  call require(hgrid_create(options, box, grid), 'making the grid')

  particles%struct_size = c_sizeof(particles)
  particles%positions = hgrid_array_of(x)
  particles%radii = hgrid_array_of(r)
  call require(hgrid_build(grid, particles, skin=0d0), 'the build')
  ! [docs: end]
  call show_pairs
  call show_neighbours
  call show_distances
  call show_error
  call show_pairs  ! of the build before: the bad one left it as it was
  call other_arrays
  call show_boxes
  call show_walls
  call run_loop
  call run_wrapped_loop
  call hgrid_destroy(grid)

contains

  ! [docs: require]
  subroutine require(status, doing)
    integer(c_int), intent(in) :: status
    character(*), intent(in) :: doing
    if (status == hgrid_ok) return
    print '(4a)', doing, ' fails: ', hgrid_error_message()
    error stop
  end subroutine
  ! [docs: end]

  subroutine show_pairs
    ! [docs: pairs]
    type(hgrid_pair_list) :: list
    integer(c_int32_t), pointer :: pair(:, :), image(:, :)
    integer(c_int64_t) :: k
    integer :: i, j
    real(c_double) :: d(3)
    list%struct_size = c_sizeof(list)
    call require(hgrid_pairs(grid, hgrid_sorted, list), 'the list')
    call c_f_pointer(list%pairs, pair, [2_c_int64_t, list%size])  ! views: nothing is copied
    call c_f_pointer(list%images, image, [3_c_int64_t, list%size])
    do k = 1, list%size
      i = pair(1, k) + 1
      j = pair(2, k) + 1
      d = x(:, i) - x(:, j) - image(:, k) * (box%hi - box%lo)
      print '(a, 2(1x, i0), a, f4.1)', 'pair', i, j, ', overlap', r(i) + r(j) - norm2(d)
    end do
    ! [docs: end]
    if (list%size /= 3) error stop 'three pairs were expected'
    if (any(pair /= reshape([0, 1, 0, 2, 3, 4], [2, 3]))) error stop 'other pairs were expected'
    if (abs(norm2(d) - 2.5d0) > 1d-14) error stop 'another distance was expected'
  end subroutine

  subroutine show_neighbours
    ! [docs: neighbours]
    type(hgrid_neighbour_list) :: list
    integer(c_int64_t), pointer :: offset(:)
    integer(c_int32_t), pointer :: neighbour(:)
    integer :: i
    list%struct_size = c_sizeof(list)
    call require(hgrid_neighbours(grid, hgrid_full, list), 'the neighbour list')
    call c_f_pointer(list%offsets, offset, [list%lists + 1])
    call c_f_pointer(list%neighbours, neighbour, [list%size])
    do i = 1, n
      print '(a, i0, a, *(1x, i0))', 'neighbours of ', i, ':', neighbour(offset(i) + 1:offset(i + 1)) + 1
    end do
    ! [docs: end]
    if (list%size /= 6) error stop 'six entries were expected'
    if (any(neighbour(offset(1) + 1:offset(2)) + 1 /= [2, 3])) error stop 'other neighbours were expected'
  end subroutine

  subroutine show_distances
    ! [docs: entries]
    type(hgrid_entry_options) :: options
    type(hgrid_entry_list) :: list
    integer(c_int64_t), pointer :: id(:, :)
    real(c_double), pointer :: distance(:), vector(:, :)
    integer(c_int64_t) :: k
    options%struct_size = c_sizeof(options)
    options%kind = hgrid_half
    options%all = 1  ! 0: only those nearer than the sum of radii
    options%distances = 1
    options%vectors = 1
    list%struct_size = c_sizeof(list)
    call require(hgrid_entries(grid, particles, options, list), 'the distances')
    call c_f_pointer(list%ids, id, [list%size, 2_c_int64_t])
    call c_f_pointer(list%distances, distance, [list%size])
    call c_f_pointer(list%vectors, vector, [3_c_int64_t, list%size])
    do k = 1, list%size
      print '(a, 2(1x, i0), a, 3f5.1)', 'from', id(k, :) + 1, ':', vector(:, k)
    end do
    ! [docs: end]
    if (list%size /= 3 .or. any(abs(distance - [1d0, 1.5d0, 2.5d0]) > 1d-14)) error stop 'other distances were expected'
    if (any(abs(vector(:, 1) - [-1d0, 0d0, 0d0]) > 1d-14)) error stop 'another vector was expected'
  end subroutine

  subroutine show_error
    ! [docs: error]
    type(hgrid_error) :: error
    integer(c_int) :: status
    error%struct_size = c_sizeof(error)
    r(4) = -2
    status = hgrid_build(grid, particles, skin=0d0)
    if (hgrid_last_error(error) /= hgrid_ok) error stop 'the error is not told'
    print '(a, i0, a, i0, 3a)', 'status ', status, ', particle ', error%index + 1, ' (', hgrid_error_message(), ')'
    r(4) = 2
    ! [docs: end]
    if (status /= hgrid_error_negative_radius .or. error%index /= 3) error stop 'another error was expected'
    if (index(hgrid_error_message(), 'radii of particle 3') == 0) error stop 'another message was expected'
  end subroutine

  ! A column for each coordinate, an array of a type, and a part of a longer array with more numbers a particle.
  subroutine other_arrays
    ! [docs: type]
    type body
      real(c_double) :: x(3), v(3), radius
      integer :: kind
    end type
    type(body), target :: bodies(n)
    ! [docs: end]
    integer :: i
    real(c_double), target :: columns(n, 3), state(6, 2 * n)
    type(hgrid_particles) :: other
    columns = transpose(x)
    ! [docs: columns]
    other%struct_size = c_sizeof(other)
    other%columns(1) = hgrid_array_of(columns(:, 1))
    other%columns(2) = hgrid_array_of(columns(:, 2))
    other%columns(3) = hgrid_array_of(columns(:, 3))
    other%radii = hgrid_array_of(r)
    ! [docs: end]
    call require(hgrid_build(grid, other, 0d0), 'the build of columns')
    call show_pairs
    do i = 1, n
      bodies(i) = body(x(:, i), 0, r(i), i)
    end do
    ! [docs: types]
    other = hgrid_particles(struct_size=c_sizeof(other))
    other%positions = hgrid_array_in_types(c_loc(bodies(1)%x), 3, n, storage_size(bodies) / 8)
    other%radii = hgrid_array_in_types(c_loc(bodies(1)%radius), 1, n, storage_size(bodies) / 8)
    ! [docs: end]
    call require(hgrid_build(grid, other, 0d0), 'the build of types')
    call show_pairs
    state = 0
    state(2:4, ::2) = x
    other = particles
    other%positions = hgrid_array_of(state(2:4, ::2))
    call require(hgrid_build(grid, other, 0d0), 'the build of a section')
    call show_pairs
  end subroutine

  ! As long along x as the spheres, and flat. Boxes 4 and 5 touch beside each other, and not at two heights.
  subroutine show_boxes
    type(hgrid_pair_list) :: list
    ! [docs: boxes]
    real(c_double), target :: half(3, n)  ! half extents along x, y and z
    type(hgrid_particles) :: boxes
    half(1, :) = r
    half(2:3, :) = 0.1d0
    boxes%struct_size = c_sizeof(boxes)
    boxes%positions = hgrid_array_of(x)
    boxes%extents = hgrid_array_of(half)  ! in the place of radii
    call require(hgrid_build(grid, boxes, skin=0d0), 'the build of boxes')
    ! [docs: end]
    call show_pairs
    x(3, 5) = 5.3d0
    list%struct_size = c_sizeof(list)
    call require(hgrid_build(grid, boxes, skin=0d0), 'the build of boxes at two heights')
    call require(hgrid_pairs(grid, hgrid_sorted, list), 'the list of boxes')
    if (list%size /= 2) error stop 'two pairs of boxes were expected'
    x(3, 5) = 5d0
  end subroutine

  ! A plane of two triangles that cover the periodic box. Sphere 4 is above the edge of both, and has one contact. Then the plane goes down.
  subroutine show_walls
    ! [docs: walls]
    real(c_double), target :: points(3, 6)  ! three for each triangle, as in an STL file: equal ones become one
    type(hgrid_triangles) :: floor
    type(hgrid_wall_list) :: list
    type(c_ptr) :: mesh
    real(c_double), pointer :: point(:, :), vertex(:, :)
    integer(c_int32_t), pointer :: id(:)
    integer(c_int64_t) :: k, vertices
    type(c_ptr) :: first
    points = reshape([0d0, 0d0, 4.2d0, 10d0, 0d0, 4.2d0, 0d0, 10d0, 4.2d0, &
                      10d0, 0d0, 4.2d0, 10d0, 10d0, 4.2d0, 0d0, 10d0, 4.2d0], [3, 6])
    floor%struct_size = c_sizeof(floor)
    floor%vertices = hgrid_array_of(points)
    list%struct_size = c_sizeof(list)
    call require(hgrid_build(grid, particles, skin=0d0), 'the build')
    call require(hgrid_mesh_create(grid, floor, mesh), 'making the wall')
    call require(hgrid_mesh_contacts(mesh, particles, 0d0, list), 'the contacts')
    call c_f_pointer(list%neighbours, id, [list%size])
    call c_f_pointer(list%points, point, [3_c_int64_t, list%size])  ! where each contact is
    do k = 1, list%size
      print '(a, i0, a, f4.1)', 'wall and sphere ', id(k) + 1, ', overlap', r(id(k) + 1) - norm2(x(:, id(k) + 1) - point(:, k))
    end do
    if (list%size /= 2 .or. any(id /= [0, 3])) error stop 'contacts of spheres 1 and 4 were expected'
    call require(hgrid_mesh_vertices(mesh, first, vertices), 'the vertices')
    call c_f_pointer(first, vertex, [3_c_int64_t, vertices])
    vertex(3, :) = 3.5d0
    call require(hgrid_mesh_contacts(mesh, particles, 0d0, list), 'the contacts with the plane where it is now')
    call hgrid_mesh_destroy(mesh)
    ! [docs: end]
    if (list%size /= 1 .or. vertices /= 4) error stop 'one contact with the wall was expected'
  end subroutine

  ! Sphere 3 leaves sphere 1 and comes to sphere 4. Each contact counts the steps for which it has been listed.
  subroutine run_loop
    integer :: step, builds, steps_of_contact
    ! [docs: loop]
    type(hgrid_verlet_options) :: options
    type(hgrid_neighbour_list) :: list
    type(hgrid_history) :: history
    type(c_ptr) :: verlet
    integer(c_int) :: rebuilt
    integer(c_int32_t), pointer :: steps(:)
    integer(c_int64_t), pointer :: offset(:)
    options%struct_size = c_sizeof(options)
    options%skin = 0.2d0
    options%payload = c_sizeof(0_c_int32_t)
    list%struct_size = c_sizeof(list)
    history%struct_size = c_sizeof(history)
    call require(hgrid_verlet_create(grid, options, verlet), 'making the list')
    builds = 0
    do step = 1, 20
      x(1, 3) = x(1, 3) + 0.05d0  ! do not wrap it
      call require(hgrid_verlet_update(verlet, particles, rebuilt=rebuilt), 'the update')
      call require(hgrid_verlet_neighbours(verlet, list), 'the neighbours')
      call require(hgrid_verlet_history(verlet, history), 'the history')
      builds = builds + rebuilt
      call c_f_pointer(history%payload, steps, [list%size])  ! one for each entry: it follows its pair, and is 0 for a new one
      steps = steps + 1
      call c_f_pointer(list%offsets, offset, [list%lists + 1])
      steps_of_contact = steps(offset(5))  ! the last entry of the list of sphere 4
    end do
    call hgrid_verlet_destroy(verlet)
    ! [docs: end]
    print '(2(i0, a))', builds, ' lists in 20 steps; spheres 4 and 5 have been listed for ', steps_of_contact, ' steps'
    if (steps_of_contact /= 20 .or. builds < 2 .or. builds > 10) error stop 'another loop was expected'
  end subroutine

  ! Sphere 1 leaves the box on one side, and is wrapped to the other. Its list stays.
  subroutine run_wrapped_loop
    type(hgrid_verlet_options) :: options
    type(c_ptr) :: verlet, at
    integer(c_int) :: rebuilt
    integer(c_int32_t), pointer :: periods(:, :)
    options%struct_size = c_sizeof(options)
    options%skin = 2
    options%wrapped = 1
    call require(hgrid_verlet_create(grid, options, verlet), 'making the list')
    call require(hgrid_verlet_update(verlet, particles, rebuilt=rebuilt), 'the first update')
    x(1, 1) = x(1, 1) - 0.8d0 + (box%hi(1) - box%lo(1))
    call require(hgrid_verlet_update(verlet, particles, rebuilt=rebuilt), 'the update of a wrapped sphere')
    call require(hgrid_verlet_periods(verlet, at), 'the periods')
    call c_f_pointer(at, periods, [3, n])  ! x + periods * (box%hi - box%lo) are unwrapped positions
    if (rebuilt /= 0 .or. periods(1, 1) /= -1 .or. count(periods /= 0) /= 1) error stop 'one sphere was wrapped'
    call hgrid_verlet_destroy(verlet)
  end subroutine
end program
