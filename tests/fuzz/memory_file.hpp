// SPDX-License-Identifier: BSD-3-Clause
// Bytes in memory under a path, for readers that open their input themselves.
#pragma once

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "target.hpp"

namespace fuzz {

class MemoryFile {
 public:
  MemoryFile() : descriptor_(::memfd_create("hgrid-fuzz", MFD_CLOEXEC)) {
    require(descriptor_ >= 0, "no file in memory can be had");
    std::string folder = (std::filesystem::temp_directory_path() / "hgrid-fuzz-XXXXXX").string();
    require(::mkdtemp(folder.data()) != nullptr, "no temporary folder can be had");
    folder_ = folder;
  }
  ~MemoryFile() {
    std::filesystem::remove_all(folder_);
    ::close(descriptor_);
  }
  MemoryFile(const MemoryFile&) = delete;

  void fill(std::string_view bytes) {
    require(::ftruncate(descriptor_, 0) == 0, "ftruncate");
    require(::pwrite(descriptor_, bytes.data(), bytes.size(), 0) == static_cast<ssize_t>(bytes.size()), "pwrite");
  }

  /// A path to the bytes that ends in `name`: readers look at it where the content leaves a doubt.
  std::string path(const std::string& name) {
    const std::filesystem::path link = folder_ / name;
    if (!std::filesystem::is_symlink(link)) {
      std::filesystem::create_symlink("/proc/self/fd/" + std::to_string(descriptor_), link);
    }
    return link.string();
  }

 private:
  int descriptor_;
  std::filesystem::path folder_;
};

}  // namespace fuzz
