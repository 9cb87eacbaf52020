// SPDX-License-Identifier: BSD-3-Clause
#include <Kokkos_Core.hpp>

struct Add {
  KOKKOS_FUNCTION void operator()(int i, long& sum) const { sum += i; }
};

int main(int argc, char** argv) {
  Kokkos::initialize(argc, argv);
  long sum = 0;
  Kokkos::parallel_reduce("check", 1000, Add{}, sum);
  Kokkos::finalize();
  return sum == 499500 ? 0 : 1;
}
