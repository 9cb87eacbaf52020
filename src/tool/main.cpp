// SPDX-License-Identifier: BSD-3-Clause
namespace hgrid::tool {
int run_command_line(int argc, char** argv);  // command_line.cpp
}

int main(int argc, char** argv) { return hgrid::tool::run_command_line(argc, argv); }
