// SPDX-License-Identifier: BSD-3-Clause
#include "settings.hpp"

#include <cstdio>
#include <cstdlib>
#include <set>

namespace emulator {

namespace {

std::string text_of(const char* name, const char* otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : text;
}

int number_of(const char* name, int otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoi(text);
}

std::set<std::string>& said() {
  static auto* const keys = new std::set<std::string>;  // never destroyed: programs end with work left to do
  return *keys;
}

void end_with_failure() {
  std::fflush(nullptr);
  std::_Exit(1);
}

}  // namespace

const Settings& settings() {
  static const Settings read{number_of("EMU_LAZY", 1) != 0,
                             number_of("EMU_RACES", 0) != 0,
                             number_of("EMU_POOLS", 1) != 0,
                             number_of("EMU_DEVICES", 1),
                             static_cast<std::uint64_t>(number_of("EMU_SEED", 1)),
                             text_of("EMU_CACHE", EMULATOR_CACHE),
                             text_of("EMU_COUNTS", ""),
                             text_of("EMU_FAULT", "")};
  return read;
}

void report(const std::string& key, const std::string& text) {
  if (said().empty()) std::atexit(end_with_failure);
  if (said().insert(key).second) fmt::print(stderr, "emulator: {}\n", text);
}

void stop(const std::string& text) {
  fmt::print(stderr, "emulator: {}\n", text);
  std::fflush(nullptr);
  std::abort();
}

std::uint32_t draw(std::uint32_t n) {
  static std::uint64_t state = 0x9E3779B97F4A7C15u * (settings().seed + 1);
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return static_cast<std::uint32_t>(state >> 32) % n;
}

}  // namespace emulator
