// SPDX-License-Identifier: BSD-3-Clause
// How the tool ends: one exit code per kind of error, and nothing half-written.
#pragma once

#include <functional>
#include <string>

#include "hgrid/core/error.hpp"

namespace hgrid::tool {

enum Exit { ok = 0, usage = 2, data = 3, file = 4, resource = 5, internal = 70, interrupted = 130 };

int exit_code(ErrorCode code);

/// Runs f and returns the exit code; errors become one line on stderr.
int run_reporting_errors(const std::function<void()>& f);

/// Says on stderr what is wrong, with what a terminal might take for a command escaped.
void print_error(const std::string& text);

/// From here on SIGINT and SIGTERM remove unfinished outputs and end the process.
void end_cleanly_on_signals();

/// Writes to stdout (or stderr) at once; throws Error(io) if it cannot: a full disk, a closed pipe.
void print(bool to_stderr, const std::string& text);

}  // namespace hgrid::tool
