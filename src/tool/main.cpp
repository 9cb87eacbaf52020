// SPDX-License-Identifier: BSD-3-Clause
#include "command_line.hpp"

int main(int argc, char** argv) { return hgrid::tool::run_command_line(argc, argv); }
