// SPDX-License-Identifier: BSD-3-Clause
// What a fuzz target is: a function of bytes that must return, whatever they are. Under libFuzzer a file
// defines one; without it, targets announce themselves to the program that replays the corpus.
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

/// Ends the program loudly: what a sanitizer would do, for faults that it cannot see.
inline void require(bool holds, const std::string& what) {
  if (holds) return;
  std::fprintf(stderr, "fuzz: %s\n", what.c_str());
  std::abort();
}

}  // namespace fuzz

#ifdef HGRID_LIBFUZZER
#define HGRID_FUZZ_TARGET(name)                                                       \
  extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) { \
    name({data, size});                                                               \
    return 0;                                                                         \
  }
#else
#define HGRID_FUZZ_TARGET(name) static const fuzz::Announce announce_##name(#name, name);
#endif
