// SPDX-License-Identifier: BSD-3-Clause
// The system that a grid was built from, and its contacts by brute force.
#pragma once

#include <memory>
#include <optional>

#include "support/run_case.hpp"

namespace support::machine {

/// Finds contacts at the first call that needs them. For many particles only a sample's contacts are known, and the number of
/// the others: once met, it must stay.
class Built {
 public:
  explicit Built(oracle::System s) : s_(std::move(s)) {}

  const oracle::System& system() const { return s_; }
  bool knows_all() const { return s_.particles.size() <= most_for_all_pairs; }

  const Contacts& contacts() {
    if (!contacts_) contacts_ = knows_all() ? oracle::contacts(s_) : oracle::contacts_of(s_, sample());
    return *contacts_;
  }

  /// Returns the fault of this number of contacts; empty: none.
  std::string judge_count(const std::string& what, std::size_t n) {
    if (knows_all()) total_ = contacts().size();
    if (!total_) total_ = n;
    if (n == *total_) return {};
    return what + ": " + std::to_string(n) + " contacts, " + std::to_string(*total_) + " expected\n";
  }

  /// Returns the fault of contacts in any order; `full`: from both sides.
  std::string judge(const std::string& what, Contacts got, bool full = false) {
    got = sorted(std::move(got));
    if (knows_all()) return difference(what, got, full ? oracle::from_both_sides(contacts()) : contacts());
    if (full && got.size() % 2 != 0) return what + ": an odd number of sides\n";
    std::string text = judge_count(what, full ? got.size() / 2 : got.size());
    const std::vector<std::size_t> ids = sample();
    const auto known = [&](std::int64_t i) {
      return std::find(ids.begin(), ids.end(), static_cast<std::size_t>(i)) != ids.end();
    };
    std::erase_if(got, [&](const oracle::Contact& c) { return !known(c.i) && !known(c.j); });
    return text + difference(what, got, full ? oracle::from_both_sides(contacts()) : contacts());
  }

 private:
  static constexpr std::size_t most_for_all_pairs = 400, sampled = 12;

  std::vector<std::size_t> sample() const {
    std::vector<std::size_t> ids;
    for (std::size_t k = 0; k < sampled; ++k) ids.push_back(k * (s_.particles.size() - 1) / (sampled - 1));
    return ids;
  }

  oracle::System s_;
  std::optional<Contacts> contacts_;
  std::optional<std::size_t> total_;
};

/// Null: no build.
using Held = std::shared_ptr<Built>;

}  // namespace support::machine
