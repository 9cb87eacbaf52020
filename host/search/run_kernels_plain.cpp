// SPDX-License-Identifier: BSD-3-Clause
// The inner loops of the fast schedule without a vector library: what is built where Highway is not found.
#include "hgrid/host/search/run_kernels.hpp"

namespace hgrid {

namespace {
#include "hgrid/host/search/find_ranges-inl.hpp"
}  // namespace

template <int D>
void find_ranges(const GridView<D>& g, int j, bool ascending, index_t first, index_t n, SearchRanges<D>& ranges) {
  find_ranges_of_all<D>(g, j, ascending, first, n, ranges);
}

template <int D>
index_t test_runs(const GridView<D>& g, const Run* runs, index_t n, const Shift<D>* shifts, index_t* hit_run,
                  index_t* hit_slot) {
  const Shift<D> in_place{};
  index_t hits = 0;
  for (index_t r = 0; r < n; ++r) {
    const Run run = runs[r];
    const Shift<D>& shift = shifts == nullptr ? in_place : shifts[run.shift];
    for (index_t q = run.begin; q < run.end; ++q) {
      hit_run[hits] = r;
      hit_slot[hits] = q;
      hits += in_contact(g, run.p, q, shift);
    }
  }
  return hits;
}

const char* simd_target() { return "none"; }

template void find_ranges(const GridView<2>&, int, bool, index_t, index_t, SearchRanges<2>&);
template void find_ranges(const GridView<3>&, int, bool, index_t, index_t, SearchRanges<3>&);
template index_t test_runs(const GridView<2>&, const Run*, index_t, const Shift<2>*, index_t*, index_t*);
template index_t test_runs(const GridView<3>&, const Run*, index_t, const Shift<3>*, index_t*, index_t*);

}  // namespace hgrid
