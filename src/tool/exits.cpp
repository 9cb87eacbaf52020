// SPDX-License-Identifier: BSD-3-Clause
#include "exits.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <new>

#include "hgrid/host/io/atomic_file.hpp"
#include "hgrid/host/io/printable.hpp"

namespace hgrid::tool {
namespace {

// Only what is safe in a handler; the threads stop with the process.
void end_process(int signal) {
  io::remove_pending_outputs();
  _exit(128 + signal);
}

}  // namespace

int exit_code(ErrorCode code) {
  switch (code) {
    case ErrorCode::invalid_argument:
    case ErrorCode::invalid_box:
    case ErrorCode::invalid_levels:
    case ErrorCode::unsupported:
      return Exit::usage;
    case ErrorCode::format:
    case ErrorCode::nonfinite:
    case ErrorCode::negative_radius:
    case ErrorCode::range_error:
    case ErrorCode::box_too_small:
      return Exit::data;
    case ErrorCode::io:
      return Exit::file;
    case ErrorCode::capacity:
    case ErrorCode::too_many_particles:
    case ErrorCode::out_of_memory:
    case ErrorCode::environment:
    case ErrorCode::device:
      return Exit::resource;
    default:
      return Exit::internal;
  }
}

int run_reporting_errors(const std::function<void()>& f) {
  try {
    f();
    return Exit::ok;
  } catch (const Error& e) {
    print_error(e.what());
    return exit_code(e.code());
  } catch (const std::bad_alloc&) {
    print_error("out_of_memory: this machine has too little memory for it");
    return Exit::resource;
  } catch (const std::exception& e) {
    print_error(fmt::format("internal error: {}; please report it", e.what()));
    return Exit::internal;
  }
}

void print_error(const std::string& text) {
  const std::string line = fmt::format("hgrid: {}\n", io::printable(text, 4096));
  std::fputs(line.c_str(), stderr);
}

void end_cleanly_on_signals() {
  struct sigaction action {};
  action.sa_handler = end_process;
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  io::report_write_signals_as_errors();
}

void print(bool to_stderr, const std::string& text) {
  std::FILE* stream = to_stderr ? stderr : stdout;
  const bool written = std::fwrite(text.data(), 1, text.size(), stream) == text.size();
  if (std::fflush(stream) != 0 || !written) {
    throw Error(ErrorCode::io,
                std::string(to_stderr ? "standard error" : "standard output") + ": cannot write");
  }
}

}  // namespace hgrid::tool
