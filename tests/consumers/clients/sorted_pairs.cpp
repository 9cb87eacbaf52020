// SPDX-License-Identifier: BSD-3-Clause
// A client like PhasicFlow: a contact list of its own, of unsigned ids in two columns, sorted, so that one merge compares it
// with the last step's list. It grows to the number of entries that the search reports.
#include <hgrid/hgrid.hpp>

#include <algorithm>

#include "system.hpp"

namespace {

// [docs: sorted_pairs]
/// The client's own list.
struct ContactList {
  std::vector<std::uint32_t> first, second;

  template <class Grid>
  void take(Grid& grid) {
    const auto columns = [&] {
      return hgrid::PairColumns<std::uint32_t>{first.data(), second.data(), 1, nullptr,
                                               static_cast<hgrid::offset_t>(first.size())};
    };
    try {
      resize(grid.find(columns()));
    } catch (const hgrid::Error& e) {
      if (e.code() != hgrid::ErrorCode::capacity) throw;
      resize(e.detail().needed);  // nothing was written
      grid.find(columns());
    }
  }
  void resize(hgrid::offset_t n) { first.resize(static_cast<std::size_t>(n)), second.resize(static_cast<std::size_t>(n)); }
};
// [docs: end]

}  // namespace

int main() {
  System system(1500);
  hgrid::Grid grid{hgrid::OpenMPExec{}, hgrid::Box3::open()};
  ContactList list;
  for (int step = 0; step < 3; ++step) {
    for (double& c : system.x) c += 0.01 * step;
    if (step == 2) std::fill(system.r.begin(), system.r.end(), 0.05);  // far fewer
    grid.build(system.x, system.r);
    list.take(grid);
    std::vector<std::pair<int, int>> found;
    for (std::size_t k = 0; k < list.first.size(); ++k) found.emplace_back(list.first[k], list.second[k]);
    const auto expected = system.contacts([](int, int) { return true; });
    require(!expected.empty() && std::equal(found.begin(), found.end(), expected.begin(), expected.end()), "the sorted pairs");
  }
}
