// SPDX-License-Identifier: BSD-3-Clause
// Lists of a time loop on devices, as hosts see them.
#pragma once

#include "ranks/shared_system.hpp"

namespace support {

/// A rank's particles on a device.
template <class Exec, class Real, int D>
struct DeviceShare {
  hgrid::DeviceVector<Exec, Real> x, r;
  hgrid::DeviceVector<Exec, std::int64_t> id, partner;
  hgrid::DeviceVector<Exec, hgrid::index_t> group, type;
  hgrid::DeviceVector<Exec, double> cutoffs;
  std::size_t width;
  hgrid::index_t partners_each;

  DeviceShare(const Exec& exec, const Share<Real, D>& share, const oracle::System& s = {})
      : x(exec, share.x),
        r(exec, share.r),
        id(exec, share.id),
        partner(exec, share.partner),
        group(exec, share.group),
        type(exec, share.type),
        cutoffs(exec, s.cutoffs),
        width(share.width),
        partners_each(share.partners_each) {}
  auto sizes() { return hgrid::Field{r, width}; }
  auto partners() { return hgrid::Field{partner, static_cast<std::size_t>(partners_each)}; }
  hgrid::RankLabels<Exec> labels(const oracle::System& s) const {
    return {.groups = has_groups(s) ? &group : nullptr,
            .types = s.types > 0 ? &type : nullptr,
            .cutoffs = s.types > 0 ? &cutoffs : nullptr,
            .type_count = s.types,
            .partners = s.excluded.empty() ? nullptr : &partner,
            .partners_each = partners_each};
  }
};

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
bool values_follow(hgrid::DistributedGrid<Exec, D>& grid, Share& there, const oracle::System& s, const Contacts& expected) {
  const Exec& exec = grid.exec();
  hgrid::DistributedVerletList list(grid, {.skin = s.skin});
  list.set_labels(there.labels(s));
  hgrid::DistributedPairArray<hgrid::GlobalContact, Exec> values(exec, {});
  list.rebalance(there.x, there.sizes(), there.id, values, there.group, there.type, there.partners());
  const auto globals = [&] {
    std::vector<hgrid::GlobalContact> all;
    for (const hgrid::Contact& c : listed(exec, list)) all.push_back(grid.global(c.i, c.j, c.image));
    return all;
  };
  const std::vector<hgrid::GlobalContact> own = globals();
  exec.copy_in(values.data(), own.data(), values.size());
  list.rebalance(there.x, there.sizes(), there.id, values, there.group, there.type, there.partners());
  Contacts all;
  for (const hgrid::GlobalContact& c : gathered(globals())) all.push_back(as_oracle(c));
  return sorted(std::move(all)) == expected && copied(exec, values.data(), values.size()) == globals();
}

}  // namespace support
