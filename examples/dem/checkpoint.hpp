// SPDX-License-Identifier: BSD-3-Clause
// Checkpoints in files: blocks of bytes, each after its size. A run that begins with one ends in the bytes of the run that was
// not interrupted.
#pragma once

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "simulation.hpp"

namespace dem {

/// The progress of a run: steps done, and builds, by which the run knows when to sort.
struct Progress {
  offset_t step = 0, builds = 0;
};

/// The file is replaced once it is whole, so that a run that is killed leaves the one before.
inline void write_blocks(const std::string& name, const std::vector<Bytes>& blocks) {
  const std::string unfinished = name + ".unfinished";
  {
    std::ofstream file(unfinished, std::ios::binary);
    for (const Bytes& block : blocks) {
      const std::uint64_t size = block.size();
      file.write(reinterpret_cast<const char*>(&size), sizeof size);
      file.write(reinterpret_cast<const char*>(block.data()), static_cast<std::streamsize>(size));
    }
    if (!file.flush()) throw std::runtime_error("checkpoint=" + name + " cannot be written");
  }
  std::filesystem::rename(unfinished, name);
}

inline std::vector<Bytes> read_blocks(const std::string& name) {
  std::ifstream file(name, std::ios::binary);
  if (!file) throw std::runtime_error("restart=" + name + " cannot be read");
  const std::vector<char> all{std::istreambuf_iterator<char>(file), {}};
  std::vector<Bytes> blocks;
  for (std::size_t at = 0; at < all.size();) {
    std::uint64_t size = 0;
    if (all.size() - at < sizeof size) throw std::runtime_error("restart=" + name + " is cut off");
    std::memcpy(&size, all.data() + at, sizeof size);
    at += sizeof size;
    if (all.size() - at < size) throw std::runtime_error("restart=" + name + " is cut off");
    const auto* const begin = reinterpret_cast<const std::byte*>(all.data() + at);
    blocks.emplace_back(begin, begin + size);
    at += size;
  }
  return blocks;
}

/// `start` names the options that the particles and their world were made from.
template <class Exec, int D>
void write_checkpoint(const std::string& name, Simulation<Exec, D>& simulation, const std::string& start, Progress progress) {
  std::vector<Bytes> blocks = simulation.save();
  blocks.push_back(bytes_of(std::vector<char>(start.begin(), start.end())));
  blocks.push_back(bytes_of(std::vector<Progress>{progress}));
  write_blocks(name, blocks);
}

template <class Exec, int D>
Progress read_checkpoint(const std::string& name, Simulation<Exec, D>& simulation, const std::string& start) {
  std::vector<Bytes> blocks = read_blocks(name);
  if (blocks.size() < 2) throw std::runtime_error("restart=" + name + " is no checkpoint of this program");
  const auto progress = values_of<Progress>(blocks.back(), 1);
  blocks.pop_back();
  if (blocks.back() != bytes_of(std::vector<char>(start.begin(), start.end()))) {
    throw std::runtime_error("restart=" + name + " is of a run with other options: " +
                             std::string(reinterpret_cast<const char*>(blocks.back().data()), blocks.back().size()));
  }
  blocks.pop_back();
  simulation.restore(blocks);
  return progress.front();
}

}  // namespace dem
