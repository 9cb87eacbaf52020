// SPDX-License-Identifier: BSD-3-Clause
// A user's file for compilers that warn of conversions: it uses all headers of the library, which they see as the user's own
// code if it is included by a plain -I.
#include <hgrid/hgrid.hpp>
#include <hgrid/loop.hpp>
#include <hgrid/queries.hpp>
#include <hgrid11.hpp>

#include <vector>

#ifdef _OPENMP
using Parallel = hgrid::OpenMPExec;
#else  // a compiler that is run for its warnings only
using Parallel = hgrid::SerialExec;
#endif

template class hgrid::Grid<Parallel, 2>;
template class hgrid::Grid<hgrid::SerialExec, 3>;
template class hgrid::VerletList<hgrid::SerialExec, 2>;
template class hgrid::VerletList<Parallel, 3>;
template class hgrid::History<hgrid::SerialExec>;
template class hgrid::PairArray<Parallel, double>;
template class hgrid::Reordering<hgrid::SerialExec>;

template class hgrid11::Grid<2>;
template class hgrid11::Grid<3>;
template class hgrid11::VerletList<2>;
template class hgrid11::PairArray<double>;
template class hgrid11::Kept<hgrid11::PackedList>;

namespace {

template <int D, class Exec, class Real>
hgrid::offset_t use(const Exec& exec, const std::vector<Real>& x, const std::vector<Real>& r) {
  hgrid::Grid<Exec, D> grid(exec);
  const auto particles = hgrid::particles<D>(x.data(), r.data(), static_cast<std::int64_t>(r.size()));
  hgrid::offset_t seen = 0;
  grid.build(particles);
  grid.for_each_contact([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++seen; });
  grid.for_each_partner([&](hgrid::index_t, hgrid::index_t, const hgrid::Image&) { ++seen; });
  auto pairs = grid.make_pairs();
  grid.find(pairs, {.order = hgrid::Order::sorted});
  auto rows = grid.make_list(hgrid::ListKind::full);
  grid.find(rows);
  hgrid::VerletList list(grid, {.skin = 0.1});
  list.update(particles);
  return seen + grid.count() + pairs.size() + rows.size();
}

}  // namespace

int main() {
  const std::vector<double> x{0, 0, 0, 2, 0, 0}, r{1, 1};
  const std::vector<float> y{0, 0, 2, 0}, s{1, 1};
  return use<3>(Parallel{}, x, r) + use<2>(hgrid::SerialExec{}, y, s) > 0 ? 0 : 1;
}
