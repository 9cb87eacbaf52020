// SPDX-License-Identifier: BSD-3-Clause
// Forged checkpoints through the C API: of grids, of lists, of lists with a payload, and of payloads.
#pragma once

#include "support/c_door.hpp"
#include "support/forged_loop.hpp"

namespace support {

/// A loop of the C API: a grid, a list without a payload, and one with it, each with a grid of its own.
class DoorLoop {
 public:
  static constexpr int kinds = 4, bytes_of_payload = 12;

  explicit DoorLoop(bool periodic, bool full) {
    auto options = sized<hgrid_options>();
    options.dimension = 3, options.threads = HGRID_SERIAL;
    auto box = sized<hgrid_box>();
    for (int k = 0; k < 3; ++k) box.periodic[k] = periodic, box.lo[k] = 0, box.hi[k] = 20;
    auto list = sized<hgrid_verlet_options>();
    list.skin = 0.4, list.kind = full ? HGRID_FULL : HGRID_HALF;
    must(hgrid_create(&options, &box, &grid_.grid));
    for (int with_payload = 0; with_payload < 2; ++with_payload) {
      must(hgrid_create(&options, &box, &of_list_[with_payload].grid));
      list.payload = with_payload * bytes_of_payload;
      must(hgrid_verlet_create(of_list_[with_payload].grid, &list, &list_[with_payload].list));
    }
  }

  /// Typed errors are no faults.
  std::string step(const hgrid::Particles<double, 3>& p) {
    const hgrid_particles now = c_particles(p, false);
    std::int64_t n = 0;
    auto pairs = sized<hgrid_pair_list>();
    if (hgrid_build(grid_.grid, &now, 0.1) == HGRID_OK)
      hgrid_count(grid_.grid, &n), hgrid_pairs(grid_.grid, HGRID_SORTED, &pairs);
    std::string fault;
    for (const DoorVerlet& each : list_) {
      int rebuilt = 0;
      hgrid_verlet_update(each.list, &now, nullptr, &rebuilt);
      fault += look_at(each.list);
    }
    return fault;
  }

  std::string look() const { return look_at(list_[0].list) + look_at(list_[1].list); }

  Bytes saved(int kind) const {
    const void* bytes = nullptr;
    std::int64_t size = 0;
    must(kind == 0 ? hgrid_save(grid_.grid, &bytes, &size) : hgrid_verlet_save(list_[kind > 1].list, &bytes, &size));
    const auto* const begin = static_cast<const std::byte*>(bytes);
    return {begin, begin + size};
  }
  int restore(int kind, const Bytes& bytes) {
    const std::int64_t size = std::ssize(bytes);
    return kind == 0 ? hgrid_restore(grid_.grid, bytes.data(), size)
                     : hgrid_verlet_restore(list_[kind > 1].list, bytes.data(), size);
  }

  static void must(int status) { fuzz::require(status == HGRID_OK, hgrid_status_name(status)); }

 private:
  // The whole of a list, its history and its payload.
  static std::string look_at(hgrid_verlet* list) {
    auto l = sized<hgrid_neighbour_list>();
    auto h = sized<hgrid_history>();
    if (hgrid_verlet_neighbours(list, &l) != HGRID_OK || hgrid_verlet_history(list, &h) != HGRID_OK) return "";
    if (h.size != l.size) return "a history of another list; ";
    const auto* const payload = static_cast<const unsigned char*>(h.payload);
    unsigned sum = 0;
    for (std::int64_t i = 0; i < l.lists; ++i) {
      if (l.offsets[i] < 0 || l.offsets[i] > l.offsets[i + 1] || l.offsets[i + 1] > l.size) return "offsets lead outside; ";
      for (std::int64_t k = l.offsets[i]; k < l.offsets[i + 1]; ++k) {
        if (l.neighbours[k] < 0 || l.neighbours[k] >= l.lists) return "a neighbour is no particle; ";
        if (h.from[k] < -1 || h.from[k] >= h.size_before) return "an origin is none; ";
        for (int b = 0; b < bytes_of_payload && payload != nullptr; ++b) sum += payload[k * bytes_of_payload + b];
        if (l.images != nullptr) sum += static_cast<unsigned>(l.images[3 * k]);
      }
    }
    all_read = sum;
    return "";
  }

  DoorGrid grid_, of_list_[2];
  DoorVerlet list_[2];
};

/// The checkpoints of such a loop, and the particles of the steps that follow.
struct SavedDoorLoop {
  Bytes saved[DoorLoop::kinds];
  std::vector<std::unique_ptr<UserArrays<double, 3>>> after;

  static const std::vector<SavedDoorLoop>& all() {
    static const std::vector<SavedDoorLoop> loops = [] {
      std::vector<SavedDoorLoop> made;
      for (int variant = 0; variant < 4; ++variant) {
        ChangingSystem system(variant & 1 ? ChangingSystem::periodic : ChangingSystem::groups, 30);
        DoorLoop loop(variant & 1, variant & 2);
        SavedDoorLoop s;
        for (int step = 0; step < 4; ++step) loop.step(UserArrays<double, 3>(system.at(step)).view());
        for (int kind = 0; kind < DoorLoop::kinds; ++kind) s.saved[kind] = loop.saved(kind);
        for (int step = 4; step < 9; step += 2) s.after.push_back(std::make_unique<UserArrays<double, 3>>(system.at(step)));
        made.push_back(std::move(s));
      }
      return made;
    }();
    return loops;
  }
};

/// Kind 2: forges the list after the payload, and mends the payload's own sum.
inline Bytes forged_behind_payload(const Bytes& saved, fuzz::Bytes& decisions) {
  std::int64_t pairs = 0;
  std::memcpy(&pairs, saved.data() + head_of_checkpoint, sizeof pairs);
  const std::size_t begin = head_of_checkpoint + sizeof pairs + static_cast<std::size_t>(pairs) * DoorLoop::bytes_of_payload;
  const std::size_t list = begin + sizeof(std::uint64_t);
  const Bytes forged = Forger(decisions)(Bytes(saved.begin() + static_cast<std::ptrdiff_t>(list), saved.end()));
  Bytes all(saved.begin(), saved.begin() + static_cast<std::ptrdiff_t>(list));
  const std::uint64_t size = forged.size();
  std::memcpy(all.data() + begin, &size, sizeof size);
  all.insert(all.end(), forged.begin(), forged.end());
  mend(all);
  return all;
}

inline Forged forged_door(int kind, fuzz::Bytes& decisions) {
  const auto& all = SavedDoorLoop::all();
  const SavedDoorLoop& original = all[static_cast<std::size_t>(decisions.below(static_cast<int>(all.size())))];
  DoorLoop loop(false, false);
  for (int each = 0; each < 3; ++each) DoorLoop::must(loop.restore(each, original.saved[each]));
  const Bytes& whole = original.saved[kind];
  const Bytes bytes = kind == 2 ? forged_behind_payload(whole, decisions) : Forger(decisions)(whole);
  const int status = loop.restore(kind, bytes);
  if (status != HGRID_OK) {
    if (status != HGRID_ERROR_FORMAT) return {false, std::string("refused by another error: ") + hgrid_status_name(status)};
    for (int each = 0; each < 3; ++each) {
      if (loop.saved(each) != original.saved[each]) return {false, "a refused checkpoint changes something"};
    }
    return {false, ""};
  }
  std::string fault = loop.look();
  for (const auto& arrays : original.after) fault += loop.step(arrays->view());
  DoorLoop again(false, false);
  for (int each = 0; each < 3; ++each) {
    if (again.restore(each, loop.saved(each)) != HGRID_OK) fault += "what was restored cannot be saved and restored; ";
  }
  return {true, fault};
}

}  // namespace support
