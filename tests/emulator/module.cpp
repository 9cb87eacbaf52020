// SPDX-License-Identifier: BSD-3-Clause
#include "module.hpp"

#include <cstring>
#include <string_view>

#include "settings.hpp"

namespace emulator {

namespace {

constexpr std::uint32_t magic_of_fat_binary = 0xBA55ED50;
constexpr std::uint16_t kind_of_ptx = 1;

template <class T>
T read_at(const char* p) {
  T value;
  std::memcpy(&value, p, sizeof value);
  return value;
}

// Returns the end of the block that is opened at `at`, after its bracket.
std::size_t end_of_block(std::string_view text, std::size_t at) {
  int depth = 0;
  for (; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    if (text[at] == '}' && --depth == 0) return at + 1;
  }
  stop("PTX that ends within a kernel");
}

std::size_t begin_of_line(std::string_view text, std::size_t at) {
  const std::size_t before = text.rfind('\n', at);
  return before == std::string_view::npos ? 0 : before + 1;
}

void split(std::string_view text, Module& module) {
  std::size_t done = 0;
  while (true) {
    const std::size_t entry = text.find(".entry", done);
    if (entry == std::string_view::npos) break;
    const std::size_t begin = begin_of_line(text, entry), end = end_of_block(text, text.find('{', entry));
    module.declarations += text.substr(done, begin - done);
    const std::size_t name = text.find_first_not_of(" \t", entry + 6);
    const std::size_t name_end = text.find_first_of("( \t\n", name);
    module.entries[std::string(text.substr(name, name_end - name))] = text.substr(begin, end - begin);
    done = end;
  }
  module.declarations += text.substr(done);
}

}  // namespace

Module* read_fat_binary(const void* data) {
  const auto* p = static_cast<const char*>(data);
  if (read_at<std::uint32_t>(p) != magic_of_fat_binary) stop("no fat binary");
  const auto header = read_at<std::uint16_t>(p + 6);
  const auto size = read_at<std::uint64_t>(p + 8);
  auto* const module = new Module;  // lives as long as the program
  for (std::uint64_t at = header; at < header + size;) {
    const auto kind = read_at<std::uint16_t>(p + at);
    const auto head = read_at<std::uint32_t>(p + at + 4);
    const auto bytes = read_at<std::uint64_t>(p + at + 8);
    if (kind == kind_of_ptx) {
      const std::string_view text(p + at + head, strnlen(p + at + head, bytes));
      if (text.find(".version") == std::string_view::npos) stop("compressed PTX: compile with nvcc --no-compress");
      split(text, *module);
      return module;
    }
    at += head + bytes;
  }
  stop("no PTX in a fat binary: compile for a virtual architecture too");
}

}  // namespace emulator
