# SPDX-License-Identifier: BSD-3-Clause
# Labels of tests, for `ctest -L`: a room, "quick" or "minutes", and turn_UNIT for tests that take turns (turns.py).

# hgrid_labels(): labels the tests of this folder.
function(hgrid_labels)
  # The job of .github/workflows/tests.yml that runs a test is its room: the first pattern that fits.
  set(hgrid_rooms "emulator_1=^(emulated_random|emulated_[a-d]|emulated_fault|counted|known)" "emulator_2=^(emulated|ranks_cuda)" "lockstep=lockstep"
    "ranks=^ranks" "kokkos=kokkos" "tool=^(tool|io_)" "package=^(consumer|install|find_comp|build_type|contraction|fortran|conversions|library_clang)"
    "host=.*")
  # Tests that take more than some ten seconds of a processor.
  set(hgrid_minutes allocation checkpoint_lockstep cuda_random_systems hgrid_2012 large metamorphic exact_contract random_systems reference_random far_clusters contraction
    narrow_phase_lockstep random_systems_kokkos random_systems_lockstep state_machine time_loop_lockstep paper_rules consumer_.* emulated_.* ranks_.* kernel_registers
    counted_instructions tool_.*)
  set(hgrid_turn_random random_systems_avx2 random_systems_baseline random_systems_lockstep_all random_systems_without_highway nearest_without_highway
    measured_lists_without_highway emulated_random_systems_all)
  set(hgrid_turn_races emulated_random_systems_with_races_1 emulated_random_systems_with_races_2 emulated_random_systems_with_races_3
    emulated_random_systems_with_races_4 emulated_faults)
  set(hgrid_turn_emulator emulated_lists emulated_nearest emulated_callers)

  set(hgrid_turn_consumers consumer_add_subdirectory consumer_cpp11_standards contraction)

  get_property(tests DIRECTORY PROPERTY TESTS)
  list(JOIN hgrid_minutes "|" minutes)
  foreach(test IN LISTS tests)
    foreach(room IN LISTS hgrid_rooms)
      string(REGEX MATCH "^([a-z_0-9]+)=(.*)$" found "${room}")
      set(name ${CMAKE_MATCH_1})
      if(test MATCHES "${CMAKE_MATCH_2}")
        break()
      endif()
    endforeach()
    set(labels ${name} quick)
    set(turn "")
    foreach(unit IN ITEMS random races emulator consumers)
      if(test IN_LIST hgrid_turn_${unit})
        set(turn turn_${unit})
      endif()
    endforeach()
    if(turn OR test MATCHES "^(${minutes})$")
      set(labels ${name} minutes ${turn})
      set_property(TEST ${test} PROPERTY COST 100)  # the longest begin first, so that none is alone in the end
    endif()
    set_property(TEST ${test} APPEND PROPERTY LABELS ${labels})
  endforeach()
endfunction()
