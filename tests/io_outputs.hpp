// SPDX-License-Identifier: BSD-3-Clause
// Helpers of the tests of outputs.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <functional>

#include "io/atomic_file.hpp"
#include "io_support.hpp"

namespace hgrid::io::test {

struct Outputs : Folder {
  void write_and_commit(const std::string& target, bool overwrite, std::string_view bytes = "new") const {
    AtomicFile out(target, overwrite);
    out.write(bytes);
    out.commit();
  }
  /// Runs f in a child; gives its wait status.
  int in_child(const std::function<void()>& f) const {
    const pid_t child = ::fork();
    if (child == 0) {
      try {
        f();
        ::_exit(0);
      } catch (const Error& error) {
        ::_exit(error.code() == ErrorCode::io ? 4 : 70);
      }
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return status;
  }
};

}  // namespace hgrid::io::test
