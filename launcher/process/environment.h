// SPDX-License-Identifier: Apache-2.0
// The environment of the launcher, read once. A value.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace understudy::launcher {

struct Environment {
  std::string state_home;              // $XDG_STATE_HOME, else $HOME/.local/state
  std::string cache_home;              // $XDG_CACHE_HOME, else $HOME/.cache
  std::string config_home;             // $XDG_CONFIG_HOME, else $HOME/.config
  std::string temporary;               // $TMPDIR, else /tmp
  std::string search_path;             // $PATH
  std::string isa;                     // $UNDERSTUDY_ISA
  std::string receipt_keep_newest;     // $UNDERSTUDY_RECEIPT_KEEP_NEWEST
  std::string receipt_keep_days;       // $UNDERSTUDY_RECEIPT_KEEP_DAYS
  bool no_color = false;               // $NO_COLOR is set and not empty
  bool in_slurm = false;               // mpirun takes its hosts from the batch system
  std::string self;                    // the folder of this binary
  std::vector<std::string> variables;  // all of them, "NAME=value"
  std::vector<std::string> words;      // the command line, program name first
};

// The only place where the launcher reads its environment; call once, at the start.
Environment read_environment();

// $NAME of the user's shell; "" where it is not set.
std::string variable_of(const Environment& environment, std::string_view name);

// The full path of a program in the folders of `search_path`; empty if not found.
std::string find_program(const std::string& search_path, const std::string& name);

}  // namespace understudy::launcher
