// SPDX-License-Identifier: BSD-3-Clause
// Sequences in processes of their own, because they may crash.
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace support::machine {

/// This program's environment, with other variables for sequences.
struct Environment {
  std::vector<std::string> words;
  std::vector<char*> pointers;

  explicit Environment(std::vector<std::string> own) : words(std::move(own)) {
    for (char** e = environ; *e != nullptr; ++e) {
      const std::string word = *e;
      if (!word.starts_with("HGRID_SEQUENCE=") && !word.starts_with("HGRID_SHRINK=")) words.push_back(word);
    }
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
  }
  Environment(const Environment&) = delete;
};

/// Returns the kind of a fault: its first line without the operation and without numbers.
inline std::string kind_of(const std::string& fault) {
  std::istringstream lines(fault);
  std::string line;
  std::getline(lines, line), std::getline(lines, line);
  std::erase_if(line, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
  return line.substr(0, 40);
}

inline constexpr const char* fault_mark = "fault: ";

/// The kind of fault that this program has with the sequence of a file, in a process of its own; empty if none.
inline std::string fault_of(const std::filesystem::path& file) {
  const std::string output = file.string() + ".out";
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, 1, output.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
  std::string filter = "--gtest_filter=*.OneSequence", program = "state_machine";
  std::vector<char*> arguments = {program.data(), filter.data(), nullptr};
  Environment environment({"HGRID_SEQUENCE=" + file.string()});
  pid_t child = 0;
  const int rc = posix_spawn(&child, "/proc/self/exe", &actions, nullptr, arguments.data(), environment.pointers.data());
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (rc != 0 || waitpid(child, &status, 0) < 0) throw std::runtime_error("no process to run a sequence in");
  std::ifstream in(output);
  std::string line, kind;
  while (std::getline(in, line)) {
    if (line.starts_with(fault_mark)) kind = line.substr(std::string(fault_mark).size());
  }
  std::filesystem::remove(output);
  return WIFEXITED(status) ? kind : "crash";
}

/// While it lives, a crash starts this program again, to shrink the sequence that was running.
class ShrinkAfterCrash {
 public:
  explicit ShrinkAfterCrash(const std::filesystem::path& file)
      : environment_({"HGRID_SEQUENCE=" + file.string(), "HGRID_SHRINK=1"}) {
    pointers = environment_.pointers.data();
    for (const int signal : signals) std::signal(signal, crashed);
  }
  ShrinkAfterCrash(const ShrinkAfterCrash&) = delete;
  ~ShrinkAfterCrash() {
    for (const int signal : signals) std::signal(signal, SIG_DFL);
  }

 private:
  static constexpr int signals[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

  static inline char** pointers = nullptr;  // a handler may not allocate

  static void crashed(int signal) {
    static constexpr char said[] = "crashed; its sequence is being shrunk\n";
    [[maybe_unused]] const auto written = write(2, said, sizeof said - 1);
    sigset_t all;
    sigfillset(&all);
    sigprocmask(SIG_UNBLOCK, &all, nullptr);
    char program[] = "state_machine", filter[] = "--gtest_filter=*.OneSequence";
    char* arguments[] = {program, filter, nullptr};
    execve("/proc/self/exe", arguments, pointers);
    _exit(128 + signal);
  }

  Environment environment_;
};

}  // namespace support::machine
