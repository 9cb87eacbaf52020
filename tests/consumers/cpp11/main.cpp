// SPDX-License-Identifier: BSD-3-Clause
// A client that cannot be C++20: several files include the header, and the program links the C library.
#define HGRID_H  // as in MercuryDPM, whose headers a client may have included before
#include "all_pairs.hpp"

int main() {
  test_inputs();
  test_lists();
  test_entries();
  test_loop();
  test_errors();
  test_copies();
  test_objects();
  test_walls();
  std::printf("hgrid %s by C++ %ld: all as all pairs have it\n", hgrid_version(), __cplusplus);
}
