// SPDX-License-Identifier: BSD-3-Clause
#include "hgrid/host/reference/find_contacts.hpp"

#include "hgrid/host/reference/all_pairs.hpp"

namespace hgrid::reference {

template <int D>
Contacts find_contacts(Algorithm algorithm, const Bodies<D>& bodies, const Options<D>& options) {
  switch (algorithm) {
    case Algorithm::linked_cell:
      return linked_cell(bodies, options.linked_cell);
    case Algorithm::nbs:
      return nbs(bodies, options.nbs);
    case Algorithm::distance_sort:
      return distance_sort(bodies, options.distance_sort);
    case Algorithm::cell_space:
      return cell_space(bodies, options.cell_space);
    case Algorithm::all_pairs:
      return all_pairs(bodies);
  }
  throw Error(ErrorCode::invalid_argument, "no such algorithm", {.argument = "algorithm"});
}

template Contacts find_contacts(Algorithm, const Bodies<2>&, const Options<2>&);
template Contacts find_contacts(Algorithm, const Bodies<3>&, const Options<3>&);

}  // namespace hgrid::reference
