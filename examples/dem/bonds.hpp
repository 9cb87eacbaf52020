// SPDX-License-Identifier: BSD-3-Clause
// Bonds: springs and dashpots between centres, which join particles in chains. Each bond stands in the lists of both of its
// particles, so that each sums its own forces, and so that hgrid takes these lists as exclusions.
#pragma once

#include <algorithm>
#include <cstdint>
#include <utility>

#include "particles.hpp"
#include "hgrid/loop.hpp"

namespace dem {

struct Bond {
  double rest;  // length without force
  hgrid::Image image;
  std::int32_t none = 0;  // instead of padding, whose bytes a checkpoint would save, too
};
static_assert(sizeof(Bond) == 24);

/// The bonds of all particles. Particle i has begin[i] to begin[i + 1] - 1, as i sees them. Null if there are none.
struct BondLists {
  const offset_t* begin;
  const index_t* partner;
  const Bond* bond;

  HGRID_HD offset_t begin_of(offset_t i) const { return begin == nullptr ? 0 : begin[i]; }
  HGRID_HD offset_t end_of(offset_t i) const { return begin == nullptr ? 0 : begin[i + 1]; }
};

/// The bonds on the host, to be made and changed there.
struct HostBonds {
  std::vector<std::vector<std::pair<index_t, Bond>>> of;  // each list ascends by partner, as exclusions do

  explicit HostBonds(std::size_t particles = 0) : of(particles) {}
  void add(index_t i, index_t j, const Bond& bond) {
    of[i].emplace_back(j, bond);
    of[j].emplace_back(i, Bond{bond.rest, -bond.image});
  }
  void order() {
    for (auto& list : of) {
      std::sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    }
  }
};

template <class Exec>
class Bonds {
 public:
  explicit Bonds(const Exec& exec) : exec_(exec), begin_(exec, 0), partner_(exec, 0), bond_(exec, 0) {}

  BondLists view() { return {count_ == 0 ? nullptr : begin_.data(), partner_.data(), bond_.data()}; }

  // [docs: exclusions]
  /// Returns bonded pairs for `Particles::exclusions`: they are no contacts.
  hgrid::Exclusions exclusions() {
    if (count_ == 0) return {};
    return hgrid::Exclusions::in_lists(begin_.data(), partner_.data(), count_);
  }
  // [docs: end]

  void set(const HostBonds& bonds) {
    std::vector<offset_t> begin = {0};
    std::vector<index_t> partner;
    std::vector<Bond> bond;
    for (const auto& list : bonds.of) {
      for (const auto& [j, b] : list) partner.push_back(j), bond.push_back(b);
      begin.push_back(static_cast<offset_t>(partner.size()));
    }
    count_ = begin.back();
    begin_.set(begin), partner_.set(partner), bond_.set(bond);
  }
  HostBonds get() const {
    const std::vector<offset_t> begin = begin_.get();
    const std::vector<index_t> partner = partner_.get();
    const std::vector<Bond> bond = bond_.get();
    HostBonds bonds(begin.empty() ? 0 : begin.size() - 1);
    for (std::size_t i = 0; i < bonds.of.size(); ++i) {
      for (offset_t k = begin[i]; k < begin[i + 1]; ++k) bonds.of[i].emplace_back(partner[k], bond[k]);
    }
    return bonds;
  }

  /// More particles, which have no bonds.
  void append(std::size_t particles) {
    std::vector<offset_t> begin = begin_.get();
    if (begin.empty()) return;
    begin.insert(begin.end(), particles, begin.back());
    begin_.set(begin);
  }

  // [docs: renumber]
  /// Bonds go along where particles are sorted: {i, j} becomes {new_id[i], new_id[j]}.
  void sort(const hgrid::Reordering<Exec>& order) {
    if (count_ == 0) return;
    const HostBonds before = get();
    std::vector<index_t> new_id(before.of.size());
    exec_.copy_out(new_id.data(), order.new_id(), static_cast<offset_t>(new_id.size()));
    HostBonds now(before.of.size());
    for (std::size_t i = 0; i < before.of.size(); ++i) {
      for (const auto& [j, bond] : before.of[i]) now.of[new_id[i]].emplace_back(new_id[j], bond);
    }
    now.order();
    set(now);
  }
  // [docs: end]

  std::vector<Bytes> save() const { return {begin_.save(), partner_.save(), bond_.save()}; }
  void restore(const Bytes* blocks, offset_t particles) {
    const auto n = static_cast<offset_t>(blocks[1].size() / sizeof(index_t));
    begin_.restore(blocks[0], blocks[0].empty() ? 0 : particles + 1);
    partner_.restore(blocks[1], n), bond_.restore(blocks[2], n);
    count_ = n;
  }

 private:
  Exec exec_;
  Column<Exec, offset_t> begin_;
  Column<Exec, index_t> partner_;
  Column<Exec, Bond> bond_;
  offset_t count_ = 0;
};

}  // namespace dem
