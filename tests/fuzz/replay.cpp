// SPDX-License-Identifier: BSD-3-Clause
// Runs every target over its folder of a corpus: replay CORPUS. Needs no fuzzer.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "target.hpp"

int main(int argc, char** argv) {
  if (argc != 2) return std::fprintf(stderr, "replay CORPUS\n"), 2;
  for (const fuzz::Target& target : fuzz::targets()) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(std::filesystem::path(argv[1]) / target.name)) {
      files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    fuzz::require(!files.empty(), std::string("there is no corpus for ") + target.name);
    for (const std::filesystem::path& file : files) {
      std::fprintf(stderr, "%s/%s\n", target.name, file.filename().c_str());  // known, should it end here
      std::ifstream in(file, std::ios::binary);
      const std::vector<char> bytes{std::istreambuf_iterator<char>(in), {}};
      target.run({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
    }
    std::printf("%s: %zu inputs\n", target.name, files.size());
  }
  return 0;
}
