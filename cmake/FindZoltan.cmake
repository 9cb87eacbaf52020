# SPDX-License-Identifier: BSD-3-Clause
# Zoltan::Zoltan, by its header and library: the package that Debian's libtrilinos-zoltan-dev has is found without include
# folders, and names libraries that are not there.
find_path(Zoltan_INCLUDE zoltan.h PATH_SUFFIXES trilinos)
find_library(Zoltan_LIBRARY NAMES trilinos_zoltan zoltan)
mark_as_advanced(Zoltan_INCLUDE Zoltan_LIBRARY)
if(Zoltan_INCLUDE)  # by which cuts keep their directions: not in old ones
  file(STRINGS "${Zoltan_INCLUDE}/zoltan.h" Zoltan_SERIALIZES REGEX "Zoltan_Serialize")
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Zoltan REQUIRED_VARS Zoltan_LIBRARY Zoltan_INCLUDE Zoltan_SERIALIZES)
if(Zoltan_FOUND AND NOT TARGET Zoltan::Zoltan)
  add_library(Zoltan::Zoltan UNKNOWN IMPORTED)
  set_target_properties(Zoltan::Zoltan PROPERTIES IMPORTED_LOCATION "${Zoltan_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${Zoltan_INCLUDE}" INTERFACE_LINK_LIBRARIES MPI::MPI_CXX)
endif()
