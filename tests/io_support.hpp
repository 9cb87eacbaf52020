// SPDX-License-Identifier: BSD-3-Clause
// A folder of its own for each test of readers and writers, and an expectation on errors.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>  // mkdtemp

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hgrid/core/names.hpp"
#include "io/read_particles.hpp"

namespace hgrid::io::test {

class Folder : public ::testing::Test {
 protected:
  Folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "hgrid-io-XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) std::abort();
    folder_ = pattern;
  }
  ~Folder() override { std::filesystem::remove_all(folder_); }

  std::string path(std::string_view name) const { return (folder_ / name).string(); }
  std::string file(std::string_view name, std::string_view content) const {
    std::ofstream(path(name), std::ios::binary) << content;
    return path(name);
  }
  std::string content(std::string_view name) const {
    std::ifstream in(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  std::vector<std::string> entries() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(folder_)) names.push_back(entry.path().filename());
    return names;
  }
  ParticleTable read(std::string_view content, const ReadOptions& options = {}) const {
    return read_particles(file("input", content), options);
  }

  std::filesystem::path folder_;
};

inline ReadOptions skipping() {
  ReadOptions options;
  options.bad_rows = BadRows::skip;
  return options;
}

/// Expects that f throws an Error of this code whose message holds every one of `parts`.
template <class F>
void expect_error(ErrorCode code, const std::vector<std::string>& parts, F&& f) {
  try {
    f();
  } catch (const Error& error) {
    const std::string message = error.what();
    EXPECT_EQ(name_of(error.code()), std::string(name_of(code))) << message;
    for (const std::string& part : parts) EXPECT_NE(message.find(part), message.npos) << part << " not in: " << message;
    EXPECT_LT(message.size(), 1200u);
    return;
  }
  ADD_FAILURE() << "no error; expected " << name_of(code) << (parts.empty() ? "" : ": " + parts.front());
}

/// A file of ../shared/data, where that folder is.
inline std::optional<std::string> shared_data(const std::string& file) {
#ifdef HGRID_SHARED_DATA
  const std::string path = HGRID_SHARED_DATA "/" + file;
#else
  const std::string path = "../shared/data/" + file;
#endif
  if (!std::filesystem::exists(path)) return std::nullopt;
  return path;
}

}  // namespace hgrid::io::test
