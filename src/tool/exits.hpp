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

/// From here on a signal that would end the process (of a terminal, a closed pipe, a time limit) first removes unfinished
/// outputs, and the exit code is 128 and its number. Those that the caller ignores, as nohup does, stay ignored.
void end_cleanly_on_signals();

/// Opens the standard streams that the caller has closed, so that no output file takes the place of one and is written to
/// by mistake. To read from or write to one of them is an error as before.
void fill_closed_streams();

/// Writes to stdout (or stderr) at once; throws Error(io) if it cannot: a full disk, ...
void print(bool to_stderr, const std::string& text);

}  // namespace hgrid::tool
