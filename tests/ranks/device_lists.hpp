// SPDX-License-Identifier: BSD-3-Clause
// Lists of a time loop on devices, as hosts see them.
#pragma once

#include "ranks/shared_system.hpp"

namespace support {

template <class Exec, int D>
std::vector<hgrid::Contact> listed(const Exec& exec, const hgrid::DistributedVerletList<Exec, D>& list) {
  const auto there = list.contacts();
  const auto first = copied(exec, there.first, there.size), second = copied(exec, there.second, there.size);
  const auto images = copied(exec, there.image, there.size);
  std::vector<hgrid::Contact> contacts;
  for (std::size_t k = 0; k < first.size(); ++k)
    contacts.push_back({first[k], second[k], images.empty() ? hgrid::Image{} : images[k]});
  return contacts;
}

/// Returns whether each contact keeps its own value while space is cut again, and the list has all contacts.
template <class Exec, int D, class Share>
bool values_follow(hgrid::DistributedGrid<Exec, D>& grid, Share& there, double skin, const Contacts& expected) {
  const Exec& exec = grid.exec();
  hgrid::DistributedVerletList list(grid, {.skin = skin});
  hgrid::DistributedPairArray<hgrid::GlobalContact, Exec> values(exec, {});
  list.rebalance(there.x, there.sizes(), there.id, values);
  const auto globals = [&] {
    std::vector<hgrid::GlobalContact> all;
    for (const hgrid::Contact& c : listed(exec, list)) all.push_back(grid.global(c.i, c.j, c.image));
    return all;
  };
  const std::vector<hgrid::GlobalContact> own = globals();
  exec.copy_in(values.data(), own.data(), values.size());
  list.rebalance(there.x, there.sizes(), there.id, values);
  Contacts all;
  for (const hgrid::GlobalContact& c : gathered(globals())) all.push_back(as_oracle(c));
  return sorted(std::move(all)) == expected && copied(exec, values.data(), values.size()) == globals();
}

}  // namespace support
