// SPDX-License-Identifier: BSD-3-Clause
// The end of the tool: one exit code per kind of error, and no half-written files.
#pragma once

#include <functional>
#include <string>

#include "hgrid/core/error.hpp"

namespace hgrid::tool {

enum Exit { ok = 0, usage = 2, data = 3, file = 4, resource = 5, internal = 70, interrupted = 130 };

int exit_code(ErrorCode code);

/// Runs f and returns the exit code; errors become one line on stderr.
int run_reporting_errors(const std::function<void()>& f);

/// Prints an error on stderr, and escapes characters that a terminal might take for a command.
void print_error(const std::string& text);

/// Makes a signal that would end the process (of a terminal, a closed pipe, a time limit) first remove unfinished outputs; the
/// exit code is 128 plus its number. Signals that the caller ignores, like nohup, stay ignored.
void end_cleanly_on_signals();

/// Opens the standard streams that the caller has closed, so that no output file gets the number of one and is written to by
/// mistake. Reading from or writing to such a stream still fails.
void fill_closed_streams();

/// Writes to stdout (or stderr) at once. Throws Error(io) if it cannot, for example because the disk is full.
void print(bool to_stderr, const std::string& text);

}  // namespace hgrid::tool
