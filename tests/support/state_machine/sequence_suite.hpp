// SPDX-License-Identifier: BSD-3-Clause
// Many sequences, the kept ones, and the shortest form of a sequence that fails or crashes.
#pragma once

#include <gtest/gtest.h>

#include <iostream>

#include "support/random_suite.hpp"
#include "support/state_machine/draw.hpp"
#include "support/state_machine/run_sequence.hpp"
#include "support/state_machine/shrink_sequence.hpp"

namespace support::machine {

inline void write_text(const std::filesystem::path& path, const std::string& text) { std::ofstream(path) << text; }

inline std::filesystem::path own_file(const char* what) {
  return std::filesystem::temp_directory_path() / ("hgrid-" + std::string(what) + "-" + std::to_string(::getpid()) + ".txt");
}

/// Runs drawn sequences: `run(sequence)` runs one on the executor that it names, and returns the fault.
template <class Run>
void expect_random_sequences(std::uint64_t default_count, const Run& run) {
  const std::uint64_t seed = from_environment("HGRID_SEED", 20120501),
                      wanted = from_environment("HGRID_SEQUENCES", default_count);
  std::cout << "HGRID_SEED=" << seed << " HGRID_SEQUENCES=" << wanted << std::endl;
  const std::filesystem::path running = own_file("sequence");
  const ShrinkAfterCrash guard(running);
  std::uint64_t operations = 0;
  std::vector<std::uint64_t> met(kinds().size());
  for (std::uint64_t n = 0; n < wanted; ++n) {
    const Sequence s = make_sequence(seed + n);
    write_text(running, to_text(s));
    const std::string fault = run(s);
    if (!fault.empty())
      FAIL() << "sequence " << n << "; again with HGRID_SEED=" << seed + n << " HGRID_SEQUENCES=1\n"
             << fault << report_of_shrinking(running);
    operations += s.operations.size();
    for (const Operation& op : s.operations) ++met[static_cast<std::size_t>(op.what)];
  }
  std::filesystem::remove(running);
  std::cout << wanted << " sequences, " << operations << " operations\n";
  if (wanted < 500) return;  // too few for statistics
  for (std::size_t k = 0; k < met.size(); ++k) EXPECT_GT(met[k], 20u) << kinds()[k].name;
}

/// Runs sequences that once failed, on that number of executors.
template <class Run>
void expect_kept_sequences(int executors, const Run& run) {
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(HGRID_KEPT_SEQUENCES)) {
    Sequence s = read_sequence(entry.path());
    for (s.executor = 0; s.executor < executors; ++s.executor) {
      EXPECT_EQ(run(s), "") << entry.path() << " on executor " << s.executor;
    }
    ++files;
  }
  EXPECT_GE(files, 1);
}

/// The one in the file that HGRID_SEQUENCE names. With HGRID_SHRINK its shortest form that fails is written beside it.
template <class Run>
void run_one_sequence(const Run& run) {
  const char* file = std::getenv("HGRID_SEQUENCE");
  if (file == nullptr) GTEST_SKIP() << "HGRID_SEQUENCE names no file";
  if (std::getenv("HGRID_SHRINK") != nullptr) FAIL() << report_of_shrinking(file);
  const std::string fault = run(read_sequence(std::filesystem::path(file)));
  if (!fault.empty()) std::cout << fault_mark << kind_of(fault) << "\n";
  EXPECT_EQ(fault, "");
}

}  // namespace support::machine
