// SPDX-License-Identifier: BSD-3-Clause
// A fuzz target: a function that must return for any bytes. Targets announce themselves to the program that they are linked to:
// the program that replays the corpus, or libFuzzer's, which takes one.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

namespace fuzz {

using Input = std::span<const std::uint8_t>;

struct Target {
  const char* name;
  void (*run)(Input);
};

inline std::vector<Target>& targets() {
  static std::vector<Target> all;
  return all;
}

struct Announce {
  Announce(const char* name, void (*run)(Input)) { targets().push_back({name, run}); }
};

/// Ends the program with a message, like a sanitizer, for faults that a sanitizer cannot see.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

}  // namespace fuzz

#define HGRID_FUZZ_TARGET(name) static const fuzz::Announce announce_##name(#name, name);
