// SPDX-License-Identifier: BSD-3-Clause
// A full list of positions from a file in a periodic cube, for peak.py: peak FILE POINTS SIDE CUTOFF
// It prints the entries, and the bytes that a grid, its build and the list take at most.
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "bench/python/status.hpp"
#include "hgrid/hgrid.hpp"

int main(int count, char** words) {
  if (count != 5) return 2;
  const auto n = static_cast<std::size_t>(std::atol(words[2]));
  const double side = std::atof(words[3]);
  std::vector<double> x(3 * n), r(n, std::atof(words[4]) / 2);
  std::FILE* const file = std::fopen(words[1], "rb");
  if (file == nullptr || std::fread(x.data(), sizeof(double), x.size(), file) != x.size()) return 1;
  std::fclose(file);
  const double before = begin_peak();
  hgrid::Grid grid{hgrid::SerialExec{}, hgrid::Box3::periodic({0, 0, 0}, {side, side, side})};
  grid.build(hgrid::particles<3>(x.data(), r.data(), static_cast<std::int64_t>(n)));
  auto list = grid.make_list(hgrid::ListKind::full);
  grid.find(list);
  std::printf("%lld %.0f\n", static_cast<long long>(list.size()), memory("VmHWM") - before);
}
