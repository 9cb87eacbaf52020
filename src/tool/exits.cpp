// SPDX-License-Identifier: BSD-3-Clause
#include "exits.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <new>
#include <system_error>

#include "io/pending_files.hpp"
#include "io/printable.hpp"

namespace hgrid::tool {
namespace {

// Calls only functions that are safe in a handler; the threads stop with the process.
void end_process(int signal) {
  if (io::is_held_back(signal)) return;
  io::remove_pending_files();
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
  for (const int signal : {SIGHUP, SIGINT, SIGQUIT, SIGPIPE, SIGTERM, SIGXCPU}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);
  }
  std::signal(SIGXFSZ, SIG_IGN);  // a limit of file sizes is an error like a full disk
}

void fill_closed_streams() {
  for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; ++stream) {
    if (fcntl(stream, F_GETFD) >= 0) continue;
    // The lowest free number is this stream. It is opened for the other direction, so that using it fails.
    if (open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream) return;
  }
}

void print(bool to_stderr, const std::string& text) {
  std::FILE* stream = to_stderr ? stderr : stdout;
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0) return;
  throw Error(ErrorCode::io, fmt::format("{}: cannot write: {}", to_stderr ? "standard error" : "standard output",
                                         std::generic_category().message(errno)));
}

}  // namespace hgrid::tool
